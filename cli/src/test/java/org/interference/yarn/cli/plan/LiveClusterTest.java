package org.interference.yarn.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans with what a ResourceManager has answered. Here JSON has apostrophes for quotes. */
class LiveClusterTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DB = "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1024}, 'profile': 'etl/map'}]}";
    private static final String PROFILES = "'profiles': [{'key': 'etl/map', 'levels': {'cpu': 0.5, 'blk': 0.8}}]";
    private static final String TWO_NODES =
            "{'nodes': [" + node("a", 4096, "{}") + "," + node("b", 4096, "{}") + "]," + PROFILES + "}";

    @Test
    void tierIsPlannedBesideWhoeverDisturbsItLeast() throws Exception {
        JsonNode plan = plan(
                "{'nodes': [" + node("a", 4096, "{'blk': 0.9}") + "," + node("b", 4096, "{'mbw': 0.9}") + "],"
                        + PROFILES + "}",
                DB);

        assertThat(placed(plan.path("plan"), "db")).containsExactly("b");
        assertThat(plan.at("/tiers/0/degradation/disk").asDouble()).isGreaterThan(2);
        assertThat(plan.at("/plan/machines/0/tiers").findValuesAsText("name")).containsExactly("what runs on a");
        assertThat(plan.has("today")).isFalse();
        assertThat(plan.path("degradation").asText()).isEqualTo("table");
    }

    /** The levels' factors of Table 6.2 at the middle of class High, of all that there are. */
    @Test
    void levelsBecomeTheirPublishedFactors() throws Exception {
        JsonNode plan = plan(
                "{'nodes': [" + node("a", 4096, "{}") + "], 'profiles': [{'key': 'etl/map', 'levels':"
                        + " {'cpu': 0.755, 'mbw': 0.755, 'blk': 0.755, 'llocc': 0.755, 'netp': 0.755, 'new': 1}}]}",
                DB);

        assertThat(plan.at("/tiers/0/degradation"))
                .hasToString("{\"cpu\":1.33,\"memory\":1.74,\"disk\":2.25,\"cache\":1.26}");
    }

    @Test
    void whatTheFileSaysCountsMoreThanTheProfile() throws Exception {
        JsonNode plan = plan(
                TWO_NODES,
                "{'tiers': [{'name': 'db', 'size': 1, 'profile': 'etl/map', 'degradation': {'cpu': 'low'}}],"
                        + "'machines': [{'name': 'm', 'capacity': 1}]}");

        assertThat(plan.at("/tiers/0/degradation/cpu").asDouble()).isEqualTo(1.03);
        assertThat(plan.at("/tiers/0/degradation/disk").asDouble()).isEqualTo(1);
    }

    @Test
    void machinesOfTheFileAreTakenInPlaceOfTheClusters() throws Exception {
        JsonNode plan = plan(
                TWO_NODES,
                "{'tiers': [{'name': 'db', 'size': 1, 'profile': 'etl/map'}], 'machines': [{'name': 'm', 'capacity': 1}]}");

        assertThat(placed(plan.path("plan"), "db")).containsExactly("m");
        assertThat(plan.at("/tiers/0/degradation/disk").asDouble()).isGreaterThan(2);
    }

    private static final String TALKING = "{'nodes': [" + node("a", 4096, "{}") + "," + node("b", 4096, "{}") + "],"
            + "'profiles': [{'key': 'web', 'levels': {'cpu': 0.5}}, {'key': 'db', 'levels': {'cpu': 0.5}}],"
            + "'containers': [{'container': 'c1', 'node': 'a', 'profiles': ['web']},"
            + " {'container': 'c2', 'node': 'b', 'profiles': ['web']},"
            + " {'container': 'c3', 'node': 'b', 'profiles': ['db']}]}";

    private static String talk(String container, String other, int sent, int received) {
        return "{'container': {'container': '%s'}, 'other': {'container': '%s'}, 'sentPerSecond': %d, 'receivedPerSecond': %d}"
                .formatted(container, other, sent, received);
    }

    private static MeasuredAffinity measured(String... talks) throws JsonProcessingException {
        return new MeasuredAffinity(
                JSON.readTree(
                        "{'traffic': [%s]}".formatted(String.join(",", talks)).replace('\'', '"')),
                8e6);
    }

    private static String tiers(String affinity) {
        return "{'tiers': [{'name': 'web', 'size': {'memory-mb': 512}, 'instances': 2, 'profile': 'web'" + affinity
                + "}," + "{'name': 'db', 'size': {'memory-mb': 512}, 'profile': 'db'}]}";
    }

    /** Of a network of a million bytes a second db uses 0.755, and each of the two webs half of it. */
    @Test
    void measuredAffinityIsWhatAnInstanceExchangesAsAShareOfTheNetwork() throws Exception {
        JsonNode plan = plan(
                TALKING,
                tiers(""),
                Optional.of(measured(
                        talk("c1", "c3", 300_000, 5_000),
                        talk("c3", "c2", 400_000, 50_000),
                        talk("c1", "c2", 900_000, 0),
                        talk("c1", "c9", 900_000, 0),
                        "{'container': {'container': 'c1'}, 'peer': 'OUTSIDE', 'sentPerSecond': 9e9}")));

        assertThat(plan.at("/tiers/1/affinity")).hasSize(1);
        assertThat(plan.at("/tiers/1/affinity/web").asDouble()).isEqualTo(1.57);
        assertThat(plan.at("/tiers/0/affinity")).hasSize(1);
        assertThat(plan.at("/tiers/0/affinity/db").asDouble()).isBetween(1.32, 1.36);
    }

    @Test
    void affinityOfTheFileCountsMoreThanTheMeasuredOne() throws Exception {
        JsonNode plan =
                plan(TALKING, tiers(", 'affinity': {'db': 1.1}"), Optional.of(measured(talk("c1", "c3", 755_000, 0))));

        assertThat(plan.at("/tiers/0/affinity/db").asDouble()).isEqualTo(1.1);
        assertThat(plan.at("/tiers/1/affinity/web").asDouble()).isEqualTo(1.57);
    }

    @Test
    void whoHardlyTalksHasNoAffinity() throws Exception {
        JsonNode plan = plan(TALKING, tiers(""), Optional.of(measured(talk("c1", "c3", 10, 10))));

        assertThat(plan.at("/tiers/0/affinity")).isEmpty();
    }

    @Test
    void nodesWithNothingFreeAreLeftOut() throws Exception {
        JsonNode plan = plan(
                "{'nodes': [" + node("full", 0, "{}")
                        + ", {'node': 'busy', 'free': {'memory-mb': 10, 'vcores': -1}, 'levels': {}},"
                        + node("a", 4096, "{}") + "]," + PROFILES + "}",
                DB);

        assertThat(plan.at("/plan/machines")).hasSize(1);
        assertThat(placed(plan.path("plan"), "db")).containsExactly("a");
    }

    @Test
    void vcoresThatAreNotCountedAreNoBound() throws Exception {
        JsonNode plan = plan(
                "{'nodes': [{'node': 'a', 'free': {'memory-mb': 4096}, 'levels': {}}]}",
                "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1024, 'vcores': 1000}}]}");

        assertThat(placed(plan.path("plan"), "db")).containsExactly("a");
    }

    /** The ResourceManager has left out of the levels what is moved. */
    @Test
    void runningServiceIsComparedWithItsPlaceAndIsNotInItsOwnWay() throws Exception {
        JsonNode plan = plan(
                "{'nodes': [" + node("a", 0, "{'blk': 0.9}") + "," + node("b", 4096, "{}") + "]," + PROFILES
                        + ", 'containers': [{'node': 'a', 'profiles': ['etl/map', 'etl']}, {'node': 'b', 'profiles': []}]}",
                DB);

        assertThat(placed(plan.path("today"), "db")).containsExactly("a");
        assertThat(placed(plan.path("plan"), "db")).containsExactly("b");
        assertThat(plan.at("/plan/cost").asDouble()).isEqualTo(1);
        assertThat(plan.at("/today/cost").asDouble()).isGreaterThan(2);
        assertThat(plan.at("/today/machines/0/capacity/memory-mb").asDouble()).isEqualTo(1024);
    }

    @Test
    void nodeWhoseVcoresAreAllTakenIsAMachineForWhomItHasAlready() throws Exception {
        JsonNode plan = plan(
                "{'nodes': [{'node': 'a', 'free': {'memory-mb': 4096, 'vcores': 0}, 'levels': {}}]," + PROFILES
                        + ", 'containers': [{'node': 'a', 'profiles': ['etl/map']}]}",
                DB);

        assertThat(placed(plan.path("today"), "db")).containsExactly("a");
    }

    @Test
    void serviceOnANodeThatIsNotThereIsNotComparedWithItsPlace() throws Exception {
        JsonNode plan = plan(
                "{'nodes': [" + node("a", 4096, "{}") + "]," + PROFILES
                        + ", 'containers': [{'node': 'lost', 'profiles': ['etl/map']}]}",
                DB);

        assertThat(plan.has("today")).isFalse();
        assertThat(placed(plan.path("plan"), "db")).containsExactly("a");
    }

    /** Of a trace of disk use, as every task has, nobody shares the disk. */
    @Test
    void traceOfUseIsNoUse() throws Exception {
        JsonNode plan = plan(
                "{'nodes': [" + node("a", 4096, "{}")
                        + "], 'profiles': [{'key': 'etl/map', 'levels': {'cpu': 0.755, 'blk': 0.002}}]}",
                DB);

        assertThat(plan.at("/tiers/0/degradation/disk").asDouble()).isEqualTo(1);
        assertThat(plan.at("/tiers/0/degradation/cpu").asDouble()).isEqualTo(1.33);
    }

    @Test
    void serviceOfWhichNotAllRunsIsNotComparedWithItsPlace() throws Exception {
        JsonNode plan = plan(
                "{'nodes': [" + node("a", 4096, "{}") + "]," + PROFILES
                        + ", 'containers': [{'node': 'a', 'profiles': ['etl/map']}]}",
                "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1024}, 'profile': 'etl/map', 'instances': 2}]}");

        assertThat(plan.has("today")).isFalse();
        assertThat(plan.at("/plan/machines/0/capacity/memory-mb").asDouble()).isEqualTo(5120);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{'tiers': [{'name': 'db'}]}",
                "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1}, 'profile': 'nobody'}]}",
                "{'tiers': [{'name': 'db', 'size': {'memory-mb': 100000}}]}",
                "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1}, 'instances': 100000}]}",
            })
    void wrongFileIsOneSentence(String file) {
        assertThatThrownBy(() -> plan(TWO_NODES, file))
                .isInstanceOf(PlanInputException.class)
                .message()
                .doesNotContain("\n")
                .isNotBlank();
    }

    @Test
    void clusterThatHasNothingFreeIsOneSentence() {
        assertThatThrownBy(() -> plan("{'nodes': [], 'profiles': []}", "{'tiers': [{'name': 'db', 'size': 1}]}"))
                .isInstanceOf(PlanInputException.class)
                .hasMessage("No node has anything free");
    }

    @Test
    void profilesAreAskedForOnceEach() throws Exception {
        assertThat(LocalPlan.profiles("""
                {"tiers": [{"name": "a", "size": 1, "profile": "z"}, {"name": "b", "like": "a"},
                           {"name": "c", "size": 1}, {"name": "d", "size": 1, "profile": "k"}]}""")).containsExactly("k", "z");
    }

    private static String node(String name, int memory, String levels) {
        return "{'node': '%s', 'free': {'memory-mb': %d, 'vcores': 4}, 'levels': %s}".formatted(name, memory, levels);
    }

    private static JsonNode plan(String inputs, String file) throws PlanInputException, JsonProcessingException {
        return plan(inputs, file, Optional.empty());
    }

    private static JsonNode plan(String inputs, String file, Optional<MeasuredAffinity> measured)
            throws PlanInputException, JsonProcessingException {
        return JSON.readTree(new LocalPlan("exact", 1, 1, () -> 0)
                .live(file.replace('\'', '"'), JSON.readTree(inputs.replace('\'', '"')), measured));
    }

    private static List<String> placed(JsonNode assessment, String tier) {
        return StreamSupport.stream(assessment.path("machines").spliterator(), false)
                .filter(machine ->
                        machine.path("tiers").findValuesAsText("name").contains(tier))
                .map(machine -> machine.path("name").asText())
                .toList();
    }
}
