package org.interference.yarn.sim.engine;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.nodelabels.NodeAttributeStore;
import org.apache.hadoop.yarn.nodelabels.NodeAttributesManager;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeToAttributes;

/** Keeps no node attributes: YARN's own store is a file that all processes of a user share. Made by YARN, by reflection. */
public final class NoNodeAttributes implements NodeAttributeStore {
    @Override
    public void replaceNodeAttributes(List<NodeToAttributes> attributes) {}

    @Override
    public void addNodeAttributes(List<NodeToAttributes> attributes) {}

    @Override
    public void removeNodeAttributes(List<NodeToAttributes> attributes) {}

    @Override
    public void init(Configuration conf, NodeAttributesManager manager) {}

    @Override
    public void recover() {}

    @Override
    public void close() {}
}
