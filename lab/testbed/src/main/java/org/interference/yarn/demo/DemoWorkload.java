package org.interference.yarn.demo;

/** One line of a round: an application, or a chain of applications that need each other's output. */
record DemoWorkload(String name, Launch launch) {

    /** Submits and waits for the end; throws unless every application succeeded. */
    @FunctionalInterface
    interface Launch {
        void run() throws Exception;
    }
}
