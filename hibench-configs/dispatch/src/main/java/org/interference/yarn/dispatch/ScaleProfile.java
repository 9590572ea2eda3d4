package org.interference.yarn.dispatch;

import java.util.Locale;

/** HiBench's scale profiles of which workloads.tsv has sizes. */
enum ScaleProfile {
    TINY,
    SMALL,
    LARGE;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
