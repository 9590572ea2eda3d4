package org.interference.yarn.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.yarn.service.api.records.Component;
import org.apache.hadoop.yarn.service.api.records.PlacementConstraint;
import org.apache.hadoop.yarn.service.api.records.PlacementScope;
import org.apache.hadoop.yarn.service.api.records.PlacementType;
import org.apache.hadoop.yarn.service.api.records.Service;
import org.junit.jupiter.api.Test;

/** The exported file, read by YARN's own classes, and placed as YARN's constraints say. */
class YarnfileTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EXAMPLE = Path.of("../conf/services.example.json");

    @Test
    void yarnsOwnClassesReadIt() throws Exception {
        String services = Files.readString(EXAMPLE);
        Service service = export(services, answer(services));

        assertThat(service.getName()).isEqualTo("shop");
        assertThat(service.getVersion()).isEqualTo("1.0");
        assertThat(service.getComponents().stream()
                        .mapToLong(Component::getNumberOfContainers)
                        .sum())
                .isEqualTo(8);
        assertThat(service.getComponents()).allSatisfy(component -> {
            assertThat(component.getName()).matches("[a-z][a-z0-9-]*").hasSizeLessThanOrEqualTo(44);
            assertThat(component.getLaunchCommand()).isEqualTo("sleep 3600");
            assertThat(component.getResource().getCpus()).isPositive();
            assertThat(Long.parseLong(component.getResource().getMemory())).isGreaterThan(1000);
        });
    }

    @Test
    void whateverOrderYarnTriesTheGroupsAreThePlans() throws Exception {
        String services = Files.readString(EXAMPLE);
        JsonNode answer = answer(services);
        Service service = export(services, answer);

        for (int seed = 0; seed < 200; seed++) {
            List<List<String>> nodes = place(service, 6, new SplittableRandom(seed));

            assertThat(nodes.stream()
                            .filter(node -> !node.isEmpty())
                            .map(node -> node.stream()
                                    .map(YarnfileTest::tier)
                                    .sorted()
                                    .toList())
                            .toList())
                    .as("seed %d", seed)
                    .containsExactlyInAnyOrderElementsOf(groups(answer));
        }
    }

    @Test
    void severalContainersOfOneTierStayTogether() throws Exception {
        String services = """
                {"name": "x", "machines": [{"name": "a", "capacity": {"memory-mb": 4096, "vcores": 4}}], "tiers": [
                  {"name": "Web Server!", "instances": 3, "size": {"memory-mb": 512, "vcores": 1}}]}""";
        Service service = export(services, answer(services));

        assertThat(service.getComponents().stream().map(Component::getName))
                .containsExactly("web-server-1", "web-server-2");
        List<List<String>> nodes = place(service, 4, new SplittableRandom(1));
        assertThat(nodes.stream().filter(node -> !node.isEmpty())).hasSize(1);
    }

    @Test
    void namesAreMadeDifferent() throws Exception {
        String services = """
                {"name": "a", "machines": [{"name": "n", "capacity": {"memory-mb": 4096, "vcores": 4}}], "tiers": [
                  {"name": "a", "size": {"memory-mb": 512, "vcores": 0.5}}, {"name": "A", "size": {"memory-mb": 512, "vcores": 1}},
                  {"name": "#1", "size": {"memory-mb": 512, "vcores": 1}}]}""";

        assertThat(export(services, answer(services)).getComponents().stream().map(Component::getName))
                .doesNotHaveDuplicates()
                .doesNotContain("a")
                .contains("t1");
    }

    @Test
    void whatThePlanDecidesIsNotTheFilesToSay() {
        String services = """
                {"machines": [{"name": "n", "capacity": {"memory-mb": 4096, "vcores": 4}}], "tiers": [
                  {"name": "a", "size": {"memory-mb": 512, "vcores": 1}, "component": {"number_of_containers": 3}}]}""";

        assertThatThrownBy(() -> export(services, answer(services)))
                .isInstanceOf(PlanInputException.class)
                .hasMessage("The component of tier 'a' has a number_of_containers, which the plan decides");
    }

    @Test
    void componentsThatDependOnEachOtherInACircleAreRefused() {
        String services = """
                {"machines": [{"name": "n", "capacity": {"memory-mb": 4096, "vcores": 4}}], "tiers": [
                  {"name": "a", "size": {"memory-mb": 512, "vcores": 1}, "component": {"dependencies": ["b"]}},
                  {"name": "b", "like": "a", "component": {"dependencies": ["a"]}}]}""";

        assertThatThrownBy(() -> export(services, answer(services)))
                .isInstanceOf(PlanInputException.class)
                .hasMessage("These tiers' components depend on each other in a circle: a, b");
    }

    private static Service export(String services, JsonNode answer) throws PlanInputException, IOException {
        return JSON.readValue(Yarnfile.of(services, answer), Service.class);
    }

    private static JsonNode answer(String services) throws IOException, PlanInputException {
        return JSON.readTree(
                new LocalPlan("exact", 10, 1, () -> 0).answer(services, Optional.empty(), Optional.empty()));
    }

    private static String tier(String component) {
        return component.replaceAll("-\\d+$", "");
    }

    private static List<List<String>> groups(JsonNode answer) {
        List<List<String>> groups = new ArrayList<>();
        for (JsonNode machine : answer.path("plan").path("machines")) {
            List<String> group = new ArrayList<>();
            machine.path("tiers").forEach(tier -> group.add(tier.path("name").asText()));
            if (!group.isEmpty()) {
                groups.add(group.stream().sorted().toList());
            }
        }
        return groups;
    }

    /** As YARN does: whose dependencies are all there is asked for; a container goes to any node that its constraints allow now. */
    private static List<List<String>> place(Service service, int nodes, SplittableRandom random) {
        List<List<String>> placed = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            placed.add(new ArrayList<>());
        }
        Map<String, Long> missing = new HashMap<>();
        service.getComponents()
                .forEach(component -> missing.put(component.getName(), component.getNumberOfContainers()));
        while (missing.values().stream().anyMatch(count -> count > 0)) {
            List<Component> ready = service.getComponents().stream()
                    .filter(component -> missing.get(component.getName()) > 0)
                    .filter(component -> component.getDependencies().stream().allMatch(name -> missing.get(name) == 0))
                    .toList();
            assertThat(ready).as("who waits for whom: %s", missing).isNotEmpty();
            Component next = ready.get(random.nextInt(ready.size()));
            List<List<String>> allowed =
                    placed.stream().filter(node -> allows(next, node)).toList();
            assertThat(allowed)
                    .as("a node for %s among %s", next.getName(), placed)
                    .isNotEmpty();
            allowed.get(random.nextInt(allowed.size())).add(next.getName());
            missing.merge(next.getName(), -1L, Long::sum);
        }
        return placed;
    }

    private static boolean allows(Component component, List<String> node) {
        if (component.getPlacementPolicy() == null) {
            return true;
        }
        Set<String> tags = new HashSet<>(node);
        for (PlacementConstraint constraint : component.getPlacementPolicy().getConstraints()) {
            assertThat(constraint.getScope()).isEqualTo(PlacementScope.NODE);
            boolean isAffinity = constraint.getType() == PlacementType.AFFINITY;
            if (constraint.getTargetTags().stream().anyMatch(tag -> tags.contains(tag) != isAffinity)) {
                return false;
            }
        }
        return true;
    }
}
