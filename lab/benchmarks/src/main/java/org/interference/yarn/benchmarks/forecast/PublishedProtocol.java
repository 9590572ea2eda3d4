package org.interference.yarn.benchmarks.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.benchmarks.prediction.CorunTable;
import org.interference.yarn.benchmarks.prediction.MeasuredHost;
import org.interference.yarn.lab.stats.Quantiles;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import smile.regression.GradientTreeBoost;

/**
 * The forecasts of "Distributed Resource Provisioning for Containers Using Machine Learning and Live Migration", 5.4, by their protocol: gradient boosting of at most
 * 1000 trees, stopped early if 100 more make it no better, for each type of work; its figures are the resource metrics of the container and of the host that it is forecast
 * on; samples of staircase scenarios, beside others or alone, are divided at random into those that are learnt from and those that are asked about. Here in ten parts, so that
 * each sample is asked about once. As there, windows of one scenario, and of one kind on the host that is asked about, are on both sides.
 *
 * <p>What differs: the container's metrics are its profile alone on the first host, and the host's what it has and what the others beside the container ask for by their
 * profiles, as nothing else is known before it runs there; and the throughput is over that on the first host, as our kinds of work count different things.
 */
final class PublishedProtocol {
    private static final int TREES = 1000;
    private static final int ROUNDS = 100;
    private static final int LEAVES = 16;
    private static final double RATE = 0.1;
    private static final int PARTS = 10;
    private static final int FEWEST_SAMPLES = 2 * PARTS;
    private static final long SEED = 19735;

    /** A figure of a sample, by its name. */
    private record Figure(String name, ToDoubleFunction<Sample> value) {}

    private static final List<Figure> FIGURES = List.of(
            new Figure("container_cpus", sample -> sample.asked.cpus),
            new Figure("container_cpu_wait", sample -> sample.profile.levelOr(Signal.CPUWAIT, 0)),
            new Figure("container_disk_wait", sample -> sample.profile.levelOr(Signal.BLKWAIT, 0)),
            new Figure("container_disk_requests", sample -> sample.profile.levelOr(Signal.BLK, 0)),
            new Figure("container_read_bytes", sample -> sample.asked.read),
            new Figure("container_written_bytes", sample -> sample.asked.written),
            new Figure("container_network_bits", sample -> sample.asked.network),
            new Figure("container_switches", sample -> sample.profile.levelOr(Signal.SWITCHES, 0)),
            new Figure("container_blocked", sample -> sample.profile.levelOr(Signal.CSW, 0)),
            new Figure("host_cpus", sample -> sample.host.cpus()),
            new Figure("host_disk_bytes", sample -> sample.host.diskBytesPerSecond()),
            new Figure("host_network_bits", sample -> sample.host.networkBitsPerSecond()),
            new Figure("host_others", sample -> sample.others.count),
            new Figure("host_others_cpus", sample -> sample.others.cpus),
            new Figure("host_others_disk_wait", sample -> sample.others.diskWait),
            new Figure("host_others_read_bytes", sample -> sample.others.read),
            new Figure("host_others_written_bytes", sample -> sample.others.written),
            new Figure("host_others_network_bits", sample -> sample.others.network));

    /** What tasks ask for, in units that are the same on every host. */
    private record Asked(int count, double cpus, double diskWait, double read, double written, double network) {
        static Asked of(InterferenceVector profile, Capacities host) {
            InterferenceVector demand = profile.demand();
            return new Asked(
                    1,
                    demand.levelOr(Signal.CPU, 0) * host.cpus(),
                    demand.levelOr(Signal.BLKWAIT, 0),
                    demand.levelOr(Signal.READB, 0),
                    demand.levelOr(Signal.WRITEB, 0),
                    demand.levelOr(Signal.NETP, 0) * host.networkBitsPerSecond());
        }

        Asked plus(Asked other) {
            return new Asked(
                    count + other.count,
                    cpus + other.cpus,
                    diskWait + other.diskWait,
                    read + other.read,
                    written + other.written,
                    network + other.network);
        }
    }

    /**
     * A window on the second host.
     *
     * @param profile of the kind alone on the first host
     * @param logThroughput logarithm of what it got done, over what it gets done alone on the first host
     */
    private record Sample(
            InterferenceVector profile,
            Asked asked,
            Capacities host,
            Asked others,
            boolean alone,
            double logThroughput) {
        double[] figures() {
            return FIGURES.stream()
                    .mapToDouble(figure -> figure.value().applyAsDouble(this))
                    .toArray();
        }
    }

    private final List<Double> errors = new ArrayList<>();
    private final List<Double> errorsAlone = new ArrayList<>();

    private PublishedProtocol() {}

    /** Forecasts from the first host to all others. */
    static void measure(MeasuredHost first, List<MeasuredHost> others, Results results) {
        Map<WorkType, List<Sample>> samples = new LinkedHashMap<>();
        for (WorkType type : WorkType.values()) {
            samples.put(type, new ArrayList<>());
        }
        for (MeasuredHost second : others) {
            for (CorunTable.Row row : profiled(second.table().rows(), first)) {
                samples.get(WorkType.of(row.kind())).add(sample(first, second, row));
            }
        }
        PublishedProtocol all = new PublishedProtocol();
        samples.values().removeIf(ofType -> ofType.size() < FEWEST_SAMPLES);
        samples.forEach((type, ofType) -> {
            PublishedProtocol one = new PublishedProtocol();
            one.judge(ofType);
            Results part = results.under(type.lowerCase());
            one.put(part);
            importance(ofType, part.under("importance"));
            all.errors.addAll(one.errors);
            all.errorsAlone.addAll(one.errorsAlone);
        });
        all.put(results);
    }

    /** Returns the rows of kinds that were alone on the first host: of others nothing is known. */
    private static List<CorunTable.Row> profiled(List<CorunTable.Row> rows, MeasuredHost first) {
        return rows.stream()
                .filter(row -> Stream.concat(Stream.of(row.kind()), row.others().stream())
                        .noneMatch(kind -> first.alone(kind).isEmpty()))
                .toList();
    }

    private static Sample sample(MeasuredHost first, MeasuredHost second, CorunTable.Row row) {
        InterferenceVector profile = first.profile(row.kind());
        return new Sample(
                profile,
                Asked.of(profile, first.capacities()),
                second.capacities(),
                row.others().stream()
                        .map(other -> Asked.of(first.profile(other), first.capacities()))
                        .reduce(new Asked(0, 0, 0, 0, 0, 0), Asked::plus),
                row.alone(),
                Math.log(row.rate() / first.rate(row.kind())));
    }

    private void judge(List<Sample> samples) {
        List<Sample> shuffled = new ArrayList<>(samples);
        Collections.shuffle(shuffled, new Random(SEED));
        for (int part = 0; part < PARTS; part++) {
            List<Sample> asked = new ArrayList<>();
            List<Sample> learnt = new ArrayList<>();
            for (int i = 0; i < shuffled.size(); i++) {
                (i % PARTS == part ? asked : learnt).add(shuffled.get(i));
            }
            GradientTreeBoost model = stoppedEarly(learnt);
            for (Sample sample : asked) {
                double error = Math.abs(Math.expm1(model.predict(sample.figures()) - sample.logThroughput()));
                errors.add(error);
                if (sample.alone()) {
                    errorsAlone.add(error);
                }
            }
        }
    }

    /** Returns a model of as many trees as are best for a tenth of the samples that the others do not learn from. */
    private static GradientTreeBoost stoppedEarly(List<Sample> samples) {
        int held = Math.max(1, samples.size() / PARTS);
        GradientTreeBoost model = fit(samples.subList(held, samples.size()));
        List<Sample> kept = samples.subList(0, held);
        double[] byTrees = model.test(figures(kept), targets(kept));
        int best = 0;
        for (int trees = 0; trees < byTrees.length && trees - best < ROUNDS; trees++) {
            if (byTrees[trees] < byTrees[best]) {
                best = trees;
            }
        }
        model.trim(best + 1);
        return model;
    }

    private static GradientTreeBoost fit(List<Sample> samples) {
        return new GradientTreeBoost(
                figures(samples), targets(samples), GradientTreeBoost.Loss.LeastSquares, TREES, LEAVES, RATE, 1);
    }

    private static double[][] figures(List<Sample> samples) {
        return samples.stream().map(Sample::figures).toArray(double[][]::new);
    }

    private static double[] targets(List<Sample> samples) {
        return samples.stream().mapToDouble(Sample::logThroughput).toArray();
    }

    private void put(Results results) {
        results.put("samples", errors.size());
        put(results, "mape", errors);
        put(results, "mape_alone", errorsAlone);
        if (!errors.isEmpty()) {
            results.put("mape_median", Quantiles.median(errors));
        }
    }

    private static void put(Results results, String name, List<Double> errors) {
        errors.stream().mapToDouble(error -> error).average().ifPresent(mean -> results.put(name, mean));
    }

    /** Puts by how much splits by each figure lessen the squared error, as shares of the whole, of a model of all samples. */
    private static void importance(List<Sample> samples, Results results) {
        double[] importance = fit(samples).importance();
        double whole = Arrays.stream(importance).sum();
        for (int i = 0; i < importance.length; i++) {
            results.put(FIGURES.get(i).name(), importance[i] / whole, 3);
        }
    }
}
