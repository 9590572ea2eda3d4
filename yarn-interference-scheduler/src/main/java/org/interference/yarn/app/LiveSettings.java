package org.interference.yarn.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.predict.PredictSettings;
import org.interference.yarn.profile.ProfileSettings;
import org.interference.yarn.relocate.RelocationSettings;
import org.interference.yarn.rest.Control;

/**
 * The settings in force: what the files said when they were last read, and what was changed since. An operator's refresh takes back every
 * change but one: what was switched off by hand stays off until it is switched again. YARN also reads the files when somebody changes a queue, which
 * takes back none: whoever may do that need not be one who may change settings. Thread-safe.
 */
final class LiveSettings {
    private static final String MODE = "yarn.interference.place.mode";
    private static final String QUEUE_MODES = "yarn.interference.place.queue-modes";
    private static final String CAPACITY_MODE = "yarn.interference.capacity.mode";
    private static final String LABEL_MODES = "yarn.interference.capacity.label-modes";
    private static final String RELOCATION_MODE = "yarn.interference.relocate.mode";
    private static final Map<String, String> ALL_OFF =
            Map.of(MODE, "off", QUEUE_MODES, "", CAPACITY_MODE, "off", LABEL_MODES, "", RELOCATION_MODE, "off");

    private final Placement placement;
    /** Told of every change of how large nodes may be. */
    private final Consumer<GovernorSettings> capacity;
    /** Told of every change of who may be asked to leave a node. */
    private final Consumer<RelocationSettings> relocation;
    /** What is wrong with a setting that is read once; then every queue stays off. */
    private final WrongSettings wrongUntilRestart;
    /** By the name of a setting; null for one that no file has. */
    private Function<String, String> files;

    private Map<String, String> changes = Map.of();
    /** What was switched off by hand: everything is {@code empty}, as for {@link #switchTo}. */
    private final Set<Optional<String>> switchedOff = new LinkedHashSet<>();
    /** What {@link #changes} said of queues before everything was switched off, and what was switched of them since; nothing if the files alone did. */
    private Map<String, String> queuesBeforeOff = Map.of();
    /** Whether {@link #MODE} was set to off by its name: then queues with a mode of their own keep it. */
    private boolean modeIsOff;

    private WrongSettings wrongInFiles;

    /**
     * @param capacity takes settings of the capacity stage
     * @param relocation takes settings of relocation
     * @param start what {@code placement} and these stages were made with, from {@code files}
     */
    LiveSettings(
            Placement placement,
            Consumer<GovernorSettings> capacity,
            Consumer<RelocationSettings> relocation,
            StartSettings start,
            Function<String, String> files) {
        this.placement = placement;
        this.capacity = capacity;
        this.relocation = relocation;
        this.files = files;
        this.wrongUntilRestart = start.wrongUntilRestart();
        this.wrongInFiles = start.wrongUntilRefresh();
    }

    /**
     * Reads what the files say now, and changes nothing yet.
     *
     * @param asked whether an operator has asked for it; if not, settings that were changed by hand stay as they are
     * @return what puts it in force
     * @throws ConfigException if a setting breaks its rule; {@link #problem} then says so, and what is in force stays
     */
    synchronized Runnable read(Function<String, String> read, boolean asked) {
        try {
            settings(read, Map.of());
            capacity(read, Map.of());
            relocation(read, Map.of());
        } catch (ConfigException e) {
            wrongInFiles = WrongSettings.among(keys().filter(LiveSettings::isLive), lookup(read, Map.of()));
            throw e;
        }
        return () -> use(read, asked);
    }

    private synchronized void use(Function<String, String> read, boolean asked) {
        files = read;
        wrongInFiles = WrongSettings.NONE;
        if (asked) {
            changes = changesThatARefreshLeaves();
            queuesBeforeOff = ofQueues(switchedOffAlone());
        }
        PlaceSettings settings = settings(files, changes);
        // A breaker that opened, and the loads that are known, are not forgotten for somebody's new queue.
        if (!settings.equals(placement.gate().settings())) {
            placement.refresh(settings);
        }
        capacity.accept(capacity(files, changes));
        relocation.accept(relocation(files, changes));
    }

    private Map<String, String> changesThatARefreshLeaves() {
        Map<String, String> off = modeIsOff ? Map.of(MODE, "off") : Map.of();
        for (Optional<String> scope : switchedOff) {
            off = with(off, scope, Mode.OFF);
        }
        return off;
    }

    /** Returns the queues that were switched off each by itself. */
    private Map<String, String> switchedOffAlone() {
        Map<String, String> off = Map.of();
        for (Optional<String> scope : switchedOff) {
            off = scope.isPresent() ? with(off, scope, Mode.OFF) : off;
        }
        return off;
    }

    /** Returns what {@code changed} says of queues, and nothing else. */
    private static Map<String, String> ofQueues(Map<String, String> changed) {
        return changed.containsKey(QUEUE_MODES) ? Map.of(QUEUE_MODES, changed.get(QUEUE_MODES)) : Map.of();
    }

    private boolean isAllSwitchedOff() {
        return switchedOff.contains(Optional.<String>empty());
    }

    /** As {@link Control#problem}. */
    synchronized Optional<String> problem() {
        return problem(WrongSettings::toAdministrators);
    }

    /** As {@link Control#problemToAnybody}. */
    synchronized Optional<String> problemToAnybody() {
        return problem(WrongSettings::toAnybody);
    }

    private Optional<String> problem(Function<WrongSettings, String> said) {
        boolean untilRestart = !wrongUntilRestart.isEmpty();
        WrongSettings wrong = untilRestart ? wrongUntilRestart : wrongInFiles;
        if (wrong.isEmpty()) {
            return Optional.empty();
        }
        String until = untilRestart ? "until the ResourceManager restarts" : "until they are refreshed";
        return Optional.of(
                placement.gate().isOff()
                        ? "every queue is off %s: %s".formatted(until, said.apply(wrong))
                        : "the settings before stay until they are refreshed: %s".formatted(said.apply(wrong)));
    }

    /** As {@link Control#change}. */
    synchronized void change(Map<String, String> values) {
        for (String name : values.keySet()) {
            if (keys().noneMatch(key -> isLive(key) && key.name().equals(name))) {
                throw new IllegalArgumentException(
                        keys().anyMatch(key -> key.name().equals(name))
                                ? name + " cannot change while the ResourceManager runs"
                                : "there is no setting '%s'".formatted(name));
            }
        }
        Map<String, String> next = new LinkedHashMap<>(changes);
        next.putAll(values);
        PlaceSettings wanted = settings(files, next);
        boolean liftsOff = values.containsKey(MODE) && wanted.mode() != Mode.OFF;
        use(liftsOff && !values.containsKey(QUEUE_MODES) ? withQueuesAsBeforeOff(next) : next);
        if (values.containsKey(MODE)) {
            modeIsOff = !liftsOff;
        }
        if (liftsOff) {
            switchedOff.remove(Optional.<String>empty());
        }
        if (values.containsKey(QUEUE_MODES)) {
            queuesBeforeOff = ofQueues(values);
            switchedOff.removeIf(Optional::isPresent);
            new TreeMap<>(wanted.queueModes().values()).forEach((queue, mode) -> {
                if (mode == Mode.OFF) {
                    switchedOff.add(Optional.of(queue));
                }
            });
        }
    }

    private void use(Map<String, String> next) {
        if (!wrongUntilRestart.isEmpty()) {
            throw new IllegalArgumentException(problem().orElseThrow());
        }
        GovernorSettings sizes = capacity(files, next);
        RelocationSettings moves = relocation(files, next);
        placement.refresh(settings(files, next));
        capacity.accept(sizes);
        relocation.accept(moves);
        changes = Map.copyOf(next);
    }

    /** As {@link Control#switchTo}. */
    synchronized void switchTo(Mode mode, Optional<String> queue) {
        Optional<String> scope = queue.map(String::strip);
        Map<String, String> next = with(changes, scope, mode);
        Map<String, String> before = isAllSwitchedOff() ? queuesBeforeOff : ofQueues(changes);
        use(scope.isEmpty() && mode != Mode.OFF ? withQueuesAsBeforeOff(next) : next);
        queuesBeforeOff = scope.isPresent() ? with(before, scope, mode) : before;
        if (scope.isEmpty()) {
            modeIsOff = false;
        }
        if (mode == Mode.OFF) {
            switchedOff.add(scope);
        } else {
            switchedOff.remove(scope);
        }
    }

    /** Returns {@code changed} with the modes that queues had before everything was switched off, if it was. */
    private Map<String, String> withQueuesAsBeforeOff(Map<String, String> changed) {
        if (!isAllSwitchedOff()) {
            return changed;
        }
        Map<String, String> next = new LinkedHashMap<>(changed);
        next.remove(QUEUE_MODES);
        next.putAll(queuesBeforeOff);
        return next;
    }

    /** Returns {@code changed} with another mode of a queue; off without a queue is everything's, of queues with a mode of their own too. */
    private Map<String, String> with(Map<String, String> changed, Optional<String> queue, Mode mode) {
        Map<String, String> next = new LinkedHashMap<>(changed);
        String written = mode.name().toLowerCase(Locale.ROOT);
        if (queue.isPresent()) {
            next.put(QUEUE_MODES, queueModes(changed, queue.get(), written));
        } else {
            next.put(MODE, written);
            if (mode == Mode.OFF) {
                next.put(QUEUE_MODES, "");
            }
        }
        return next;
    }

    private String queueModes(Map<String, String> changed, String path, String mode) {
        if (path.contains("=") || path.contains(",")) {
            throw new IllegalArgumentException("'%s' is no path of one queue, as in %s".formatted(path, QUEUE_MODES));
        }
        return Stream.concat(
                        Stream.of(value(files, changed, QUEUE_MODES, "").split(",", -1))
                                .map(String::strip)
                                // A pair without a mode is refused with the rest.
                                .filter(pair -> !pair.isEmpty()
                                        && !pair.split("=", 2)[0].strip().equals(path)),
                        Stream.of(path + "=" + mode))
                .collect(Collectors.joining(","));
    }

    synchronized List<Control.Setting> settings() {
        List<Control.Setting> settings = new ArrayList<>();
        keys().forEach(key -> settings.add(new Control.Setting(
                key, value(files, changes, key.name(), key.fallback()), isLive(key), changes.containsKey(key.name()))));
        return settings;
    }

    /** Returns every key of the plugin. */
    static Stream<ConfigKey<?>> keys() {
        return Stream.of(
                        PlaceSettings.KEYS,
                        GovernorSettings.KEYS,
                        RelocationSettings.KEYS,
                        PredictSettings.KEYS,
                        ProfileSettings.KEYS,
                        IngestSettings.KEYS)
                .flatMap(List::stream);
    }

    /** Returns whether a setting can change while the ResourceManager runs. */
    static boolean isLive(ConfigKey<?> key) {
        return PlaceSettings.KEYS.contains(key)
                || GovernorSettings.KEYS.contains(key)
                || RelocationSettings.KEYS.contains(key);
    }

    /** Returns settings under which every queue is off, by name. */
    static Map<String, String> allOff() {
        return ALL_OFF;
    }

    private PlaceSettings settings(Function<String, String> read, Map<String, String> changed) {
        return PlaceSettings.from(lookup(read, changed));
    }

    private GovernorSettings capacity(Function<String, String> read, Map<String, String> changed) {
        return GovernorSettings.from(lookup(read, changed));
    }

    private RelocationSettings relocation(Function<String, String> read, Map<String, String> changed) {
        return RelocationSettings.from(lookup(read, changed));
    }

    private BinaryOperator<String> lookup(Function<String, String> read, Map<String, String> changed) {
        return (name, fallback) -> !wrongUntilRestart.isEmpty() && ALL_OFF.containsKey(name)
                ? ALL_OFF.get(name)
                : value(read, changed, name, fallback);
    }

    private static String value(
            Function<String, String> files, Map<String, String> changes, String name, String fallback) {
        String changed = changes.get(name);
        String read = changed == null ? files.apply(name) : changed;
        return read == null ? fallback : read;
    }
}
