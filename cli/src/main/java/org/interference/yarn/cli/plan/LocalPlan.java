package org.interference.yarn.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.interference.yarn.plan.Annealing;
import org.interference.yarn.plan.Answer;
import org.interference.yarn.plan.Budget;
import org.interference.yarn.plan.ExactSearch;
import org.interference.yarn.plan.HillClimb;
import org.interference.yarn.plan.Machine;
import org.interference.yarn.plan.Plan;
import org.interference.yarn.plan.PlanException;
import org.interference.yarn.plan.Planner;
import org.interference.yarn.plan.RoundRobin;
import org.interference.yarn.plan.Solver;
import org.interference.yarn.plan.TableInterference;
import org.interference.yarn.plan.file.PlanJson;
import org.interference.yarn.plan.file.Services;
import org.interference.yarn.plan.file.ServicesFile;

/**
 * A plan from files, and from what the ResourceManager says of its cluster if there is one; all of it is made here. Immutable.
 *
 * @param clock in ns
 * @param seconds for each of the three plans that are searched
 */
public record LocalPlan(String solver, double seconds, long seed, LongSupplier clock) {
    private static final Pattern EQUAL_NODES = Pattern.compile("(\\d{1,6})x(\\d+(?:\\.\\d+)?)");
    private static final int MOST_NODES = 100_000;
    private static final List<Solver> SOLVERS =
            List.of(new Annealing(), new HillClimb(), new RoundRobin(), new ExactSearch());

    /** Returns what {@code solver} may be; the first is the default. */
    public static List<String> solvers() {
        return SOLVERS.stream().map(Solver::name).toList();
    }

    /**
     * Returns the answer as JSON.
     *
     * @param services the text of a services file
     * @param nodes machines instead of those of the file: {@code 4x1.0}, {@code n1=1.0,n2=0.5}, or the text of a file of machines
     * @param today the text of a file that says where everything is
     */
    public String answer(String services, Optional<String> nodes, Optional<String> today) throws PlanInputException {
        try {
            Services read = ServicesFile.read(services);
            Services placed = nodes.isPresent() ? read.on(machines(nodes.get())) : read;
            if (placed.machines().isEmpty()) {
                throw new PlanException("The file names no machines: say --nodes, or --live for the cluster's own");
            }
            refuseProfiles(placed);
            return planned(placed, today.map(ServicesFile::readPlan));
        } catch (PlanException e) {
            throw new PlanInputException(e.getMessage(), e);
        }
    }

    /**
     * As {@link #answer}, with what a running cluster's ResourceManager knows.
     *
     * @param inputs what that answers to {@code plan-inputs} when it is asked for {@link #profiles}
     * @param measured who talks to whom; empty to plan with what the file says of that
     */
    public String live(String services, JsonNode inputs, Optional<MeasuredAffinity> measured)
            throws PlanInputException {
        try {
            LiveCluster cluster = new LiveCluster(inputs);
            Services read = cluster.learned(ServicesFile.read(services));
            Services learned = measured.map(talk -> cluster.talking(read, talk)).orElse(read);
            if (!learned.machines().isEmpty()) {
                return planned(learned, Optional.empty());
            }
            List<Machine> machines = cluster.machines(learned);
            return planned(learned.on(machines), cluster.today(learned, machines));
        } catch (PlanException e) {
            throw new PlanInputException(e.getMessage(), e);
        }
    }

    /** Returns the keys of the profiles that tiers of a services file name, in order. */
    public static List<String> profiles(String services) throws PlanInputException {
        try {
            return ServicesFile.read(services).tiers().stream()
                    .flatMap(tier -> tier.profile().stream())
                    .distinct()
                    .sorted()
                    .toList();
        } catch (PlanException e) {
            throw new PlanInputException(e.getMessage(), e);
        }
    }

    private String planned(Services placed, Optional<Plan> today) {
        Budget budget = Budget.time(clock, Duration.ofNanos((long) (seconds * 1e9)));
        Answer answer = Planner.answer(placed.problem(new TableInterference()), chosen(), budget, seed, today);
        return PlanJson.write(placed.name(), answer);
    }

    private Solver chosen() {
        return SOLVERS.stream()
                .filter(known -> known.name().equals(solver))
                .findFirst()
                .orElseThrow(() -> new PlanException(
                        "There is no solver '%s'; there are %s".formatted(solver, String.join(", ", solvers()))));
    }

    private static void refuseProfiles(Services services) {
        services.needsProfile().ifPresent(tier -> {
            throw new PlanException(
                    "Only the ResourceManager knows the profile '%s' of tier '%s': say --live, or give its degradation"
                            .formatted(tier.profile().orElseThrow(), tier.tier().name()));
        });
    }

    private static List<Machine> machines(String nodes) {
        String text = nodes.strip();
        if (text.startsWith("[") || text.startsWith("{")) {
            return ServicesFile.readMachines(text);
        }
        Matcher equal = EQUAL_NODES.matcher(text);
        List<Machine> machines = new ArrayList<>();
        if (equal.matches()) {
            int count = Integer.parseInt(equal.group(1));
            if (count < 1 || count > MOST_NODES) {
                throw new PlanException(
                        "--nodes asks for %d machines but there may be from 1 to %d".formatted(count, MOST_NODES));
            }
            for (int i = 1; i <= count; i++) {
                machines.add(machine("n" + i, equal.group(2)));
            }
            return machines;
        }
        for (String node : text.split(",", -1)) {
            int equals = node.lastIndexOf('=');
            if (equals < 0) {
                throw new PlanException(
                        "--nodes is '%s', which is neither a file nor of the form n1=1.0,n2=1.0 or 4x1.0"
                                .formatted(text));
            }
            machines.add(machine(node.substring(0, equals).strip(), node.substring(equals + 1)));
        }
        return machines;
    }

    private static Machine machine(String name, String capacity) {
        try {
            return new Machine(name, Map.of("size", Double.parseDouble(capacity.strip())));
        } catch (PlanException e) {
            throw e;
        } catch (NumberFormatException e) {
            throw new PlanException(
                    "The capacity of machine '%s' is '%s' but must be a number".formatted(name, capacity), e);
        }
    }
}
