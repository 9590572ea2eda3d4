package org.interference.yarn.relocate;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.place.Offer;

/**
 * A running container that has been opted in, by its queue or by its application's tag, and what is known of it. Immutable.
 *
 * @param container its id
 * @param application its id
 * @param queue full path of the application's queue; empty if the scheduler has no such queue any more
 * @param stage what it has in common with whatever is started in its place: its application and its role there
 * @param node where it runs
 * @param master whether it is the application's own master
 * @param restartable whether its framework, or its owner by a tag, says that such a task starts again elsewhere
 * @param ran since it was placed there, {@code >= 0}
 * @param kind what its profile says; empty without one
 * @param staying what it does to its node, and the node to it; empty without a fresh report, or if nobody can predict it
 * @param target the best other node with room for it; empty if there is none, and while others wait, who would have that room
 */
public record Candidate(
        String container,
        String application,
        Optional<String> queue,
        String stage,
        String node,
        boolean master,
        boolean restartable,
        Duration ran,
        Optional<Kind> kind,
        Optional<Staying> staying,
        Optional<Target> target) {

    /**
     * What is known of its kind of task.
     *
     * @param name text of the profile's key
     * @param samples that the profile stands on
     * @param runSeconds mean run time alone where that was seen, else the mean of all; 0 if no run has ended
     * @param alikeHardware whether it runs on a machine like the one that its kind was learnt on, as far as that is told
     */
    public record Kind(String name, long samples, double runSeconds, boolean alikeHardware) {}

    /**
     * It where it is.
     *
     * @param gain what the node gets done more because of it, in tasks alone, with the prediction's interval ({@link Offer})
     * @param slowdown its own, {@code >= 1}
     * @param harm what its neighbours get done less because of it, in tasks alone, {@code >= 0}
     * @param margin half the width of the interval of a slowdown, in logarithms; infinite if nobody knows how wrong the predictor is
     * @param company for how many seconds more its neighbours run, their mean, by their kinds' mean run times; empty if of none that is known
     */
    public record Staying(Offer.Bid gain, double slowdown, double harm, double margin, OptionalDouble company) {}

    /**
     * Where it could go instead.
     *
     * @param gain what that node would get done more with it
     * @param harm what its neighbours there would get done less, {@code >= 0}
     */
    public record Target(String node, Offer.Bid gain, double harm) {}
}
