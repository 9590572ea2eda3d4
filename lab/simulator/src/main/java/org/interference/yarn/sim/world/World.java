package org.interference.yarn.sim.world;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.interference.yarn.sim.workload.SharedResource;

/**
 * One cluster's truth, and what its counters show of it. Immutable.
 *
 * @param describes one sentence for the report
 * @param daemons that share nodes with the tasks
 * @param sizes of nodes
 * @param requests how much more tasks request than they use
 * @param locality where their input is
 */
public record World(
        String name,
        String describes,
        GroundTruth truth,
        Measurement measurement,
        Daemons daemons,
        SizePattern sizes,
        RequestRatios requests,
        DataLocality locality) {
    private static final Measurement EXACT = new Measurement(Set.of(), Duration.ZERO, 0, 1, 0, true);

    /** A world of which nobody knows what its tasks use of their requests. */
    public World(
            String name,
            String describes,
            GroundTruth truth,
            Measurement measurement,
            Daemons daemons,
            SizePattern sizes) {
        this(name, describes, truth, measurement, daemons, sizes, RequestRatios.UNTOLD, DataLocality.NONE);
    }

    /** A world of nodes of one size. */
    public World(String name, String describes, GroundTruth truth, Measurement measurement, Daemons daemons) {
        this(name, describes, truth, measurement, daemons, SizePattern.EQUAL);
    }

    /** A world without daemons, of nodes of one size. */
    public World(String name, String describes, GroundTruth truth, Measurement measurement) {
        this(name, describes, truth, measurement, Daemons.NONE);
    }

    /** Returns the same world, whose tasks request so much more than they use. */
    World with(String newName, String newDescribes, RequestRatios others) {
        return new World(newName, newDescribes, truth, measurement, daemons, sizes, others, locality);
    }

    /** Returns the same world, whose tasks have their input somewhere. */
    public World with(DataLocality other) {
        return new World(name, describes, truth, measurement, daemons, sizes, requests, other);
    }

    /** Returns the same world, whose counters show everything, exactly and at once. */
    public World measuredExactly() {
        return new World(name, describes, truth, EXACT, daemons, sizes, requests, locality);
    }

    /** Returns the same tasks in a world where nobody slows anybody down. */
    public World withoutContention() {
        GroundTruth alone = new GroundTruth() {
            @Override
            public double[] slowdowns(List<Load> together) {
                double[] ones = new double[together.size()];
                Arrays.fill(ones, 1);
                return ones;
            }

            @Override
            public List<Double> phaseEnds() {
                return truth.phaseEnds();
            }

            @Override
            public double demand(Load load, SharedResource resource) {
                return truth.demand(load, resource);
            }
        };
        return new World(name, describes, alone, measurement, daemons, sizes, requests, locality);
    }
}
