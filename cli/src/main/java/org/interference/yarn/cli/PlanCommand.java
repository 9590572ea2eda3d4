package org.interference.yarn.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.interference.yarn.cli.plan.LocalPlan;
import org.interference.yarn.cli.plan.MeasuredAffinity;
import org.interference.yarn.cli.plan.PlanInputException;
import org.interference.yarn.cli.plan.PlanPicture;
import org.interference.yarn.cli.plan.Yarnfile;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plans where the tiers of services should live. */
@Command(
        name = "plan",
        sortOptions = false,
        description = {
            "Where should the tiers of long-running services live, so that those that talk are together and those that disturb"
                    + " each other apart? Answers with a plan, what it costs and why, and the plans of planners that look at"
                    + " one of the two alone.",
            "docs/plan.md has the file's format, and how to read the answer."
        })
final class PlanCommand extends OperatorCommand {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double LONGEST_SECONDS = 3600;
    private static final Pattern SPEED = Pattern.compile("[1-9]\\d{0,17}[MG]?");

    @Parameters(paramLabel = "FILE", description = "The services: tiers, and machines if --nodes does not say.")
    private Path file;

    @Option(
            names = "--nodes",
            paramLabel = "NODES",
            description =
                    "The machines: n1=1.0,n2=0.5 (name and capacity), 4x1.0 (four equal ones), or a file of them.")
    private String nodes;

    @Option(
            names = "--live",
            description = "Plan with what the ResourceManager knows: its nodes, its profiles, and what runs there.")
    private boolean live;

    @Option(
            names = "--solver",
            paramLabel = "S",
            description = "anneal (the default), climb, round-robin, or exact (for a dozen tiers).")
    private String solver;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "10",
            description =
                    "Search so long at most for each of three plans (default: ${DEFAULT-VALUE}); small ones end earlier.")
    private double seconds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Chance's seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--today", paramLabel = "FILE", description = "Compare with this: tier to machine, as JSON.")
    private Path today;

    @Option(
            names = "--application",
            paramLabel = "ID",
            description = "With --live: the services run already, as this; where they are is compared.")
    private String application;

    @Option(names = "--contains", paramLabel = "TEXT", description = "With --live: only nodes with this in their name.")
    private String contains;

    @Option(
            names = "--network",
            paramLabel = "BITS",
            description =
                    "With --application: what the network of one machine carries in bit/s, such as 10G. Affinities that the file does not say are then"
                            + " those that are measured (traffic).")
    private String network;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the plan into this file.")
    private Path svg;

    @Option(
            names = "--export",
            paramLabel = "FILE",
            description = "Write it as a YARN service with placement constraints.")
    private Path export;

    PlanCommand(ProgramEnvironment surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode answer() throws RmException {
        refuseWhatDoesNotGoTogether();
        String services = read(file);
        JsonNode answer = live ? super.answer() : planned(services);
        if (svg != null) {
            write(svg, PlanPicture.of(answer));
        }
        if (export != null) {
            try {
                write(export, Yarnfile.of(services, answer));
            } catch (PlanInputException e) {
                throw badInput(e.getMessage());
            }
        }
        return answer;
    }

    private void refuseWhatDoesNotGoTogether() {
        if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
            throw badInput(
                    "--seconds is %s but must be more than 0 and at most %.0f".formatted(seconds, LONGEST_SECONDS));
        }
        if (live && nodes != null) {
            throw badInput("--live takes the cluster's own nodes, so --nodes says nothing");
        }
        if (live && today != null) {
            throw badInput("--live knows what runs where, so --today says nothing");
        }
        if (!live && (application != null || contains != null)) {
            throw badInput("--application and --contains are for --live");
        }
        if (network != null && application == null) {
            throw badInput("--network is for --application: what does not run yet talks to nobody");
        }
        if (network != null && !SPEED.matcher(network).matches()) {
            throw badInput("--network is '%s' but must be a number of bit/s such as 500M or 10G".formatted(network));
        }
        if (solver != null && !LocalPlan.solvers().contains(solver)) {
            throw badInput(
                    "There is no solver '%s'; there are %s".formatted(solver, String.join(", ", LocalPlan.solvers())));
        }
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        String services = read(file);
        try {
            JsonNode inputs = rm.ask(Question.get("plan-inputs")
                    .withEach("profile", LocalPlan.profiles(services))
                    .with("application", application)
                    .with("contains", contains));
            return parsed(
                    plan().live(services, inputs, network == null ? Optional.empty() : Optional.of(measured(rm))));
        } catch (PlanInputException e) {
            throw badInput(e.getMessage());
        }
    }

    private MeasuredAffinity measured(RmClient rm) throws RmException {
        double unit =
                switch (network.charAt(network.length() - 1)) {
                    case 'M' -> 1e6;
                    case 'G' -> 1e9;
                    default -> 1;
                };
        MeasuredAffinity measured = new MeasuredAffinity(
                ListCommand.whole(rm, Question.get("traffic").with("application", application), "traffic", 0),
                unit * Double.parseDouble(network.replaceAll("[MG]", "")));
        if (measured.reason().isPresent()) {
            throw badInput("--network: " + measured.reason().get());
        }
        return measured;
    }

    private JsonNode planned(String services) {
        Optional<String> places = today == null ? Optional.empty() : Optional.of(read(today));
        try {
            return parsed(plan().answer(services, machines(), places));
        } catch (PlanInputException e) {
            throw badInput(e.getMessage());
        }
    }

    private LocalPlan plan() {
        String chosen = solver == null ? LocalPlan.solvers().get(0) : solver;
        return new LocalPlan(chosen, seconds, seed, this::nanos);
    }

    private static JsonNode parsed(String answer) {
        try {
            return JSON.readTree(answer);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what was written cannot be read", e);
        }
    }

    private long nanos() {
        return Duration.between(Instant.EPOCH, surroundings().clock().instant()).toNanos();
    }

    private Optional<String> machines() {
        if (nodes == null) {
            return Optional.empty();
        }
        return Optional.of(nodes.endsWith(".json") ? read(Path.of(nodes)) : nodes);
    }

    private String read(Path path) {
        try {
            return Files.readString(path);
        } catch (CharacterCodingException e) {
            throw badInput("%s is not text in UTF-8".formatted(path));
        } catch (IOException e) {
            throw badInput("%s cannot be read (%s)"
                    .formatted(path, Files.exists(path) ? e.getMessage() : "there is no such file"));
        }
    }

    private void write(Path path, String text) {
        try {
            Files.writeString(path, text);
        } catch (IOException e) {
            String why = e instanceof NoSuchFileException ? "there is no such folder" : e.getMessage();
            throw badInput("%s cannot be written (%s)".formatted(path, why));
        }
    }

    @Override
    String text(JsonNode answer) {
        return PlanTables.text(answer, width());
    }
}
