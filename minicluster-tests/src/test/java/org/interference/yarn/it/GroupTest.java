package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.interference.yarn.place.Groups;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service of five containers that are to start together, on a node of a real ResourceManager that has room for three. */
class GroupTest extends TimedCluster {
    private static final int NODE_MB = 4 * 1024;
    private static final int TASK_MB = 1024;

    private MockNM node;

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void itGetsNothingUntilThereIsRoomForAllAndThenAll(Class<?> scheduler) throws Exception {
        MockAM master = start(scheduler, 60_000);
        ask(master, 5);
        beat(node, 3);
        pass(1);
        beat(node, 3);

        assertThat(got(master))
                .as("its ApplicationMaster was not kept back, the others are")
                .isZero();
        Groups.Waiting waiting = waiting().get(0);
        assertThat(waiting.sentence()).isEqualTo("waits for its group: 3 of 5 fit, 59 s left");
        assertThat(waiting.application())
                .isEqualTo(master.getApplicationAttemptId().getApplicationId().toString());

        MockNM another = rm.registerNode("127.0.0.2:1000", NODE_MB, 8);
        rm.drainEvents();
        beat(node, 1);
        beat(another, 1);
        pass(1);
        beat(node, 4);
        beat(another, 4);

        assertThat(got(master)).isEqualTo(5);
        assertThat(waiting()).isEmpty();
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void whenItsWaitIsOverItGetsWhatThereIs(Class<?> scheduler) throws Exception {
        MockAM master = start(scheduler, 60_000);
        ask(master, 5);
        pass(59);
        beat(node, 4);
        assertThat(got(master)).isZero();

        pass(1);
        beat(node, 4);

        assertThat(got(master)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void nobodyElseIsKeptBackMeanwhile(Class<?> scheduler) throws Exception {
        MockAM master = start(scheduler, 60_000);
        ask(master, 5);
        pass(1);
        MockAM other = MockRM.launchAndRegisterAM(submit("other", TASK_MB, Set.of("ifc:small")), rm, node);
        ask(other, 2);
        beat(node, 4);

        assertThat(got(other)).isEqualTo(2);
        assertThat(got(master)).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void byDefaultTheTagSaysNothing(Class<?> scheduler) throws Exception {
        MockAM master = start(scheduler, 0);
        ask(master, 5);
        beat(node, 4);

        assertThat(got(master)).isEqualTo(3);
    }

    // The cluster

    private MockAM start(Class<?> scheduler, int waitMillis) throws Exception {
        Configuration conf = configuration(scheduler, CrowdedPredictor.class);
        conf.set("yarn.interference.place.mode", "on");
        conf.set("yarn.interference.place.tags", "root=100");
        conf.setInt("yarn.interference.place.group-wait-ms", waitMillis);
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0");
        node = start(conf, "127.0.0.1:1000", NODE_MB, 8, profile(Map.of(Signal.CPU, Averages.constant(10, 0.5)), 600));
        return MockRM.launchAndRegisterAM(submit("service", TASK_MB, Set.of("ifc:small", "ifc-group:5")), rm, node);
    }

    private void ask(MockAM master, int count) throws Exception {
        master.allocate(List.of(master.createResourceReq(ResourceRequest.ANY, TASK_MB, 1, count)), List.of());
    }

    /** Returns how many containers it has been given now. */
    private static int got(MockAM master) throws Exception {
        return master.schedule().getAllocatedContainers().size();
    }

    private List<Groups.Waiting> waiting() {
        return plugin().placement().groups().waiting(plugin().clock().instant());
    }
}
