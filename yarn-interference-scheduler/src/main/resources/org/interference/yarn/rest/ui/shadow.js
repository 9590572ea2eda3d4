// SPDX-License-Identifier: Apache-2.0
// What switching on would change.

import { el, facts, filter, nothing, section, table } from "./dom.js";
import { decimal, duration, moment, percent, whole } from "./format.js";

const HOUR = 3_600_000;
const PERIODS = { "": "since the report began", 1: "last hour", 24: "last day", 168: "last week" };

export async function shadow({ query, get }) {
    const hours = Number(query.hours);
    const report = await get("shadow-report", {
        from: hours > 0 ? new Date(Date.now() - hours * HOUR).toISOString() : undefined,
    });
    const { all, predictions } = report;
    return {
        title: "Shadow report",
        content: [
            el(
                "p",
                {},
                "Of nodes that were offered to tasks of queues in shadow: how many we would have given to another task that " +
                    "waited, or left as they are, and what that would have saved over what the parent did. These are predictions.",
            ),
            filter("shadow", query, [{ name: "hours", label: "Period", options: PERIODS }]),
            facts([
                ["From", moment(report.from)],
                ["To", moment(report.to)],
                ["Kept since", moment(report.keptSince)],
                ["Predictions that were compared with what happened", whole(predictions.checked)],
                ["Part that is to be expected, and told, of what offered nodes would save by the predictions", percent(report.expected)],
                ...(predictions.checked === 0
                    ? []
                    : [
                          ["Their mean error", percent(predictions.meanError)],
                          ["Their bias", percent(predictions.bias)],
                          ["Mean error of the prior alone", percent(predictions.priorMeanError)],
                      ]),
            ]),
            section("Queues", differences("Queues in shadow", "Queue", queuesOf(report), all)),
            section(
                "Applications",
                differences(
                    "Applications that you may view",
                    "Application",
                    report.applications.map((row) => ({ ...row, name: row.application })),
                    all,
                ),
            ),
        ],
    };
}

function queuesOf({ all, queues }) {
    const rows = Object.entries(queues).map(([name, difference]) => ({ ...difference, name }));
    return rows.length === 0 ? [] : [...rows, { ...all, name: "All" }];
}

function differences(caption, head, rows, all) {
    return table(
        caption,
        [
            { head, kind: "name", cell: (row) => row.name },
            { head: "Decided", kind: "number", cell: (row) => whole(row.placements) },
            { head: "Would differ", kind: "number", cell: (row) => whole(row.differing) },
            { head: "Slowdown of whom the parent served", kind: "number", cell: (row) => decimal(row.parentsSlowdown) },
            { head: "of whom we would have", kind: "number", cell: (row) => decimal(row.bestSlowdown) },
            { head: "Saved", kind: "number", cell: (row) => duration(row.savedSeconds) },
            { head: "95 % interval", kind: "number", cell: (row) => interval(row.savedSecondsInterval) },
        ],
        rows,
        all.placements === 0
            ? "Nothing was decided in this period: no queue is in shadow, or no kind of task has a profile yet."
            : "The placements of this period are of applications that you may not view.",
    );
}

function interval(bounds) {
    return bounds === undefined
        ? nothing("too few placements")
        : [duration(bounds[0]), " to ", duration(bounds[1])];
}
