package org.interference.yarn.rest;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.place.Mode;
import org.interference.yarn.profile.TaskProfile;

/** What an administrator may change while the ResourceManager runs. Thread-safe. */
public interface Control {
    /**
     * One setting as it is.
     *
     * @param value as it would be written
     * @param live whether it can change
     * @param changed whether it was changed here, so that its file says otherwise
     */
    record Setting(ConfigKey<?> key, String value, boolean live, boolean changed) {}

    List<Setting> settings();

    /** Returns what is wrong with the settings in the files, as a sentence; empty if nothing is. It may quote the names of queues. */
    Optional<String> problem();

    /** Returns the same without the values of settings that name queues. */
    Optional<String> problemToAnybody();

    /**
     * Changes settings until an operator has them read from their files again: all of them or none. What they switch off stays off, as with
     * {@link #switchTo}; the mode of queues without one of their own is off for these alone.
     *
     * @param values by name
     * @throws IllegalArgumentException if one of them cannot be changed
     * @throws org.interference.yarn.config.ConfigException if one of them breaks its rule
     */
    void change(Map<String, String> values);

    /**
     * Switches one queue and those below it; without one, all that have no mode of their own, and to off really all. What is off stays off
     * however the files are read again, until it is switched once more.
     *
     * @throws IllegalArgumentException if it is no path of one queue
     * @throws org.interference.yarn.config.ConfigException if it is no path of a queue at all
     */
    void switchTo(Mode mode, Optional<String> queue);

    /** Asks for a training; false if there is too little to train on. */
    boolean retrain();

    /** Makes an earlier version of the model the champion; false if there is none with this number. */
    boolean rollBack(int version);

    /** Forgets a kind of task; false if its key is not known. */
    boolean deleteProfile(String key);

    /** Returns how many profiles there are at most, at any moment. */
    int mostProfiles();

    /**
     * Brings profiles in.
     *
     * @return how many were taken: the others were older than what is there, or there was no room
     * @throws IllegalArgumentException if nobody can have measured one; then nothing is taken
     */
    int importProfiles(Collection<TaskProfile> profiles);
}
