package org.interference.yarn.sim.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** What must hold of every life. Each one is a function of what was seen, and says what is wrong; nothing if all is well. */
enum Invariants {
    /** No container on a node that the stock scheduler would not use at that moment. */
    USABLE_NODES {
        @Override
        List<String> broken(Story story) {
            return story.all().stream()
                    .flatMap(history -> history.allocated().stream())
                    .filter(one -> !one.known()
                            || !(one.running() || one.beats())
                            || !one.heard()
                            || !(one.reservedFor().isEmpty()
                                    || one.reservedFor().equals(one.attempt())))
                    .map(Object::toString)
                    .toList();
        }
    },
    /** Whoever the stock scheduler serves is served, not much later. */
    EVERYBODY_SERVED {
        @Override
        List<String> broken(Story story) {
            List<String> broken = new ArrayList<>();
            List<LifeHistory.Drained> ours = story.ours().drained();
            // One of them may have ended early: then it says what was thrown.
            int acts = Math.min(ours.size(), story.stock().drained().size());
            for (int act = 0; act < acts; act++) {
                LifeHistory.Drained stock = story.stock().drained().get(act);
                TreeSet<String> left = new TreeSet<>(ours.get(act).waiting());
                left.removeAll(stock.waiting());
                // Which node falls silent with a reservation is chance: the stock scheduler, too, serves nobody then.
                if (!left.isEmpty() && !ours.get(act).heldBySilent()) {
                    broken.add("act %d: %s wait after %d s; stock serves all but %s in %d s"
                            .formatted(act, left, ours.get(act).seconds(), stock.waiting(), stock.seconds()));
                }
            }
            return broken;
        }
    },
    /** And where there is room for all, each as soon as the stock scheduler serves it, but for a factor. */
    SERVED_SOON {
        @Override
        List<String> broken(Story story) {
            Map<Integer, LifeHistory.Asked> stock = new HashMap<>();
            story.stock().asked().forEach(asked -> stock.put(asked.number(), asked));
            return story.ours().asked().stream()
                    .filter(ours -> ours.roomy()
                            && stock.containsKey(ours.number())
                            && stock.get(ours.number()).served()
                            && ours.seconds()
                                    > mostSeconds(stock.get(ours.number()).seconds()))
                    .map(ours -> "%s, stock: %s".formatted(ours, stock.get(ours.number())))
                    .toList();
        }
    },
    /** Nobody is passed over by more than the settings allow. */
    FAIR {
        @Override
        List<String> broken(Story story) {
            List<String> unfair = new ArrayList<>();
            story.stock().unfair().forEach(one -> unfair.add("stock, " + one));
            story.ours().unfair().forEach(one -> unfair.add("ours, " + one));
            return unfair;
        }
    },
    /** Nobody but the victim's own tasks says what they are like. */
    PROFILES_UNTOUCHED {
        @Override
        List<String> broken(Story story) {
            return story.ours().profiles().stream()
                    .filter(profile -> Math.abs(profile.cpu() - Enemies.VICTIMS_LEVEL) > 0.01)
                    .map(Object::toString)
                    .toList();
        }
    },
    /** Switched off, ours puts every container where the stock scheduler puts it. */
    OFF_IS_STOCK {
        @Override
        List<String> broken(Story story) {
            if (story.off().isEmpty()) {
                return List.of();
            }
            List<String> stock = where(story.stock());
            List<String> off = where(story.off().get());
            return IntStream.range(0, Math.max(stock.size(), off.size()))
                    .filter(i -> i >= stock.size()
                            || i >= off.size()
                            || !stock.get(i).equals(off.get(i)))
                    .limit(1)
                    .mapToObj(i -> "container %d of %d: stock %s, off %s"
                            .formatted(
                                    i,
                                    stock.size(),
                                    i < stock.size() ? stock.get(i) : "none",
                                    i < off.size() ? off.get(i) : "none"))
                    .toList();
        }

        private List<String> where(LifeHistory history) {
            return history.allocated().stream()
                    .map(LifeHistory.Allocated::where)
                    .toList();
        }
    },
    /** Nothing grows beyond its bound: no collection, nor what is learnt of a kind of task. */
    BOUNDED {
        @Override
        List<String> broken(Story story) {
            return story.ours().sizes().values().stream()
                    .filter(size -> size.size() > size.most())
                    .map(Object::toString)
                    .toList();
        }
    },
    /** YARN is thrown nothing. */
    NOTHING_THROWN {
        @Override
        List<String> broken(Story story) {
            return story.all().stream()
                    .flatMap(history -> history.thrown().stream())
                    .toList();
        }
    },
    /** A ResourceManager that is to become active does. */
    ACTIVE {
        @Override
        List<String> broken(Story story) {
            return story.all().stream()
                    .flatMap(history -> history.standby().stream())
                    .toList();
        }
    },
    /** No thread of YARN's waits for the store. */
    NEVER_WAITS_FOR_STORE {
        @Override
        List<String> broken(Story story) {
            return story.ours().waitedForStore();
        }
    },
    /** When all has been quiet for a while, placement is as it is configured. */
    RECOVERS {
        @Override
        List<String> broken(Story story) {
            LifeHistory.End end = story.ours().end();
            return end == null || end.configured().equals(end.inForce()) ? List.of() : List.of(end.toString());
        }
    },
    /** And no error of its own was counted: nothing that is injected is one. */
    NO_ERRORS {
        @Override
        List<String> broken(Story story) {
            LifeHistory.End end = story.ours().end();
            return end == null ? List.of() : List.copyOf(end.errors());
        }
    },
    /** And what is known is in the store. */
    STORED {
        @Override
        List<String> broken(Story story) {
            LifeHistory.End end = story.ours().end();
            return end == null || end.notStored().isEmpty() ? List.of() : List.of("not stored: " + end.notStored());
        }
    };

    /**
     * One plan as it was lived.
     *
     * @param off empty if that was not tried
     */
    record Story(LifeHistory stock, LifeHistory ours, Optional<LifeHistory> off) {
        List<LifeHistory> all() {
            List<LifeHistory> all = new ArrayList<>(List.of(stock, ours));
            off.ifPresent(all::add);
            return all;
        }
    }

    /** Returns in how many seconds all must be served whom the stock scheduler serves in {@code stock}. */
    static int mostSeconds(int stock) {
        // What is given up for one ask may be given up for the next again.
        return 3 * (stock + Variant.WAIT_SECONDS);
    }

    /** Returns what is wrong, one sentence each. */
    abstract List<String> broken(Story story);
}
