package org.interference.yarn.capacity.yarn;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.capacity.Size;

/** Sizes in YARN's terms. */
final class Sizes {
    private Sizes() {}

    static Size of(Resource resource) {
        return new Size(Math.max(0, resource.getMemorySize()), Math.max(0, resource.getVirtualCores()));
    }

    /** Returns {@code resource} with another size: GPUs and whatever else it has stay as they are. */
    static Resource with(Resource resource, Size size) {
        Resource other = Resources.clone(resource);
        other.setMemorySize(size.memoryMb());
        other.setVirtualCores(size.vcores());
        return other;
    }
}
