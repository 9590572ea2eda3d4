#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how much tasks that share a node slow one another, and what the collector says of them meanwhile.

A node with one CPU quota, one throttled disk and one shaped network; tasks of twenty kinds that count their work; sets of one
to four of them. In each run the tasks of a set work for a second, and then for a window, at whose ends their work and the
collector's counts are read. A slowdown is the kind's median rate alone over its rate in the set.

Run it again after an interruption: it does what is missing. README.md says what the columns are and what this cannot show.
"""

import argparse
import datetime
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from contextlib import ExitStack, contextmanager
from pathlib import Path

import quiet
import table
from collector import REPOSITORY, Daemon, machine, require
from contenders import Contenders, disk_regions
from plan import KINDS, plan
from shape import GROUP, LINK, OWN, Node, Shape, require_facilities
from summary import summary

ATTEMPTS = 3
CALM_S = 30
START_S = 120
WORK = REPOSITORY / "lab" / "benchmarks" / "target" / "corun"
QUICK_PAIRS = (
    ("cpu-integer", "cpu-integer"), ("disk-sequential", "disk-sequential"), ("network-stream", "network-stream"),
    ("cpu-integer", "disk-sequential"), ("cpu-integer", "network-stream"), ("disk-sequential", "network-stream"),
    ("cpu-matrix", "jvm-sort"), ("disk-random", "disk-sequential"), ("cpu-integer", "jvm-mapreduce"),
)  # fmt: skip


class Measurement:
    """Runs sets and appends what they did to the table."""

    def __init__(self, arguments, contenders, daemon, began):
        self.arguments, self.contenders, self.daemon, self.began = arguments, contenders, daemon, began
        self.table = table.data_path(arguments.output)
        self.rejected = Path(arguments.output) / "rejected.csv"
        self.rates = {}
        for row in table.read(self.table):
            self._remember(row)

    def _remember(self, row):
        if row["arrangement"] == "alone":
            self.rates.setdefault(row["kind"], []).append(float(row["work_per_s"]))

    def run_all(self, runs):
        """Rejected ones go to the end of the queue, up to a number of times. Returns how many are left."""
        queue, attempts, started, total = deque(runs), {}, time.monotonic(), 0
        left = []
        while queue:
            if time.monotonic() - started > 60 * self.arguments.minutes:
                print(f"{self.arguments.minutes} minutes are over", flush=True)
                return len(queue) + len(left)
            run = queue.popleft()
            rows, facts = self.run(run)
            total += 1
            objection = None if self.arguments.accept_any else quiet.objection(facts)
            if objection:
                self._reject(run, facts, objection)
                attempts[run.id] = attempts.get(run.id, 0) + 1
                (queue if attempts[run.id] < ATTEMPTS else left).append(run)
                self._await_calm()
            else:
                table.append(self.table, table.COLUMNS, rows)
                for row in rows:
                    self._remember(row)
            remaining = (time.monotonic() - started) / total * len(queue) / 60
            print(f"{len(queue):4} to go, {remaining:4.0f} min  {run.id}  {self._told(rows, objection)}", flush=True)
        return len(left)

    def _told(self, rows, objection):
        if objection:
            return f"rejected: {objection}"
        told = []
        for row in rows:
            rates = sorted(self.rates.get(row["kind"], []))
            slowdown = f"{rates[len(rates) // 2] / row['work_per_s']:.2f}" if rates and row["work_per_s"] else "?"
            told.append(f"{row['kind']} {slowdown}")
        return ", ".join(told)

    def _reject(self, run, facts, reason):
        row = {"run": run.id, "set": run.set, "at_s": self._at(), "reason": reason, **facts.columns()}
        table.append(self.rejected, table.REJECTED_COLUMNS, [row])

    def _at(self):
        return round(time.time() - self.began)

    def _await_calm(self):
        deadline = time.monotonic() + CALM_S
        while time.monotonic() < deadline:
            before = quiet.read_clock(GROUP, OWN)
            time.sleep(1)
            if not quiet.objection(quiet.facts(before, quiet.read_clock(GROUP, OWN), os.cpu_count(), None)):
                return

    def run(self, run):
        """The rows of one run and the facts of its window."""
        active = [self.contenders.by_task[task] for task in run.tasks]
        at, pressure = self._at(), quiet.pressure()
        with ExitStack() as stack:
            for contender in active:
                stack.callback(contender.stop)
                contender.go()
            time.sleep(self.arguments.warm_up)
            clock, before = quiet.read_clock(GROUP, OWN), self._read(active)
            time.sleep(self.arguments.window)
            after = self._read(active)
            facts = quiet.facts(clock, quiet.read_clock(GROUP, OWN), os.cpu_count(), pressure)
        for contender in active:
            contender.require_alive()
        return [self._row(run, at, one, before, after, facts) for one in active], facts

    def _read(self, active):
        """Time, work by name, and the collector's signals by name."""
        now = time.monotonic()
        work = {contender.name: contender.work() for contender in active}
        return now, work, self.daemon.snapshot()

    @staticmethod
    def _row(run, at, contender, before, after, facts):
        name, window = contender.name, after[0] - before[0]
        work = after[1][name] - before[1][name]
        levels = {one: table.level(before[2][name].get(one, {}), after[2][name].get(one, {})) for one in table.SIGNALS}
        return {
            "run": run.id,
            "repetition": run.repetition,
            "arrangement": run.arrangement,
            "set": run.set,
            "size": len(run.tasks),
            "kind": contender.task.kind,
            "instance": contender.task.instance,
            "at_s": at,
            "window_s": window,
            "work": work,
            "work_per_s": work / window,
            **levels,
            **facts.columns(),
        }


def await_quiet():
    """Ends the program where the machine does not come to rest; our own tasks do not run yet."""
    deadline = time.monotonic() + START_S
    while (pressure := quiet.pressure()) is not None and pressure >= quiet.MAX_PSI:
        if time.monotonic() > deadline:
            raise SystemExit(
                f"The machine is not quiet: CPU pressure {pressure:.0f} % over the last 10 s after {START_S} s of waiting, "
                f"but must be under {quiet.MAX_PSI:.0f} % (--accept-any measures all the same)"
            )
        time.sleep(1)


def describe(arguments, shape, daemon, runs):
    """What machine.json says; its `plan` must stay the same when the measurement goes on after an interruption."""
    return {
        "machine": machine(),
        "started": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "node": shape.columns(),
        "plan": {
            "seed": arguments.seed,
            "repetitions": arguments.repetitions,
            "kinds": list(dict.fromkeys(task.kind for run in runs for task in run.tasks)),
            "runs": len(runs),
            "warm_up_s": arguments.warm_up,
            "window_s": arguments.window,
        },
        "units": {kind.name: kind.unit for kind in KINDS},
        "quiet": {"max_steal": quiet.MAX_STEAL, "max_foreign_cpu": quiet.MAX_FOREIGN, "any_accepted": arguments.accept_any},
        "signals": daemon.hello["signals"],
        "facilities": {
            "cgroup": "v1",
            "disk": "loop device, direct I/O to the file, no scheduler",
            "compiler": first_line("gcc", "--version"),
            "java": first_line(arguments.java, "-version"),
        },
    }


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return (done.stdout or done.stderr).splitlines()[0]


def described(path, fresh):
    """The description that is there, which must be of the same plan, or the fresh one, written."""
    if not path.exists():
        path.write_text(json.dumps(fresh, indent=2) + "\n")
        return fresh
    there = json.loads(path.read_text())
    for part in ("machine", "node", "plan", "quiet"):
        if there[part] != fresh[part]:
            raise SystemExit(
                f"{path} is of another measurement: its {part} is {there[part]}, this one's {fresh[part]}; "
                "give another directory, or move the old one away"
            )
    return there


def require_all(arguments):
    """Ends the program where something is missing, or the machine does not come to rest."""
    require("ip", "tc", "losetup", "dd", "gcc")
    require_facilities()
    if not arguments.class_path:
        raise SystemExit(f"The Java class path is not given: start this with bin/lab {Path(sys.argv[0]).stem}")
    if not arguments.accept_any:
        await_quiet()


@contextmanager
def bed(arguments, shape, kinds, *options):
    """A node of this shape, the collector, and the tasks of these kinds on it, warm and stopped."""
    WORK.mkdir(parents=True, exist_ok=True)
    print(f"Getting {len(kinds)} kinds of tasks ready ...", flush=True)
    with ExitStack() as stack:
        node = stack.enter_context(Node(shape, WORK, disk_regions(kinds)))
        node.add_own(os.getpid())
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="corun-", dir="/dev/shm"))
        daemon = stack.enter_context(Daemon("--nic", LINK, "--nic-speed", str(shape.network_bits_per_s), *options))
        contenders = stack.enter_context(Contenders(node, kinds, directory, arguments.java, arguments.class_path))
        attribution = daemon.watch({one.name: one.pid for one in contenders.by_task.values()})
        if set(attribution.values()) != {"cgroup_v1"}:
            raise SystemExit(f"The collector does not know the tasks by their cgroups: {attribution}")
        contenders.warm_up(arguments.jvm_warm_up)
        yield node, daemon, contenders


def measure(arguments, runs):
    """Does what of the runs is not in the table yet. Returns how many are left."""
    require_all(arguments)
    output, shape = Path(arguments.output), Shape(cpu_quota_us=round(arguments.quota * Shape.cpu_period_us))
    output.mkdir(parents=True, exist_ok=True)
    kinds = [kind.name for kind in KINDS if any(task.kind == kind.name for run in runs for task in run.tasks)]
    missing = not_measured(output, runs)
    with bed(arguments, shape, kinds, *(["--futex"] if arguments.futex else [])) as (_, daemon, contenders):
        began = begun(output, describe(arguments, shape, daemon, runs))
        try:
            return Measurement(arguments, contenders, daemon, began).run_all(missing)
        finally:
            table.write_slowdowns(table.data_path(output))


def not_measured(output, runs):
    """Those of the runs that are not in the table yet."""
    table.require_same_columns(table.data_path(output))
    rows = table.read(table.data_path(output))
    if rows:
        table.replace(table.data_path(output), rows)  # Without a last run that was cut off.
    missing = [run for run in runs if run.id not in table.done(rows)]
    print(f"{len(runs) - len(missing)} of {len(runs)} runs are done", flush=True)
    return missing


def begun(output, fresh):
    """When the measurement of this directory began, in seconds of the epoch; it is described there."""
    return datetime.datetime.fromisoformat(described(output / "machine.json", fresh)["started"]).timestamp()


def add_measuring(parser, warm_up, window, minutes):
    """Adds the options that hold for whatever is measured on a bed, with these defaults."""
    parser.add_argument("--accept-any", action="store_true", help="take every run, however busy the machine; for trying it out")
    parser.add_argument("--warm-up", type=float, default=warm_up, help=f"seconds before a window (default: {warm_up:g})")
    parser.add_argument("--window", type=float, default=window, help=f"seconds of a window (default: {window:g})")
    parser.add_argument("--jvm-warm-up", type=float, default=6.0, help="seconds that each JVM works first (default: 6)")
    parser.add_argument("--minutes", type=float, default=minutes, help=f"to stop after (default: {minutes:g})")
    parser.add_argument("--java", default=os.path.join(os.environ.get("JAVA_HOME", ""), "bin", "java"), help=argparse.SUPPRESS)
    parser.add_argument("--class-path", default=os.environ.get("CORUN_CLASS_PATH"), help=argparse.SUPPRESS)


def parsed_arguments(words=None):
    parser = argparse.ArgumentParser(
        prog="bin/lab corun", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data = Path(__file__).resolve().parent / "data"
    parser.add_argument("output", nargs="?", help=f"directory (default: {data.relative_to(REPOSITORY)})")
    parser.add_argument("--plan", action="store_true", help="print what would run, and run nothing")
    parser.add_argument("--quick", action="store_true", help="a plan of two minutes, into lab/benchmarks/target/corun/quick")
    parser.add_argument("--quota", type=float, default=1.0, help="CPUs of the node, of two (default: 1)")
    parser.add_argument("--futex", action="store_true", help="count futex calls too, which slows every system call")
    parser.add_argument("--kind", action="append", choices=[kind.name for kind in KINDS], help="these kinds only; repeatable")
    parser.add_argument("--seed", type=int, default=19701, help="of sets and order (default: 19701)")
    parser.add_argument("--repetitions", type=int, default=5, help="of every set (default: 5)")
    parser.add_argument("--solos", type=int, default=2, help="of every kind, a repetition (default: 2)")
    parser.add_argument("--sets", type=int, default=60, help="random sets of three and four (default: 60)")
    add_measuring(parser, warm_up=1.0, window=4.0, minutes=170.0)
    arguments = parser.parse_args(words)
    if arguments.quick:
        arguments.repetitions, arguments.solos, arguments.sets = 1, 1, 4
        arguments.warm_up, arguments.window, arguments.jvm_warm_up = 0.6, 2.0, 3.0
    arguments.output = arguments.output or (WORK / "quick" if arguments.quick else data)
    return arguments


def planned(arguments):
    kinds = arguments.kind or [kind.name for kind in KINDS]
    pairs = [pair for pair in QUICK_PAIRS if set(pair) <= set(kinds)] if arguments.quick else None
    try:
        return plan(kinds, arguments.repetitions, arguments.solos, arguments.sets, arguments.seed, pairs)
    except ValueError as error:
        raise SystemExit(f"--sets: {error}") from error


def print_plan(runs, arguments):
    for run in runs:
        print(f"{run.id}  {run.arrangement}  {', '.join(f'{task.kind} {task.instance}' for task in run.tasks)}")
    minutes = len(runs) * (arguments.warm_up + arguments.window + 0.05) / 60
    print(f"{len(runs)} runs, {minutes:.0f} minutes and the time to get ready")


def main():
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    arguments = parsed_arguments()
    runs = planned(arguments)
    if arguments.plan:
        print_plan(runs, arguments)
        return
    left = measure(arguments, runs)
    told = summary(table.read(table.data_path(arguments.output)))
    (Path(arguments.output) / "summary.txt").write_text(told)
    print(told)
    if left:
        raise SystemExit(f"{left} runs are missing; the same command goes on with them")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("Interrupted; the same command goes on") from None
