package org.interference.yarn.sim.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.workload.SimTaskKinds;
import org.interference.yarn.sim.world.UserWorld;
import org.interference.yarn.sim.world.World;
import org.interference.yarn.sim.world.WorldFile;
import org.interference.yarn.sim.world.WorldFileException;

/**
 * The worlds that a user has asked for, and the kinds of task that run in all of them: those of a file, so that a built-in world beside it
 * is one of the same tasks. Immutable.
 */
record ChosenWorlds(List<World> worlds, List<SimTaskKind> kinds) {
    private static final String FILE = ".json";

    /**
     * Returns those that are meant by {@code given}: names of {@code known} ones, and files.
     *
     * @throws BadInputException if a name is not known, a file describes no world, two have one name, or files have different kinds
     */
    static ChosenWorlds of(List<String> given, List<World> known) throws BadInputException {
        List<World> worlds = new ArrayList<>();
        Optional<List<SimTaskKind>> kinds = Optional.empty();
        for (String name : given.stream().distinct().toList()) {
            if (!name.endsWith(FILE)) {
                Simulate.chosen(
                        "world", List.of(name), known.stream().map(World::name).toList());
                known.stream().filter(world -> world.name().equals(name)).forEach(worlds::add);
                continue;
            }
            UserWorld read = read(name);
            if (kinds.isPresent() && !kinds.get().equals(read.kinds())) {
                throw new BadInputException(
                        "%s has other kinds of task than a file before it: simulate them apart".formatted(name));
            }
            if (worlds.stream()
                    .anyMatch(world -> world.name().equals(read.world().name()))) {
                throw new BadInputException("%s: name is '%s' but must be another than that of a file before it"
                        .formatted(name, read.world().name()));
            }
            kinds = Optional.of(read.kinds());
            worlds.add(read.world());
        }
        return new ChosenWorlds(List.copyOf(worlds), kinds.orElseGet(SimTaskKinds::all));
    }

    private static UserWorld read(String file) throws BadInputException {
        try {
            return WorldFile.read(Path.of(file));
        } catch (WorldFileException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }
}
