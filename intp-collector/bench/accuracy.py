#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far intpd's counts are from independent ones of the same run, with 1, 8 and 40 containers at once.

The two counts of a window are not read at the same instant, so what is measured stands still while they are read: spinning processes
are stopped at both ends of a window, and what else is measured has not begun or is over.

An error is |ours - theirs| / theirs of one container over one window. A headline figure is the largest of the medians over
the containers, taken over all cases; the largest error of a single container stands beside it, case by case.

cpu       against the kernel's accounting of a control group of its own (cpuacct.usage, or cpu.stat where all controllers are of version 2)
cpuwait   against the run-queue wait in /proc/PID/task/TID/schedstat, as a share of wait + run
blk       against fio: completed I/Os, and mean completion latency of direct reads, one at a time, on a disk that is as slow as one that turns
direction against fio, which reads and writes at random: reads that were counted as writes, and writes as reads (reads_as_writes)
mem       against /proc/PID/smaps_rollup of processes that hold 64 MiB each: Rss, or with a control group, to which pages of files that
          others read first are not charged, Anonymous
blkwait   against the kernel's delay accounting, of readers that are stopped at both ends of a window
nets      against the same moments of packets in perf's trace, of all containers together, as no tool keeps this by container
preemptor against perf's trace of who followed whom on a CPU: the share of pre-emptions that is booked to another than had it
netp      against iperf3 between two network namespaces: bytes that the sender sent and that the receiver got
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import traced
from node import Daemon, Held, container_id, error, growth, members, require, stand_still, write

COUNTS = (1, 8, 40)
NIC_BITS = 1_000_000_000
REGION_MIB = 16
READS_PER_SECOND = 100
HELD_MIB = 64
CGROUPS = Path("/sys/fs/cgroup")
BENCH = "intp-bench"
# Whether all controllers are of version 2, as distributions have it now.
UNIFIED = (CGROUPS / "cgroup.controllers").exists()
KINDS = ("tree", "cgroup_v2") if UNIFIED else ("tree", "cgroup_v1", "cgroup_v2")


def case(errors):
    return {"median": statistics.median(errors), "max": max(errors), "containers": len(errors)}


def make_group(stack, directory):
    """A control group, with what it needs of controllers where these are of version 2."""
    directory.mkdir(parents=True, exist_ok=True)
    stack.callback(remove, directory)
    if UNIFIED:
        for above in (CGROUPS, directory.parent):
            (above / "cgroup.subtree_control").write_text("+cpu +io +memory")
    return directory


def spinners(stack, name, kind):
    """Two spinning processes under one root, in a cgroup of the container's name or in none; what their group has used."""
    if UNIFIED:
        # What is not to be found by its name has another.
        accounting = make_group(stack, CGROUPS / BENCH / (name if kind == "cgroup_v2" else name.replace("container", "other")))
        directories = [accounting]
    else:
        accounting = make_group(stack, CGROUPS / "cpuacct" / BENCH / name)
        directories = [accounting]
        if kind == "cgroup_v1":
            directories.append(make_group(stack, CGROUPS / "cpu" / BENCH / name))
        if kind == "cgroup_v2":
            directories.append(make_group(stack, v2_root() / BENCH / name))
    held = Held(["sh", "-c", "(while :; do :; done) & while :; do :; done"])
    stack.callback(held.kill)
    for directory in directories:
        (directory / "cgroup.procs").write_text(str(held.pid))
    return held, accounting


def cpu_time(accounting):
    """Nanoseconds."""
    if UNIFIED:
        return 1000 * int((accounting / "cpu.stat").read_text().split()[1])
    return int((accounting / "cpuacct.usage").read_text())


def v2_root():
    return CGROUPS / "unified" if (CGROUPS / "unified").is_dir() else CGROUPS


def remove(directory):
    for one in (directory, directory.parent):
        try:
            one.rmdir()
        except OSError:
            pass


def run_and_wait(root):
    """Nanoseconds on a CPU and waiting for one, of a process and its children's threads, from schedstat."""
    run = wait = 0
    for pid in members(root):
        for task in Path(f"/proc/{pid}/task").iterdir():
            fields = (task / "schedstat").read_text().split()
            run, wait = run + int(fields[0]), wait + int(fields[1])
    return run, wait


def cpu(kind, count, seconds):
    """Errors of cpu and cpuwait; every container spins with two processes: on two CPUs, one alone hardly waits."""
    with ExitStack() as stack:
        daemon = stack.enter_context(Daemon("--nic-speed", str(NIC_BITS)))
        held = {}
        for number in range(count):
            name = container_id(number)
            held[name] = spinners(stack, name, kind)
        attribution = daemon.watch({name: one.pid for name, (one, _) in held.items()})
        if set(attribution.values()) != {kind}:
            raise SystemExit(f"asked for {kind}, got {attribution}")
        # Among eighty spinning processes this one would else wait for a CPU for long.
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        processes = [one.process for one, _ in held.values()]
        for one, _ in held.values():
            one.go()
        time.sleep(1)  # A second to settle; the windows begin after it.
        stand_still(processes)
        theirs, before = references(held), daemon.snapshot()
        for process in processes:
            os.killpg(process.pid, signal.SIGCONT)
        time.sleep(seconds)
        stand_still(processes)
        later, after = references(held), daemon.snapshot()
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        return cpu_errors(held, theirs, later, before, after)


def references(held):
    return {
        name: (cpu_time(accounting), *run_and_wait(one.pid))
        for name, (one, accounting) in held.items()
    }


def cpu_errors(held, theirs, later, before, after):
    errors = {"cpu": [], "cpuwait": []}
    for name in held:
        used, run, wait = (b - a for a, b in zip(theirs[name], later[name]))
        errors["cpu"].append(error(growth(before, after, name, "cpu")[0], used))
        ours_wait, ours_both = growth(before, after, name, "cpuwait")
        errors["cpuwait"].append(error(ours_wait / ours_both, wait / (wait + run)))
    return errors


class Disk:
    """A loop device of its own over a file that is written throughout, without a scheduler."""

    def __init__(self, stack, directory, containers):
        file = os.path.join(directory, "disk")
        fill = ["dd", "if=/dev/urandom", f"of={file}", "bs=1M", f"count={containers * REGION_MIB}", "conv=fsync"]
        subprocess.run(fill, check=True, stderr=subprocess.DEVNULL)
        out = subprocess.run(["losetup", "--find", "--show", "--direct-io=on", file], check=True, capture_output=True, text=True)
        self.path = out.stdout.strip()
        device = os.stat(file).st_dev
        self.below = f"{os.major(device)}:{os.minor(device)}"
        if Path(f"/sys/dev/block/{self.below}/partition").exists():
            self.below = (Path(f"/sys/dev/block/{self.below}").resolve().parent / "dev").read_text().strip()
        stack.callback(subprocess.run, ["losetup", "--detach", self.path], check=True)
        (Path("/sys/block") / os.path.basename(self.path) / "queue" / "scheduler").write_text("none")


def blk(disk, count, seconds):
    """
    Errors of the number of requests and of their mean service time. Requests of one container and of the next lie in regions
    of their own and have one size that no layer splits. The device has no scheduler and more tags than there are readers, so a
    request is issued as soon as it is asked for: fio's latency holds no waiting in a queue, which is not service. Nor is
    waiting for a CPU, so the readers have real-time priority. Each has a hundred reads a second of the disk below, so that what fio
    takes itself, which is no service either, is little of a request.
    """
    with ExitStack() as stack:
        daemon = stack.enter_context(Daemon("--nic-speed", str(NIC_BITS)))
        held = {}
        for number in range(count):
            # fmt: off
            held[container_id(number)] = Held(
                ["chrt", "--fifo", "1", "fio", "--name=read", f"--filename={disk.path}", f"--offset={number * REGION_MIB}M", f"--size={REGION_MIB}M",
                 "--rw=randread", "--bs=512k", "--direct=1", "--ioengine=psync", "--time_based", f"--runtime={seconds}",
                 "--thread", "--invalidate=0", "--allow_file_create=0", "--output-format=json", "--randrepeat=0"],
                stdout=subprocess.PIPE)
            # fmt: on
            slow_down(stack, held[container_id(number)].pid, number, disk)
            stack.callback(held[container_id(number)].kill)
        daemon.watch({name: one.pid for name, one in held.items()})
        before = daemon.snapshot()
        for one in held.values():
            one.go()
        told = {name: fio_result(one) for name, one in held.items()}
        after = daemon.snapshot()
        errors = {"operations": [], "service_time": []}
        for name, (ios, mean_ns) in told.items():
            used, _ = growth(before, after, name, "blk")
            operations = after[name]["blk"]["operations"] - before[name]["blk"]["operations"]
            if os.environ.get("VERBOSE"):
                print(name, ios, operations, mean_ns / 1e3, used / operations / 1e3, after[name]["blk"]["status"])
            errors["operations"].append(error(operations, ios))
            errors["service_time"].append(error(used / operations, mean_ns))
        return errors


READER = """
import mmap, os, random, sys
path, offset, size, block = sys.argv[1], *map(int, sys.argv[2:])
room, file = mmap.mmap(-1, block), os.open(path, os.O_RDONLY | os.O_DIRECT)
while True:
    os.preadv(file, [room], offset + random.randrange(size // block) * block)
"""
DELAY_ACCOUNTING = Path("/proc/sys/kernel/task_delayacct")


def blkwait(disk, count, seconds):
    """Errors of blkwait of readers that wait for a slow disk most of the time, one thread each."""
    with ExitStack() as stack:
        if DELAY_ACCOUNTING.exists():  # Before 5.14 it is on.
            stack.callback(DELAY_ACCOUNTING.write_text, DELAY_ACCOUNTING.read_text())
            DELAY_ACCOUNTING.write_text("1")
        daemon = stack.enter_context(Daemon("--nic-speed", str(NIC_BITS)))
        held = {}
        for number in range(count):
            place = (number * REGION_MIB << 20, REGION_MIB << 20, 512 << 10)
            one = held[container_id(number)] = Held(["python3", "-c", READER, disk.path, *place])
            stack.callback(one.kill)
            slow_down(stack, one.pid, number, disk)
        daemon.watch({name: one.pid for name, one in held.items()})
        processes = [one.process for one in held.values()]
        for one in held.values():
            one.go()
        time.sleep(1)
        stand_still(processes)
        theirs, before = {name: io_delay(one.pid) for name, one in held.items()}, daemon.snapshot()
        for process in processes:
            os.killpg(process.pid, signal.SIGCONT)
        time.sleep(seconds)
        stand_still(processes)
        later, after = {name: io_delay(one.pid) for name, one in held.items()}, daemon.snapshot()
        return [error(growth(before, after, name, "blkwait")[0], later[name] - theirs[name]) for name in held]


def io_delay(pid):
    """Nanoseconds that a process of one thread has waited for block I/O, to a clock tick."""
    ticks = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[39])
    return ticks * 1_000_000_000 // os.sysconf("SC_CLK_TCK")


def slow_down(stack, pid, number, disk):
    """Puts a process into a control group that gets so many requests a second of the disk below a loop device."""
    if UNIFIED:
        group = make_group(stack, CGROUPS / BENCH / str(number))
        (group / "io.max").write_text(f"{disk.below} riops={READS_PER_SECOND}")
    else:
        group = make_group(stack, CGROUPS / "blkio" / BENCH / str(number))
        (group / "blkio.throttle.read_iops_device").write_text(f"{disk.below} {READS_PER_SECOND}")
    (group / "cgroup.procs").write_text(str(pid))


def fio_result(held):
    out, _ = held.process.communicate()
    job = json.loads(out)["jobs"][0]["read"]
    return job["total_ios"], job["clat_ns"]["mean"]


def direction(disk, count, seconds):
    """What share of a direction's requests was counted as the other's."""
    with ExitStack() as stack:
        daemon = stack.enter_context(Daemon("--nic-speed", str(NIC_BITS)))
        held = {}
        for number in range(count):
            # fmt: off
            held[container_id(number)] = Held(
                ["fio", "--name=mix", f"--filename={disk.path}", f"--offset={number * REGION_MIB}M", f"--size={REGION_MIB}M",
                 "--rw=randrw", "--rwmixread=70", "--bs=64k", "--direct=1", "--ioengine=psync", "--time_based", f"--runtime={seconds}",
                 "--thread", "--invalidate=0", "--allow_file_create=0", "--output-format=json", "--randrepeat=0"],
                stdout=subprocess.PIPE)
            # fmt: on
            stack.callback(held[container_id(number)].kill)
        daemon.watch({name: one.pid for name, one in held.items()})
        before = daemon.snapshot()
        for one in held.values():
            one.go()
        told = {name: fio_directions(one) for name, one in held.items()}
        after = daemon.snapshot()
        errors = {"reads_as_writes": [], "writes_as_reads": []}
        for name, (reads, writes) in told.items():
            ours_reads, ours_writes = (
                after[name][way].get("operations", 0) - before[name][way].get("operations", 0) for way in ("blkr", "blkw"))
            errors["reads_as_writes"].append(max(0, ours_writes - writes) / reads)
            errors["writes_as_reads"].append(max(0, ours_reads - reads) / writes)
        return errors


def fio_directions(held):
    out, _ = held.process.communicate()
    job = json.loads(out)["jobs"][0]
    return job["read"]["total_ios"], job["write"]["total_ios"]


HOLDER = """
import mmap, signal, sys
held = mmap.mmap(-1, int(sys.argv[1]), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
held.write(b"x" * int(sys.argv[1]))
print(flush=True)
signal.pause()
"""


def mem(kind, count, seconds):
    """Errors of mem of processes that hold memory for a whole window."""
    with ExitStack() as stack:
        daemon = stack.enter_context(Daemon("--nic-speed", str(NIC_BITS)))
        held = {}
        for number in range(count):
            name = container_id(number)
            held[name] = Held(["python3", "-c", HOLDER, str(HELD_MIB << 20)], stdout=subprocess.PIPE)
            stack.callback(held[name].kill)
            if kind != "tree":
                group = make_group(stack, CGROUPS / BENCH / name if UNIFIED else CGROUPS / "memory" / BENCH / name)
                (group / "cgroup.procs").write_text(str(held[name].pid))
        for one in held.values():
            one.go()
        for one in held.values():
            one.process.stdout.readline()
        daemon.watch({name: one.pid for name, one in held.items()})
        before = daemon.snapshot()
        time.sleep(seconds)
        after = daemon.snapshot()
        total = int(Path("/proc/meminfo").read_text().split()[1]) * 1024
        errors = []
        for name, one in held.items():
            used, capacity = growth(before, after, name, "mem")
            errors.append(error(used / capacity * total, rolled_up(one.pid, "Rss:" if kind == "tree" else "Anonymous:")))
        return errors


def rolled_up(pid, field):
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return 1024 * next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith(field))


class Link:
    """Two network namespaces joined by a veth pair."""

    def __init__(self, stack):
        self.left, self.right = "intp-bench-a", "intp-bench-b"
        for name in (self.left, self.right):
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)
            self.ip("netns", "add", name)
            stack.callback(self.ip, "netns", "del", name)
        self.ip("link", "add", "veth-a", "netns", self.left, "type", "veth", "peer", "name", "veth-b", "netns", self.right)
        for name, veth, address in ((self.left, "veth-a", "10.99.0.1/24"), (self.right, "veth-b", "10.99.0.2/24")):
            self.ip("-n", name, "addr", "add", address, "dev", veth)
            self.ip("-n", name, "link", "set", veth, "up")

    @staticmethod
    def ip(*arguments):
        subprocess.run(["ip", *arguments], check=True)


def netp(count, seconds):
    """Errors of netp, and of nets in a run of its own, as recording costs time in what is recorded."""
    told = transfer(count, seconds, lambda daemon, held, run: run())
    errors = {}
    transfer(count, seconds, lambda daemon, held, run: errors.update(service=[traced.nets(daemon, held, run)]))
    return {"netp/sent": told["sent"], "netp/received": told["received"], "nets/service": errors["service"]}


def transfer(count, seconds, around):
    """Errors of netp by direction; `around` is given the daemon, the containers and what lets them go, which it calls once."""
    with ExitStack() as stack:
        daemon = stack.enter_context(Daemon("--nic-speed", str(NIC_BITS)))
        link = Link(stack)
        rate = 500_000_000 // count
        servers, clients = {}, {}
        for number in range(count):
            port = str(5301 + number)
            servers[container_id(number)] = Held(
                ["ip", "netns", "exec", link.right, "iperf3", "-s", "-1", "-p", port, "--json"], stdout=subprocess.PIPE)
            clients[container_id(1000 + number)] = Held(
                ["ip", "netns", "exec", link.left, "iperf3", "-c", "10.99.0.2", "-p", port, "-b", str(rate), "-t",
                 str(seconds), "--json"], stdout=subprocess.PIPE)
        for one in (*servers.values(), *clients.values()):
            stack.callback(one.kill)
        daemon.watch({name: one.pid for name, one in (*servers.items(), *clients.items())})
        sent, got = {}, {}

        def run():
            for one in servers.values():
                one.go()
            await_listening(link.right, count)
            for one in clients.values():
                one.go()
            sent.update({name: iperf_bytes(one, "sum_sent") for name, one in clients.items()})
            got.update({name: iperf_bytes(one, "sum_received") for name, one in servers.items()})

        before = daemon.snapshot()
        around(daemon, [*servers, *clients], run)
        after = daemon.snapshot()
        return {
            "sent": [error(growth(before, after, name, "netp")[0], 8 * told) for name, told in sent.items()],
            "received": [error(growth(before, after, name, "netp")[0], 8 * told) for name, told in got.items()],
        }


def await_listening(namespace, count):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        out = subprocess.run(["ip", "netns", "exec", namespace, "cat", "/proc/net/tcp", "/proc/net/tcp6"],
                             capture_output=True, text=True, check=True).stdout
        if sum(line.split()[3] == "0A" for line in out.splitlines() if ":" in line.split()[0]) >= count:
            return
        time.sleep(0.05)
    raise SystemExit("iperf3's servers do not listen after 20 s")


def iperf_bytes(held, key):
    out, _ = held.process.communicate()
    told = json.loads(out)
    if "error" in told:
        raise SystemExit("iperf3: " + told["error"])
    return told["end"][key]["bytes"]


def measured(arguments):
    """Errors by case, "signal/what/containers"."""
    cases = {}
    with ExitStack() as stack:
        if arguments.only in (None, "blk"):
            disk = Disk(stack, stack.enter_context(tempfile.TemporaryDirectory(prefix="intp-bench-", dir="/var/tmp")), max(arguments.counts))
        for count in arguments.counts:
            if arguments.only in (None, "cpu"):
                for kind in KINDS:
                    for of, errors in cpu(kind, count, arguments.seconds).items():
                        cases[f"{of}/{kind}/{count}"] = case(errors)
            if arguments.only in (None, "blk"):
                for what, errors in blk(disk, count, arguments.seconds).items():
                    cases[f"blk/{what}/{count}"] = case(errors)
                cases[f"blkwait/reads/{count}"] = case(blkwait(disk, count, arguments.seconds))
                for what, errors in direction(disk, count, arguments.seconds).items():
                    cases[f"{what}/blk/{count}"] = case(errors)
            if arguments.only in (None, "preemptor") and count <= traced.MOST_WATCHED:
                cases[f"preemptor_wrong/{count}"] = case([traced.preemptor(count, arguments.seconds)])
            if arguments.only in (None, "mem"):
                for kind in KINDS[:2]:
                    cases[f"mem/{kind}/{count}"] = case(mem(kind, count, arguments.seconds))
            if arguments.only in (None, "netp"):
                for what, errors in netp(count, arguments.seconds).items():
                    cases[f"{what}/{count}"] = case(errors)
            print(f"{count} containers at once: done", flush=True)
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=10, help="length of a window (default: 10)")
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS, help="containers at once (default: 1 8 40)")
    parser.add_argument("--brief", action="store_true", help="print the headline figures as one line, and write nothing")
    parser.add_argument("--only", choices=("cpu", "blk", "mem", "netp", "preemptor"), help="one part, printed and not written")
    arguments = parser.parse_args()
    require("fio", "iperf3", "ip", "losetup", "chrt", "perf", "taskset")
    cases = measured(arguments)
    headline = {
        f"{of}_error": max(one["median"] for name, one in cases.items() if name.startswith(of + "/"))
        for of in ("netp", "nets", "blk", "blkwait", "cpu", "cpuwait", "mem")
        if any(name.startswith(of + "/") for name in cases)
    }
    headline |= {
        what: max(one["max"] for name, one in cases.items() if name.startswith(what + "/"))
        for what in ("reads_as_writes", "writes_as_reads", "preemptor_wrong")
        if any(name.startswith(what + "/") for name in cases)
    }
    if arguments.brief:
        print("figures", json.dumps({name: float(f"{value:.4g}") for name, value in headline.items()}))
    elif arguments.only:
        print(json.dumps({**headline, "cases": cases}, indent=2))
    else:
        write("collector-accuracy", {**headline, "window_s": arguments.seconds, "cases": cases})


if __name__ == "__main__":
    main()
