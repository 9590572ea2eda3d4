package org.interference.yarn.sim.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.interference.yarn.sim.command.Cells.Cell;
import org.interference.yarn.sim.command.Cells.Choice;
import org.interference.yarn.sim.command.Cells.KnownPattern;
import org.interference.yarn.sim.report.RunMetrics;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.workload.SimTaskKinds;
import org.interference.yarn.sim.world.World;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The program that {@code bin/interference simulate} starts: simulates a workload under some policies, and compares them with the stock
 * FairScheduler. Exit status: 0 done, 1 failed, 2 bad input.
 */
@Command(
        name = "interference simulate",
        sortOptions = false,
        description = {
            "What would the scheduler do for a cluster? Runs a workload through real schedulers in virtual time,"
                    + " each seed under every policy, and compares them with the stock FairScheduler.",
            "docs/simulate.md says what the answer is worth."
        })
public final class Simulate implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int BAD_INPUT = 2;
    private static final int MOST_NODES = 10_000;
    private static final int MOST_SEEDS = 10_000;
    private static final int MOST_SLOTS = 1_000;
    private static final int MOST_LOAD = 1_000;
    private static final int MOST_CHANGED = 100;

    private final Cells cells;

    @Spec
    private CommandSpec spec;

    @Option(names = "--list", description = "List worlds, patterns and policies, and do nothing else.")
    private boolean list;

    @Option(
            names = "--world",
            paramLabel = "W",
            split = ",",
            defaultValue = "water-heavy",
            description = "How tasks slow each other down, or several, with commas (default: ${DEFAULT-VALUE});"
                    + " a name that ends in .json is a file that describes one.")
    private List<String> worlds;

    @Option(
            names = "--pattern",
            paramLabel = "P",
            description = "Which jobs arrive when (default: dispatch); or give a trace.")
    private String pattern;

    @Option(
            names = "--load",
            paramLabel = "N[-M]",
            description = "Jobs that arrive independently and would keep N %% of the slots in use without interference,"
                    + " in place of a pattern; 30-100: 30 %% at first, and 100 in the end.")
    private String load;

    @Option(
            names = "--changed",
            paramLabel = "N",
            defaultValue = "0",
            description = "N %% of the applications have become other programs since the policy learnt,"
                    + " as after months of releases (default: ${DEFAULT-VALUE}).")
    private int changed;

    @Option(
            names = "--policy",
            paramLabel = "X",
            split = ",",
            defaultValue = "ours-fair",
            description = "Which scheduler, or several, with commas (default: ${DEFAULT-VALUE}); fair always runs.")
    private List<String> policies;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "10",
            description = "Repetitions, each with other random numbers (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "8", description = "Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(
            names = "--slots",
            paramLabel = "N",
            defaultValue = "4",
            description = "Tasks that fit on a node (default: ${DEFAULT-VALUE}).")
    private int slots;

    @Option(names = "--json", description = "Answer in JSON instead of tables.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli asks for it.
    private boolean help;

    @ArgGroup(exclusive = false, heading = "%nYour own workload:%n", order = 100)
    private TraceOptions trace;

    private Simulate(Cells cells) {
        this.cells = cells;
    }

    /** Ends the process at once when done: a ResourceManager leaves threads behind. */
    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int status = commandLine(new SimulatedCells(), out, err).execute(arguments);
        out.flush();
        err.flush();
        Runtime.getRuntime().halt(status);
    }

    /** Returns the program, which writes its answers to {@code out} and what went wrong to {@code err}. */
    static CommandLine commandLine(Cells cells, PrintWriter out, PrintWriter err) {
        return new CommandLine(new Simulate(cells))
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Simulate::refuse)
                .setExecutionExceptionHandler(Simulate::fail);
    }

    private static int refuse(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandName();
        command.getErr().printf("%s (bin/%s --help says more)%n", oneLine(e.getMessage()), name);
        return BAD_INPUT;
    }

    private static int fail(Exception e, CommandLine command, CommandLine.ParseResult arguments) {
        command.getErr().printf("The command failed, which is a defect of the program: %s%n", oneLine(e.toString()));
        return FAILED;
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    @Override
    public Integer call() {
        try {
            return simulate();
        } catch (BadInputException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int simulate() throws BadInputException {
        PrintWriter out = spec.commandLine().getOut();
        if (list) {
            out.print(listing());
            return 0;
        }
        refuseWhatIsOutOfRange();
        ChosenWorlds chosenWorlds = ChosenWorlds.of(worlds, cells.worlds());
        Set<String> chosenPolicies = new LinkedHashSet<>(List.of(cells.baseline()));
        chosenPolicies.addAll(chosen("policy", policies, names(cells.policies())));
        Workload workload = workload(chosenWorlds.kinds());
        if (!json) {
            out.printf(
                    Locale.ROOT,
                    "%s%n%d nodes of %d slots, %d seeds, %d runs.%n",
                    workload.summary(),
                    nodes,
                    slots,
                    seeds,
                    chosenWorlds.worlds().size() * chosenPolicies.size() * seeds);
            out.flush();
        }
        List<SimulationResults> results = run(chosenWorlds.worlds(), chosenPolicies, workload);
        print(out, results, workload);
        return 0;
    }

    /** @param past what was run while policies learnt */
    private record Workload(Pattern pattern, Pattern past, String summary) {}

    private Workload workload(List<SimTaskKind> kinds) throws BadInputException {
        if (changed == 0) {
            return arrivals(kinds);
        }
        if (trace != null || "swim".equals(pattern)) {
            throw new BadInputException(
                    "--changed is of applications that are a kind of task each, and those of a trace are not");
        }
        if (kinds.size() < 2) {
            throw new BadInputException("--changed has applications change places, and there is one kind of task");
        }
        Workload now = arrivals(kinds);
        return new Workload(
                now.pattern(),
                Patterns.beforeChanges(now.pattern(), kinds, changed),
                "%s Of the applications %d %% have become other programs since policies learnt."
                        .formatted(now.summary(), changed));
    }

    private Workload arrivals(List<SimTaskKind> kinds) throws BadInputException {
        if (load != null) {
            if (pattern != null || trace != null) {
                throw new BadInputException(
                        "--load says which jobs arrive, as --pattern and --trace do; give one of them");
            }
            Load given = Load.of(load);
            Pattern arriving = Patterns.poisson(kinds, given.first(), given.last());
            return new Workload(
                    arriving,
                    arriving,
                    "Independent arrivals that would keep %s %% of the slots in use without interference."
                            .formatted(given.text()));
        }
        if (trace == null) {
            List<KnownPattern> known = cells.patterns(kinds);
            String name = pattern == null ? known.get(0).name() : pattern;
            List<String> names = known.stream().map(KnownPattern::name).toList();
            chosen("pattern", List.of(name), names);
            KnownPattern chosen = known.get(names.indexOf(name));
            return new Workload(
                    chosen.pattern(), chosen.pattern(), "Pattern %s: %s".formatted(name, chosen.describes()));
        }
        if (pattern != null) {
            throw new BadInputException("--pattern and --trace both say which jobs arrive; give one of them");
        }
        TraceOptions.Replay replay = trace.replay(nodes * slots, kinds);
        return new Workload(replay.pattern(), replay.pattern(), replay.summary());
    }

    private List<SimulationResults> run(List<World> chosenWorlds, Set<String> chosenPolicies, Workload workload)
            throws BadInputException {
        List<SimulationResults> all = new ArrayList<>();
        try (CellProgress progress = CellProgress.of(chosenWorlds.size() * chosenPolicies.size() * seeds)) {
            for (World world : chosenWorlds) {
                Map<String, List<RunMetrics>> runs = new LinkedHashMap<>();
                chosenPolicies.forEach(policy -> runs.put(policy, new ArrayList<>()));
                for (long seed = 1; seed <= seeds; seed++) {
                    for (String policy : chosenPolicies) {
                        progress.begin(world.name(), policy);
                        Cell cell = new Cell(world, workload.pattern(), workload.past(), policy, nodes, slots);
                        runs.get(policy).add(cells.run(cell, seed));
                        progress.done();
                    }
                }
                all.add(new SimulationResults(world.name(), cells.baseline(), runs));
            }
        }
        return all;
    }

    private void print(PrintWriter out, List<SimulationResults> results, Workload workload) {
        if (json) {
            ObjectNode question = JsonNodeFactory.instance.objectNode();
            question.put("workload", workload.summary());
            question.put("nodes", nodes).put("slots_per_node", slots).put("seeds", seeds);
            question.put("baseline", cells.baseline());
            out.println(SimulationAnswer.json(results, question));
            return;
        }
        for (SimulationResults world : results) {
            out.printf("%nWorld %s%n%s%n", world.world(), SimulationAnswer.table(world));
        }
        out.printf("%nLower is better, but for slots in use. After a change stands its 95 %% interval over the seeds;%n"
                + "one that holds 0 shows nothing. docs/simulate.md says what the answer is worth.%n");
    }

    private void refuseWhatIsOutOfRange() throws BadInputException {
        requireRange("--seeds", seeds, MOST_SEEDS);
        requireRange("--nodes", nodes, MOST_NODES);
        requireRange("--slots", slots, MOST_SLOTS);
        requireRange("--changed", changed, 0, MOST_CHANGED);
    }

    private static void requireRange(String option, int value, int most) throws BadInputException {
        requireRange(option, value, 1, most);
    }

    private static void requireRange(String option, int value, int least, int most) throws BadInputException {
        if (value < least || value > most) {
            throw new BadInputException("%s is %d but must be from %d to %d".formatted(option, value, least, most));
        }
    }

    /**
     * How much arrives, in per cent of the slots.
     *
     * @param first at the rate of the first jobs
     * @param last at that of the last ones
     */
    private record Load(int first, int last) {
        private static final java.util.regex.Pattern FORM =
                java.util.regex.Pattern.compile("([0-9]{1,4})(?:-([0-9]{1,4}))?");

        static Load of(String text) throws BadInputException {
            Matcher form = FORM.matcher(text);
            if (!form.matches()) {
                throw refused(text);
            }
            int first = Integer.parseInt(form.group(1));
            int last = form.group(2) == null ? first : Integer.parseInt(form.group(2));
            if (Math.min(first, last) < 1 || Math.max(first, last) > MOST_LOAD) {
                throw refused(text);
            }
            return new Load(first, last);
        }

        private static BadInputException refused(String text) {
            return new BadInputException("--load is %s but must be from 1 to %d, or two of these with - between them"
                    .formatted(text, MOST_LOAD));
        }

        String text() {
            return first == last ? Integer.toString(first) : "%d, and in the end %d,".formatted(first, last);
        }
    }

    /** Returns {@code given}, without repetitions, if all of them are {@code known}. */
    static List<String> chosen(String what, List<String> given, List<String> known) throws BadInputException {
        for (String name : given) {
            if (!known.contains(name)) {
                throw new BadInputException(
                        "There is no %s '%s'; there are %s".formatted(what, name, String.join(", ", known)));
            }
        }
        return given.stream().distinct().toList();
    }

    private static List<String> names(List<Choice> choices) {
        return choices.stream().map(Choice::name).toList();
    }

    private String listing() {
        List<Choice> worldChoices = cells.worlds().stream()
                .map(world -> new Choice(world.name(), world.describes()))
                .toList();
        List<Choice> patterns = cells.patterns(SimTaskKinds.all()).stream()
                .map(known -> new Choice(known.name(), known.describes()))
                .toList();
        return section("Worlds", worldChoices) + section("Patterns", patterns) + section("Policies", cells.policies());
    }

    private static String section(String title, List<Choice> choices) {
        return choices.stream()
                .map(choice -> "  %-22s %s"
                        .formatted(choice.name(), choice.describes())
                        .stripTrailing())
                .collect(Collectors.joining("\n", title + "\n", "\n"));
    }
}
