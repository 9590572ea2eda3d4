// SPDX-License-Identifier: Apache-2.0
// The containers, and why one is where it is and who slows it down.

import { container, el, facts, filter, link, list, others, pager, section, table } from "./dom.js";
import { contenders, decisionFacts, verdicts } from "./decisions.js";
import { age, decimal, percent, words } from "./format.js";
import { heatColumns, inOrder, legend, signalsOf } from "./heat.js";
import { containerColumns, levelsOfContainer } from "./nodes.js";
import { pairColumns } from "./pairs.js";

export async function containers({ name, query, get }) {
    return name === undefined ? all(query, get) : one(name, get);
}

async function all(query, get) {
    const answer = await get("containers", {
        offset: query.offset,
        limit: query.limit,
        node: query.node,
        application: query.application,
        state: query.state,
    });
    const rows = answer.containers;
    const [name, ...rest] = containerColumns(rows, signalsOf(rows.map(levelsOfContainer)));
    return {
        title: "Containers",
        content: [
            filter("containers", query, [
                { name: "application", label: "Application" },
                { name: "node", label: "Node" },
                { name: "state", label: "State", options: { "": "any", running: "running", completed: "completed" } },
            ]),
            legend(),
            pager(answer, rows.length, "containers", query),
            table(
                "Recently finished containers, then running ones",
                [name, { head: "Node", cell: (row) => link(row.node, "nodes", row.node) }, ...rest],
                rows,
                query.application || query.node || query.state || answer.offset > 0
                    ? "No container is like that. Clear the filter to see all."
                    : "No container is known yet: none has been reported by a node that has the NodeManager's plugin.",
            ),
        ],
    };
}

async function one(name, get) {
    const answer = await get(`containers/${encodeURIComponent(name)}/explain`);
    const { container: self } = answer;
    return {
        title: `Container ${name}`,
        content: [
            facts([
                ["Task", others(self, "task")],
                ["Application", others(self, "application")],
                ["Node", link(self.node, "nodes", self.node)],
                ["State", self.state.toLowerCase()],
                ["Outcome", self.outcome === undefined ? undefined : words(self.outcome)],
                ["Observed for", age(self.observedMs)],
                [
                    "Slowdown",
                    answer.slowdown === undefined
                        ? "not known: it was not looked at yet, or nothing is known of its kind"
                        : `${decimal(answer.slowdown)} times as long as alone${interval(answer)}`,
                ],
            ]),
            section(
                "Advice",
                answer.advice.length === 0 ? el("p", { class: "empty" }, "Nothing to advise.") : list(answer.advice),
            ),
            section("Who slows it down", ...slowers(answer), ...takers(self)),
            section("Why it is on this node", ...why(answer.decision)),
            section("What it uses", ...readings(self)),
        ],
    };
}

function slowers({ container: self, wait, pairs }) {
    return [
        wait === undefined
            ? el(
                  "p",
                  { class: "empty" },
                  "How long it waits for a CPU is not known: it is over, was not measured yet, or its node does not measure that.",
              )
            : el(
                  "p",
                  {},
                  wait.throttled ? el("strong", {}, "Its own CPU limit slows it down, not its neighbours. ") : "",
                  "It waits for a CPU ",
                  percent(wait.level),
                  " of its time, while the node's CPUs are ",
                  percent(wait.nodeCpu),
                  " busy.",
              ),
        table(
            "Containers that slow this one down",
            pairColumns({ victim: false }),
            pairs,
            "Nobody, as far as is known: it is alone, or its neighbours are light, or it was not looked at yet.",
        ),
        el("p", {}, link("Who hurts whom on its node", "pairs", undefined, { node: self.node })),
    ];
}

/** Who takes its CPU, as its node counted it. */
function takers({ preemptedBy = [] }) {
    return preemptedBy.length === 0
        ? []
        : [
              table(
                  "Who took its CPU in the newest window, as its node counted it",
                  [
                      {
                          head: "By",
                          kind: "name",
                          cell: (taker) => (taker.outside ? "what is outside of all containers" : container({ ...taker, visible: taker.container !== undefined })),
                      },
                      { head: "Times a second", kind: "number", cell: (taker) => decimal(taker.perSecond) },
                  ],
                  preemptedBy,
                  "",
              ),
          ];
}

function why(decision) {
    if (decision === undefined) {
        return [
            el(
                "p",
                { class: "empty" },
                "Its decision is not known: it was placed in a queue that is off, before this ResourceManager started, " +
                    "or so long ago that the decision was forgotten.",
            ),
        ];
    }
    return [
        el("p", { class: "explanation" }, decision.explanation),
        decisionFacts(decision),
        decision.offer ? contenders(decision.offer) : "",
        decision.offer && decision.nodes.length === 0 ? "" : verdicts(decision),
    ];
}

function readings(self) {
    const signals = inOrder(Object.keys(self.signals ?? {}));
    const levels = levelsOfContainer(self);
    const shades = heatColumns(signals, [self], () => levels);
    return [
        table(
            "Signals of this container",
            [
                { head: "Signal", kind: "name", cell: (signal) => signal },
                {
                    head: "Level",
                    kind: "number",
                    shade: (signal) => shades[signals.indexOf(signal)].shade(self),
                    cell: (signal) => decimal(levels[signal]),
                },
                { head: "Mean", kind: "number", cell: (signal) => decimal(self.signals[signal].mean) },
                { head: "Status", cell: (signal) => self.signals[signal].status },
                { head: "Source", cell: (signal) => self.signals[signal].source },
                { head: "Why not", kind: "sentence", cell: (signal) => self.signals[signal].reason ?? "" },
            ],
            signals,
            "Nothing: it was not measured yet, or its node has no plugin.",
        ),
    ];
}

function interval({ slowdownAtLeast, slowdownAtMost }) {
    return slowdownAtMost === undefined ? "" : ` (nine in ten: ${decimal(slowdownAtLeast)} to ${decimal(slowdownAtMost)})`;
}
