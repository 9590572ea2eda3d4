// SPDX-License-Identifier: Apache-2.0
// Is the plugin well, and where on the cluster is pressure. The server puts nodes together: the table stays small at any size.

import { details, el, facts, filter, link, list, section, table } from "./dom.js";
import { whole } from "./format.js";
import { heatColumns, inOrder, legend } from "./heat.js";

const ROWS = 100;
const MOST_ON_A_PAGE = 1000;

export async function overview({ query, get }) {
    const [health, heatmap] = await Promise.all([
        get("health"),
        get("heatmap", { rows: ROWS, contains: query.contains }),
    ]);
    return {
        title: "Overview",
        content: [section("Health", ...healthOf(health)), section("Heat map", ...heatmapOf(heatmap, query))],
    };
}

function healthOf(health) {
    const { gauges } = health;
    return [
        el(
            "p",
            {},
            el("strong", { class: `badge ${health.status === "OK" ? "good" : "bad"}` }, health.status),
            health.problems.length === 0 ? " Nothing is wrong that the plugin knows of." : " What is wrong:",
        ),
        health.problems.length === 0 ? "" : list(health.problems),
        facts([
            ["Mode", modeOf(health)],
            ["Breaker", `${health.breaker.open ? "open" : health.breaker.onTrial ? "on trial" : "closed"}, ${health.breaker.errors} errors in ten minutes`],
            ["Predictor", health.predictor],
            ["Profiles", `${whole(health.store.profiles)}, in ${health.store.file}`],
            ["Nodes with a fresh sample", whole(gauges.nodesFresh)],
            ["Nodes with an old one", whole(gauges.nodesStale)],
            ["Nodes without any", whole(gauges.nodesNeverSeen)],
        ]),
        Object.keys(health.queueModes).length === 0
            ? ""
            : table(
                  "Modes of queues",
                  [
                      { head: "Queue", kind: "name", cell: ([queue]) => queue },
                      { head: "Mode", cell: ([, mode]) => mode },
                  ],
                  Object.entries(health.queueModes),
              ),
        details(
            "Every counter and gauge",
            el("div", { class: "columns" }, figures("Counters", health.counters), figures("Gauges", gauges)),
        ),
    ];
}

function modeOf(health) {
    return health.mode === health.configuredMode
        ? health.mode
        : `${health.mode}, though the settings say ${health.configuredMode}`;
}

function figures(caption, byName) {
    return table(
        caption,
        [
            { head: "Name", kind: "name", cell: ([name]) => name },
            { head: "Value", kind: "number", cell: ([, value]) => whole(value) },
        ],
        Object.entries(byName),
        `${caption}: none yet.`,
    );
}

function heatmapOf(heatmap, query) {
    const show = query.show === "max" ? "max" : "mean";
    const rows = withOffsets(heatmap.rows);
    return [
        filter("overview", query, [
            { name: "contains", label: "Nodes with this in their name" },
            { name: "show", label: "Of each group", options: { mean: "the mean", max: "the highest" } },
        ]),
        legend(),
        table(
            `${show === "max" ? "Highest" : "Mean"} level of each signal, ${heatmap.total} nodes by name`,
            [
                { head: "Nodes", kind: "name", cell: (row) => nodesOf(row, query.contains) },
                { head: "How many", kind: "number", cell: (row) => whole(row.nodes) },
                { head: "Fresh", kind: "number", cell: (row) => whole(row.fresh) },
                ...heatColumns(inOrder(heatmap.signals), rows, (row) => row[show]),
            ],
            rows,
            query.contains
                ? `No node has '${query.contains}' in its name.`
                : "There is no node yet: none has registered with this ResourceManager.",
        ),
    ];
}

/** Groups follow each other by name, as `nodes` does: a group's first node comes after all nodes of the groups before it. */
function withOffsets(groups) {
    let offset = 0;
    return groups.map((group) => {
        const row = { ...group, offset };
        offset += group.nodes;
        return row;
    });
}

function nodesOf(row, contains) {
    if (row.nodes === 1) {
        return link(row.first, "nodes", row.first);
    }
    return link([`${row.first} to`, el("br"), row.last], "nodes", undefined, {
        contains,
        offset: row.offset,
        limit: Math.min(row.nodes, MOST_ON_A_PAGE),
    });
}
