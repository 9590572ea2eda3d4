// SPDX-License-Identifier: Apache-2.0
// Placements and their reasons.

import { container, details, el, facts, filter, link, nothing, others, pager, section, table } from "./dom.js";
import { age, decimal, moment, seconds, whole, words } from "./format.js";

const REASONS = [
    "RANKED",
    "RANKED_BY_TAGS",
    "MATCHED",
    "PARENT_AM_CONTAINER",
    "PARENT_NO_PROFILE",
    "PARENT_NOTHING_KNOWN",
    "PARENT_SINGLE_NODE",
    "PARENT_NOT_RANKED",
    "PARENT_NO_TIME",
    "PARENT_TOO_SLOW",
    "PARENT_AFTER_ERROR",
];
const ON_A_PAGE = 50;

export async function decisions({ query, get }) {
    const answer = await get("decisions", {
        offset: query.offset,
        limit: query.limit ?? ON_A_PAGE,
        application: query.application,
        reason: query.reason,
    });
    const rows = answer.decisions;
    return {
        title: "Decisions",
        content: [
            section(
                "By reason",
                table(
                    "Decisions of this ResourceManager's life",
                    [
                        { head: "Reason", kind: "name", cell: ([reason]) => words(reason) },
                        { head: "Decisions", kind: "number", cell: ([, count]) => whole(count) },
                    ],
                    Object.entries(answer.counts),
                    "None yet: no container has been placed since this ResourceManager started.",
                ),
            ),
            section(
                "Newest first",
                filter("decisions", query, [
                    { name: "application", label: "Application" },
                    {
                        name: "reason",
                        label: "Reason",
                        options: { "": "any", ...Object.fromEntries(REASONS.map((reason) => [reason, words(reason)])) },
                    },
                ]),
                pager(answer, rows.length, "decisions", query),
                table(
                    "The newest decisions",
                    [
                        { head: "Container", kind: "name", cell: container },
                        { head: "At", cell: (row) => moment(row.at) },
                        { head: "Task", cell: (row) => others(row, "task") },
                        { head: "Reason", cell: (row) => words(row.reason) },
                        { head: "Node", cell: (row) => link(row.chosen, "nodes", row.chosen) },
                        { head: "Rank", cell: rankOf },
                        {
                            head: "Explanation",
                            kind: "sentence",
                            cell: (row) => [
                                row.explanation,
                                row.nodes.length === 0 ? "" : details("Cost of each node", verdicts(row)),
                            ],
                        },
                    ],
                    rows,
                    query.application || query.reason || answer.offset > 0
                        ? "No decision is like that. Clear the filter to see all."
                        : "None yet: no container has been placed since this ResourceManager started, or every queue is off.",
                ),
            ),
        ],
    };
}

export function decisionFacts(decision) {
    return facts([
        ["Decided", moment(decision.at)],
        ["Queue", others(decision, "queue")],
        ["Mode", decision.mode],
        ["Reason", words(decision.reason)],
        ["Node that was chosen", link(decision.chosen, "nodes", decision.chosen)],
        ["Its rank", rankOf(decision)],
        [
            "The parent would have taken",
            decision.parentsChoice && link(decision.parentsChoice, "nodes", decision.parentsChoice),
        ],
        ["Profile", decision.profileFound ? others(decision, "profileKey") : "none was found"],
        ["Known of its kind", decision.signals && (decision.signals.join(", ") || "nothing")],
        ["Mean run time of its kind", decision.runSeconds === undefined ? undefined : seconds(decision.runSeconds)],
        ["Predictor", decision.predictor],
    ]);
}

/** The nodes that were ranked, the cheapest first, and what their cost is made of: in seconds, where the run time is known. */
export function verdicts(decision) {
    const inSeconds = decision.nodes.some((verdict) => verdict.seconds !== undefined);
    const term = (head, name, plain) => ({
        head,
        kind: "number",
        cell: (verdict) => (inSeconds ? seconds(verdict.seconds?.[name]) : decimal(verdict[plain])),
    });
    return table(
        inSeconds
            ? "Cost of each node, in seconds of mean run time"
            : "Cost of each node, in slowdowns: its mean run time is not known",
        [
            { head: "Node", kind: "name", cell: (verdict) => nodeOf(verdict, decision) },
            term("Cost", "total", "cost"),
            term("Own slowdown", "own", "ownSlowdown"),
            term("Added to neighbours", "neighbours", "neighboursAdded"),
            term("Locality", "locality", "localityCost"),
            term("Tags", "tags", "tagPenalty"),
            { head: "Age of the sample", kind: "number", cell: (verdict) => age(verdict.sampleAgeMs) },
            { head: "Ranked", cell: (verdict) => (verdict.reason === "RANKED" ? "yes" : words(verdict.reason)) },
        ],
        decision.nodes,
        "No node was ranked for it.",
    );
}

function nodeOf(verdict, decision) {
    return [
        link(verdict.node, "nodes", verdict.node),
        verdict.node === decision.chosen ? el("strong", { class: "badge good" }, "chosen") : "",
        verdict.node === decision.parentsChoice ? el("strong", { class: "badge" }, "the parent's") : "",
    ];
}

function rankOf(decision) {
    return decision.rank === 0 ? nothing("not ranked") : `${decision.rank} of ${decision.nodes.length}`;
}
