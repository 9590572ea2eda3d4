package org.interference.yarn.nm.control;

/** What is counted of a container since it was first seen. */
public enum Quantity {
    /** Seconds on a CPU, of all threads. */
    ON_CPU,
    /** Seconds runnable without a CPU, of all threads. */
    RUN_QUEUE_WAIT,
    /** Seconds blocked on block I/O, of all threads. */
    BLOCKED,
    /** Seconds that the NIC's nominal bandwidth was used. */
    NETWORK,
    /** Futex system calls. */
    FUTEX_CALLS,
    /** Bytes read from storage. */
    READ_BYTES,
    /** Bytes written to storage. */
    WRITTEN_BYTES
}
