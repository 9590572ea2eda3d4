/** What advice on the size of containers would have saved and spoilt in traces of real clusters. */
package org.interference.yarn.benchmarks.advice;
