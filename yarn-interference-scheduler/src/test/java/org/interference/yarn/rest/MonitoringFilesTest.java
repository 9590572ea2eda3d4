package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.capacity.Governor;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.NoControl;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.learn.Experience;
import org.interference.yarn.learn.FinishedTasks;
import org.interference.yarn.learn.Label;
import org.interference.yarn.learn.ModelStore;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.learn.Observation;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.learn.Traffic;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.Domain;
import org.interference.yarn.predict.LearnedPredictor;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.relocate.RelocationReport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The dashboard and the alerts ask for what is exported, by the names that Hadoop makes of it; the runbook knows every alert. */
class MonitoringFilesTest {
    private static final Path REPOSITORY = Path.of("..");
    private static final String PREFIX = "interference_scheduler_";
    /** What Prometheus itself puts on everything that it scrapes. */
    private static final Set<String> SCRAPE_LABELS = Set.of("job", "instance");

    private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "offset", "bool", "atan2", "inf", "nan");

    private static String exposition;
    private static Set<String> exported;
    private static Set<String> labels;

    /** One alert, as far as it is on lines of its own. */
    private record Alert(String name, String text) {
        String line(String key) {
            List<String> found = matches("(?m)^ +%s: (.+)$".formatted(key), text)
                    .map(match -> match.group(1).strip())
                    .toList();
            assertThat(found).as("%s of %s", key, name).hasSize(1);
            return found.get(0);
        }
    }

    @BeforeAll
    static void export() throws IOException {
        MetricsSystemImpl system = new MetricsSystemImpl();
        try {
            system.init("MonitoringFilesTest");
            PrometheusMetricsSink sink = new PrometheusMetricsSink();
            system.register("prometheus", "as HttpServer2 does it", sink);
            String name = new HealthMetrics(sources(), Optional.of("rm1")).register(system);
            system.publishMetricsNow();
            StringWriter written = new StringWriter();
            sink.writeMetrics(written);
            exposition = written.toString();
            // Its name would stay taken in this JVM.
            system.unregisterSource(name);
        } finally {
            system.shutdown();
        }
        exported = matches("(?m)^(\\w+)\\{", exposition)
                .map(match -> match.group(1))
                .filter(name -> name.startsWith(PREFIX))
                .collect(Collectors.toCollection(TreeSet::new));
        labels = matches("(?m)^%s\\w+\\{.*$".formatted(PREFIX), exposition)
                .flatMap(line -> matches("(\\w+)=\"", line.group()))
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        labels.addAll(SCRAPE_LABELS);
    }

    @Test
    void histogramIsOneThatPrometheusCanRead() {
        assertThat(exported)
                .contains(
                        PREFIX + "decision_micros_bucket",
                        PREFIX + "decision_micros_count",
                        PREFIX + "decision_micros_sum",
                        PREFIX + "model_error_champion");
        assertThat(matches("(?m)^%sdecision_micros_bucket\\{.*le=\"([^\"]+)\".*\\} 0$".formatted(PREFIX), exposition)
                        .map(match -> match.group(1)))
                .hasSize(17)
                .contains("10", "1000000", "+Inf");
    }

    @Test
    void dashboardAsksForWhatIsExported() {
        assertThat(dashboardQueries()).hasSizeGreaterThan(30).allSatisfy(MonitoringFilesTest::assertAnswerable);
    }

    @Test
    void alertsAskForWhatIsExported() {
        assertThat(alerts()).hasSizeGreaterThan(8);
        assertThat(alerts()).map(alert -> alert.line("expr")).allSatisfy(MonitoringFilesTest::assertAnswerable);
    }

    @Test
    void dashboardShowsEveryReasonAndEveryOutcome() {
        Set<String> shown = dashboardQueries().stream()
                .flatMap(query -> metrics(query).stream())
                .collect(Collectors.toSet());
        Predicate<String> isOneOfMany = Pattern.compile(
                        PREFIX + "(decisions|matching|heartbeats|tasks|queues_in_mode|capacity|nodes_standing_back)_.+")
                .asPredicate();

        assertThat(exported).filteredOn(isOneOfMany).isNotEmpty().isSubsetOf(shown);
    }

    @Test
    void eachAlertSaysHowBadItIsAndWhereItsRemedyStands() throws IOException {
        Set<String> headings = matches("(?m)^#+ (.+)$", read("docs/runbook.md"))
                .map(heading -> anchor(heading.group(1)))
                .collect(Collectors.toSet());

        assertThat(alerts()).allSatisfy(alert -> {
            assertThat(alert.line("severity")).isIn("critical", "warning", "info");
            assertThat(alert.line("for")).matches("\\d+[mh]");
            assertThat(alert.line("summary")).isNotBlank();
            assertThat(alert.line("description")).isNotBlank();
            String[] remedy = alert.line("runbook_url").split("#", -1);
            assertThat(remedy).hasSize(2);
            assertThat(remedy[0]).isEqualTo("docs/runbook.md");
            assertThat(headings).contains(remedy[1]);
        });
    }

    @Test
    void namesAreFoundInAQueryAndNothingElseIs() {
        assertThat(
                        metrics(
                                "histogram_quantile(0.9, sum by (le) (rate(a_bucket{job=~\"b|c\"}[5m] offset 1d))) / on (job) d > 1e3"))
                .containsExactlyInAnyOrder("a_bucket", "d");
    }

    private static void assertAnswerable(String query) {
        assertThat(exported).as(query).containsAll(metrics(query));
        assertThat(matches("__name__=~\"([^\"]+)\"", query)).as(query).allSatisfy(wanted -> assertThat(exported)
                .anyMatch(name -> name.matches(wanted.group(1))));
        Set<String> grouped = matches("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)", query)
                .flatMap(match -> Arrays.stream(match.group(1).split(",", -1)))
                .map(String::strip)
                .collect(Collectors.toSet());
        assertThat(labels).as(query).containsAll(grouped);
    }

    /** Returns the metrics that a query names: what is left without strings, matchers, ranges, labels, functions and keywords. */
    private static Set<String> metrics(String query) {
        String bare = query.replaceAll("\"(\\\\.|[^\"\\\\])*\"", "")
                .replaceAll("\\{[^}]*\\}", "")
                .replaceAll("\\[[^\\]]*\\]", "")
                .replaceAll("\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)", "");
        return matches("(?<![\\w.:])[A-Za-z_:][\\w:]*+(?!\\s*\\()", bare)
                .map(MatchResult::group)
                .filter(name -> !KEYWORDS.contains(name.toLowerCase(Locale.ROOT)))
                .collect(Collectors.toSet());
    }

    private static List<String> dashboardQueries() {
        try {
            JsonNode dashboard = new ObjectMapper().readTree(read("conf/grafana-dashboard.json"));
            return dashboard.path("panels").findValuesAsText("expr");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Alert> alerts() {
        try {
            return Arrays.stream(read("conf/prometheus-alerts.yml").split("- alert: ", -1))
                    .skip(1)
                    .map(text ->
                            new Alert(text.lines().findFirst().orElseThrow().strip(), text))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns where a web page of a Markdown file has this heading. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-');
    }

    private static String read(String file) throws IOException {
        return Files.readString(REPOSITORY.resolve(file));
    }

    private static Stream<MatchResult> matches(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results();
    }

    /** Everything that may be unknown is known. */
    private static Sources sources() {
        ProfileRepository profiles = Tasks.repository(Vectors.cpu(0.5), Duration.ofSeconds(10));
        FinishedTasks finished = Tasks.finished(profiles);
        Ingest ingest = new Ingest(
                new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), finished::sampled);
        PlaceSettings settings = PlaceSettings.from((name, fallback) -> fallback);
        return new Sources(
                ingest,
                new Sources.Cluster(TreeSet::new, List::of, container -> Optional.empty(), null),
                new Sources.Learnt(
                        profiles,
                        finished,
                        new Attribution(new FakePredictor(), profiles, container -> Optional.empty()),
                        new Traffic(container -> Optional.empty()),
                        module()::report,
                        Optional::empty,
                        () -> new Sources.Store("/data/profiles", Optional.empty())),
                new Placement(ingest, profiles, new FakePredictor(), settings),
                new NoControl(),
                MonitoringFilesTest::sizes,
                () -> RelocationReport.OFF,
                InstantSource.fixed(T0));
    }

    /** What a governor tells that has counted each reason, even if never. */
    private static CapacityReport sizes() {
        return new CapacityReport(
                Mode.OFF,
                Mode.OFF,
                Map.of(),
                List.of(),
                0,
                0,
                0,
                0,
                0,
                new Governor(GovernorSettings.from((name, fallback) -> fallback)).counts());
    }

    /** A module whose champion has been right ten times. */
    private static OnlineAdaptiveModule module() {
        OnlineAdaptiveModule module =
                new OnlineAdaptiveModule(new ComposedPredictor(), List.of(), ModelStore.NONE, 1000, 100, new Random(1));
        double[] unbounded = new double[Situation.NAMES.size()];
        Arrays.fill(unbounded, Double.NaN);
        LearnedPredictor champion = new LearnedPredictor(
                "doubling", situation -> Math.log(2), Domain.of(unbounded, unbounded, 10, Map.of()));
        module.restore(
                List.of(new ModelVersion(3, T0, champion, 100, 20, 0.1, 0.2, Map.of())),
                Experience.NONE.samples(),
                Optional.empty());
        Situation situation = Situation.of(Vectors.cpu(0.5), Neighbours.of(List.of(Vectors.cpu(0.5))));
        for (int i = 0; i < 10; i++) {
            module.observe(new Observation(T0, "a kind", situation, new Label(2, Label.Source.RUN_TIME, 1)));
        }
        return module;
    }
}
