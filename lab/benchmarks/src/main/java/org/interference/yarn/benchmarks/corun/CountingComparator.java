package org.interference.yarn.benchmarks.corun;

import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparator;

/** The order of texts, which counts how often it is asked. Not thread-safe; each task has its own. */
public final class CountingComparator extends WritableComparator {
    private static final int COMPARISONS_PER_STEP = 20;
    private static final int STEPS_AT_ONCE = 100;

    private final Text.Comparator order = new Text.Comparator();
    private int comparisons;

    public CountingComparator() {
        super(Text.class);
    }

    @Override
    public int compare(byte[] one, int start, int length, byte[] other, int otherStart, int otherLength) {
        comparisons++;
        if (comparisons == COMPARISONS_PER_STEP * STEPS_AT_ONCE) {
            comparisons = 0;
            WordCountTask.count(STEPS_AT_ONCE);
        }
        return order.compare(one, start, length, other, otherStart, otherLength);
    }
}
