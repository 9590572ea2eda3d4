// SPDX-License-Identifier: Apache-2.0
// Columns of signals, shaded by level. The level itself is in the cell, so the shade tells nothing that the text does not.

import { details, el, nothing } from "./dom.js";
import { decimal } from "./format.js";

const STEPS = [0.2, 0.4, 0.6, 0.8];

// As the server defines them, in its order.
let defined = [];

/** Asks what signals there are, once; everything else here relies on it. */
export async function learnSignals(get) {
    if (defined.length === 0) {
        defined = (await get("signals")).signals;
    }
}

/** The names of the signals that occur in any of `maps` and that slowdowns are predicted from, the most telling first. */
export function signalsOf(maps) {
    const told = defined.filter((signal) => !signal.predictor).map((signal) => signal.name);
    const found = new Set(maps.flatMap((map) => Object.keys(map)).filter((signal) => !told.includes(signal)));
    return inOrder([...found]);
}

/** `signals` in the server's order; those of which it did not speak, as it was another one then, last. */
export function inOrder(signals) {
    const order = defined.map((signal) => signal.name);
    const place = (signal) => (order.includes(signal) ? order.indexOf(signal) : order.length);
    return [...signals].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}

function rates() {
    return defined.filter((signal) => signal.rate).map((signal) => signal.name);
}

/** One column for each signal; `levelsOf(row)` maps a signal to its level. */
export function heatColumns(signals, rows, levelsOf) {
    return signals.map((signal) => {
        // A rate has no capacity to be a share of: its shade is its share of the column's highest.
        const full = rates().includes(signal) ? Math.max(...rows.map((row) => levelsOf(row)[signal] ?? 0)) : 1;
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
                defined.map(({ name, meaning, unit }) =>
                    el("div", {}, el("dt", {}, name), el("dd", {}, `${meaning}: ${unit}`)),
                ),
            ),
            el(
                "p",
                {},
                `The same shades everywhere, but for rates (${rates().join(", ")}): these are shaded by their share of the ` +
                    "highest in the table.",
            ),
        ),
    );
}
