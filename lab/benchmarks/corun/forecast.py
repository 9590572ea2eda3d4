#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what tasks get done on hosts of several sizes, alone and beside others, so that forecasts from one host to another can be judged.

The hosts are one node whose CPU quota, disk and network are made larger and smaller; each staircase scenario (four tasks come one after the
other and leave in the same order) runs on all of them before the next one, so that what the machine does in the long run is the same for all.
Each host has a directory of its own, with the table of a co-run measurement in it, in which levels are shares of that host.

Run it again after an interruption: it does what is missing. README.md says more.
"""

import argparse
import os
import random
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import table
from collector import REPOSITORY
from corun import Measurement, add_measuring, begun, bed, describe, not_measured, require_all
from plan import KINDS, staircases
from shape import MIB, Shape

STEPS = 7  # of a staircase


@dataclass(frozen=True)
class Host:
    """A size: CPUs of the machine's, MiB/s that the disk reads and as many that it writes, Mbit/s."""

    name: str
    cpus: float
    disk: int
    network: int

    def shape(self):
        """Its disk does as many more operations as it moves more bytes."""
        moved = self.disk * MIB
        return Shape(
            cpu_quota_us=round(self.cpus * Shape.cpu_period_us),
            read_bytes_per_s=moved,
            write_bytes_per_s=moved,
            read_operations_per_s=moved * Shape.read_operations_per_s // Shape.read_bytes_per_s,
            network_bits_per_s=self.network * 1_000_000,
        )


# The co-runs' node; twice of everything; and one that is larger in one thing and smaller in another.
HOSTS = (Host("small", 1, 64, 200), Host("large", 2, 128, 400), Host("crossed", 1.5, 32, 400))


class OnHost(Measurement):
    """Runs on the node while it has the size of one host."""

    def __init__(self, host, node, counted, arguments, *others):
        super().__init__(arguments, *others)
        self.host, self.node, self.counted = host, node, counted

    def run(self, run):
        self.node.reshape(self.host.shape())
        rows, facts = super().run(run)
        return [self._of_host(row) for row in rows], facts

    def _of_host(self, row):
        """The collector's shares are of the machine's CPUs and of the network that it was told; a host of this size would tell shares of its own."""
        cpus, network = self.counted
        told = self.host.shape()
        by = {"cpu": cpus / self.host.cpus, "netp": network / told.network_bits_per_s}
        return {**row, **{name: row[name] * factor for name, factor in by.items() if row[name] is not None}}


def measure(arguments, runs):
    """Does what of the runs is not in the tables yet, scenario by scenario. Returns how many are left."""
    kinds = arguments.kind or [kind.name for kind in KINDS]
    outputs = {host: Path(arguments.output) / host.name for host in HOSTS}
    missing = {}
    for host, output in outputs.items():
        output.mkdir(parents=True, exist_ok=True)
        missing[host] = {run.id for run in not_measured(output, runs)}
    if not any(missing.values()):
        return 0
    require_all(arguments)
    shape = HOSTS[0].shape()
    rng = random.Random(arguments.seed)
    deadline = time.monotonic() + 60 * arguments.minutes
    left = 0
    with bed(arguments, shape, kinds) as (node, daemon, contenders):
        measurements = {}
        for host, output in outputs.items():
            began = begun(output, describe(arguments, host.shape(), daemon, runs))
            there = argparse.Namespace(**{**vars(arguments), "output": output})
            counted = os.cpu_count(), shape.network_bits_per_s
            measurements[host] = OnHost(host, node, counted, there, contenders, daemon, began)
        try:
            for at in range(0, len(runs), STEPS):
                for host in rng.sample(HOSTS, len(HOSTS)):
                    wanted = [run for run in runs[at : at + STEPS] if run.id in missing[host]]
                    over = time.monotonic() > deadline
                    if wanted and not over:
                        print(f"scenario {at // STEPS + 1} of {len(runs) // STEPS} on {host.name}", flush=True)
                    left += len(wanted) if over else measurements[host].run_all(wanted)
        finally:
            for output in outputs.values():
                table.write_slowdowns(table.data_path(output))
    return left


def parsed_arguments(words=None):
    parser = argparse.ArgumentParser(
        prog="bin/lab forecast", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data = Path(__file__).resolve().parent / "data" / "hosts"
    parser.add_argument("output", nargs="?", default=data, help=f"directory (default: {data.relative_to(REPOSITORY)})")
    parser.add_argument("--repetitions", type=int, default=2, help="rounds of scenarios, in each of which every kind is alone once (default: 2)")
    parser.add_argument("--kind", action="append", choices=[kind.name for kind in KINDS], help="these kinds only; repeatable, an even number")
    parser.add_argument("--seed", type=int, default=19735, help="of scenarios and order (default: 19735)")
    add_measuring(parser, warm_up=0.7, window=2.0, minutes=27.0)
    return parser.parse_args(words)


def main():
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    arguments = parsed_arguments()
    try:
        runs = staircases(arguments.kind or [kind.name for kind in KINDS], arguments.repetitions, arguments.seed)
    except ValueError as error:
        raise SystemExit(f"There is no such plan: {error}") from error
    left = measure(arguments, runs)
    if left:
        raise SystemExit(f"{left} runs are missing; the same command goes on with them")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("Interrupted; the same command goes on") from None
