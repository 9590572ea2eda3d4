package org.interference.yarn.place.yarn;

import java.util.Iterator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * The nodes of several visits for a request that prefers places, which YARN has wait for them by the opportunities that it misses: each
 * visit counts as one, as with the parent, however often its node is handed out here. For one thread.
 */
final class Opportunities<N> implements Iterator<N> {
    private final Iterator<Visit<N>> visits;
    private final Object request;
    private final SchedulerApplicationAttempt application;
    private final SchedulerRequestKey key;
    /** How many there were when a node was handed out that has been counted already; negative for another one. */
    private int before = -1;
    /** Since a node was handed out. */
    private int asked;

    Opportunities(
            Iterator<Visit<N>> visits,
            Object request,
            SchedulerApplicationAttempt application,
            SchedulerRequestKey key) {
        this.visits = visits;
        this.request = request;
        this.application = application;
        this.key = key;
    }

    @Override
    public boolean hasNext() {
        // YARN asks once before it tries the node.
        if (++asked > 1) {
            settle();
        }
        return visits.hasNext();
    }

    @Override
    public N next() {
        settle();
        asked = 0;
        Visit<N> visit = visits.next();
        if (!visit.isNewTo(request)) {
            // YARN adds one before it looks at how many there are, unless it does not try the node at all.
            before = application.getSchedulingOpportunities(key);
            application.subtractSchedulingOpportunity(key);
        }
        return visit.node();
    }

    /** Of a node that is taken nobody asks: then the count is right, or begins anew. */
    private void settle() {
        if (before < 0) {
            return;
        }
        int now = application.getSchedulingOpportunities(key);
        if (now > before) {
            application.subtractSchedulingOpportunity(key);
        } else if (now < before) {
            application.addSchedulingOpportunity(key);
        }
        before = -1;
    }
}
