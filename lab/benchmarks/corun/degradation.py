#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures by what factor neighbours slow down who uses the same resource of this node, at Low, Moderate and High pressure.

The method of Xavier, PUCRS 2019, 6.1.1 (Table 6.2): requests are answered alone, and beside stressors that press on one resource as hard
as the middle of each class (10.5, 35.5 and 75.5 % of what the node has of it); a factor is the mean time of an answer beside them over
that alone. The result is a Hadoop configuration file with yarn.interference.predict.degradation, which the ResourceManager's prior reads.

cpu    steps of a shift register on all CPUs; stressors on all of them, held back to their share
mbw    streaming over arrays that no cache holds, on half of the CPUs; stressors on the other half, held back
llocc  a random walk through half of the last-level cache, on half of the CPUs; stressors walk through their share of the cache
blk    direct reads of 128 KiB one after the other from a file in --directory; stressors read another part, held back
netp   16 KiB over TCP to --peer and an answer; stressors send there, held back. Without --peer what was published stays

Run it on a node that does nothing else; it needs no root. It takes a quarter of an hour.
"""

import argparse
import datetime
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from xml.sax.saxutils import escape

from collector import machine, write
from contenders import PROGRAM, Worker
from factors import CLASSES, Factors, row_of, table_text

NAME = "yarn.interference.predict.degradation"
PORT = 7101
REGION_MIB = 64
MAX_STEAL = 0.02
MAX_FOREIGN = 0.05
ATTEMPTS = 3
USER_HZ = os.sysconf("SC_CLK_TCK")
CPU = Path("/sys/devices/system/cpu")


@contextmanager
def working(workers):
    """Lets them work for as long as the block runs."""
    try:
        for one in workers:
            one.go()
        yield
    finally:
        for one in workers:
            if one.held.process.poll() is None:
                one.stop()


def cpu_seconds(worker):
    """That it spent in its program."""
    fields = Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) / USER_HZ


def cpu_clock():
    """Seconds so far of all CPUs: stolen, and in programs."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return int(fields[8]) / USER_HZ, (int(fields[1]) + int(fields[2])) / USER_HZ


def rates(workers, seconds, warm_up):
    """Units a second of each worker while all of them work, and why the window does not count, if it does not."""
    with working(workers):
        time.sleep(warm_up)
        began, before = time.monotonic(), [one.work() for one in workers]
        steal, programs = cpu_clock()
        own = sum(cpu_seconds(one) for one in workers)
        time.sleep(seconds)
        window, after = time.monotonic() - began, [one.work() for one in workers]
        clock = cpu_clock()
        own = sum(cpu_seconds(one) for one in workers) - own
    for one in workers:
        one.require_alive()
    whole = window * os.cpu_count()
    steal, programs = clock[0] - steal, clock[1] - programs
    objection = None
    if steal / whole > MAX_STEAL:
        objection = f"{steal / whole:.0%} of the CPUs' time was stolen"
    elif (programs - own) / whole > MAX_FOREIGN:
        objection = f"other programs used {(programs - own) / whole:.0%} of the CPUs"
    return [(b - a) / window for a, b in zip(before, after)], objection


class Resource:
    """
    What one row of the table is measured with: those whose answers are timed, and for each class those who press, of whom each is
    held back to its part of `whole` (units a second of the node's all), or to nothing where their number or size is their pressure.
    """

    def __init__(self, signal_name, victims, stressors, whole=None):
        self.signal, self.victims, self.stressors, self.whole = signal_name, victims, stressors, whole

    def prepare(self, name):
        if self.whole:
            share = CLASSES[name] * self.whole / len(self.stressors[name])
            for one in self.stressors[name]:
                one.hold_back(max(1, round(share)))

    def pressed(self, name, stressor_rates):
        """The share of the node's all that they reached."""
        return sum(stressor_rates) / self.whole if self.whole else CLASSES[name]


class Measurement:
    """Windows of all classes in turn, in an order drawn anew each time."""

    def __init__(self, arguments):
        self.arguments, self.rng = arguments, random.Random(arguments.seed)

    def window(self, workers):
        for _ in range(ATTEMPTS):
            found, objection = rates(workers, self.arguments.window, self.arguments.warm_up)
            if not objection or self.arguments.accept_any:
                return found
            print(f"  again: {objection}", file=sys.stderr)
        raise SystemExit(f"The node is not quiet: {objection} (--accept-any measures all the same)")

    def alone(self, resource, name):
        """What its stressors press by themselves: beside others they get less, and ask for as much."""
        resource.prepare(name)
        return resource.pressed(name, self.window(resource.stressors[name]))

    def of(self, resource):
        """The factors of one resource."""
        times = {name: [] for name in ("absent", *CLASSES)}
        pressed = {name: self.alone(resource, name) for name in CLASSES}
        for _ in range(self.arguments.repetitions):
            for name in self.rng.sample(list(times), len(times)):
                beside = [] if name == "absent" else resource.stressors[name]
                if beside:
                    resource.prepare(name)
                found = self.window([*resource.victims, *beside])
                served = sum(found[: len(resource.victims)])
                if served <= 0:
                    raise SystemExit(f"Nothing was done in a window of {resource.signal}; give a longer --window")
                times[name].append(len(resource.victims) / served)
        return Factors.of(resource.signal, times, pressed)


def halves():
    """Two disjoint sets of as many CPUs, which share the first one's last-level cache; None where only one has it."""
    usable = sorted(os.sched_getaffinity(0) & shared_with(min(os.sched_getaffinity(0)))[0])
    middle = len(usable) // 2
    return (set(usable[:middle]), set(usable[middle : 2 * middle])) if middle else None


def shared_with(cpu):
    """The CPUs that share the last-level cache of this one, and its bytes; (all CPUs, None) where the kernel does not say."""
    found = (set(os.sched_getaffinity(0)), None)
    deepest = 0
    for index in sorted((CPU / f"cpu{cpu}" / "cache").glob("index*")):
        level = int((index / "level").read_text())
        if level > deepest and (index / "type").read_text().strip() != "Instruction":
            deepest = level
            size = (index / "size").read_text().strip()
            found = cpus_of((index / "shared_cpu_list").read_text()), int(size.rstrip("KM")) * (1 << 20 if size[-1] == "M" else 1 << 10)
    return found


def cpus_of(text):
    """The numbers in a list such as 0-3,8."""
    cpus = set()
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        cpus |= set(range(int(first), int(last or first) + 1))
    return cpus


def peak(workers, arguments):
    """Units a second of all of them together: what the node has."""
    return sum(rates(workers, arguments.window, arguments.warm_up)[0])


def made(stack, directory, kind, count, arguments=(), cpus=None):
    workers = []
    for _ in range(count):
        with tempfile.NamedTemporaryFile(dir=directory, delete=False) as counter:
            path = Path(counter.name)
        one = Worker(stack, kind, [PROGRAM, kind, path, *arguments], path, path.with_suffix(".log"))
        if cpus:
            os.sched_setaffinity(one.pid, cpus)
        workers.append(one)
    return workers


def cpu(stack, directory, arguments):
    count = len(os.sched_getaffinity(0))
    victims = made(stack, directory, "cpu-integer", count)
    stressors = made(stack, directory, "cpu-integer", count)
    return Resource("cpu", victims, dict.fromkeys(CLASSES, stressors), peak(victims, arguments))


def mbw(stack, directory, arguments):
    here, there = halves() or (None, None)
    if not here:
        return "needs two CPUs"
    victims = made(stack, directory, "memory-stream", len(here), cpus=here)
    stressors = made(stack, directory, "memory-stream", len(there), cpus=there)
    return Resource("mbw", victims, dict.fromkeys(CLASSES, stressors), peak([*victims, *stressors], arguments))


def llocc(stack, directory, arguments):
    here, there = halves() or (None, None)
    size = shared_with(min(os.sched_getaffinity(0)))[1]
    if not here or not size:
        return "needs two CPUs that share a cache whose size the kernel says"
    victims = made(stack, directory, "cache-chase", len(here), [size // 2 // len(here)], here)
    return Resource("llocc", victims, {
        name: made(stack, directory, "cache-chase", len(there), [int(share * size) // len(there)], there)
        for name, share in CLASSES.items()
    })  # fmt: skip


def blk(stack, directory, arguments):
    size = REGION_MIB << 20
    file = stack.enter_context(tempfile.NamedTemporaryFile(dir=arguments.directory, prefix="measure-degradation-"))
    for _ in range(2 * REGION_MIB):  # Written throughout: what was never written is read without a disk.
        file.write(os.urandom(1 << 20))
    file.flush()
    os.fsync(file.fileno())
    kind = subprocess.run(["stat", "--file-system", "--format=%T", file.name], capture_output=True, text=True).stdout.strip()
    try:
        os.close(os.open(file.name, os.O_RDONLY | os.O_DIRECT))
    except OSError:
        kind = "tmpfs"
    if kind in ("tmpfs", "ramfs"):
        return f"{arguments.directory} takes no direct reads; give --directory on a disk of containers"
    victims = made(stack, directory, "disk-sequential", 1, [file.name, 0, size])
    stressors = made(stack, directory, "disk-sequential", 1, [file.name, size, size])
    return Resource("blk", victims, dict.fromkeys(CLASSES, stressors), peak(victims, arguments))


def netp(stack, directory, arguments):
    if not arguments.peer:
        return "no --peer is given"
    try:
        socket.create_connection((arguments.peer, PORT), 5).close()
    except OSError as error:
        return f"nobody answers at {arguments.peer} ({error.strerror or error}); run bin/measure-degradation --sink ADDRESS there"
    victims = made(stack, directory, "network-request", 1, [arguments.peer, PORT])
    stressors = made(stack, directory, "network-stream", 1, [arguments.peer, PORT])
    return Resource("netp", victims, dict.fromkeys(CLASSES, stressors), peak(stressors, arguments))


RESOURCES = {one.__name__: one for one in (cpu, mbw, blk, llocc, netp)}


def measured(arguments):
    """Factors by signal, and why there are none by those that have none."""
    found, left_out = {}, {}
    for name in arguments.resource or RESOURCES:
        with ExitStack() as stack:
            directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="degradation-", dir="/dev/shm"))
            print(f"{name:6}getting ready ...", flush=True)
            resource = RESOURCES[name](stack, directory, arguments)
            if isinstance(resource, str):
                left_out[name] = resource
                print(f"{name:6}what was published stays: {resource}", flush=True)
                continue
            print(f"{name:6}measuring ...", flush=True)
            factors = Measurement(arguments).of(resource)
            print(f"{name:6}{factors}", flush=True)
            row = row_of(factors)
            if isinstance(row, str):
                left_out[name] = row
                print(f"{name:6}what was published stays: {row}", flush=True)
            else:
                found[name] = factors
    return found, left_out


def configuration(value, arguments):
    """The file that the ResourceManager reads."""
    date = datetime.datetime.now(datetime.timezone.utc).date()
    host = machine()
    return f"""<?xml version="1.0"?>
<!-- Measured {date} by bin/measure-degradation on {escape(str(host["cpu"]))}, {host["cpus"]} CPUs, {escape(str(host["kernel"]))}. -->
<configuration>
  <property>
    <name>{NAME}</name>
    <value>{value}</value>
  </property>
</configuration>
"""


def parsed_arguments():
    parser = argparse.ArgumentParser(
        prog="bin/measure-degradation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("output", nargs="?", default="degradation.xml", help="file to write (default: degradation.xml)")
    parser.add_argument("--publish", action="store_true", help="write all figures into docs/measurements/degradation.json, too")
    parser.add_argument("--resource", action="append", choices=list(RESOURCES), help="this one only; repeatable")
    parser.add_argument("--directory", default=".", help="on the disk of containers' work (default: the current one)")
    parser.add_argument("--peer", help="address of another machine, on which --sink runs")
    parser.add_argument("--sink", metavar="ADDRESS", help="takes in what is sent to this address of this machine, until it is interrupted")
    parser.add_argument("--repetitions", type=int, default=10, help="windows of each class (default: 10)")
    parser.add_argument("--window", type=float, default=3.5, help="seconds of each (default: 3.5)")
    parser.add_argument("--warm-up", type=float, default=0.7, help="seconds before each (default: 0.7)")
    parser.add_argument("--accept-any", action="store_true", help="take every window, however busy the node; for trying it out")
    parser.add_argument("--seed", type=int, default=62, help="of the order (default: 62)")
    arguments = parser.parse_args()
    if arguments.repetitions < 1 or not arguments.window > 0 or not arguments.warm_up >= 0:
        parser.error("repetitions are at least 1, seconds above 0")
    if not Path(arguments.directory).is_dir():
        parser.error(f"there is no directory {arguments.directory}")
    return arguments


def main():
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    arguments = parsed_arguments()
    if arguments.sink:
        sys.exit(subprocess.run([PROGRAM, "sink", arguments.sink, str(PORT)]).returncode)
    began = time.monotonic()
    found, left_out = measured(arguments)
    if not found:
        raise SystemExit("Nothing was measured; the reasons are above")
    value = table_text(found.values())
    Path(arguments.output).write_text(configuration(value, arguments), encoding="utf-8")
    if arguments.publish:
        results = {name: factors.columns() for name, factors in found.items()}
        minutes = (time.monotonic() - began) / 60
        write("degradation", {**results, "left_out": left_out, "minutes": minutes}, command="bin/measure-degradation --publish")
    print(f"{NAME} = {value}\nWrote {arguments.output}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("Interrupted; nothing was written") from None
