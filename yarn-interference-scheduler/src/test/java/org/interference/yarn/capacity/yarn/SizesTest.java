package org.interference.yarn.capacity.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.interference.yarn.capacity.Size;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SizesTest {
    private static final String GPU = "yarn.io/gpu";
    private static final String LICENCES = "licences";

    @BeforeEach
    void furtherResources() {
        Configuration conf = new Configuration(false);
        conf.set(YarnConfiguration.RESOURCE_TYPES, GPU + "," + LICENCES);
        ResourceUtils.resetResourceTypes(conf);
    }

    @AfterEach
    void noFurtherResources() {
        ResourceUtils.resetResourceTypes(new Configuration(false));
    }

    @Test
    void furtherResourcesStayAsTheyAre() {
        Resource node = resource(8192, 8, 4, 10);

        Resource grown = Sizes.with(node, new Size(12_288, 12));

        assertThat(grown).isEqualTo(resource(12_288, 12, 4, 10));
        assertThat(node).as("is not changed").isEqualTo(resource(8192, 8, 4, 10));
        assertThat(Sizes.of(grown)).isEqualTo(new Size(12_288, 12));
    }

    @Test
    void whatIsBelowZeroIsNothing() {
        assertThat(Sizes.of(Resource.newInstance(-1024, -1))).isEqualTo(Size.ZERO);
    }

    @Test
    void whoAsksForMoreGpusThanAreFreeIsServedByNoOtherSize() {
        Resource free = resource(-1024, 0, 1, 0);

        assertThat(Sizes.hasOthers(free, resource(4096, 4, 1, 0))).isTrue();
        assertThat(Sizes.hasOthers(free, resource(4096, 4, 2, 0))).isFalse();
        assertThat(Sizes.hasOthers(free, resource(1, 1, 0, 1))).isFalse();
    }

    private static Resource resource(long megabytes, int cores, long gpus, long licences) {
        Resource resource = Resource.newInstance(megabytes, cores);
        resource.setResourceValue(GPU, gpus);
        resource.setResourceValue(LICENCES, licences);
        return resource;
    }
}
