// SPDX-License-Identifier: Apache-2.0
// The nodes, and one node with its containers.

import { lines, swatch } from "./charts.js";
import { container, el, facts, filter, link, others, pager, section, table } from "./dom.js";
import { age, decimal, percent, whole, words } from "./format.js";
import { heatColumns, legend, signalsOf } from "./heat.js";
import { saidOf } from "./sizes.js";

export async function nodes({ name, query, get }) {
    return name === undefined ? all(query, get) : one(name, get);
}

async function all(query, get) {
    const answer = await get("nodes", {
        offset: query.offset,
        limit: query.limit,
        state: query.state,
        contains: query.contains,
    });
    const rows = answer.nodes;
    return {
        title: "Nodes",
        content: [
            filter("nodes", query, [
                { name: "contains", label: "With this in their name" },
                {
                    name: "state",
                    label: "State",
                    options: { "": "any", fresh: "fresh sample", stale: "old sample", unmeasured: "no sample" },
                },
            ]),
            legend(),
            pager(answer, rows.length, "nodes", query),
            table(
                "Nodes and what their containers press together",
                [
                    { head: "Node", kind: "name", cell: (node) => link(node.node, "nodes", node.node) },
                    { head: "Sample", cell: stateOf },
                    { head: "Age", kind: "number", cell: (node) => age(node.ageMs) },
                    { head: "Containers", kind: "number", cell: (node) => whole(node.containers) },
                    { head: "Pending", kind: "number", cell: (node) => whole(node.pending) },
                    ...heatColumns(signalsOf(rows.map(levels)), rows, levels),
                ],
                rows,
                query.contains || query.state || answer.offset > 0
                    ? "No node is like that. Clear the filter to see all."
                    : "There is no node yet: none has registered with this ResourceManager.",
            ),
        ],
    };
}

async function one(name, get) {
    const { node, containers } = await get(`nodes/${encodeURIComponent(name)}`);
    const history = await get(`nodes/${encodeURIComponent(name)}/history`);
    const { nodes: sizes } = await get("capacity", { contains: name });
    const size = sizes.find((other) => other.node === name);
    const signals = signalsOf([levels(node), ...containers.map(levelsOfContainer)]);
    return {
        title: `Node ${node.node}`,
        content: [
            facts([
                ["Sample", stateOf(node)],
                ["Why", node.reason],
                ["Age of the sample", age(node.ageMs)],
                ["Containers", whole(node.containers)],
                ["Placed there, not measured yet", whole(node.pending)],
                ["Containers with frozen counters", whole(node.frozen)],
                ["Containers of which it is not believed", node.notBelieved ? whole(node.notBelieved) : undefined],
                ["Memory configured, usable and used, MB", size && memoryOf(size)],
                ["What the governor of its size says", size && saidOf(size)],
                ["Why that is not done", size?.standsBack && words(size.standsBack)],
                ["Its clock is off by", node.clockSkewSeconds ? `${node.clockSkewSeconds} s` : undefined],
            ]),
            el("p", {}, link("Who hurts whom on this node", "pairs", undefined, { node: node.node })),
            section(
                "Levels",
                legend(),
                table(
                    "Level of each signal on this node",
                    [
                        { head: "Node", kind: "name", cell: () => node.node },
                        ...heatColumns(signalsOf([levels(node)]), [node], levels),
                    ],
                    node.levels === undefined ? [] : [node],
                    "Nothing is known of its levels: no sample came from there. Is the NodeManager's plugin configured on it?",
                ),
            ),
            section(
                "Containers",
                table(
                    "Containers of this node",
                    containerColumns(containers, signals),
                    containers,
                    "No container of this node is known: none runs there, or none was reported.",
                ),
            ),
            section("The node itself", ...itself(node, history)),
            ...control(containers.filter((row) => row.control !== undefined)),
        ],
    };
}

function memoryOf({ configured, usable, used }) {
    return [configured, usable, used].map((size) => size.memoryMb).join(", ");
}

const MOST_POINTS = 45;
const SHARES = { cpu: "CPUs busy", memory: "memory not available", psicpu: "CPU pressure", psiio: "I/O pressure", psimem: "memory pressure" };

/** What the node says of itself: shares over the last hours as lines, and all of it as it is now. */
function itself(node, { from, stepSeconds, values }) {
    const drawn = Object.keys(SHARES).filter((metric) => values[metric] !== undefined);
    const minutes = drawn.length === 0 ? 0 : values[drawn[0]].length;
    // Not so many points that their marks lie on each other.
    const every = Math.ceil(minutes / MOST_POINTS);
    const shown = Array.from({ length: minutes }, (_, at) => at).filter((at) => at % every === 0);
    const times = shown.map((at) => Date.parse(from) + 1000 * stepSeconds * at);
    const figures = [...Object.entries(node.figures ?? {}), ...Object.keys(node.untold ?? {}).map((metric) => [metric, undefined])];
    return [
        minutes < 2
            ? el("p", { class: "empty" }, "Nothing is kept of the last minutes: it said nothing yet, or no history is kept.")
            : el(
                  "div",
                  {},
                  lines(
                      `Node ${node.node} in the last ${minutes} minutes`,
                      `Shares, a mean for each minute: ${drawn.map((metric) => SHARES[metric]).join(", ")}. Pressure is the share of ` +
                          "time in which some task was stalled.",
                      times,
                      drawn.map((metric, kind) => ({ kind, values: shown.map((at) => values[metric][at] ?? undefined) })),
                  ),
                  el(
                      "ul",
                      { class: "key", "aria-label": "Lines" },
                      drawn.map((metric, kind) => el("li", {}, swatch(kind), ` ${SHARES[metric]}`)),
                  ),
              ),
        facts([
            [
                "CPUs busy outside of containers",
                node.outsideCpu === undefined ? undefined : percent(node.outsideCpu),
            ],
            [
                "What is outside of containers, as their neighbour",
                node.outside && Object.entries(node.outside).map(([signal, level]) => `${signal} ${decimal(level)}`).join(", "),
            ],
        ]),
        table(
            "What the node says of itself",
            [
                { head: "Metric", kind: "name", cell: ([metric]) => metric },
                { head: "Value", kind: "number", cell: ([, value]) => decimal(value) },
                { head: "Why not", cell: ([metric]) => node.untold?.[metric] ?? "" },
            ],
            figures,
            "It says nothing of itself: its plugin is an older one, or there was no report yet.",
        ),
    ];
}

/** What the node's own controller does; nothing where it has none. */
function control(rows) {
    if (rows.length === 0) {
        return [];
    }
    return [
        section(
            "Node control",
            table(
                "What this node's controller makes of its containers",
                [
                    { head: "Container", kind: "name", cell: container },
                    { head: "Class", cell: (row) => row.control.class },
                    { head: "Why", cell: (row) => row.control.reason },
                    { head: "Cores", cell: (row) => row.control.cores ?? "all" },
                    { head: "Disks", cell: (row) => bytesPerSecond(row.control.diskBytesPerSecond) },
                    { head: "Since", cell: (row) => row.control.since },
                ],
                rows,
                "",
            ),
        ),
    ];
}

function bytesPerSecond(limit) {
    return limit === undefined ? "free" : `${(limit / 1048576).toFixed(1)} MiB/s`;
}

/** Of containers, with the levels of `signals`. */
export function containerColumns(containers, signals) {
    return [
        { head: "Container", kind: "name", cell: container },
        { head: "Application", cell: (row) => others(row, "application") },
        { head: "Task", cell: (row) => others(row, "task") },
        { head: "State", cell: (row) => (row.am ? `${row.state.toLowerCase()}, application master` : row.state.toLowerCase()) },
        ...heatColumns(signals, containers, levelsOfContainer),
    ];
}

export function levelsOfContainer(row) {
    return Object.fromEntries(
        Object.entries(row.signals ?? {})
            .filter(([, reading]) => reading.level !== undefined)
            .map(([signal, reading]) => [signal, reading.level]),
    );
}

function levels(node) {
    return node.levels ?? {};
}

function stateOf(node) {
    if (node.fresh) {
        return "fresh";
    }
    return node.ageMs === undefined ? "none" : "old";
}
