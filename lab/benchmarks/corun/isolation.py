#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how far YARN's limits, and node control, keep what a neighbour does from a task.

The method of IBS (Xavier, PUCRS 2019, 2.4): two containers on one node, of which each has half (published: of CPU, memory, disk and network; here what a setup says); a victim works alone, and beside a stressor. A cell is by how
much longer the same work takes. Victims: a sort of records from and to the disk, an LU factorisation, a reader, a writer, a sender. Stressors: computing
threads, streaming over memory, random reads and writes, sending, receiving, and a fork bomb of 256 processes.

none     both are processes of one control group, as under DefaultContainerExecutor
limits   each has a control group with half of the CPUs (shares and a hard quota), and a limit of memory, as under LinuxContainerExecutor with strict use
control  limits, and the plugin's node control of cores at work, by what intpd tells it
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import quiet
from cells import Cell, text
from collector import REPOSITORY, Daemon, container_id, require, write
from contenders import PORT, PROGRAM, Worker
from shape import CGROUPS, GROUP, HERE, LINK, MIB, NAMESPACE, OWN, THERE, Node, Shape, kill_group, put, remove, require_facilities

SETUPS = ("none", "limits", "control")
VICTIMS = {"sort": "sort-records", "lu": "lu-factor", "reader": "disk-random", "writer": "disk-write", "network": "network-request"}
STRESSORS = {
    "cpu": "cpu-threads", "memory": "memory-stream", "disk": "disk-mixed", "network_in": "sink", "network_out": "network-stream",
    "fork_bomb": "fork-bomb",
}  # fmt: skip
DISK = ("sort-records", "disk-random", "disk-write", "disk-mixed")
NETWORK = ("network-request", "network-stream")
WORK = REPOSITORY / "lab" / "benchmarks" / "target" / "isolation"
MOST_TASKS = 600
MEMORY_BYTES = 1024 * MIB
PERIOD_US = 100_000
IN_PORT = PORT + 1
IN_UNITS_PER_S = 1500  # of 16 KiB: what the node's network sends at most is let in as well
ATTEMPTS = 3
CONTROL_S = 4  # a container is looked at for two ticks of a second, and then confined


class Halves(Node):
    """The node, with control groups of version 1 for memory and for the number of tasks, and one of each container where it has limits."""

    def _groups(self):
        super()._groups()
        for controller in ("memory", "pids"):
            (CGROUPS / controller / GROUP).mkdir()
        put(CGROUPS / "pids" / GROUP / "pids.max", MOST_TASKS)

    def place(self, name, pid, limited):
        for controller in ("cpuacct", "cpuset", "blkio", "pids"):
            put(CGROUPS / controller / GROUP / "cgroup.procs", pid)
        own = name if limited else ""
        cpu, memory = CGROUPS / "cpu" / GROUP / own, CGROUPS / "memory" / GROUP / own
        if limited:
            cpu.mkdir()
            put(cpu / "cpu.shares", 1024)
            put(cpu / "cpu.cfs_period_us", PERIOD_US)
            put(cpu / "cpu.cfs_quota_us", self.shape.cpu_quota_us * PERIOD_US // self.shape.cpu_period_us // 2)
            memory.mkdir()
            put(memory / "memory.limit_in_bytes", MEMORY_BYTES)
        put(cpu / "cgroup.procs", pid)
        put(memory / "cgroup.procs", pid)

    def take_away(self, name):
        """The groups of a container that has ended."""
        for controller in ("cpu", "memory"):
            remove(CGROUPS / controller / GROUP / name)

    def _sweep(self):
        for _ in range(20):  # A fork bomb may be one process further than what was read.
            kill_group(CGROUPS / "cpuacct" / GROUP)
            time.sleep(0.02)
        for confined in (CGROUPS / "cpuset" / GROUP / "interference").glob("*/"):
            remove(confined)
        for controller in ("memory", "pids"):
            group = CGROUPS / controller / GROUP
            for child in group.glob("*/"):
                remove(child)
            remove(group)
        super()._sweep()


class Control:
    """The plugin's controller, in a process of its own; it confines whom it is told of, and gives all back at the end."""

    def __init__(self, stack, node, java, class_path, socket, directory):
        main = "org.interference.yarn.benchmarks.control.ControlProcesses"
        command = [java, "-Xmx128m", "-cp", class_path, main, socket, directory]
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        stack.callback(self.process.wait)
        stack.callback(self.process.stdin.close)
        node.add_own(self.process.pid)
        self.changes = 0

    @contextmanager
    def over(self, pids):
        self._say(" ".join(f"{name}={pid}" for name, pid in pids.items()))
        try:
            yield
        finally:
            self._say("end")
            while (line := self.process.stdout.readline().strip()) != "undone":
                if self.process.poll() is not None:
                    raise SystemExit("The controller ended; its message is above")
                self.changes += line.startswith("Cores[")

    def _say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


class Tasks:
    """Victims and stressors in one setup, held, each a container; use it in a `with`."""

    def __init__(self, node, limited):
        self.node, self.limited = node, limited

    def __enter__(self):
        with ExitStack() as stack:
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="isolation-", dir="/dev/shm")))
            self.names, self.workers, region = {}, {}, 0
            for role, kind in (VICTIMS | STRESSORS).items():
                name = container_id(len(self.names) + 2)  # Number 1 would be an application master.
                stack.callback(self.node.take_away, name)
                worker = Worker(stack, role, self._command(kind, directory / role, region), directory / role, directory / f"{role}.log")
                self.node.place(name, worker.pid, self.limited)
                region += kind in DISK
                self.names[role], self.workers[role] = name, worker
            self._feed(stack, directory)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *exit_facts):
        return self.stack.__exit__(*exit_facts)

    def _command(self, kind, counter, region):
        if kind == "sink":
            return [PROGRAM, "sink", HERE, IN_PORT]
        size = self.node.shape.region_bytes
        needs = [self.node.disk, region * size, size] if kind in DISK else [THERE, PORT] if kind in NETWORK else []
        return [PROGRAM, kind, counter, *needs]

    def _feed(self, stack, directory):
        """What the stressor that receives is sent, by another machine as far as the node is concerned."""
        command = ["ip", "netns", "exec", NAMESPACE, PROGRAM, "network-stream", directory / "feeder", HERE, IN_PORT]
        self.feeder = Worker(stack, "feeder", command, directory / "feeder", directory / "feeder.log")
        self.feeder.hold_back(IN_UNITS_PER_S)
        self.node.add_own(self.feeder.pid)
        sink = self.workers["network_in"]
        sink.go()
        deadline = time.monotonic() + 10
        while "listening" not in sink.log.read_text():
            sink.require_alive()
            if time.monotonic() > deadline:
                raise SystemExit("The stressor that receives does not listen")
            time.sleep(0.01)
        sink.stop()

    @contextmanager
    def at_work(self, victim, stressor=None):
        """The victim works, and the stressor, if there is one; yields their pids by container."""
        roles = [victim, stressor] if stressor else [victim]
        workers = [self.workers[role] for role in roles]
        if stressor == "network_in":
            workers.append(self.feeder)
        try:
            for worker in workers:
                worker.go()
            yield {self.names[role]: self.workers[role].pid for role in roles}
        finally:
            for worker in workers:
                worker.stop()
        for worker in workers:
            worker.require_alive()


class Measurement:
    def __init__(self, arguments, node, control):
        self.arguments, self.node, self.control = arguments, node, control
        self.rng = random.Random(arguments.seed)
        self.victims = arguments.victim or list(VICTIMS)
        self.stressors = arguments.stressor or list(STRESSORS)
        self.rejected = 0

    def all(self):
        """Rates by setup, victim, and stressor or "alone", one for each repetition."""
        rates = {setup: {victim: {} for victim in self.victims} for setup in SETUPS}
        for number in range(self.arguments.repetitions):
            for setup in self.rng.sample(SETUPS, len(SETUPS)):
                with Tasks(self.node, setup != "none") as tasks:
                    cells = [(victim, stressor) for victim in self.victims for stressor in ("alone", *self.stressors)]
                    for victim, stressor in self.rng.sample(cells, len(cells)):
                        rate = self.rate(tasks, setup, victim, None if stressor == "alone" else stressor)
                        rates[setup][victim].setdefault(stressor, []).append(rate)
                print(f"repetition {number + 1}: {setup} is done", file=sys.stderr, flush=True)
        return rates

    def rate(self, tasks, setup, victim, stressor):
        for _ in range(ATTEMPTS):
            with tasks.at_work(victim, stressor) as pids, self._controlled(setup, pids) as warm_up:
                time.sleep(warm_up)
                worker = tasks.workers[victim]
                clock, began, before = quiet.read_clock(GROUP, OWN), time.monotonic(), worker.work()
                time.sleep(self.arguments.window)
                found = (worker.work() - before) / (time.monotonic() - began)
                facts = quiet.facts(clock, quiet.read_clock(GROUP, OWN), os.cpu_count(), None)
            objection = None if self.arguments.accept_any else quiet.objection(facts)
            if not objection:
                return found
            self.rejected += 1
            print(f"  again: {setup}, {victim} beside {stressor}: {objection}", file=sys.stderr)
        raise SystemExit(f"The machine is not quiet: {objection} (--accept-any measures all the same)")

    @contextmanager
    def _controlled(self, setup, pids):
        if setup != "control":
            yield self.arguments.warm_up
            return
        with self.control.over(pids):
            yield self.arguments.warm_up + CONTROL_S

    def cells(self, rates):
        return {
            setup: {
                victim: {one: Cell.of(found["alone"], found[one]) for one in self.stressors} for victim, found in by_victim.items()
            }
            for setup, by_victim in rates.items()
        }


def parsed_arguments():
    parser = argparse.ArgumentParser(
        prog="bin/lab isolation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trial", action="store_true", help="print the tables, and write nothing")
    parser.add_argument("--victim", action="append", choices=list(VICTIMS), help="this one only, in a trial; repeatable")
    parser.add_argument("--stressor", action="append", choices=list(STRESSORS), help="this one only, in a trial; repeatable")
    parser.add_argument("--repetitions", type=int, default=3, help="of each cell (default: 3)")
    parser.add_argument("--warm-up", type=float, default=0.5, help="seconds before a window (default: 0.5)")
    parser.add_argument("--window", type=float, default=1.5, help="seconds of each (default: 1.5)")
    parser.add_argument("--accept-any", action="store_true", help="take every window, however busy the machine; for trying it out")
    parser.add_argument("--seed", type=int, default=22, help="of the order (default: 22)")
    arguments = parser.parse_args()
    if (arguments.victim or arguments.stressor or arguments.accept_any) and not arguments.trial:
        parser.error("only a --trial leaves something out, or takes any window")
    if arguments.repetitions < 1 or not arguments.window > 0 or not arguments.warm_up >= 0:
        parser.error("repetitions are at least 1, seconds above 0")
    return arguments


def main():
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    arguments = parsed_arguments()
    require("ip", "tc", "losetup", "dd", "gcc")
    require_facilities()
    WORK.mkdir(parents=True, exist_ok=True)
    shape, began = Shape(cpu_quota_us=os.cpu_count() * PERIOD_US, cpus=f"0-{os.cpu_count() - 1}"), time.monotonic()
    with ExitStack() as stack:
        regions = sum(kind in DISK for kind in (VICTIMS | STRESSORS).values())
        node = stack.enter_context(Halves(shape, WORK, regions))
        node.add_own(os.getpid())
        daemon = stack.enter_context(Daemon("--nic", LINK, "--nic-speed", str(shape.network_bits_per_s)))
        sink = subprocess.Popen(["ip", "netns", "exec", NAMESPACE, PROGRAM, "sink", THERE, str(PORT)], stdout=subprocess.PIPE)
        stack.callback(sink.wait)
        stack.callback(sink.kill)
        node.add_own(sink.pid)
        if sink.stdout.readline() != b"listening\n":
            raise SystemExit("What takes in what the node sends did not start; its message is above")
        java = os.path.join(os.environ.get("JAVA_HOME", ""), "bin", "java")
        control = Control(stack, node, java, os.environ["CORUN_CLASS_PATH"], daemon.path, WORK)
        measurement = Measurement(arguments, node, control)
        cells = measurement.cells(measurement.all())
    print(text(cells, measurement.victims, measurement.stressors, SETUPS))
    print(f"{control.changes} changes of cores, {measurement.rejected} windows rejected, {(time.monotonic() - began) / 60:.0f} minutes")
    if not arguments.trial:
        found = {
            setup: {victim: {one: cell.columns() for one, cell in row.items()} for victim, row in rows.items()}
            for setup, rows in cells.items()
        }
        write("isolation", {**found, "node": shape.columns(), "core_changes": control.changes, "rejected": measurement.rejected}, command="bin/lab isolation")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("Interrupted; nothing was written") from None
