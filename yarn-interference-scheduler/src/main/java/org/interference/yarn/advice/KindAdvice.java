package org.interference.yarn.advice;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.profile.TaskKey;

/**
 * What tasks of one kind are given, what they use, and what to ask for instead. Immutable.
 *
 * @param tasks on which it stands
 * @param exhausted of these, those that YARN ended because they took more memory than they were given
 * @param given by the newest request; empty if no task is known
 * @param used empty if no task is known
 * @param wasted empty if no task is known
 * @param advice what to ask for; otherwise why there is none
 */
public record KindAdvice(
        TaskKey key,
        long tasks,
        long exhausted,
        Optional<Given> given,
        Optional<Used> used,
        Optional<Wasted> wasted,
        Outcome advice) {
    /** What YARN allocates for one such task. */
    public record Given(long memoryMb, int vcores) {}

    /**
     * What such tasks use.
     *
     * @param cores CPUs that one keeps busy, in the mean; empty where nodes do not tell how many they have
     * @param peakMb the highest working set of any
     * @param p99Mb the working set that the peaks of 99 % do not exceed
     * @param workingSetMb in the mean over time
     * @param diskShare of a node's local directories, what the work folders of the task held that held most, in the mean over its time; empty where
     *     nobody looked
     */
    public record Used(OptionalDouble cores, long peakMb, long p99Mb, long workingSetMb, OptionalDouble diskShare) {}

    /**
     * What was given and not used, in hours of such containers: those that would have run beside them for nothing.
     *
     * @param memoryHours of memory above each task's own peak
     * @param coreHours of vcores; empty where it is not known what CPUs were used. Nothing where more was used than given
     */
    public record Wasted(double memoryHours, OptionalDouble coreHours) {}

    /**
     * A size.
     *
     * @param riskAtMost how likely the next task needs more, at most, if it is one like those that were seen
     */
    public record Size(long memoryMb, double riskAtMost) {}

    /** What is advised, or why nothing is. */
    public sealed interface Outcome permits Sizes, Withheld {}

    /**
     * What to ask for.
     *
     * @param advised for applications that do not ask for more when a task is ended for its memory, as MapReduce and Spark do not
     * @param minimumWaste for those that run such a task again with what is asked for now: the size at which least is wasted
     * @param maximumThroughput for those, the size at which most tasks are finished
     * @param savedShare of the memory over time that is asked for now, what {@code advised} saves; below 0 where more is advised
     * @param settings of the framework, ready to be copied, for {@code advised}; empty for one that is not known
     */
    public record Sizes(
            Size advised, Size minimumWaste, Size maximumThroughput, double savedShare, Map<String, String> settings)
            implements Outcome {
        public Sizes {
            settings = Map.copyOf(settings);
        }
    }

    /** Nothing is advised. */
    public record Withheld(Reason reason) implements Outcome {}

    /** Why nothing is advised. */
    public enum Reason {
        NOT_MEASURED("of no task is it known both what it was given and what memory it used"),
        FEW_TASKS("fewer than %d tasks say too little".formatted(KindAdvisor.FEWEST_TASKS)),
        NO_LIMIT("what it was given has no limit"),
        MIXED("different tasks are filed under this key: its parts have advice of their own"),
        OTHER_HARDWARE("its tasks ran on machines of a size that no node has"),
        QUEUE_GONE("its queue is gone"),
        TOO_LARGE("it needs more than the largest container has");

        private final String sentence;

        Reason(String sentence) {
            this.sentence = sentence;
        }

        /** For people. */
        public String sentence() {
            return sentence;
        }
    }
}
