package org.interference.yarn.dispatch;

import java.nio.file.Path;
import java.util.List;

/** Submits jobs of one framework. Thread-safe. */
interface Client {
    /**
     * What a client is told beside the job. Immutable.
     *
     * @param arguments the job's, with every place filled in
     * @param log where it may write what its program says
     * @param untilItEnds whether the client is to return no earlier than the application ends
     */
    record Order(
            Submission submission,
            List<String> arguments,
            String queue,
            List<String> tags,
            Path log,
            boolean untilItEnds) {
        public Order {
            arguments = List.copyOf(arguments);
            tags = List.copyOf(tags);
        }

        Job job() {
            return submission.job();
        }
    }

    /**
     * Submits the job and returns when there is nothing left for its client to do, which may be long before or shortly after the
     * application ends.
     *
     * @throws Exception whatever a client throws; the job has then failed
     */
    void submit(Order order) throws Exception;
}
