package org.interference.yarn.profile;

import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigKey;

/**
 * Settings of the profile stage.
 *
 * @param storeDirectory where the profiles are kept between lives of the ResourceManager
 * @param minimumSamples finished tasks that a profile needs before it is used
 * @param coarseMinimumSamples of a profile whose key is {@link TaskKey.Level#isCoarse coarse}
 * @param clusters into how many profiles that are alike are put
 * @param sharedTags by which all users mean the same kind of task
 */
public record ProfileSettings(
        String storeDirectory,
        int minimumSamples,
        int coarseMinimumSamples,
        int maxProfiles,
        Duration staleAfter,
        ClusterCount clusters,
        SharedTags sharedTags) {
    static final ConfigKey<String> STORE_DIRECTORY = ConfigKey.text(
            "yarn.interference.profile.store-dir",
            "${hadoop.tmp.dir}/yarn/system/interference",
            "a directory that the ResourceManager may write",
            "Directory of the profile store, and of the versions of the learned model below it: a local path, or a URI of the cluster file system (hdfs://...), which"
                    + " ResourceManagers that stand in for each other then share. Without a usable directory profiles are"
                    + " kept in memory only, and health says so.");

    /** One task says more of its kind than nothing does, and until then its tasks are placed as stock YARN would. */
    private static final int MINIMUM_SAMPLES = 1;

    /** A mean of unlike tasks, such as those of a queue, says something of the next one only once it stands on many (ADR-0011). */
    private static final int COARSE_MINIMUM_SAMPLES = 100;

    static final ConfigKey<Integer> MAX_PROFILES = ConfigKey.integer(
            "yarn.interference.profile.max-profiles",
            100_000,
            100,
            10_000_000,
            "Profiles to keep. Of more, those with the fewest samples and the oldest are dropped. A profile takes about"
                    + " 2 kB of heap.");

    static final ConfigKey<Duration> STALE_AFTER = ConfigKey.millis(
            "yarn.interference.profile.stale-after-ms",
            Duration.ofDays(90),
            Duration.ofMinutes(1),
            "A profile without a new sample for so long is stale: one of another level that is as specific is preferred.");

    static final ConfigKey<ClusterCount> CLUSTERS = new ConfigKey<>(
            "yarn.interference.profile.clusters",
            "best",
            ClusterCount::parse,
            count -> true,
            "'best', 'nodes' or a whole number from %d to %d".formatted(ClusterCount.FEWEST, ClusterCount.MOST),
            "Into how many clusters profiles that are alike are put. 'best': as many, up to 15, as lie apart most clearly"
                    + " (silhouette). 'nodes': as many as there are nodes. A task of which only its cluster is known is placed by"
                    + " the mean of that.");

    static final ConfigKey<SharedTags> SHARED_TAGS = new ConfigKey<>(
            "yarn.interference.profile.shared-tags",
            "none",
            SharedTags::parse,
            tags -> true,
            "'none', 'all' or names of tags without ifc:, with commas",
            "Application tags ifc:NAME by which all users mean the same kind of task: one profile of it is made of the tasks of all,"
                    + " and used for all. Of any other tag each user has his own, and learns nothing of what others run. Who shares one lets"
                    + " the others see, in how they are placed, how much these tasks use.");

    /** Every key of this stage, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS =
            List.of(STORE_DIRECTORY, MAX_PROFILES, STALE_AFTER, CLUSTERS, SHARED_TAGS);

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static ProfileSettings from(BinaryOperator<String> lookup) {
        return new ProfileSettings(
                STORE_DIRECTORY.read(lookup),
                MINIMUM_SAMPLES,
                COARSE_MINIMUM_SAMPLES,
                MAX_PROFILES.read(lookup),
                STALE_AFTER.read(lookup),
                CLUSTERS.read(lookup),
                SHARED_TAGS.read(lookup));
    }

    ProfileSettings withMinimumSamples(int samples) {
        return new ProfileSettings(
                storeDirectory, samples, coarseMinimumSamples, maxProfiles, staleAfter, clusters, sharedTags);
    }
}
