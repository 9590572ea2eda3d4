package org.interference.yarn.parents;

/**
 * What became of one test.
 *
 * @param id JUnit's, with which it can be run again
 * @param test the method, its parameters and the number of the invocation
 * @param attempts how often it was tried until then, at least 1
 * @param detail why it failed or was skipped; one line, may be empty
 */
record TestOutcome(String id, String test, Status status, int attempts, String detail) {
    enum Status {
        PASSED,
        FAILED,
        SKIPPED,
        /** Its JVM was ended, or ended itself, before the test did. */
        HUNG
    }

    boolean hasFailed() {
        return status == Status.FAILED || status == Status.HUNG;
    }

    TestOutcome afterAttempts(int count) {
        return new TestOutcome(id, test, status, count, detail);
    }

    String toLine() {
        return String.join(
                "\t", status.name(), Integer.toString(attempts), oneLine(test), oneLine(id), oneLine(detail));
    }

    static TestOutcome fromLine(String line) {
        String[] fields = line.split("\t", -1);
        return new TestOutcome(fields[3], fields[2], Status.valueOf(fields[0]), Integer.parseInt(fields[1]), fields[4]);
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\t\\r\\n]+", " ").strip();
    }
}
