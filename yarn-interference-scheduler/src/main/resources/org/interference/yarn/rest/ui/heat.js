// SPDX-License-Identifier: Apache-2.0
// Columns of signals, shaded by level. The level itself is in the cell, so the shade tells nothing that the text does not.

import { details, el, nothing } from "./dom.js";
import { decimal } from "./format.js";

const MEANINGS = {
    cpu: "CPU time, as a share of the node's CPUs",
    cpuwait: "run-queue delay: share of its time that a task waited for a CPU",
    blk: "block queue: mean requests in flight",
    blkwait: "I/O wait: thread time spent waiting for disks; several waiting threads exceed 1",
    netp: "bandwidth of the network interface",
    nets: "network stack: service time of packets",
    mbw: "memory bandwidth, as a share of the calibrated peak",
    llcmr: "miss ratio of the last-level cache",
    llocc: "occupancy of the last-level cache",
    futex: "futex calls a second",
};
const STEPS = [0.2, 0.4, 0.6, 0.8];
const RATES = ["futex"];

/** The names of the signals that occur in any of `maps`, the most telling first, those of a newer server last. */
export function signalsOf(maps) {
    const found = new Set(maps.flatMap((map) => Object.keys(map)));
    return inOrder([...found]);
}

export function inOrder(signals) {
    const order = Object.keys(MEANINGS);
    const place = (signal) => (order.includes(signal) ? order.indexOf(signal) : order.length);
    return [...signals].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}

/** One column for each signal; `levelsOf(row)` maps a signal to its level. */
export function heatColumns(signals, rows, levelsOf) {
    return signals.map((signal) => {
        // A rate has no capacity to be a share of: its shade is its share of the column's highest.
        const full = RATES.includes(signal) ? Math.max(...rows.map((row) => levelsOf(row)[signal] ?? 0)) : 1;
        return {
            head: signal,
            kind: "number",
            shade: (row) => shade(levelsOf(row)[signal], full),
            cell: (row) => {
                const level = levelsOf(row)[signal];
                return level === undefined ? nothing("not measured") : decimal(level);
            },
        };
    });
}

function shade(level, full) {
    if (level === undefined) {
        return undefined;
    }
    const share = full > 0 ? level / full : 0;
    return `heat${STEPS.filter((step) => share >= step).length}`;
}

export function legend() {
    const bounds = [0, ...STEPS];
    return el(
        "div",
        { class: "legend" },
        el(
            "ul",
            { "aria-label": "Shades" },
            bounds.map((from, step) =>
                el(
                    "li",
                    { class: `heat${step}` },
                    step === bounds.length - 1 ? `from ${decimal(from)}` : `${decimal(from)} to ${decimal(bounds[step + 1])}`,
                ),
            ),
        ),
        details(
            "What the signals are",
            el(
                "dl",
                {},
                Object.entries(MEANINGS).map(([signal, meaning]) =>
                    el("div", {}, el("dt", {}, signal), el("dd", {}, meaning)),
                ),
            ),
            el(
                "p",
                {},
                "Levels are shares of the node, with the same shades everywhere. Those of futex are rates, " +
                    "shaded by their share of the highest in the table.",
            ),
        ),
    );
}
