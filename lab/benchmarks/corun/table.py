# SPDX-License-Identifier: Apache-2.0
"""The table of results: its columns, reading and writing it, and the arithmetic of slowdowns. Rows are dictionaries of text."""

import csv
import os
import statistics
from pathlib import Path

# Those that slowdowns are predicted from, and those that may be one day (docs/signals.md).
PREDICTED = ("netp", "nets", "blk", "mbw", "llcmr", "llocc", "cpu", "cpuwait", "blkwait", "futex")
TOLD = (
    "mem", "memanon", "memfile", "blkr", "blkw", "readb", "writeb", "switches", "preempted", "csw", "psicpu", "psiio", "psimem",
    "psicpuf", "psiiof", "psimemf", "instr",
)  # fmt: skip
SIGNALS = PREDICTED + TOLD
FACTS = ("steal", "foreign_cpu", "kernel_cpu", "own_cpu", "psi_cpu_avg10")
BEGIN = (
    "run", "repetition", "arrangement", "set", "size", "kind", "instance", "at_s", "window_s", "work", "work_per_s", "slowdown",
)  # fmt: skip
COLUMNS = (*BEGIN, *SIGNALS, *FACTS)
REJECTED_COLUMNS = ("run", "set", "at_s", "reason", *FACTS)


def level(before, after):
    """Growth of used over growth of capacity between two answers of the collector about a signal; None where there is none."""
    if "used" not in before or "used" not in after:
        return None
    capacity = after["capacity"] - before["capacity"]
    return (after["used"] - before["used"]) / capacity if capacity > 0 else None


def text(value):
    """A figure with 5 significant digits; nothing for what is absent."""
    if value is None:
        return ""
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def read(path):
    """
    The rows of all whole runs. A last line that was cut off while it was written is no row. A table of fewer signals is read too; that it is not
    gone on with is for `require_same_columns`.
    """
    if not path.exists():
        return []
    whole = path.read_text(encoding="utf-8").rpartition("\n")[0].splitlines()
    if not whole:
        return []
    reader = csv.DictReader(whole)
    if tuple(reader.fieldnames[: len(BEGIN)]) != BEGIN or not set(reader.fieldnames) <= set(COLUMNS):
        raise SystemExit(f"{path} has other columns than this program writes; move it away to begin anew")
    rows, counts = list(reader), {}
    for row in rows:
        counts[row["run"]] = counts.get(row["run"], 0) + 1
    return [row for row in rows if counts[row["run"]] == int(row["size"])]


def require_same_columns(path):
    """Ends the program where a table is there that it cannot go on with."""
    if path.exists():
        with open(path, encoding="utf-8") as file:
            first = file.readline().rstrip("\n")
        if first and first.split(",") != list(COLUMNS):
            raise SystemExit(f"{path} has other columns than this program writes; give another directory, or move it away")


def done(rows):
    return {row["run"] for row in rows}


def append(path, columns, rows):
    """Adds rows in one write, with the heading where the file is new."""
    new = not path.exists() or path.stat().st_size == 0
    lines = [",".join(columns)] if new else []
    lines += [",".join(text(row.get(column)) for column in columns) for row in rows]
    with open(path, "a", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))


def replace(path, rows):
    """Writes the whole table anew; a reader sees the old or the new one."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    append(fresh, COLUMNS, rows)
    os.replace(fresh, path)


def solo_rates(rows):
    """Work per second of every kind alone, by kind, in the order of the rows."""
    rates = {}
    for row in rows:
        if row["arrangement"] == "alone":
            rates.setdefault(row["kind"], []).append(float(row["work_per_s"]))
    return rates


def with_slowdowns(rows):
    """The rows with their slowdown, the kind's median rate alone over the row's; empty where it was never alone or did nothing."""
    medians = {kind: statistics.median(rates) for kind, rates in solo_rates(rows).items()}
    return [{**row, "slowdown": text(slowdown(medians.get(row["kind"]), float(row["work_per_s"])))} for row in rows]


def slowdown(alone, beside):
    return alone / beside if alone is not None and beside > 0 else None


def write_slowdowns(path):
    rows = read(path)
    if rows:
        replace(path, with_slowdowns(rows))
    return rows


def data_path(directory):
    return Path(directory) / "corun.csv"
