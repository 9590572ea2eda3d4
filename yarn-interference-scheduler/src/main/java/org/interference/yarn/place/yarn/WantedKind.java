package org.interference.yarn.place.yarn;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Resource;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Request;

/**
 * One of several asks that wait and are alike: for containers of one size, for one kind of task, in one partition. Immutable.
 *
 * @param request of the first of them
 * @param size of one container
 * @param partition that their containers are to be in
 * @param contender as whom they are matched; empty of those that are left to the parent
 */
public record WantedKind(Request request, Resource size, String partition, Optional<Matching.Contender> contender) {}
