package org.interference.yarn.app;

import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.interference.yarn.place.Mode;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.rest.Control;

/**
 * What administrators change by REST while the ResourceManager runs. Thread-safe.
 *
 * @param mostProfiles that may be known
 * @param replaced what is said of the operator's own allocator; empty if there was none
 */
record AdministratorsControl(
        LiveSettings live,
        Adaptation adaptation,
        ProfileRepository profiles,
        int mostProfiles,
        Supplier<Optional<String>> replaced,
        InstantSource clock)
        implements Control {
    @Override
    public List<Setting> settings() {
        return live.settings();
    }

    @Override
    public Optional<String> problem() {
        return live.problem().or(replaced);
    }

    @Override
    public Optional<String> problemToAnybody() {
        return live.problemToAnybody().or(replaced);
    }

    @Override
    public void change(Map<String, String> values) {
        live.change(values);
    }

    @Override
    public void switchTo(Mode mode, Optional<String> queue) {
        live.switchTo(mode, queue);
    }

    @Override
    public boolean retrain() {
        return adaptation.module().ask();
    }

    @Override
    public boolean rollBack(int version) {
        return adaptation.module().rollBack(version, clock.instant());
    }

    @Override
    public boolean deleteProfile(String key) {
        return profiles.remove(key);
    }

    @Override
    public int importProfiles(Collection<TaskProfile> imported) {
        imported.forEach(profile -> profile.requirePlausible(clock.instant()));
        return profiles.merge(imported);
    }
}
