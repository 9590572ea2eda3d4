package org.interference.yarn.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the queues, their policies, weights and shares: nobody is served who is further ahead than the setting says. */
@Timeout(900)
final class FairnessLawTest {
    private static final int SEEDS = Integer.getInteger("seeds", 60);
    private static final int STEPS = 150;

    @TempDir
    private Path directory;

    @Test
    void nobodyIsServedWhoIsFurtherAheadThanTheSettingSays() throws Exception {
        Life total = new Life();
        for (long seed = 0; seed < SEEDS; seed++) {
            Life life = live(seed);
            total.decisions += life.decisions;
            total.others += life.others;
        }
        // Without a choice all of it would hold of the parent.
        assertThat(total.decisions).isGreaterThan(SEEDS * STEPS / 2);
        assertThat(total.others).isGreaterThan(total.decisions / 2);
    }

    /** What was decided, and among how many others than whom the parent would have served. */
    private static final class Life {
        private long decisions;
        private long others;
    }

    private Life live(long seed) throws IOException, YarnException {
        Random random = new Random(seed);
        int ahead = 1 + random.nextInt(3);
        VirtualClock clock = new VirtualClock();
        Life life = new Life();
        AnyNeedyScheduler[] made = new AnyNeedyScheduler[1];
        made[0] = new AnyNeedyScheduler(random, ahead, (node, candidates) -> {
            FairnessLaw law = new FairnessLaw(made[0], ahead);
            candidates.forEach(candidate -> law.mayServe(candidate.application()));
            life.decisions += candidates.isEmpty() ? 0 : 1;
            life.others += Math.max(0, candidates.size() - 1);
        });
        List<String> leaves = new ArrayList<>();
        String queues = queues(random, leaves);
        try (FairCluster cluster = new FairCluster(made[0], clock, directory, queues, Ours.settings())) {
            List<NodeId> nodes = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                nodes.add(cluster.register(24 * 1024, 24));
            }
            List<FSAppAttempt> applications = new ArrayList<>();
            for (String leaf : leaves) {
                for (int i = 0; i < 1 + random.nextInt(3); i++) {
                    FSAppAttempt application = cluster.submit(leaf, Ours.TAG);
                    applications.add(application);
                    cluster.ask(application, 1, container(random), 1000);
                }
            }
            for (int step = 0; step < STEPS; step++) {
                clock.set(clock.seconds() + 0.001);
                cluster.heartbeat(nodes.get(random.nextInt(nodes.size())));
                if (random.nextInt(4) == 0) {
                    FSAppAttempt some = applications.get(random.nextInt(applications.size()));
                    cluster.release(some, anyOf(some, random));
                }
            }
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ", " + ahead + " ahead: " + queues, e);
        }
        return life;
    }

    private static List<ContainerId> anyOf(FSAppAttempt application, Random random) {
        return application.getLiveContainers().stream()
                .map(RMContainer::getContainerId)
                .sorted()
                .filter(container -> random.nextInt(3) == 0)
                .toList();
    }

    private static Resource container(Random random) {
        return Resource.newInstance(1024 * (1 + random.nextInt(3)), 1 + random.nextInt(3));
    }

    /** @param leaves gets their names */
    private static String queues(Random random, List<String> leaves) {
        String root = random.nextBoolean() ? "fair" : "drf";
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2 + random.nextInt(3); i++) {
            if (random.nextInt(3) == 0) {
                text.append("<queue name='p%d' type='parent'>%s".formatted(i, properties(random, root, root)));
                for (int j = 0; j < 2 + random.nextInt(2); j++) {
                    leaves.add("root.p%d.q%d".formatted(i, j));
                    text.append(leaf("q" + j, random, root));
                }
                text.append("</queue>");
            } else {
                leaves.add("root.q" + i);
                text.append(leaf("q" + i, random, root));
            }
        }
        return "<defaultQueueSchedulingPolicy>" + root + "</defaultQueueSchedulingPolicy>" + text;
    }

    private static String leaf(String name, Random random, String parent) {
        String policy = random.nextInt(4) == 0 ? "fifo" : random.nextBoolean() ? parent : "fair";
        return "<queue name='" + name + "'>" + properties(random, policy, parent) + "</queue>";
    }

    /** @param parent whose policy compares the min share: by what dominates in DRF, where the law does not follow */
    private static String properties(Random random, String policy, String parent) {
        String minShare = random.nextInt(3) == 0 ? "<minResources>%d mb, 0 vcores</minResources>" : "";
        return "<weight>%d</weight><schedulingPolicy>%s</schedulingPolicy>".formatted(1 + random.nextInt(10), policy)
                + ("fair".equals(parent) ? minShare.formatted(1024 * random.nextInt(40)) : "");
    }
}
