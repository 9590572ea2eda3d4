package org.interference.yarn.profile;

import java.util.List;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigKey;

/**
 * Settings of the profile stage.
 *
 * @param storeDirectory where the profiles are kept between lives of the ResourceManager
 */
public record ProfileSettings(String storeDirectory, int minimumSamples) {
    static final ConfigKey<String> STORE_DIRECTORY = ConfigKey.text(
            "yarn.interference.profile.store-dir",
            "${hadoop.tmp.dir}/yarn/system/interference",
            "a local directory that the ResourceManager may write",
            "Local directory of the profile store. Without a usable directory profiles are kept in memory only,"
                    + " and health says so.");

    static final ConfigKey<Integer> MINIMUM_SAMPLES = ConfigKey.integer(
            "yarn.interference.profile.minimum-samples",
            1,
            1,
            1_000_000,
            "Finished tasks that a profile needs before it is used; until then its tasks are placed as stock YARN would.");

    /** Every key of this stage, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS = List.of(STORE_DIRECTORY, MINIMUM_SAMPLES);

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static ProfileSettings from(BinaryOperator<String> lookup) {
        return new ProfileSettings(STORE_DIRECTORY.read(lookup), MINIMUM_SAMPLES.read(lookup));
    }
}
