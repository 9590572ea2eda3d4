// SPDX-License-Identifier: Apache-2.0
// Who hurts whom.

import { contenders } from "./decisions.js";
import { container, details, el, filter, link, others, pager, table } from "./dom.js";
import { decimal, moment, percent, seconds, words } from "./format.js";

export async function pairs({ query, get }) {
    const answer = await get("pairs", {
        offset: query.offset,
        limit: query.limit,
        node: query.node,
        application: query.application,
        container: query.container,
    });
    return {
        title: "Who hurts whom",
        content: [
            el(
                "p",
                {},
                "What a container adds to the slowdown of another on its node, and what is of no container to that of all. These are predictions; the last column says " +
                    "how good those for the slowed one's kind of task have been.",
            ),
            filter("pairs", query, [
                { name: "node", label: "Node" },
                { name: "application", label: "Slowed-down application" },
                { name: "container", label: "Slowed-down container" },
            ]),
            pager(answer, answer.pairs.length, "pairs", query),
            table(
                "Pairs of containers, the worst first",
                pairColumns({ victim: true }),
                answer.pairs,
                query.node || query.application || query.container || answer.offset > 0
                    ? "No pair is like that. Clear the filter to see all."
                    : "Nobody is known to hurt anybody: tasks run alone, or nothing is known of their kinds yet.",
            ),
        ],
    };
}

export function pairColumns({ victim }) {
    return [
        ...(victim ? partyColumns("Slowed down", (pair) => pair.victim, true) : []),
        ...partyColumns("By", (pair) => pair.culprit, !victim),
        { head: "Node", cell: (pair) => link(pair.node, "nodes", pair.node) },
        { head: "Adds to its slowdown", kind: "number", cell: (pair) => decimal(pair.slowdown) },
        { head: "Lost so far", kind: "number", cell: (pair) => seconds(pair.seconds) },
        {
            head: "Takes its CPU, times a second",
            kind: "number",
            cell: (pair) => (pair.preemptionsPerSecond === undefined ? "" : decimal(pair.preemptionsPerSecond)),
        },
        { head: "Mostly on", cell: (pair) => pair.signal ?? "" },
        { head: "State", cell: (pair) => pair.state.toLowerCase() },
        { head: "Confidence", cell: (pair) => confidence(pair.confidence) },
        { head: "How they met", cell: (pair) => meeting(pair.met) },
    ];
}

/** What was decided about the one that came later. */
function meeting(met) {
    if (met === undefined) {
        return "";
    }
    const came = [`the ${met.by === "victim" ? "slowed one" : "other"} came `, moment(met.at), `: ${words(met.reason)}`];
    return met.offer ? details(came, contenders(met.offer)) : came;
}

function partyColumns(head, partyOf, first) {
    return [
        { head, kind: first ? "name" : undefined, cell: (pair) => (partyOf(pair).outside ? "what is outside of all containers" : container(partyOf(pair))) },
        { head: `${head}: task`, cell: (pair) => others(partyOf(pair), "task") },
    ];
}

function confidence({ checked, meanError }) {
    if (!checked) {
        return "never checked";
    }
    return ["checked, ", percent(meanError), " off"];
}
