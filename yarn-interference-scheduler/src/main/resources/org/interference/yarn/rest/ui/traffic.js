// SPDX-License-Identifier: Apache-2.0
// Who talks to whom.

import { container, el, filter, link, others, pager, table } from "./dom.js";
import { bytes } from "./format.js";

export async function traffic({ query, get }) {
    const answer = await get("traffic", {
        offset: query.offset,
        limit: query.limit,
        node: query.node,
        application: query.application,
    });
    return {
        title: "Who talks to whom",
        content: [
            el(
                "p",
                {},
                "What containers send each other, as both ends of their connections tell it; of each container its sixteen largest " +
                    "connections count, so that these are lower bounds. No decision knows it: tags do.",
            ),
            filter("traffic", query, [
                { name: "node", label: "Node" },
                { name: "application", label: "Application" },
            ]),
            pager(answer, answer.traffic.length, "traffic", query),
            table("Who talks to whom, those with the most bytes first", COLUMNS, answer.traffic, why(answer, query)),
            table(
                "Kinds of task that talk to each other",
                [
                    { head: "Kind", kind: "name", cell: (pair) => pair.kind },
                    { head: "Other kind", cell: (pair) => pair.other },
                    { head: "Exchanged in the last days", kind: "number", cell: (pair) => bytes(pair.bytes) },
                ],
                answer.kinds,
                "No two kinds of task are known to talk to each other.",
            ),
        ],
    };
}

const COLUMNS = [
    { head: "Container", kind: "name", cell: (talk) => container(talk.container) },
    { head: "Its task", cell: (talk) => others(talk.container, "task") },
    { head: "On", cell: (talk) => link(talk.node, "nodes", talk.node) },
    { head: "Talks to", cell: (talk) => (talk.other ? container(talk.other) : PEERS[talk.peer]) },
    { head: "Other task", cell: (talk) => (talk.other ? others(talk.other, "task") : "") },
    { head: "There", cell: (talk) => (talk.otherNode ? link(talk.otherNode, "nodes", talk.otherNode) : "") },
    { head: "Sends a second", kind: "number", cell: (talk) => bytes(talk.sentPerSecond) },
    { head: "Receives a second", kind: "number", cell: (talk) => bytes(talk.receivedPerSecond) },
];

const PEERS = {
    NODE: "a daemon there, or one of its smaller connections",
    OUTSIDE: "what is outside of the cluster",
};

function why(answer, query) {
    if (answer.nodesThatTell === 0) {
        return "No node tells to whom its containers talk: intpd must run with --peers, and count by eBPF.";
    }
    return query.node || query.application || answer.offset > 0
        ? "Nobody like that talks to anybody. Clear the filter to see all."
        : "No container talks to anybody now.";
}
