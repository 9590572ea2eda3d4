package org.interference.yarn.sim.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.interference.yarn.sim.world.World;

/**
 * Makes the committed report. {@code run PART PARTS SEEDS OUTPUT} runs a part of the seeds and adds a line to OUTPUT for each run,
 * leaving out those that it has; {@code render SEEDS REPORT JSON EVALUATION MACHINE RUNS...} writes the report of all
 * parts and its figures, without the worlds of which a run is missing.
 *
 * <p>A process does one run at a time (YARN keeps metrics in statics), so that parts are processes. What a report cannot show: see
 * {@link org.interference.yarn.sim.engine.Simulation}; and the worlds are inventions within measured bounds, so that it shows what a
 * policy does under contention of a given form and size, not how much contention a cluster has.
 */
public final class SimulationReport {
    private static final String COMMAND = "bin/lab simulation";

    private SimulationReport() {}

    public static void main(String[] args) throws IOException {
        RunOrRender.main(args, SimulationReport::run, SimulationReport::render);
    }

    private static void run(String[] args) throws IOException {
        int part = Integer.parseInt(args[1]);
        int parts = Integer.parseInt(args[2]);
        Path seeds = Path.of(args[3]);
        Path output = Path.of(args[4]);
        Runs runs = Files.exists(output) ? Runs.ofLines(Files.readAllLines(output)) : Runs.ofLines(List.of());
        List<ReportPlan> plans = Plans.full(Seedlist.read(seeds));
        for (ReportPlan plan : plans) {
            runs.complete(plan, part, parts, line -> RunOrRender.append(output, line));
        }
        new Ablation(plans.get(0)).complete(runs, part, parts, line -> RunOrRender.append(output, line));
        new LongHistory(plans.get(0)).complete(runs, part, parts, line -> RunOrRender.append(output, line));
    }

    private static void render(String[] args) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 6; i < args.length; i++) {
            lines.addAll(Files.readAllLines(Path.of(args[i])));
        }
        Runs runs = Runs.ofLines(lines);
        List<ReportPlan> planned = Plans.full(Seedlist.read(Path.of(args[1])));
        List<ReportPlan> plans =
                planned.stream().map(plan -> plan.covered(runs)).toList();
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < planned.size(); i++) {
            for (World world : planned.get(i).worlds()) {
                if (!plans.get(i).worlds().contains(world)) {
                    missing.add("%s, %s".formatted(planned.get(i).name(), world.name()));
                }
            }
        }
        if (!missing.isEmpty()) {
            System.err.println("Incomplete and left out: " + String.join("; ", missing));
        }
        Path report = Path.of(args[2]);
        Files.writeString(report, Document.of(plans, runs, missing));
        for (World world : plans.get(0).worlds()) {
            Files.writeString(report.resolveSibling(world.name() + ".svg"), ReportChart.of(plans.get(0), runs, world));
        }
        String machine = args[5];
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        new JsonReport().write(plans.get(0), runs, COMMAND, machine, today, Path.of(args[3]));
        Path evaluation = Path.of(args[4]);
        EvaluationFile.Made made = new EvaluationFile.Made(COMMAND, machine, today.toString());
        EvaluationFile.put(evaluation, "simulation", EvaluationJson.of(plans, runs), made);
        EvaluationFile.put(evaluation, "ablation", new Ablation(plans.get(0)).json(runs), made);
        EvaluationFile.put(evaluation, "history", new LongHistory(plans.get(0)).json(runs), made);
    }
}
