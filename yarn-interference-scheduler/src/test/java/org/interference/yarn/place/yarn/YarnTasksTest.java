package org.interference.yarn.place.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.interference.yarn.place.Wishes;
import org.interference.yarn.profile.SharedTags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YarnTasksTest {
    private static final YarnTasks TASKS = new YarnTasks(SharedTags.NONE);

    @ParameterizedTest
    @CsvSource({"5, map", "19, map", "20, map", "10, reduce", "7, priority-7"})
    void priorityOfMapReduceIsTheRole(int priority, String role) {
        RMApp app = app("MAPREDUCE");

        assertThat(TASKS.identity(app, key(priority, 0), false).role()).isEqualTo(role);
    }

    @ParameterizedTest
    @CsvSource({
        "SPARK, 1, 0, executor-1",
        "spark, 2, 0, executor-2",
        "TEZ, 7, 0, vertex-7",
        "yarn-service, 0, 3, component-3",
        "Apache Flink, 0, 0, priority-0",
        "YARN, 4, 9, priority-4"
    })
    void everyFrameworkSaysTheRoleInItsOwnWay(String type, int priority, long allocation, String role) {
        assertThat(TASKS.identity(app(type), key(priority, allocation), false).role())
                .isEqualTo(role);
    }

    @ParameterizedTest
    @CsvSource({"MAPREDUCE, 20", "SPARK, 0", "YARN, 0"})
    void applicationMasterIsOneWhateverItsPriority(String type, int priority) {
        assertThat(TASKS.identity(app(type), key(priority, 0), true).role()).isEqualTo("am");
    }

    @Test
    void identityIsMadeOfTypeNameRoleAndQueue() {
        RMApp app = FakeRmApp.of("MAPREDUCE", "TeraSort 7", "root.night", Set.of());

        assertThat(TASKS.identity(app, key(20, 0), false).text()).isEqualTo("mapreduce/terasort-#/map/night");
        assertThat(TASKS.identity(FakeRmApp.of("MAPREDUCE", "TeraSort 7", "night", Set.of()), key(20, 0), false)
                        .text())
                .as("as the CapacityScheduler has it")
                .isEqualTo("mapreduce/terasort-#/map/night");
    }

    @Test
    void tagOfOursNamesTheKindOfTask() {
        RMApp app = FakeRmApp.of("MAPREDUCE", "TeraSort", "default", Set.of("team-a", "ifc:nightly"));

        assertThat(TASKS.identity(app, key(20, 0), false).tag()).hasValue("nightly");
    }

    @Test
    void tagsOfOthersAndOneWithoutANameAreNone() {
        RMApp app = FakeRmApp.of("MAPREDUCE", "TeraSort", "default", Set.of("nightly", "ifc:", "xifc:a"));

        assertThat(TASKS.identity(app, key(20, 0), false).tag()).isEmpty();
    }

    @Test
    void ofTwoTagsTheSameIsAlwaysTaken() {
        RMApp app = FakeRmApp.of("MAPREDUCE", "TeraSort", "default", Set.of("ifc:b", "ifc:a", "ifc:c"));

        assertThat(TASKS.identity(app, key(20, 0), false).tag()).hasValue("a");
    }

    @Test
    void applicationThatSaysNothingHasAnIdentityToo() {
        assertThat(TASKS.identity(FakeRmApp.anonymous(), key(1, 0), false).text())
                .isEqualTo("yarn//priority-1/");
    }

    @Test
    void queueOfTheCapacitySchedulerIsNamedByItsFullPath() {
        CSQueue queue = (CSQueue) Proxy.newProxyInstance(
                CSQueue.class.getClassLoader(),
                new Class<?>[] {CSQueue.class},
                (proxy, method, arguments) -> method.getName().equals("getQueuePath") ? "root.a.b" : "b");

        assertThat(YarnTasks.path(queue)).isEqualTo("root.a.b");
    }

    @Test
    void queueOfTheFairSchedulerIsNamedByItsFullPathAnyway() {
        Queue queue = (Queue) Proxy.newProxyInstance(
                Queue.class.getClassLoader(), new Class<?>[] {Queue.class}, (proxy, method, arguments) -> "root.a.b");

        assertThat(YarnTasks.path(queue)).isEqualTo("root.a.b");
    }

    @Test
    void wishesAreInTheTags() {
        RMApp app = FakeRmApp.of("SPARK", "shop", "default", Set.of("team-a", "ifc-sensitivity:4"));

        assertThat(YarnTasks.wishes(app).sensitivity()).hasValue(4);
        assertThat(YarnTasks.wishes(FakeRmApp.anonymous())).isEqualTo(Wishes.NONE);
    }

    private static RMApp app(String type) {
        return FakeRmApp.of(type, "job", "default", Set.of());
    }

    private static SchedulerRequestKey key(int priority, long allocation) {
        return new SchedulerRequestKey(Priority.newInstance(priority), allocation, null);
    }
}
