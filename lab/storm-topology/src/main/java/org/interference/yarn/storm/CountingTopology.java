package org.interference.yarn.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
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

/** A spout and a bolt, which writes a file when it has seen so many tuples, and goes on. Arguments: name, tuples, file. */
public final class CountingTopology {
    private CountingTopology() {}

    public static void main(String[] arguments) throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers());
        topology.setBolt("count", new Count(Long.parseLong(arguments[1]), arguments[2]))
                .shuffleGrouping("numbers");
        Config config = new Config();
        config.setNumWorkers(1);
        StormSubmitter.submitTopology(arguments[0], config, topology.createTopology());
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
                    Files.writeString(Path.of(file), Long.toString(seen));
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
