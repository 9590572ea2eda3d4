package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskIdentityTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PageRank application_1329348432655_0001 | PageRank application_1331111111111_0420",
                "PageRank 1 | PageRank 2",
                "etl-2024-02-28 | etl-2024-03-01",
                "etl 2024-02-28T23:59:59Z | etl 2024-03-01T00:00:00Z",
                "report 20240228 | report 20240301",
                "job_1329348432655_0001 | job_1329348432655_0002",
                "insert 3f2504e0-4f89-11d3-9a0c-0305e82c3301 | insert 9b2d1c3a-77aa-4b6e-8f00-abcdefabcdef",
                "insert 3F2504E0-4F89-11D3-9A0C-0305E82C3301 | insert 9b2d1c3a-77aa-4b6e-8f00-abcdefabcdef",
                "Spark Pi | spark pi",
                "  TeraSort | TeraSort  ",
                "word count | word   count",
            })
    void twoRunsOfOneJobHaveTheSameKeys(String firstRun, String secondRun) {
        assertThat(Tasks.map(firstRun).keys()).isEqualTo(Tasks.map(secondRun).keys());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TeraSort | TeraGen",
                "PageRank application_1329348432655_0001 | WordCount application_1329348432655_0001",
                "etl sales 2024-02-28 | etl stock 2024-02-28",
                "pagerank | page rank",
            })
    void twoJobsHaveDifferentKeys(String oneJob, String otherJob) {
        assertThat(Tasks.map(oneJob).keys()).isNotEqualTo(Tasks.map(otherJob).keys());
    }

    @Test
    void roleQueueAndTypeTellTasksApart() {
        TaskIdentity map = TaskIdentity.of("MAPREDUCE", "sort", "map", "default", Optional.empty());
        TaskIdentity reduce = TaskIdentity.of("MAPREDUCE", "sort", "reduce", "default", Optional.empty());
        TaskIdentity otherQueue = TaskIdentity.of("MAPREDUCE", "sort", "map", "night", Optional.empty());
        TaskIdentity otherType = TaskIdentity.of("TEZ", "sort", "map", "default", Optional.empty());

        assertThat(map.keys())
                .isNotEqualTo(reduce.keys())
                .isNotEqualTo(otherQueue.keys())
                .isNotEqualTo(otherType.keys());
    }

    @Test
    void slashInANameCannotForgeAnotherKey() {
        TaskIdentity forged = TaskIdentity.of("MAPREDUCE", "sort/map", "x", "default", Optional.empty());

        assertThat(forged.text()).isEqualTo("mapreduce/sort-map/x/default");
    }

    @Test
    void keysGoFromTheTagDownToTheCluster() {
        TaskIdentity task = TaskIdentity.of(
                "MAPREDUCE", "Suite q14 7", "map", "default", Optional.of("nightly"), Optional.of("ann"));

        assertThat(task.keys())
                .containsExactly(
                        new TaskKey(TaskKey.Level.TAG, "ifc:ann/nightly/map"),
                        new TaskKey(TaskKey.Level.VARIANT, "mapreduce/suite-q14-#/map/default/ann"),
                        new TaskKey(TaskKey.Level.NAME, "mapreduce/suite-q#-#/map/default/ann"),
                        new TaskKey(TaskKey.Level.USER, "mapreduce/map/ann"),
                        new TaskKey(TaskKey.Level.ROLE, "mapreduce/map"),
                        new TaskKey(TaskKey.Level.QUEUE, "default"),
                        new TaskKey(TaskKey.Level.CLUSTER, "*"));
    }

    @Test
    void applicationMastersSayNothingOfAQueueOrTheCluster() {
        TaskIdentity master = TaskIdentity.of("SPARK", "sort", TaskIdentity.MASTER, "default", Optional.empty());

        assertThat(master.keys()).extracting(TaskKey::level).containsExactly(TaskKey.Level.NAME, TaskKey.Level.ROLE);
    }

    @ParameterizedTest
    @CsvSource({
        "q1, q2",
        "tpcds-q14a, tpcds-q14b",
        "kmeans-k8, kmeans-k16",
        "etl_stage1 2024-02-28, etl_stage2 2024-02-28"
    })
    void membersOfASuiteHaveKeysOfTheirOwnAndACommonOne(String one, String other) {
        TaskIdentity first = Tasks.map(one);
        TaskIdentity second = Tasks.map(other);

        assertThat(first.keys().get(0)).isNotEqualTo(second.keys().get(0));
        assertThat(first.keys().get(0).level()).isEqualTo(TaskKey.Level.VARIANT);
    }

    @Test
    void numberedNamesShareTheKeyOfTheName() {
        assertThat(Tasks.map("q1").keys().subList(1, 5))
                .isEqualTo(Tasks.map("q2").keys().subList(1, 5));
    }

    @ParameterizedTest
    @CsvSource({
        "query 0a1b2c3d4e, query ffee00112233",
        "load_20240228T101500, load_20250101T000000",
        "job12345, job67890",
        "s3copy-3f2504e0-4f89-11d3-9a0c-0305e82c3301, s3copy-9b2d1c3a-77aa-4b6e-8f00-abcdefabcdef"
    })
    void idsOfARunAreInNoKey(String firstRun, String secondRun) {
        assertThat(Tasks.map(firstRun).keys()).isEqualTo(Tasks.map(secondRun).keys());
    }

    @Test
    void stageIsOneRunAndRole() {
        TaskIdentity first = Tasks.map("sort").in("application_1");

        assertThat(first.stage()).hasValue("application_1/map");
        assertThat(first.keys()).isEqualTo(Tasks.map("sort").keys());
        assertThat(first).isNotEqualTo(Tasks.map("sort").in("application_2"));
    }

    @Test
    void rolesOfOneTagAreKeptApart() {
        TaskIdentity map = TaskIdentity.of("MAPREDUCE", "sort", "map", "default", Optional.of("nightly"));
        TaskIdentity reduce = TaskIdentity.of("MAPREDUCE", "sort", "reduce", "default", Optional.of("nightly"));

        assertThat(specific(map)).doesNotContainAnyElementsOf(specific(reduce));
    }

    @Test
    void textIsTheMostSpecificKey() {
        assertThat(Tasks.taggedMap("TeraSort", "nightly").text()).isEqualTo("ifc:/nightly/map");
        assertThat(Tasks.map("TeraSort").text()).isEqualTo("mapreduce/terasort/map/default");
    }

    @Test
    void applicationWithoutANameHasAKeyToo() {
        assertThat(Tasks.map("").text()).isEqualTo("mapreduce//map/default");
    }

    /** What an enemy may choose: types, names, tags and, on a cluster without authentication, users. */
    private static final List<String> CHOSEN = List.of(
            "mapreduce",
            "map",
            "ann",
            "ifc:ann",
            "etl",
            "etl/map",
            "map/default",
            "default",
            "*",
            "q1",
            "",
            " ",
            "a@0000000000000001",
            "ann/etl",
            "ifc:ann/etl/map",
            "cpu=high");

    @Test
    void whateverAnotherUserChoosesTheKindsOfAUserAreItsOwn() {
        TaskIdentity victim =
                TaskIdentity.of("mapreduce", "etl", "map", "default", Optional.of("etl"), Optional.of("ann"));
        for (String type : CHOSEN) {
            for (String name : CHOSEN) {
                for (String tag : CHOSEN) {
                    for (String user : List.of("bob", "ann/etl", "ann@evil", "ann ", "an", "")) {
                        TaskIdentity enemy =
                                TaskIdentity.of(type, name, "map", "default", Optional.of(tag), Optional.of(user));

                        assertThat(enemy.keys().stream()
                                        .filter(key -> !key.level().isShared()))
                                .doesNotContainAnyElementsOf(victim.keys());
                        assertThat(specific(enemy))
                                .extracting(TaskKey::text)
                                .doesNotContainAnyElementsOf(texts(victim));
                    }
                }
            }
        }
    }

    @Test
    void tagThatIsSharedIsOneKindWhoeverSubmitsAndNothingElseIs() {
        SharedTags shared = new SharedTags(false, Set.of("etl"));
        TaskIdentity ann = of("etl", "ann", shared);
        TaskIdentity bob = of("etl", "bob", shared);

        assertThat(ann.keys().get(0)).isEqualTo(bob.keys().get(0));
        assertThat(ann.keys().get(0).isShared()).isTrue();
        assertThat(specific(ann).subList(1, specific(ann).size())).doesNotContainAnyElementsOf(specific(bob));
        assertThat(specific(of("own", "ann", shared))).doesNotContainAnyElementsOf(specific(of("own", "bob", shared)));
        assertThat(of("own", "ann", new SharedTags(true, Set.of())).keys().get(0))
                .isEqualTo(
                        of("own", "bob", new SharedTags(true, Set.of())).keys().get(0));
    }

    /** Whatever they call themselves. */
    @Test
    void noUserTakesTheKindThatOthersShare() {
        TaskKey shared = of("etl", "ann", new SharedTags(true, Set.of())).keys().get(0);
        for (String user : CHOSEN) {
            for (String tag : CHOSEN) {
                assertThat(of(tag, user, SharedTags.NONE).keys()).doesNotContain(shared);
            }
        }
        assertThat(of("etl", ":all", SharedTags.NONE).keys()).doesNotContain(shared);
    }

    private static TaskIdentity of(String tag, String user, SharedTags shared) {
        return TaskIdentity.of("mapreduce", "etl", "map", "default", Optional.of(tag), Optional.of(user), shared);
    }

    @Test
    void textsOfKeysOfDifferentLevelsAreNeverTheSame() {
        Map<String, TaskKey.Level> levels = new HashMap<>();
        for (String type : CHOSEN) {
            for (String name : CHOSEN) {
                for (String tag : CHOSEN) {
                    for (Optional<String> user :
                            List.of(Optional.of("ann"), Optional.of(name), Optional.<String>empty())) {
                        TaskIdentity task = TaskIdentity.of(type, name, "map", "default", Optional.of(tag), user);
                        task.keys().forEach(key -> assertThat(levels.merge(key.text(), key.level(), (one, same) -> one))
                                .as(key.text())
                                .isEqualTo(key.level()));
                    }
                }
            }
        }
    }

    @Test
    void namesOfAnyLengthHaveShortKeys() {
        String endless = "a".repeat(1 << 20);
        TaskIdentity one = TaskIdentity.of(endless, endless, "map", "q", Optional.of(endless), Optional.of(endless));
        TaskIdentity other =
                TaskIdentity.of(endless, endless, "map", "q", Optional.of(endless + "b"), Optional.of(endless));

        // Lengths, because a failure should not print megabytes.
        assertThat(one.keys()).extracting(key -> key.text().length()).allMatch(length -> length < 600);
        assertThat(one.keys().get(0).equals(other.keys().get(0))).isFalse();
    }

    private static List<String> texts(TaskIdentity task) {
        return task.keys().stream().map(TaskKey::text).toList();
    }

    private static List<TaskKey> specific(TaskIdentity task) {
        return task.keys().stream().filter(key -> !key.level().isCoarse()).toList();
    }
}
