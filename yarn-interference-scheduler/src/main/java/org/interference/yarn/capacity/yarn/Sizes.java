package org.interference.yarn.capacity.yarn;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.capacity.Size;

/** Sizes in YARN's terms. */
public final class Sizes {
    /** Memory and vcores. */
    private static final int COUNTED = 2;

    private Sizes() {}

    static Size of(Resource resource) {
        return new Size(Math.max(0, resource.getMemorySize()), Math.max(0, resource.getVirtualCores()));
    }

    /**
     * Returns whether all that a container asks for beside memory and vcores, as GPUs, is among {@code free}: no other size of a node makes more of that.
     */
    static boolean hasOthers(Resource free, Resource asked) {
        return ResourceUtils.getNumberOfCountableResourceTypes() <= COUNTED
                || Resources.fitsIn(with(asked, Size.ZERO), with(free, Size.ZERO));
    }

    /** YARN's default calculator lets containers have more cores than there are, but not in the FairScheduler, which does not ask it what fits on a node. */
    public static boolean countsCores(ResourceScheduler scheduler) {
        return scheduler instanceof FairScheduler
                || !(((AbstractYarnScheduler<?, ?>) scheduler).getResourceCalculator()
                        instanceof DefaultResourceCalculator);
    }

    /** Returns {@code resource} with another size: GPUs and whatever else it has stay as they are. */
    static Resource with(Resource resource, Size size) {
        Resource other = Resources.clone(resource);
        other.setMemorySize(size.memoryMb());
        other.setVirtualCores(size.vcores());
        return other;
    }
}
