// SPDX-License-Identifier: Apache-2.0
// What could be asked of YARN instead: how large containers need to be, and how many nodes.

import { details, el, facts, filter, nothing, pager, section, table } from "./dom.js";
import { decimal, percent, whole } from "./format.js";

/** A day, in seconds: what REST takes at most. */
const MOST_PREPARATION = 86_400;

export async function advice({ query, get }) {
    const [answer, nodes] = await Promise.all([
        get("advice/kinds", { offset: query.offset, limit: query.limit, contains: query.contains }),
        get("advice/nodes", { preparation: query.preparation || undefined }),
    ]);
    const kinds = answer.kinds;
    return {
        title: "Sizes and nodes",
        content: [
            section(
                "Nodes",
                filter("advice", query, [{ name: "preparation", label: "Seconds until a new node runs", seconds: MOST_PREPARATION }]),
                facts(factsOf(nodes)),
            ),
            el("h2", {}, "Containers"),
            el(
                "p",
                {},
                "What each kind of task asks for and uses, and what to ask for instead. Memory is in MB. What is advised is the highest peak and a fifth " +
                    "more; the risk is how likely the next task needs more than that, at most, if it is one like those that were seen.",
            ),
            filter("advice", query, [{ name: "contains", label: "With this in their key" }]),
            pager(answer, kinds.length, "advice", query),
            table(
                "Kinds of task, those that waste most first",
                COLUMNS,
                kinds,
                query.contains || answer.offset > 0
                    ? "No kind of task is like that. Clear the filter to see all."
                    : "None yet: kinds are learnt from tasks that finish on nodes with the NodeManager's plugin.",
            ),
            firstAllocations(kinds.filter((kind) => kind.advised !== undefined)),
        ],
    };
}

function factsOf(nodes) {
    if (nodes.reason !== undefined) {
        return [
            ["Nodes", whole(nodes.nodes)],
            ["No advice", nodes.why],
        ];
    }
    return [
        ["Nodes", whole(nodes.nodes)],
        [`Needed in ${nodes.preparationSeconds} s`, whole(nodes.needed)],
        ["Containers that run", whole(nodes.running.tasks)],
        ["of unknown length", whole(nodes.running.ofUnknownLength)],
        ["that wait", whole(nodes.waiting.tasks)],
        ["Short then, MB", whole(nodes.shortageThen.memoryMb)],
        ["Idle then, MB", whole(nodes.idleThen.memoryMb)],
        [`A threshold of ${percentOf(nodes.byUse.desiredUse)} asks for`, whole(nodes.byUse.nodes)],
        ["Nodes that interference takes now", decimal(nodes.interference.nodes)],
    ];
}

function percentOf(share) {
    return `${Math.round(100 * share)} %`;
}

const COLUMNS = [
    { head: "Kind", kind: "name", cell: keyOf },
    { head: "Tasks", kind: "number", cell: (kind) => whole(kind.tasks) },
    { head: "Asks for", kind: "number", cell: (kind) => whole(kind.given?.memoryMb) },
    { head: "Peak", kind: "number", cell: (kind) => whole(kind.used?.peakMb) },
    { head: "99 %", kind: "number", cell: (kind) => whole(kind.used?.p99Mb) },
    { head: "Working set", kind: "number", cell: (kind) => whole(kind.used?.workingSetMb) },
    { head: "vcores", kind: "number", cell: (kind) => whole(kind.given?.vcores) },
    { head: "CPUs used", kind: "number", cell: (kind) => decimal(kind.used?.cores) },
    { head: "Of the local disks", kind: "number", cell: (kind) => percent(kind.used?.diskShare) },
    { head: "Memory wasted, container hours", kind: "number", cell: (kind) => decimal(kind.wasted?.memoryHours) },
    { head: "Advised", kind: "number", cell: (kind) => whole(kind.advised?.memoryMb) },
    { head: "Risk", kind: "number", cell: (kind) => percent(kind.advised?.riskAtMost) },
    { head: "Settings, or why not", kind: "sentence", cell: settings },
];

const FIRST_ALLOCATIONS = [
    { head: "Kind", kind: "name", cell: keyOf },
    { head: "Least waste", kind: "number", cell: (kind) => whole(kind.minimumWaste.memoryMb) },
    { head: "Risk", kind: "number", cell: (kind) => percent(kind.minimumWaste.riskAtMost) },
    { head: "Most tasks", kind: "number", cell: (kind) => whole(kind.maximumThroughput.memoryMb) },
    { head: "Risk then", kind: "number", cell: (kind) => percent(kind.maximumThroughput.riskAtMost) },
];

/** For whoever does not lose a task that exhausts its container. */
function firstAllocations(kinds) {
    return kinds.length === 0
        ? ""
        : details(
              "For applications that run a task again with more memory",
              el(
                  "p",
                  {},
                  "MapReduce and Spark run it again with the same. Where a task is run again with what it asks for now, smaller sizes waste less memory, or " +
                      "finish more tasks.",
              ),
              table("First allocations by kind of task", FIRST_ALLOCATIONS, kinds),
          );
}

/** Who may not view all applications sees a hash, even of kinds of their own. */
function keyOf(kind) {
    return kind.visible ? kind.key : [el("em", {}, "for administrators"), " ", kind.key];
}

function settings(kind) {
    const lines = Object.entries(kind.settings ?? {}).map(([name, value]) => el("li", {}, el("code", {}, `${name}=${value}`)));
    return lines.length > 0 ? el("ul", {}, lines) : (kind.why ?? nothing());
}
