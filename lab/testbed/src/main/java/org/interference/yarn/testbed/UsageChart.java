package org.interference.yarn.testbed;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.interference.yarn.lab.chart.Svg;

/** Slots and CPU time in use over a mix's runs, a panel for each policy: means over its repetitions, nothing after a run's last moment. */
final class UsageChart {
    private static final int LEFT = 60;
    private static final int PANEL_WIDTH = 640;
    private static final int PANEL_HEIGHT = 110;
    private static final int TOP = 70;
    private static final int GAP = 34;
    private static final int BOTTOM = 40;
    private static final int TICKS = 6;
    /** Seconds for which one mean is made; moments are two apart. */
    private static final int BIN = 5;

    private static final String SLOTS = "#0969da";
    private static final String CPUS = "#bc4c00";

    private UsageChart() {}

    /** Returns the drawing of {@code runs}, which are all of one mix; each has moments. */
    static String of(Mix mix, List<RunResult> runs) {
        List<String> policies = RunPlan.POLICIES.stream()
                .filter(policy ->
                        runs.stream().anyMatch(run -> run.key().policy().equals(policy)))
                .toList();
        int seconds = runs.stream()
                .flatMap(run -> run.usage().stream())
                .mapToInt(moment -> (int) moment.second() + 1)
                .max()
                .orElse(1);
        boolean grew = runs.stream().flatMap(run -> run.usage().stream()).anyMatch(moment -> moment.slots() > 1);
        int highest = grew ? 2 : 1;
        int height = TOP + policies.size() * (PANEL_HEIGHT + GAP) + BOTTOM;
        Svg svg = new Svg(LEFT + PANEL_WIDTH + 30, height, "What is in use, mix " + mix);
        svg.text("slots", LEFT, 44, "fill", SLOTS);
        svg.text("CPU time of the hosts, by containers", LEFT + 50, 44, "fill", CPUS);
        for (int i = 0; i < policies.size(); i++) {
            String policy = policies.get(i);
            List<RunResult> its = runs.stream()
                    .filter(run -> run.key().policy().equals(policy))
                    .toList();
            panel(
                    svg,
                    "%s, %d runs".formatted(policy, its.size()),
                    its,
                    seconds,
                    highest,
                    TOP + i * (PANEL_HEIGHT + GAP));
        }
        svg.text("seconds", LEFT + PANEL_WIDTH / 2.0, height - 14, "text-anchor", "middle", "font-size", 11);
        return svg.write();
    }

    private static void panel(Svg svg, String name, List<RunResult> runs, int seconds, int highest, int top) {
        int bottom = top + PANEL_HEIGHT;
        svg.text(name, LEFT, top - 6, "font-weight", "bold");
        for (int share = 0; share <= 2; share++) {
            double y = bottom - PANEL_HEIGHT * share / 2.0;
            svg.shape("line", "x1", LEFT, "y1", y, "x2", LEFT + PANEL_WIDTH, "y2", y, "stroke", Svg.GRID);
            svg.text(50 * highest * share + " %", LEFT - 8, y + 4, "text-anchor", "end", "font-size", 11);
        }
        for (int tick = 0; tick <= TICKS; tick++) {
            double second = (double) seconds * tick / TICKS;
            svg.text(
                    String.format(Locale.ROOT, "%.0f", second),
                    LEFT + PANEL_WIDTH * second / seconds,
                    bottom + 16,
                    "text-anchor",
                    "middle",
                    "font-size",
                    11);
        }
        line(svg, means(runs, seconds, ClusterUsage::slots), highest, bottom, SLOTS);
        line(svg, means(runs, seconds, ClusterUsage::cpus), highest, bottom, CPUS);
    }

    private static void line(Svg svg, double[] means, int highest, int bottom, String color) {
        String points = IntStream.range(0, means.length)
                .mapToObj(bin -> String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        LEFT + PANEL_WIDTH * (bin + 0.5) / means.length,
                        bottom - PANEL_HEIGHT * Math.min(1, means[bin] / highest)))
                .collect(Collectors.joining(" "));
        svg.shape("polyline", "points", points, "fill", "none", "stroke", color, "stroke-width", 2);
    }

    /** Returns the mean over {@code runs} in each five seconds. */
    static double[] means(List<RunResult> runs, int seconds, ToDoubleFunction<ClusterUsage> figure) {
        double[] means = new double[(seconds + BIN - 1) / BIN];
        for (RunResult run : runs) {
            for (int bin = 0; bin < means.length; bin++) {
                int begin = bin * BIN;
                means[bin] += run.usage().stream()
                                .filter(moment -> moment.second() >= begin && moment.second() < begin + BIN)
                                .mapToDouble(figure)
                                .average()
                                .orElse(0)
                        / runs.size();
            }
        }
        return means;
    }
}
