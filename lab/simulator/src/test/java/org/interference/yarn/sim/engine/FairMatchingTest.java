package org.interference.yarn.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.interference.yarn.fault.Part;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.rest.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Our FairScheduler beside the stock one: nobody holds more than by the setting's containers than the queues' policies say. */
@Timeout(300)
final class FairMatchingTest {
    private static final Resource SLOT = Resource.newInstance(1024, 1);
    private static final int NODES = 120;

    @TempDir
    private Path directory;

    @Test
    void aQueueOfTenTimesTheWeightGetsTenTimesAsMuch() throws Exception {
        String weights =
                "<queue name='heavy'><weight>10</weight></queue><queue name='light'><weight>1</weight></queue>";
        Life life = new Life(weights, "root.heavy", SLOT, "root.light", SLOT);

        assertThat(life.stock(110)).containsExactly(100, 10);
        // Two containers of the heavy one's are a fifth of one of the light one's, which gets one then.
        assertThat(life.ours(110).get(1)).isBetween(9, 11);
    }

    @Test
    void whoCameLaterToAFifoQueueGetsNothingBefore() throws Exception {
        String fifo = "<queue name='line'><schedulingPolicy>fifo</schedulingPolicy></queue>";
        Life life = new Life(fifo, "root.line", SLOT, "root.line", SLOT);

        assertThat(life.stock(110)).containsExactly(110, 0);
        assertThat(life.ours(110)).containsExactly(110, 0);
    }

    /** By memory alone the one that needs the cores would always be behind. The cluster has as many of them as gigabytes. */
    @Test
    void underDominantResourceFairnessCoresCountAsMuchAsMemory() throws Exception {
        String drf = "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
                + "<queue name='any'><schedulingPolicy>drf</schedulingPolicy></queue>";
        Life life = new Life(drf, "root.any", SLOT, "root.any", Resource.newInstance(1024, 4));

        assertThat(life.stock(100)).containsExactly(80, 20);
        assertThat(life.ours(100).get(1)).isBetween(19, 21);
    }

    @Test
    void aQueueBelowItsMinShareComesFirst() throws Exception {
        String shares =
                "<queue name='promised'><minResources>61440 mb, 60 vcores</minResources></queue><queue name='other'/>";
        Life life = new Life(shares, "root.promised", SLOT, "root.other", SLOT);

        assertThat(life.stock(60)).containsExactly(60, 0);
        // It may lack two of what was promised to it while the other one gets one.
        assertThat(life.oursWithoutSingleRuns(60).get(1)).isLessThanOrEqualTo(1);
        // Whoever is passed over by a node that is kept for a single run is so once more.
        assertThat(life.ours(60).get(1)).isLessThanOrEqualTo(2);
        assertThat(life.stock(120)).containsExactly(60, 60);
        assertThat(life.ours(120).get(1)).isBetween(58, 62);
    }

    /** Two applications that ask for more than there is; the first one's tasks harm their neighbours, the second one's do not. */
    private final class Life {
        private final String allocations;
        private final String first;
        private final Resource one;
        private final String second;
        private final Resource other;

        Life(String allocations, String first, Resource one, String second, Resource other) {
            this.allocations = allocations;
            this.first = first;
            this.one = one;
            this.second = second;
            this.other = other;
        }

        List<Integer> stock(int containers) throws Exception {
            return live(new FairScheduler(), new VirtualClock(), containers, Ours.settings());
        }

        List<Integer> ours(int containers) throws Exception {
            return ours(containers, Ours.settings());
        }

        List<Integer> oursWithoutSingleRuns(int containers) throws Exception {
            Configuration settings = Ours.settings();
            settings.set("yarn.interference.place.solo-share", "0");
            return ours(containers, settings);
        }

        private List<Integer> ours(int containers, Configuration settings) throws Exception {
            VirtualClock clock = new VirtualClock();
            return live(new Ours.Fair(clock), clock, containers, settings);
        }

        /** Returns how many of the first {@code containers} each of the two has got. */
        private List<Integer> live(FairScheduler scheduler, VirtualClock clock, int containers, Configuration settings)
                throws Exception {
            try (FairCluster cluster = new FairCluster(scheduler, clock, directory, allocations, settings)) {
                for (int i = 0; i < NODES; i++) {
                    cluster.register(5 * 1024, 5);
                }
                FSAppAttempt harms = cluster.submit(first, Ours.TAG);
                FSAppAttempt harmless = cluster.submit(second, Ours.TAG);
                Ours.know(scheduler, clock.instant());
                cluster.ask(harms, 2, one, 500);
                cluster.ask(harmless, 1, other, 500);
                cluster.fill(containers);
                if (scheduler instanceof Ours.Fair fair) {
                    Sources sources = fair.restSources().orElseThrow();
                    assertThat(sources.placement().decisions().counts().get(Ranking.Reason.MATCHED))
                            .isGreaterThan(containers / 2);
                    // Its store cannot be opened, and whether that has been tried already is another thread's.
                    assertThat(sources.placement().gate().faults().newest())
                            .allMatch(kind -> kind.part() == Part.STORE);
                }
                return List.of(
                        harms.getLiveContainers().size(),
                        harmless.getLiveContainers().size());
            }
        }
    }
}
