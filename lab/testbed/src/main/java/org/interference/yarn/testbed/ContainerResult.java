package org.interference.yarn.testbed;

/** How long one container of fixed work took; seconds since 1970. */
record ContainerResult(String application, String container, String kind, String host, double began, double ended) {
    double seconds() {
        return ended - began;
    }
}
