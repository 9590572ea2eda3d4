/** Small Spark applications that press on what HiBench's do, where HiBench is not. */
package org.interference.yarn.spark;
