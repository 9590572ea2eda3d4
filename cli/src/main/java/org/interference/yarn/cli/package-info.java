/** The operator's command line. Arguments come in; text or JSON goes out, and nothing else knows a terminal. */
package org.interference.yarn.cli;
