#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The simulator's world of what co-runs have measured: docs/simulate.md, "Your own world". Usage: world.py [DIRECTORY] > WORLD.json"""

import json
import statistics
import sys
from pathlib import Path

import table
from plan import kinds_of


def median(rows, column):
    values = [float(row[column]) for row in rows if row[column]]
    return statistics.median(values) if values else 0.0


def demand(alone, machine):
    """
    What a kind presses on alone, as shares of the node that tasks had: of its quota of CPU; of its disk, where a throttle hides
    requests in flight and the time that the task waits for them does not; and of its network. What was not measured is left out.
    """
    quota = machine["node"]["cpu_quota_us"] / machine["node"]["cpu_period_us"]
    shares = {
        "cpu": median(alone, "cpu") * machine["machine"]["cpus"] / quota,
        "disk": max(median(alone, "blk"), median(alone, "blkwait")),
        "network": median(alone, "netp"),
    }
    return {resource: min(1.0, round(share, 2)) for resource, share in shares.items() if round(share, 2) > 0}


def slowdowns(rows):
    """By kind and company, the median of the repetitions; what noise made faster than alone counts as not slowed."""
    told = {}
    for row in rows:
        if row["arrangement"] != "alone" and row["slowdown"]:
            others = kinds_of(row["set"])
            others.remove(row["kind"])
            told.setdefault(row["kind"], {}).setdefault("+".join(sorted(others)), []).append(float(row["slowdown"]))
    return {
        kind: {
            others: max(1.0, round(statistics.median(values), 2))
            for others, values in sorted(companies.items(), key=lambda item: (item[0].count("+"), item[0]))
        }
        for kind, companies in sorted(told.items())
    }


def world(rows, machine):
    """The file as a dictionary."""
    rows = table.with_slowdowns(rows)
    alone = {}
    for row in rows:
        if row["arrangement"] == "alone":
            alone.setdefault(row["kind"], []).append(row)
    node = machine["node"]
    return {
        "name": "corun",
        "describes": (
            f"Slowdowns measured with real tasks on a node of {node['cpu_quota_us'] / node['cpu_period_us']:g} CPU, "
            f"{node['read_bytes_per_s'] >> 20} MiB/s of disk and {node['network_bits_per_s'] // 1_000_000} Mbit/s "
            "(lab/benchmarks/corun); what they press on memory and caches could not be counted there."
        ),
        "kinds": {kind: demand(alone[kind], machine) for kind in sorted(alone)},
        "slowdowns": slowdowns(rows),
    }


def main():
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "data"
    rows = table.read(table.data_path(directory))
    if not rows:
        raise SystemExit(f"{table.data_path(directory)} holds no run")
    machine = json.loads((directory / "machine.json").read_text(encoding="utf-8"))
    print(json.dumps(world(rows, machine), indent=2))


if __name__ == "__main__":
    main()
