#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what reserved shares of a disk gain three writers of 10:20:30 parts, under each I/O scheduler and by each mechanism that the kernel has.

After the experiment of Xavier (PUCRS 2019, 3.4 and Figure 3.4): the shortest is reserved nine tenths of the disk and the others share one, until it ends; then, which is
ours, the shorter of the two that are left. The disk is one with a head, in memory (disk.py), of a guest that QEMU runs without acceleration: what a run takes is the disk's time. The disk
`even` has no seeks, and shows what shares can gain without.
"""

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "intp-collector" / "bench"))
from cases import DEVICES, DISKS, MIB, PAIRS, PARTS, Case, Gains, cases, text  # noqa: E402
from model import Disk, gains, interleaved  # noqa: E402
from node import write_section  # noqa: E402

# A guest that says nothing for so long hangs: a boot takes a minute, and a run a third of one at most.
SILENT_S = 180
BOOTS = 4
# Limits are what node control sets, and mq-deadline what the kernel chooses for a disk with one queue.
STANDS_FOR_ALL = Case("rotating", 2, "direct", "limits", "mq-deadline")
# Emulation does instructions that move a string byte by byte, and a page's copy takes longer than the disk; without these the kernel moves words.
CPU = ("-cpu", "max,erms=off,fsrm=off")
PUBLISHED = {"makespan_gain": 0.26, "completion_gain": 0.50}


def start_disks(stack, directory, mebibytes):
    """The options by which QEMU attaches them, in the order of their names in the guest."""
    options = []
    for name in DEVICES:
        path, disk = directory / f"{name}.sock", DISKS[name]
        command = [sys.executable, "-B", HERE / "disk.py", path, mebibytes, disk.rate, disk.seek * 1000]
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
        stack.callback(process.wait)
        stack.callback(process.kill)
        if process.stdout.readline().strip() != "listening":
            raise SystemExit("The disk did not start; its message is above")
        options += ["-drive", f"if=none,id={name},file=nbd:unix:{path},format=raw,cache=none", "-device", f"virtio-blk-pci,drive={name}"]
    return options


def in_guest(machine, chosen, arguments):
    """Runs by case and by whether shares were reserved, on a guest that the command `machine` runs; and what one writer alone got of each disk, bytes a second.

    An emulated kernel does not come up every time: what is not measured when a guest ends, is in another."""
    runs, alone, left = {}, {}, chosen
    for _ in range(BOOTS):
        log = boot(machine, left, arguments, runs, alone)
        left = [case for case in left if not is_whole(runs.get(case.name), arguments.pairs)]
        if not left:
            return runs, alone
        for case in left:
            runs.pop(case.name, None)
        print("The guest did not come to its end:\n" + "".join(log[-20:]), file=sys.stderr, flush=True)
    raise SystemExit(f"{BOOTS} guests did not come to their ends")


def is_whole(runs, pairs):
    return runs is not None and len(runs[False]) == len(runs[True]) == pairs


def boot(machine, chosen, arguments, runs, alone):
    """Puts what one guest says into `runs` and `alone`, and returns what it said."""
    with ExitStack() as stack:
        shared = arguments.shared
        lines = [json.dumps(case.columns(arguments.unit * MIB, arguments.pairs)) for case in chosen]
        (shared / "cases").write_text("\n".join(lines) + "\n")
        for name in ("guest.py", "model.py"):
            shutil.copy(HERE / name, shared)
        (shared / "trial").write_text("exec python3 -B /tmp/classes/guest.py /tmp/classes/cases\n")
        disks = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reservations-")))
        options = start_disks(stack, disks, 2 * sum(PARTS) * arguments.unit + 64)
        guest = subprocess.Popen([*machine, *CPU, *options], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        stack.callback(guest.wait)
        stack.callback(guest.kill)
        signal.signal(signal.SIGALRM, lambda *_: guest.kill())
        signal.alarm(SILENT_S)
        log = []
        for line in guest.stdout:
            signal.alarm(SILENT_S)
            log.append(line)
            if line.startswith("run "):
                run = json.loads(line[4:])
                runs.setdefault(run["case"], {False: [], True: []})[run["reserved"]].append(run["seconds"])
                print(f"{time.strftime('%H:%M:%S')} {line[4:].strip()}", file=sys.stderr, flush=True)
            elif line.startswith("alone "):
                found = json.loads(line[6:])
                alone[found["device"]] = found["rate"]
        signal.alarm(0)
        return log


def modelled(unit):
    """What the model says of runs of 1 MiB, by disk, and of the disk of the published figures: how much interleaving has to cost there."""
    volumes = [unit * MIB * part for part in PARTS]
    found = {}
    for name, disk in DISKS.items():
        makespan, completion = gains(disk, volumes, MIB)
        found[name] = {"interleaved_rate": interleaved(disk, MIB), "makespan_gain": makespan, "completion_gain": completion}
    seek = next(ms / 100_000 for ms in range(1, 10_000) if gains(Disk(100 * MIB, ms / 100_000), volumes, MIB)[0] >= PUBLISHED["makespan_gain"])
    disk = Disk(100 * MIB, seek)
    found["published"] = {"interleaved_rate": interleaved(disk, MIB), "completion_gain": gains(disk, volumes, MIB)[1]}
    return found


def parsed_arguments(words):
    parser = argparse.ArgumentParser(prog="bin/lab reservations", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trial", action="store_true", help="print the table, and write nothing")
    parser.add_argument("--only", default="", help="cases with this in their names, in a trial")
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"of runs, of each case (default: {PAIRS})")
    parser.add_argument("--unit", type=int, default=4, help="MiB that one part is (default: 4)")
    parser.add_argument("--shared", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--release", help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    if arguments.only and not arguments.trial:
        parser.error("only a --trial leaves something out")
    if arguments.pairs < 1 or arguments.unit < 1:
        parser.error("pairs and unit are at least 1")
    return arguments


def main():
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    words, machine = sys.argv[1:], []
    if "--" in words:
        at = words.index("--")
        words, machine = words[:at], words[at + 1 :]
    arguments, began = parsed_arguments(words), time.monotonic()
    chosen = [case for case in cases() if arguments.only in case.name]
    runs, alone = {}, {}
    for version in sorted({case.version for case in chosen}):
        of_version, of_disks = in_guest(machine, [case for case in chosen if case.version == version], arguments)
        runs |= of_version
        alone |= of_disks
    found = {case: Gains.of(runs[case.name][False], runs[case.name][True]).columns() for case in chosen}
    print(text(found))
    print(f"{(time.monotonic() - began) / 60:.0f} minutes; of one writer alone, MiB/s: {', '.join(f'{name} {rate / MIB:.0f}' for name, rate in by_disk(alone))}")
    if not arguments.trial:
        set_up = {"guest_kernel": arguments.release, "pairs": arguments.pairs, "unit_mib": arguments.unit}
        write_section("node-control", "reservation", {**set_up, **results(found, dict(by_disk(alone)), arguments.unit)})


def by_disk(rates):
    return [(name, rates[device]) for name, device in DEVICES.items() if device in rates]


def results(found, alone, unit):
    """What the section has; gains of the case that stands for all come first."""
    head = {name: value for name, value in found[STANDS_FOR_ALL].items() if not name.startswith("shortest")}
    tree = {**head, "model": modelled(unit)}
    for name, rate in alone.items():
        tree.setdefault(name, {})["alone_mib_per_s"] = rate / MIB
    for case, columns in found.items():
        place = tree
        for part in case.name.split("."):
            place = place.setdefault(part, {})
        place.update(columns)
    return tree


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("Interrupted; nothing was written") from None
