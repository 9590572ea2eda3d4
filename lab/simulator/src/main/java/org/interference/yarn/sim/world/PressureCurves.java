package org.interference.yarn.sim.world;

import java.util.List;
import java.util.Map;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.workload.SimTaskKind;

/**
 * Somebody's slowdowns by how hard the neighbours press on a resource together. Immutable.
 *
 * <p>{@code slowdown_i = 1 + sum over r of s_ir * (curve_r(P_ir) - 1)}, with {@code P_ir} the neighbours' demand of r and {@code s_ir} how
 * sensitive the task's kind is to it: what is given, else {@code min(1, d_ir / 0.3)}, as a task that hardly uses a resource does not suffer
 * on it. A curve is linear between its points, begins at 1 without pressure, and goes on beyond the last one with the same slope.
 */
final class PressureCurves implements GroundTruth {
    private static final double FULLY_SENSITIVE = 0.3;

    private final Map<SharedResource, List<Point>> curves;
    private final Map<String, Map<SharedResource, Double>> sensitivities;

    /**
     * What was measured at one pressure.
     *
     * @param pressure as a fraction of the node, positive
     * @param slowdown at least 1
     */
    record Point(double pressure, double slowdown) {}

    /**
     * @param curves by resource, one point at least, both figures rising
     * @param sensitivities by kind, at least 0, of those that are given
     */
    PressureCurves(Map<SharedResource, List<Point>> curves, Map<String, Map<SharedResource, Double>> sensitivities) {
        this.curves = Map.copyOf(curves);
        this.sensitivities = Map.copyOf(sensitivities);
    }

    @Override
    public double[] slowdowns(List<Load> together) {
        double[] slowdowns = new double[together.size()];
        for (int task = 0; task < slowdowns.length; task++) {
            slowdowns[task] = 1;
            for (SharedResource resource : SharedResource.values()) {
                if (curves.containsKey(resource)) {
                    double excess = at(curves.get(resource), pressure(together, task, resource)) - 1;
                    slowdowns[task] += sensitivity(together.get(task).kind(), resource) * excess;
                }
            }
        }
        return slowdowns;
    }

    private static double pressure(List<Load> together, int task, SharedResource resource) {
        double pressure = 0;
        for (int other = 0; other < together.size(); other++) {
            pressure += other == task ? 0 : together.get(other).kind().demand(resource);
        }
        return pressure;
    }

    private double sensitivity(SimTaskKind kind, SharedResource resource) {
        Map<SharedResource, Double> given = sensitivities.getOrDefault(kind.name(), Map.of());
        return given.containsKey(resource) ? given.get(resource) : Math.min(1, kind.demand(resource) / FULLY_SENSITIVE);
    }

    private static double at(List<Point> curve, double pressure) {
        Point before = new Point(0, 1);
        double slowdown = 1;
        for (Point next : curve) {
            double slope = (next.slowdown() - before.slowdown()) / (next.pressure() - before.pressure());
            slowdown = before.slowdown() + slope * (pressure - before.pressure());
            if (pressure <= next.pressure()) {
                return slowdown;
            }
            before = next;
        }
        return slowdown;
    }
}
