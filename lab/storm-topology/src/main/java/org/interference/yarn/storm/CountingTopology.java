package org.interference.yarn.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * A spout and a bolt, which writes a file when it has seen so many tuples, and goes on. Arguments: its name, tuples, file. With {@code --here} for a name it
 * runs on a Storm in this process, which ends when the file is there.
 */
public final class CountingTopology {
    private static final String HERE = "--here";
    private static final long LOOK_EVERY_MILLIS = 200;

    private CountingTopology() {}

    public static void main(String[] arguments) throws Exception {
        StormTopology topology = topology(Long.parseLong(arguments[1]), arguments[2]);
        Config config = new Config();
        config.setNumWorkers(1);
        if (!arguments[0].equals(HERE)) {
            StormSubmitter.submitTopology(arguments[0], config, topology);
            return;
        }
        new LocalCluster().submitTopology("counting", config, topology);
        while (!Files.exists(Path.of(arguments[2]))) {
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
        // Storm takes longer to end than its topology's work may have taken.
        Runtime.getRuntime().halt(0);
    }

    private static StormTopology topology(long tuples, String file) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers());
        topology.setBolt("count", new Count(tuples, file)).shuffleGrouping("numbers");
        return topology.createTopology();
    }

    /** Emits 0, 1, 2, ... */
    public static final class Numbers extends BaseRichSpout {
        private static final long serialVersionUID = 1L;
        private transient SpoutOutputCollector collector;
        private long next;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public void nextTuple() {
            collector.emit(new Values(next));
            next++;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    /** Counts what it is sent. */
    public static final class Count extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private final long enough;
        private final String file;
        private long seen;

        Count(long enough, String file) {
            this.enough = enough;
            this.file = file;
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            seen++;
            if (seen == enough) {
                try {
                    Path whole = Files.writeString(Path.of(file + ".part"), Long.toString(seen));
                    Files.move(whole, Path.of(file), StandardCopyOption.ATOMIC_MOVE);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Nothing comes behind it.
        }
    }
}
