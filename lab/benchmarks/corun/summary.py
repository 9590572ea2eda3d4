#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a table of co-runs says at a glance: the noise floor, the pairs, the sets. Usage: summary.py [DIRECTORY]"""

import statistics
import sys
from pathlib import Path

import table
from plan import kinds_of


def spread(values):
    """Median, and half the distance between the quartiles as a share of it."""
    middle = statistics.median(values)
    if len(values) < 2:
        return middle, None
    quartiles = statistics.quantiles(values, n=4, method="inclusive")
    return middle, (quartiles[2] - quartiles[0]) / 2 / middle if middle else None


def solo_spread(rows):
    """Kind, runs alone, median rate, relative half quartile distance, and largest distance from the median as a share of it."""
    told = []
    for kind, rates in sorted(table.solo_rates(rows).items()):
        middle, half = spread(rates)
        worst = max(abs(rate - middle) for rate in rates) / middle if middle else None
        told.append((kind, len(rates), middle, half, worst))
    return told


def pair_matrix(rows):
    """Median slowdown by (kind, neighbour's kind)."""
    told = {}
    for row in rows:
        if row["arrangement"] == "pair" and row["slowdown"]:
            others = kinds_of(row["set"])
            others.remove(row["kind"])
            told.setdefault((row["kind"], others[0]), []).append(float(row["slowdown"]))
    return {pair: statistics.median(values) for pair, values in told.items()}


def repetition_spread(rows):
    """
    How far one repetition of a kind in a set is from the median of all of that kind in that set, as shares: the floor of any
    prediction's error on this table.
    """
    groups = {}
    for row in rows:
        if row["arrangement"] != "alone" and row["slowdown"]:
            groups.setdefault((row["set"], row["kind"]), []).append(float(row["slowdown"]))
    told = []
    for values in groups.values():
        if len(values) > 1:
            middle = statistics.median(values)
            told += [abs(value - middle) / middle for value in values]
    return told


def share(value):
    return "     -" if value is None else f"{100 * value:5.1f}%"


def summary(rows):
    """The report as text."""
    rows = table.with_slowdowns(rows)
    lines = [f"{len(table.done(rows))} runs, {len(rows)} rows", "", "Alone: the noise floor of each kind"]
    lines.append(f"{'':16} {'n':>3} {'rate/s':>10} {'half IQR':>8} {'largest':>8}")
    for kind, count, middle, half, worst in solo_spread(rows):
        lines.append(f"{kind:16} {count:3} {middle:10.5g} {share(half):>8} {share(worst):>8}")
    pairs = pair_matrix(rows)
    if pairs:
        kinds = sorted({kind for pair in pairs for kind in pair})
        lines += ["", "Slowdown of the row's kind beside the column's, median of the repetitions"]
        lines.append(" " * 16 + "".join(f"{number:7}" for number in range(1, len(kinds) + 1)))
        for number, kind in enumerate(kinds, 1):
            cells = (pairs.get((kind, other)) for other in kinds)
            row = "".join("      -" if cell is None else f"{cell:7.2f}" for cell in cells)
            lines.append(f"{f'{number} {kind}':16.16}{row}")
    for size in sorted({row["size"] for row in rows if row["arrangement"] == "random"}):
        slowdowns = [float(row["slowdown"]) for row in rows if row["size"] == size and row["slowdown"]]
        middle = statistics.median(slowdowns)
        lines += ["", f"Random sets of {size}: slowdown {middle:.2f} median, {max(slowdowns):.2f} largest"]
    distances = repetition_spread(rows)
    if distances:
        mean = statistics.fmean(distances)
        lines += ["", f"One repetition is {share(mean).strip()} from its set's median on average, {share(max(distances)).strip()} at most"]
    worst = {fact: max(float(row[fact]) for row in rows) for fact in ("steal", "foreign_cpu")}
    lines += ["", f"Of the accepted windows: steal at most {share(worst['steal']).strip()}, foreign CPU {share(worst['foreign_cpu']).strip()}"]
    return "\n".join(lines) + "\n"


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent / "data"
    rows = table.read(table.data_path(directory))
    if not rows:
        raise SystemExit(f"{table.data_path(directory)} holds no run")
    print(summary(rows), end="")


if __name__ == "__main__":
    main()
