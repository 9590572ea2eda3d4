package org.interference.yarn.sim.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.interference.yarn.sim.faults.FaultPlan.Applicant;
import org.interference.yarn.sim.faults.FaultPlan.Tenant;

/** Who submits applications, and under what names. */
final class Enemies {
    static final String VICTIMS_NAME = "nightly-etl";
    static final String VICTIMS_TYPE = "simulated";
    static final double VICTIMS_LEVEL = 0.6;

    private static final String[] NAMES = {
        VICTIMS_NAME,
        "",
        "priority-0",
        "a/b/c",
        "%s%n\u0000",
        "nightly-etl/priority-0",
        "x".repeat(20_000),
        "\ud83d\ude80".repeat(50)
    };
    private static final String[] TYPES = {
        VICTIMS_TYPE, "MAPREDUCE", "SPARK", "TEZ", "yarn-service", "simulated/priority-0"
    };
    private static final String[] TAGS = {
        "ifc:" + VICTIMS_NAME,
        "ifc:" + VICTIMS_TYPE,
        "ifc:mapreduce",
        "ifc:" + VICTIMS_NAME + "/priority-0",
        "ifc-sensitivity:100",
        "ifc-sensitivity:1e308",
        "ifc-sensitivity:nan",
        "ifc-exclusive",
        "ifc-spread",
        "ifc-avoid:" + VICTIMS_NAME,
        "ifc-avoid:cluster",
        "ifc-affinity:" + VICTIMS_NAME,
        "ifc:" + "y".repeat(90)
    };

    private Enemies() {}

    /** Draws {@code size} applicants: the victim is the first of them and there at once, as is an enemy in every other life. */
    static List<Applicant> applicants(Random random, int size, int acts) {
        List<Applicant> applicants = new ArrayList<>();
        applicants.add(new Applicant(
                Tenant.VICTIM,
                0,
                VICTIMS_NAME,
                VICTIMS_TYPE,
                new TreeSet<>(Set.of("ifc:" + VICTIMS_NAME)),
                VICTIMS_LEVEL,
                0));
        while (applicants.size() < size) {
            int arrives = random.nextInt(acts);
            applicants.add(
                    random.nextInt(4) == 0 ? enemy(random, arrives) : anybody(random, applicants.size(), arrives));
        }
        return applicants;
    }

    private static Applicant enemy(Random random, int arrives) {
        SortedSet<String> tags = new TreeSet<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            tags.add(FaultPlan.pick(random, TAGS));
        }
        return new Applicant(
                Tenant.ENEMY,
                1,
                FaultPlan.pick(random, NAMES),
                FaultPlan.pick(random, TYPES),
                tags,
                random.nextBoolean() ? 0.01 : 0.95,
                arrives);
    }

    private static Applicant anybody(Random random, int index, int arrives) {
        SortedSet<String> tags = new TreeSet<>();
        if (random.nextInt(3) == 0) {
            tags.add("ifc-spread");
        }
        if (random.nextInt(6) == 0) {
            tags.add("ifc-affinity:friends");
        }
        if (random.nextInt(6) == 0) {
            tags.add("ifc-exclusive");
        }
        double level = index % 2 == 0 ? 0.8 : 0.1;
        return new Applicant(
                Tenant.ANYBODY,
                random.nextInt(FaultPlan.QUEUES),
                "job-" + index % 4,
                "simulated",
                tags,
                level,
                arrives);
    }
}
