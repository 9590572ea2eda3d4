package org.interference.yarn.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.LaunchSignature;

/**
 * All profiles, in memory. Thread-safe; a look-up is a few map reads and takes no lock.
 *
 * <p>There are never more than a tenth above the bound, and after each {@link #sweep} not more than the bound: those go
 * first whose last sample is longest ago, where each doubling of the samples counts as {@link #WORTH_OF_A_DOUBLING}.
 *
 * <p>What is to be written is bounded too, however long nobody can write it: of more than {@value #MOST_CHANGES} times the bound, those that were dropped are
 * forgotten, and only a snapshot of all says from then on that they are gone ({@link #forgettings}). What an administrator has removed is remembered until
 * it is written.
 */
public final class ProfileRepository {
    private static final Duration WORTH_OF_A_DOUBLING = Duration.ofDays(7);
    /** Sweeping frees a hundredth more than it must, so that the next one finds nothing to do. */
    private static final int SPARE_FRACTION = 100;
    /** Times the bound. */
    private static final int MOST_CHANGES = 2;

    private final ProfileSettings settings;
    private volatile Classes classes = Classes.NONE;
    private final ConcurrentMap<TaskKey, TaskProfile> profiles = new ConcurrentHashMap<>();
    private final Set<TaskKey> changed = ConcurrentHashMap.newKeySet();
    /** Of these, what an administrator has removed. */
    private final Set<TaskKey> removed = ConcurrentHashMap.newKeySet();

    private final AtomicLong forgettings = new AtomicLong();
    private final StageMemory stages = new StageMemory();
    private final UserShares shares = new UserShares();
    private final AtomicLong version = new AtomicLong();
    private volatile Instant staleBefore = Instant.MIN;

    /** A profile that became different, or that is gone if there is none. */
    public record Change(TaskKey key, Optional<TaskProfile> profile) {}

    /** Which class of tasks a profile with few samples is of. */
    @FunctionalInterface
    public interface Classes {
        /** Nothing was found out yet. */
        Classes NONE = profile -> Optional.empty();

        /** Returns {@code profile} with the signals of its class; empty if there is none. */
        Optional<TaskProfile> of(TaskProfile profile);
    }

    public ProfileRepository(ProfileSettings settings) {
        this.settings = settings;
    }

    /** @param minimumSamples how many samples a profile needs before it is found, at least 1; the rest is as by default */
    public ProfileRepository(int minimumSamples) {
        this(ProfileSettings.from((name, fallback) -> fallback).withMinimumSamples(minimumSamples));
    }

    /**
     * Takes over what is in the store, at any time. Of two profiles of one key that with more samples is kept, and what was forgotten meanwhile
     * stays so. What is not as it is in the store is to be written there.
     */
    public void restore(Collection<TaskProfile> stored) {
        Set<TaskKey> known = new HashSet<>();
        for (TaskProfile profile : stored) {
            TaskKey key = profile.key();
            known.add(key);
            if (changed.contains(key) && !profiles.containsKey(key)) {
                continue;
            }
            TaskProfile kept =
                    profiles.merge(key, profile, (held, same) -> held.samples() < same.samples() ? same : held);
            if (!kept.equals(profile)) {
                changed.add(key);
            }
        }
        profiles.keySet().stream().filter(key -> !known.contains(key)).forEach(changed::add);
        version.incrementAndGet();
    }

    /** Has all profiles written again. */
    public void allChanged() {
        changed.addAll(profiles.keySet());
    }

    /** Uses {@code found} from now on: which classes of tasks there are. */
    public void classify(Classes found) {
        classes = found;
    }

    /**
     * Returns the most specific profile with enough samples; of a task with too few, that of the class that they are in. Of a key under which different tasks
     * are filed it is the part that the newest task of its stage turned out to be.
     */
    public Optional<TaskProfile> find(TaskIdentity task) {
        return find(task, task.stage().flatMap(stages::of));
    }

    /**
     * Returns the same of a task of which it is known what it is: the profile that a sample of it is filed under.
     *
     * @param launch of the task
     * @param mean of the task
     */
    public Optional<TaskProfile> find(TaskIdentity task, Optional<LaunchSignature> launch, InterferenceVector mean) {
        return find(task, Optional.of(new StageMemory.Seen(launch, mean)));
    }

    private Optional<TaskProfile> find(TaskIdentity task, Optional<StageMemory.Seen> seen) {
        TaskProfile stale = null;
        TaskProfile probing = null;
        for (TaskKey key : task.keys()) {
            if (key.level().isCoarse()) {
                if (stale != null) {
                    break;
                }
                Optional<TaskProfile> alike = probing == null ? Optional.empty() : classes.of(probing);
                if (alike.isPresent()) {
                    return alike;
                }
                probing = null;
            }
            TaskProfile profile = profiles.get(key);
            if (profile == null || profile.samples() < needed(key)) {
                probing = probing == null && !key.level().isCoarse() ? profile : probing;
                continue;
            }
            if (!profile.updated().isBefore(staleBefore)) {
                return Optional.of(partOf(profile, seen));
            }
            stale = stale == null ? profile : stale;
        }
        return stale == null ? Optional.empty() : Optional.of(partOf(stale, seen));
    }

    private int needed(TaskKey key) {
        return key.level().isCoarse() ? settings.coarseMinimumSamples() : settings.minimumSamples();
    }

    /** Returns the profile of the kind that {@code task} is, or {@code whole}. */
    private TaskProfile partOf(TaskProfile whole, Optional<StageMemory.Seen> task) {
        if (!whole.mixture().isPolluted()) {
            return whole;
        }
        return task.flatMap(seen -> whole.mixture().part(seen.launch(), seen.levels()))
                .map(suffix -> profiles.get(whole.key().part(suffix)))
                .filter(part -> part.samples() >= needed(part.key()))
                .map(part -> partOf(part, task))
                .orElse(whole);
    }

    /** Returns how far {@code profile} can be relied on. */
    public ProfileState state(TaskProfile profile) {
        if (profile.samples() == 0) {
            return ProfileState.UNKNOWN;
        }
        if (profile.samples() < needed(profile.key())) {
            return ProfileState.PROBING;
        }
        return profile.updated().isBefore(staleBefore) ? ProfileState.STALE : ProfileState.KNOWN;
    }

    /** Adds {@code sample} to the profile of every key of its task; to those that users share, not more than each user's share. */
    public void record(TaskSample sample) {
        sample.task().stage().ifPresent(stage -> seen(stage, sample.launch(), sample.mean()));
        for (TaskKey key : sample.task().keys()) {
            boolean isTheirs = key.isShared() && sample.task().user().isPresent();
            if (isTheirs && !shares.admits(key, sample.task().user().get(), sample.finishedAt())) {
                continue;
            }
            add(key, sample, key.level().isCoarse() ? Division.NONE : Division.BY_LAUNCH);
        }
        version.incrementAndGet();
    }

    /** Takes a task that took more memory than it was given, where there is a profile of its kind: of nothing else it is a sample. */
    public void exhausted(TaskSample sample) {
        if (sample.use().isEmpty()) {
            return;
        }
        ResourceUse use = sample.use().get();
        for (TaskKey key : sample.task().keys()) {
            exhausted(key, sample, use);
        }
        version.incrementAndGet();
    }

    private void exhausted(TaskKey key, TaskSample sample, ResourceUse use) {
        TaskProfile next =
                key.level().isCoarse() ? null : profiles.computeIfPresent(key, (same, held) -> held.withExhausted(use));
        if (next != null) {
            changed.add(key);
            next.mixture()
                    .part(sample.launch(), sample.mean())
                    .ifPresent(suffix -> exhausted(key.part(suffix), sample, use));
        }
    }

    /** What a key may still be divided by. */
    private enum Division {
        /** By what was launched, and then by counters. */
        BY_LAUNCH,
        BY_COUNTERS,
        NONE
    }

    private void add(TaskKey key, TaskSample sample, Division division) {
        if (profiles.size() >= hardBound() && !profiles.containsKey(key)) {
            return;
        }
        TaskProfile[] before = new TaskProfile[1];
        TaskProfile next = profiles.compute(key, (same, held) -> {
            before[0] = held == null ? TaskProfile.empty(key) : held;
            return before[0].with(sample, division != Division.NONE);
        });
        changed.add(key);
        if (division == Division.NONE) {
            return;
        }
        firstPart(before[0], next).ifPresent(part -> {
            if (profiles.putIfAbsent(part.key(), part) == null) {
                changed.add(part.key());
            }
        });
        boolean byLaunch = next.mixture().launches().size() > 1;
        next.mixture()
                .part(sample.launch(), sample.mean())
                .ifPresent(suffix -> add(key.part(suffix), sample, byLaunch ? Division.BY_COUNTERS : Division.NONE));
    }

    /** When a second program appears under a key, what is known so far is of the first one. */
    private static Optional<TaskProfile> firstPart(TaskProfile before, TaskProfile after) {
        if (before.mixture().launches().size() != 1
                || after.mixture().launches().size() != 2) {
            return Optional.empty();
        }
        Map.Entry<LaunchSignature, Long> first =
                before.mixture().launches().entrySet().iterator().next();
        return first.getValue() == before.samples()
                ? Optional.of(before.as(before.key().part(Mixture.part(first.getKey()))))
                : Optional.empty();
    }

    private int hardBound() {
        return settings.maxProfiles() + settings.maxProfiles() / 10;
    }

    /** Notes what a task of {@code stage} is, as soon as that is known. */
    public void seen(String stage, Optional<LaunchSignature> launch, InterferenceVector levels) {
        stages.put(stage, new StageMemory.Seen(launch, levels));
    }

    public List<TaskProfile> all() {
        return List.copyOf(profiles.values());
    }

    public int size() {
        return profiles.size();
    }

    /**
     * Takes profiles from elsewhere; of two with one key, that with the newer sample is kept.
     *
     * @return how many were taken
     */
    public int merge(Collection<TaskProfile> others) {
        int taken = 0;
        for (TaskProfile other : others) {
            if (profiles.size() >= hardBound() && !profiles.containsKey(other.key())) {
                continue;
            }
            TaskProfile before = profiles.get(other.key());
            TaskProfile kept = profiles.merge(other.key(), other, TaskProfile::newer);
            if (!kept.equals(before)) {
                changed.add(other.key());
                taken++;
            }
        }
        version.incrementAndGet();
        return taken;
    }

    /**
     * Forgets a profile, and those of its parts.
     *
     * @param key as {@link TaskKey#text} writes it
     * @return false if there is none
     */
    public boolean remove(String key) {
        List<TaskKey> known = profiles.keySet().stream()
                .filter(candidate -> candidate.isOf(key))
                .toList();
        known.forEach(found -> {
            profiles.remove(found);
            removed.add(found);
            changed.add(found);
        });
        version.incrementAndGet();
        return !known.isEmpty();
    }

    /** Ages the profiles to {@code now}, and drops the least useful of too many. */
    public void sweep(Instant now) {
        staleBefore = now.minus(settings.staleAfter());
        int excess = profiles.size() - settings.maxProfiles();
        if (excess > 0) {
            drop(excess);
        }
        if (changed.size() > (long) MOST_CHANGES * settings.maxProfiles()) {
            changed.removeIf(key -> !profiles.containsKey(key) && !removed.contains(key));
            // Last: a snapshot that was begun in between may be one too many, and none is missing.
            forgettings.incrementAndGet();
        }
    }

    private void drop(int excess) {
        profiles.values().stream()
                .sorted(Comparator.comparingDouble(ProfileRepository::usefulness)
                        .thenComparing(profile -> profile.key().text()))
                .limit(excess + settings.maxProfiles() / SPARE_FRACTION)
                .forEach(profile -> {
                    profiles.remove(profile.key());
                    changed.add(profile.key());
                });
        version.incrementAndGet();
    }

    /** Returns an instant, in ms since the epoch: the later, the more useful. */
    private static double usefulness(TaskProfile profile) {
        double doublings = Math.log(1.0 + profile.samples()) / Math.log(2);
        return profile.updated().toEpochMilli() + doublings * WORTH_OF_A_DOUBLING.toMillis();
    }

    /**
     * Returns what became different since the last call, each profile as it is at the moment. Only for the one who writes it
     * down, and says {@link #written} then; if that fails, {@link #changedAgain}.
     */
    public List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        for (TaskKey key : List.copyOf(changed)) {
            // In this order: what changes in between is in the next call's answer too.
            changed.remove(key);
            changes.add(new Change(key, Optional.ofNullable(profiles.get(key))));
        }
        return changes;
    }

    /** Takes back changes that could not be written. */
    public void changedAgain(Collection<Change> changes) {
        changes.forEach(change -> changed.add(change.key()));
    }

    /** Takes note of changes that were written. */
    public void written(Collection<Change> changes) {
        changes.forEach(change -> removed.remove(change.key()));
    }

    /**
     * Returns how often profiles that are gone were left out of {@link #changes}, because too many waited to be written. Who writes them down writes a
     * snapshot of all, begun after it has asked, whenever there were more.
     */
    public long forgettings() {
        return forgettings.get();
    }

    /** Returns a number that grows with every change. */
    public long version() {
        return version.get();
    }
}
