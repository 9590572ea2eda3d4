// SPDX-License-Identifier: Apache-2.0
// How large nodes are, how large they should be, and what the governor of their sizes says.

import { extent } from "./charts.js";
import { el, facts, filter, link, nothing, pager, table } from "./dom.js";
import { decimal, percent, seconds, whole, words } from "./format.js";

export async function sizes({ query, get }) {
    const answer = await get("capacity", { offset: query.offset, limit: query.limit, contains: query.contains });
    const rows = answer.nodes;
    const most = Math.max(1, ...rows.flatMap((node) => SIZES.map((size) => node[size]?.memoryMb ?? 0)));
    return {
        title: "Node sizes",
        content: [
            facts(factsOf(answer)),
            el(
                "p",
                {},
                "Memory is in MB. A bar is filled as far as YARN counts the node's containers; its solid line is what is configured, its dashed line what YARN takes the " +
                    "node for.",
            ),
            filter("sizes", query, [{ name: "contains", label: "With this in their name" }]),
            pager(answer, rows.length, "sizes", query),
            table(
                "Nodes, what they have and what they should have",
                [
                    { head: "Node", kind: "name", cell: (node) => link(node.node, "nodes", node.node) },
                    { head: "Memory", cell: (node) => bar(node, most) },
                    { head: "Configured", kind: "number", cell: (node) => whole(node.configured.memoryMb) },
                    { head: "Usable", kind: "number", cell: (node) => whole(node.usable.memoryMb) },
                    { head: "Used", kind: "number", cell: (node) => whole(node.used.memoryMb) },
                    { head: "Wanted", kind: "number", cell: (node) => whole(node.wanted?.memoryMb) },
                    { head: "Expected to be used", kind: "number", cell: (node) => whole(node.expectedMemoryMb) },
                    { head: "vcores: configured, usable, used", kind: "number", cell: vcores },
                    { head: "The governor says", cell: (node) => saidOf(node) ?? nothing("it says nothing") },
                    { head: "Why it is not done", cell: (node) => (node.standsBack === undefined ? "" : words(node.standsBack)) },
                    { head: "Gain, at least", kind: "number", cell: (node) => decimal(node.gainAtLeast) },
                ],
                rows,
                query.contains || answer.offset > 0
                    ? "No node is like that. Clear the filter to see all."
                    : "No node's size is looked at: yarn.interference.capacity.mode is off, or has just been switched on.",
            ),
        ],
    };
}

const SIZES = ["configured", "usable", "used", "wanted"];

function factsOf({ mode, configuredMode, labelModes, all, gainSeconds, notApplied, evictions, killed, lostShare }) {
    const labels = Object.entries(labelModes).map(([label, other]) => `${label}: ${other}`);
    return [
        ["Mode", mode === configuredMode ? mode : `${mode}, set to ${configuredMode}`],
        ["Of these labels", labels.length === 0 ? undefined : labels.join(", ")],
        ["Larger than configured", `${all.grown} of ${all.nodes} nodes`],
        ...SIZES.map((size) => [`Memory ${size}`, whole(all[size].memoryMb)]),
        ["Work that one more container on each node that is to be larger surely adds", seconds(gainSeconds)],
        ["Nodes whose size YARN has not changed yet", whole(notApplied)],
        ["Containers that had to go", whole(evictions)],
        ["Containers killed for memory", whole(killed)],
        ["Run time lost by it", percent(lostShare)],
    ];
}

function bar({ configured, usable, used }, most) {
    const megabytes = { configured: configured.memoryMb, usable: usable.memoryMb, used: used.memoryMb };
    return extent(
        `${megabytes.used} MB used, ${megabytes.configured} MB configured, ${megabytes.usable} MB usable`,
        megabytes,
        most,
    );
}

function vcores({ configured, usable, used }) {
    return [configured, usable, used].map((size) => size.vcores).join(", ");
}

/** What is to be done about a node's size and why, as in "grow: gain"; undefined if nothing was decided. */
export function saidOf({ action, reason }) {
    return action === undefined ? undefined : `${words(action)}: ${words(reason)}`;
}
