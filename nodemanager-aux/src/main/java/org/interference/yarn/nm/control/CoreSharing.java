package org.interference.yarn.nm.control;

/**
 * Whether hyper-threads of one physical core are given away together, after the core-sharing labels of Alibaba's Sigma (Zheng, Notre Dame 2019, 8.3.3), which
 * are a container's there and the node's here. On a node without hyper-threads both are the same.
 */
public enum CoreSharing {
    /** As {@code SameCoreFirst}: who gets few cores gets threads of as few physical cores as possible, and the others stay free. */
    SAME_CORE,
    /** As {@code SpreadFirst}: few cores are of as many physical cores as possible. */
    APART
}
