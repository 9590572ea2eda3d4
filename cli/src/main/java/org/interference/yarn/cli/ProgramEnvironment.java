package org.interference.yarn.cli;

import java.time.InstantSource;
import java.util.function.UnaryOperator;

/**
 * What the program is told by the process it runs in. Immutable.
 *
 * @param environment a variable's value by its name, or null
 * @param width columns of the terminal that output goes to; {@link #NO_TERMINAL} if it goes elsewhere
 */
record ProgramEnvironment(UnaryOperator<String> environment, InstantSource clock, int width) {
    /** Nothing is shortened. */
    static final int NO_TERMINAL = Integer.MAX_VALUE;

    /** Hadoop's own programs take the name from there, too, where no ticket says who somebody is. */
    String user() {
        String named = environment.apply("HADOOP_USER_NAME");
        return named == null || named.isBlank() ? System.getProperty("user.name") : named;
    }
}
