package org.interference.yarn.rest;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.ws.rs.core.Response;

/**
 * Who may plan, and when: planning is for everybody and takes a processor of the ResourceManager's. Everybody has one request at a time
 * and a share of a processor, and all together have half of one; what was not used is saved up to a bound, so that somebody who
 * plans now and then does not wait. Thread-safe.
 */
final class PlanTurns {
    /** Requests whose bodies may be in memory at the same time. */
    static final int MOST_AT_ONCE = 8;
    /** Users whose share is counted one by one; those beyond share one. */
    static final int MOST_USERS = 1000;

    private static final String OTHERS = "(others)";
    private static final Rate OF_ONE = new Rate(0.1, TimeUnit.SECONDS.toNanos(20));
    private static final Rate OF_ALL = new Rate(0.5, TimeUnit.SECONDS.toNanos(60));

    private final LongSupplier ticker;
    private final Set<String> present = new HashSet<>();
    private final Map<String, Account> accounts = new HashMap<>();
    private final Account all;
    private boolean planning;

    /** @param ticker in ns, from any origin */
    PlanTurns(LongSupplier ticker) {
        this.ticker = ticker;
        this.all = new Account(OF_ALL, ticker.getAsLong());
    }

    /**
     * What is given.
     *
     * @param share of a processor
     * @param saved ns that are saved up at most
     */
    private record Rate(double share, long saved) {}

    /** How many ns of planning were taken and not yet given anew. */
    private static final class Account {
        private final Rate rate;
        private double taken;
        private long at;

        Account(Rate rate, long now) {
            this.rate = rate;
            this.at = now;
        }

        /** Returns this account as it is at {@code now}. */
        Account at(long now) {
            taken = Math.max(0, taken - rate.share() * (now - at));
            at = now;
            return this;
        }

        boolean isFull() {
            return taken == 0;
        }

        /** Returns how many seconds it takes until there is something to take; 0 if there is. */
        long secondsToWait(long now) {
            double lacking = (at(now).taken - rate.saved()) / rate.share();
            return lacking > 0 ? TimeUnit.NANOSECONDS.toSeconds((long) lacking) + 1 : 0;
        }
    }

    /** One request, from before its body is read until it is answered. Not thread-safe. */
    final class Turn implements AutoCloseable {
        private final String user;
        private long began;
        private boolean mine;

        private Turn(String user) {
            this.user = user;
        }

        /** @throws RequestException if somebody else's plan is being made */
        void begin() {
            synchronized (PlanTurns.this) {
                if (planning) {
                    throw tooMany("another plan is being made; ask again in a few seconds");
                }
                planning = true;
                mine = true;
                began = ticker.getAsLong();
            }
        }

        @Override
        public void close() {
            synchronized (PlanTurns.this) {
                present.remove(user);
                if (mine) {
                    planning = false;
                    long now = ticker.getAsLong();
                    account(user, now).taken += now - began;
                    all.at(now).taken += now - began;
                }
            }
        }
    }

    /**
     * Takes part.
     *
     * @throws RequestException if this user has a request already or has had their share, or too many ask
     */
    synchronized Turn enter(String user) {
        if (present.contains(user)) {
            throw tooMany("you are planning already; ask again when that plan is answered");
        }
        if (present.size() == MOST_AT_ONCE) {
            throw tooMany("too many ask for plans; ask again in a few seconds");
        }
        long now = ticker.getAsLong();
        long wait = account(user, now).secondsToWait(now);
        if (wait > 0) {
            throw tooMany(
                    "you have planned for as long as one user may; ask again in %d s, or plan with".formatted(wait)
                            + " bin/interference plan --nodes");
        }
        long waitOfAll = all.secondsToWait(now);
        if (waitOfAll > 0) {
            throw tooMany(
                    "the ResourceManager has planned for as long as it may; ask again in %d s".formatted(waitOfAll));
        }
        present.add(user);
        return new Turn(user);
    }

    private Account account(String user, long now) {
        if (!accounts.containsKey(user) && accounts.size() >= MOST_USERS) {
            accounts.values().removeIf(account -> account.at(now).isFull());
        }
        boolean counted = accounts.containsKey(user) || accounts.size() < MOST_USERS;
        return accounts.computeIfAbsent(counted ? user : OTHERS, first -> new Account(OF_ONE, now))
                .at(now);
    }

    private static RequestException tooMany(String message) {
        return new RequestException(Response.Status.TOO_MANY_REQUESTS, message);
    }
}
