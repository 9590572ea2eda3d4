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
                                row.offer ? details("Who waited for it", contenders(row.offer)) : "",
                                row.nodes.length === 0 ? "" : details("Gain on each node", verdicts(row)),
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

/** Who waited for a node, in the parent's order, and who got it. Whose they are is not told. */
export function contenders(offer) {
    const rows = offer.contenders.map((contender, place) => ({ ...contender, place }));
    const on = offer.mode === "on";
    return table(
        `Who waited for ${offer.node}, and what it would have got done more with each, in tasks alone`,
        [
            { head: "In the parent's order", kind: "name", cell: ({ place }) => whole(place + 1) },
            { head: "Gain", kind: "number", cell: ({ gain }) => decimal(gain) },
            { head: "At most", kind: "number", cell: ({ gainAtMost }) => decimal(gainAtMost) },
            { head: "Above usual", kind: "number", cell: ({ aboveUsual }) => decimal(aboveUsual) },
            { head: "Own slowdown", kind: "number", cell: ({ ownSlowdown }) => decimal(ownSlowdown) },
            { head: "Outcome", cell: ({ place }) => outcome(offer, place, on) },
        ],
        rows,
        "Nobody waited.",
    );
}

function outcome(offer, place, on) {
    const won = offer.winner === place;
    return [
        won ? el("strong", { class: "badge good" }, on ? "got it" : "would have got it") : "",
        place === 0 ? el("strong", { class: "badge" }, on && !won ? "would have without us" : "the parent's") : "",
    ];
}

/** The nodes that were ranked, the best first, and what is lost of a gain of 1: in seconds, where the run time is known. */
export function verdicts(decision) {
    const inSeconds = decision.nodes.some((verdict) => verdict.seconds !== undefined);
    const term = (head, name, plain) => ({
        head,
        kind: "number",
        cell: (verdict) => (inSeconds ? seconds(verdict.seconds?.[name]) : decimal(verdict[plain])),
    });
    return table(
        inSeconds
            ? "Gain on each node, in tasks alone, and what is lost of it, in seconds of mean run time"
            : "Gain on each node, in tasks alone, and what is lost of it: its mean run time is not known",
        [
            { head: "Node", kind: "name", cell: (verdict) => nodeOf(verdict, decision) },
            { head: "Gain", kind: "number", cell: (verdict) => decimal(verdict.gain) },
            term("Own slowdown", "own", "ownSlowdown"),
            term("Neighbours lose", "neighbours", "neighboursLose"),
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
