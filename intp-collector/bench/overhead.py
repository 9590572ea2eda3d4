#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What intpd costs: pairs of runs without and with the daemon, interleaved in one sitting.

Pairs are short and many, and which of the two comes first alternates: the machine's speed drifts by more than the daemon costs.

With the daemon, forty containers of two processes each are watched and read once a second, briefly, as a NodeManager does. Ratios are of
times or counts, with over without, pair by pair; a headline ratio is the median over the pairs.

pipe_ratio       perf bench sched pipe pinned to one CPU, of processes that no container owns
pipe_watched     the same, with the benchmark itself a watched container
messaging_ratio  perf bench sched messaging
switch_ratio     context switches of the whole machine for the same work (the pinned pipe)
cpu_fraction     CPU time of the BPF programs and of the daemon, over the time of all CPUs, at some 3,500 switches/s per CPU
cpu_fraction_20k the same at some 20,000
ns_per_switch    of BPF programs, for each context switch of the former; as of all times of BPF programs, the kernel's reading of
                 its clock is in it: empty_program_ns is what it says, in the same run, of a program that does nothing
rss_and_maps_mib what the daemon has resident, and what the kernel has for its maps
rss_mib, start_ms, snapshot_p50_us, snapshot_p99_us (a round trip over the socket, 40 containers)
containers_N     cpu_fraction, its parts, memory and snapshots with N containers, read once a second
interval_S_s     cpu_fraction and its parts with 40 containers, read every S seconds
"""

import argparse
import json
import os
import re
import subprocess
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import empty_program
from node import Daemon, Held, container_id, require, summary, write

CONTAINERS = 40
COUNTS = (10, 40, 75, 150)
INTERVALS = (0.2, 1, 5, 10)
SWITCHES = 2_000
MANY_SWITCHES = 12_500
STATS = Path("/proc/sys/kernel/bpf_stats_enabled")


@contextmanager
def watching(containers=CONTAINERS, interval=1):
    """A daemon that watches idle containers and is read every so many seconds."""
    with ExitStack() as stack:
        daemon = stack.enter_context(Daemon("--nic-speed", "1000000000"))
        held = {}
        for number in range(containers):
            one = Held(["sh", "-c", "sleep 100000 & wait"])
            stack.callback(one.kill)
            one.go()
            held[container_id(number)] = one.pid
        daemon.watch(held)
        stopped = threading.Event()
        reader = threading.Thread(target=lambda: [daemon.ask_raw(op="snapshot", brief=True) for _ in ticks(stopped, interval)])
        reader.start()
        stack.callback(reader.join)
        stack.callback(stopped.set)
        yield daemon


def ticks(stopped, interval):
    while not stopped.wait(interval):
        yield


def bench(*arguments, pinned=False, watched_by=None):
    """Seconds that `perf bench sched` says its work took."""
    command = [*(["taskset", "-c", str(os.cpu_count() - 1)] if pinned else []), "perf", "bench", "-f", "simple", "sched", *arguments]
    held = Held(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        if watched_by:
            watched_by.ask_raw(op="watch", containers=[{"container": "bench", "pid": held.pid}])
        held.go()
        out, _ = held.process.communicate()
        return float(re.search(r"[0-9.]+", out)[0])
    finally:
        held.kill()
        if watched_by:
            watched_by.ask_raw(op="unwatch", containers=["bench"])


def switches():
    line = next(line for line in Path("/proc/stat").read_text().splitlines() if line.startswith("ctxt "))
    return int(line.split()[1])


def work(loops):
    """Seconds of the pipe, seconds of messaging, and context switches of the whole machine during the pipe."""
    before = switches()
    pipe = bench("pipe", "-l", str(loops), pinned=True)
    count = switches() - before
    return pipe, bench("messaging", "-g", "10", "-l", str(loops // 500)), count


def pairs(count, loops):
    ratios = {"pipe_ratio": [], "pipe_watched_ratio": [], "messaging_ratio": [], "switch_ratio": []}
    for number in range(count):
        order = (False, True) if number % 2 else (True, False)
        told = {}
        for with_daemon in order:
            if with_daemon:
                with watching() as daemon:
                    told[True] = work(loops)
                    watched = bench("pipe", "-l", str(loops), pinned=True, watched_by=daemon)
            else:
                told[False] = work(loops)
        for key, ours, stock in zip(("pipe_ratio", "messaging_ratio", "switch_ratio"), told[True], told[False]):
            ratios[key].append(ours / stock)
        ratios["pipe_watched_ratio"].append(watched / told[False][0])
        print(f"pair {number + 1} of {count}:", {key: round(values[-1], 4) for key, values in ratios.items()}, flush=True)
    return ratios


def bpf_times():
    """CPU seconds of all loaded BPF programs but the empty one, and seconds and runs of that, while kernel.bpf_stats_enabled is 1."""
    out = subprocess.run(["bpftool", "-j", "prog", "show"], capture_output=True, check=True, text=True).stdout
    programs = json.loads(out)
    ours = sum(program.get("run_time_ns", 0) for program in programs if program.get("name") != empty_program.NAME)
    empty = [program for program in programs if program.get("name") == empty_program.NAME]
    return ours / 1e9, sum(one.get("run_time_ns", 0) for one in empty) / 1e9, sum(one.get("run_cnt", 0) for one in empty)


def cpu_fraction(seconds, wanted=SWITCHES, **watched):
    """Of `seconds` x CPUs, what BPF and the daemon took, and the switches per second and CPU that there were."""
    was = STATS.read_text()
    with watching(**watched) as daemon, empty_program.attached(), ExitStack() as stack:
        stack.callback(STATS.write_text, was)
        STATS.write_text("1")
        cpus = os.cpu_count()
        for cpu in range(cpus):
            # stress-ng's frequency is of its writes; each is answered, so the switches are counted below, not assumed.
            load = subprocess.Popen(
                ["taskset", "-c", str(cpu), "stress-ng", "--switch", "1", "--switch-freq", str(wanted // 2), "-q"])
            stack.callback(load.wait)
            stack.callback(load.terminate)
        time.sleep(2)
        started, (bpf, empty, runs), own, count = time.monotonic(), bpf_times(), daemon.cpu_seconds(), switches()
        time.sleep(seconds)
        took = time.monotonic() - started
        now = bpf_times()
        bpf, empty, runs, own, count = now[0] - bpf, now[1] - empty, now[2] - runs, daemon.cpu_seconds() - own, switches() - count
        return {
            "fraction": (bpf + own) / (took * cpus),
            "bpf": bpf / (took * cpus),
            "daemon": own / (took * cpus),
            "switches_per_s_and_cpu": count / (took * cpus),
            "ns_per_switch": bpf / count * 1e9,
            "empty_program_ns": empty / runs * 1e9,
        }


def snapshots(count, **watched):
    with watching(**watched) as daemon:
        trips = []
        for _ in range(count):
            trips.append(daemon.ask_raw(op="snapshot", brief=True)[1])
            time.sleep(0.002)
        trips.sort()
        return {
            "snapshot_p50_us": trips[len(trips) // 2],
            "snapshot_p99_us": trips[int(len(trips) * 0.99)],
            "snapshots": count,
            "rss_mib": daemon.memory_mib(),
            "rss_peak_mib": daemon.memory_mib("VmHWM"),
            "rss_and_maps_mib": daemon.memory_mib() + daemon.map_mib(),
        }


def starts(count):
    times = []
    for _ in range(count):
        with Daemon("--nic-speed", "1000000000") as daemon:
            times.append(daemon.start_ms)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=61, help="pairs of runs, at least 9 (default: 61)")
    parser.add_argument("--loops", type=int, default=50_000, help="round trips of one pipe run (default: 50000)")
    parser.add_argument("--only", choices=("pairs", "fraction", "snapshots", "starts", "tables"), help="one part, not written")
    arguments = parser.parse_args()
    require("perf", "stress-ng", "taskset", "bpftool")
    results = {}
    if arguments.only in (None, "starts"):
        spread = summary(starts(21))
        results |= {"start_ms": spread["median"], "start_spread": spread}
    if arguments.only in (None, "snapshots"):
        results |= snapshots(2_000)
    if arguments.only in (None, "fraction"):
        told = cpu_fraction(20)
        results |= {"cpu_fraction": told.pop("fraction"), "ns_per_switch": told.pop("ns_per_switch")}
        results |= {"empty_program_ns": told.pop("empty_program_ns"), "cpu_fraction_parts": told}
        told = cpu_fraction(20, wanted=MANY_SWITCHES)
        results |= {"cpu_fraction_20k": told.pop("fraction"), "cpu_fraction_20k_parts": told}
    if arguments.only in (None, "tables"):
        for count in COUNTS:
            results[f"containers_{count}"] = cpu_fraction(20, containers=count) | snapshots(300, containers=count)
        for interval in INTERVALS:
            results[f"interval_{interval:g}_s"] = cpu_fraction(20, interval=interval)
    if arguments.only in (None, "pairs"):
        for key, values in pairs(arguments.pairs, arguments.loops).items():
            spread = summary(values)
            results |= {key: spread["median"], key.replace("ratio", "spread"): spread}
    if arguments.only:
        print(json.dumps(results, indent=2))
    else:
        write("collector-overhead", results)


if __name__ == "__main__":
    main()
