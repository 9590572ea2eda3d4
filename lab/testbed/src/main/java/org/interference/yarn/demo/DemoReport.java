package org.interference.yarn.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.interference.yarn.demo.Answers.Container;
import org.interference.yarn.demo.Answers.Containers;
import org.interference.yarn.demo.Answers.Decision;
import org.interference.yarn.demo.Answers.Decisions;
import org.interference.yarn.demo.Answers.Health;
import org.interference.yarn.demo.Answers.Nodes;
import org.interference.yarn.demo.Answers.Profiles;

/** Tells what the plugin saw and decided, from its REST API alone. */
final class DemoReport {
    private static final String DECISIONS = "/decisions?limit=1000";
    private static final String CAVEAT = """

            What this does not show: all nodes of this cluster share one machine and its %d CPUs, so a container disturbs
            its neighbours on every node alike, and another placement cannot make the applications faster here. The demo
            shows the path from measuring to deciding, not the gain.""";

    private final PluginRest rest;
    private final Progress progress;

    DemoReport(PluginRest rest, Progress progress) {
        this.rest = rest;
        this.progress = progress;
    }

    /** Prints how many of a round's requests were placed from a profile. */
    void summary(DemoDispatcher.Round round) throws IOException, InterruptedException {
        List<Decision> tasks = taskDecisions(round.applications());
        long ranked = tasks.stream().filter(Decision::rankedFromProfile).count();
        progress.plain("round %d: %d of %d non-AM container requests had a profile and a ranked decision (%.0f %%)"
                .formatted(round.number(), ranked, tasks.size(), tasks.isEmpty() ? 0 : 100.0 * ranked / tasks.size()));
        Map<String, Integer> otherwise = new TreeMap<>();
        tasks.stream()
                .filter(decision -> !decision.rankedFromProfile())
                .forEach(decision -> otherwise.merge(String.valueOf(decision.reason()), 1, Integer::sum));
        otherwise.forEach(
                (reason, count) -> progress.plain("         %d decided otherwise: %s".formatted(count, reason)));
    }

    /** Prints the tables, with the containers and decisions of {@code last} only. */
    void tables(DemoDispatcher.Round last) throws IOException, InterruptedException {
        Nodes nodes = rest.read("/nodes", Nodes.class);
        Tables tables = new Tables(nodes.nodes());
        heading("Nodes", "/nodes", "levels are fractions of the node's capacity");
        progress.plain(tables.nodes(nodes.nodes()));

        List<Container> containers = rest.read("/containers?limit=1000", Containers.class).containers().stream()
                .filter(container -> !container.am() && last.applications().contains(container.application()))
                .toList();
        heading(
                "Containers of round " + last.number(),
                "/containers",
                "mean level per signal; ~ apportioned, - unavailable");
        progress.plain(tables.containers(containers));

        heading("Signals of round " + last.number(), "/containers", "who measured what");
        progress.plain(tables.sources(containers));

        heading("Profiles", "/profiles", "mean ± standard deviation per signal");
        progress.plain(tables.profiles(rest.read("/profiles", Profiles.class).profiles()));

        heading("Decisions of round " + last.number(), DECISIONS, "non-AM requests in order; cheapest node first");
        progress.plain(tables.decisions(taskDecisions(last.applications())));
        health();
    }

    /** Prints the words that keep the tables honest, and where to look further. */
    void caveat() {
        progress.plain(CAVEAT.formatted(Runtime.getRuntime().availableProcessors()));
    }

    /** Prints the REST addresses, as commands while there is somebody to answer them. */
    void addresses(boolean clusterStays) {
        progress.plain(
                clusterStays ? "" : "%nREST paths read here (--keep leaves the cluster up to ask them):".formatted());
        rest.addresses()
                .forEach(address -> progress.plain(clusterStays ? "  curl -s '" + address + "'" : "  " + address));
    }

    private void health() throws IOException, InterruptedException {
        Health health = rest.read("/health", Health.class);
        heading("Health", "/health", "status " + health.status());
        progress.plain("mode %s, predictor %s".formatted(health.mode(), health.predictor()));
        if (health.breaker() != null) {
            progress.plain("breaker %s after %d errors"
                    .formatted(
                            health.breaker().open() ? "open" : "closed",
                            health.breaker().errors()));
        }
        if (health.store() != null) {
            progress.plain("%d profiles in %s"
                    .formatted(health.store().profiles(), health.store().file()));
        }
        new TreeMap<>(health.counters()).forEach((name, count) -> progress.plain("%-40s %d".formatted(name, count)));
    }

    /** The newest decision per container of these applications, ApplicationMasters left out. */
    private List<Decision> taskDecisions(Set<String> applications) throws IOException, InterruptedException {
        Map<String, Decision> newest = new LinkedHashMap<>();
        for (Decision decision : rest.read(DECISIONS, Decisions.class).decisions()) {
            if (!decision.am() && applications.contains(decision.application())) {
                String key = decision.container() == null ? "#" + decision.sequence() : decision.container();
                newest.putIfAbsent(key, decision);
            }
        }
        return new ArrayList<>(newest.values());
    }

    private void heading(String title, String path, String legend) {
        progress.plain("%n%s (GET %s; %s)".formatted(title, path, legend));
    }
}
