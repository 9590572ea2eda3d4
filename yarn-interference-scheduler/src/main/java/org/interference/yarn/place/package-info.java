/** Where a container costs least. A request and candidate nodes come in; an order of nodes with its reasons goes out. */
package org.interference.yarn.place;
