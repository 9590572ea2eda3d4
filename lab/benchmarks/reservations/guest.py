#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""In the guest: three writers on one disk, by turns with reserved shares and without, under an I/O scheduler and by a mechanism. It runs as a machine's only program,
and leaves what it made to the end of the machine.

Usage: guest.py CASES; a file of lines of JSON. Prints `alone {...}` for each disk, with the bytes a second that one writer gets, and `run {...}` for each run, with the
seconds that each writer took.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from model import equal, reserved

MIB = 1 << 20
CGROUPS = Path("/sys/fs/cgroup")
GROUPS = 3
# Of what is written, so much may be in memory and not yet on the disk.
DIRTY = 0.25
LOOK_S = 0.002


def put(path, text):
    try:
        path.write_text(f"{text}\n")
    except OSError as error:
        raise SystemExit(f"{path} refuses '{text}': {error}") from None


def call(*command):
    subprocess.run(list(map(str, command)), check=True)


class Limits:
    """Bytes a second, of version 2; who has the largest part has no limit, as what the others leave is his."""

    def __init__(self, number, rate):
        self.number, self.rate = number, rate

    def share(self, groups, parts):
        for group, part in zip(groups, parts):
            limited = part < max(parts)
            put(group / "io.max", f"{self.number} wbps={round(part * self.rate) if limited else 'max'}")

    def clear(self, groups):
        self.share(groups, [1] * len(groups))


class Throttle(Limits):
    """The same of version 1, which has 0 for no limit."""

    def share(self, groups, parts):
        for group, part in zip(groups, parts):
            limited = part < max(parts)
            put(group / "blkio.throttle.write_bps_device", f"{self.number} {round(part * self.rate) if limited else 0}")


class Weights:
    """Weights of a file of either version, 1 to 1000."""

    def __init__(self, name):
        self.name = name

    def share(self, groups, parts):
        for group, part in zip(groups, parts):
            put(group / self.name, round(1000 * part))

    def clear(self, groups):
        self.share(groups, [0.1] * len(groups))


class Costs(Weights):
    """Weights that the kernel's model of the disk's costs holds, whatever the scheduler is."""

    def __init__(self, number, rate, seek):
        super().__init__("io.weight")
        random = round(1 / seek) if seek else 10_000
        model = f"rbps={rate} rseqiops=10000 rrandiops={random} wbps={rate} wseqiops=10000 wrandiops={random}"
        put(CGROUPS / "io.cost.model", f"{number} ctrl=user model=linear {model}")
        put(CGROUPS / "io.cost.qos", f"{number} enable=1 ctrl=user rpct=95 rlat=50000 wpct=95 wlat=50000 min=20 max=100")


def mount_version_1():
    call("umount", CGROUPS)
    call("mount", "-t", "tmpfs", "tmpfs", CGROUPS)
    (CGROUPS / "blkio").mkdir()
    call("mount", "-t", "cgroup", "-o", "blkio", "blkio", CGROUPS / "blkio")
    return CGROUPS / "blkio"


def make_groups(version):
    if version == 1:
        root = mount_version_1()
    else:
        root = CGROUPS
        put(root / "cgroup.subtree_control", "+io +memory")
    groups = [root / f"writer{number}" for number in range(1, GROUPS + 1)]
    for group in groups:
        group.mkdir()
    return groups


class Bed:
    """One disk with a file for each writer, written once, so that a run changes what is in the files and not where they lie."""

    def __init__(self, device, turns, volumes, groups):
        self.name, self.volumes, self.groups = device, volumes, groups
        self.number = Path(f"/sys/block/{device}/dev").read_text().strip()
        put(Path(f"/sys/block/{device}/queue/rotational"), int(turns))
        self.at = Path("/run") / device
        self.at.mkdir()
        call("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,nodiscard", f"/dev/{device}")
        call("mount", "-o", "noatime", f"/dev/{device}", self.at)
        for number, volume in enumerate(volumes):
            call("dd", "if=/dev/zero", f"of={self.file(number)}", "bs=1M", f"count={volume // MIB}", "oflag=direct", "status=none")
        call("sync")

    def file(self, number):
        return self.at / f"file{number + 1}"

    def schedule_by(self, scheduler):
        put(Path(f"/sys/block/{self.name}/queue/scheduler"), scheduler)

    def start(self, number, buffered):
        how = ["conv=notrunc,fdatasync"] if buffered else ["conv=notrunc", "oflag=direct"]
        count = self.volumes[number] // MIB
        command = ["dd", "if=/dev/zero", f"of={self.file(number)}", "bs=1M", f"count={count}", "status=none", *how]
        process = subprocess.Popen(["sh", "-c", 'read -r go && exec "$@"', "sh", *command], stdin=subprocess.PIPE)
        put(self.groups[number] / "cgroup.procs", process.pid)
        return process

    def run(self, mechanism, buffered, parts_of):
        """Seconds that each writer took. Parts are made anew as writers end; without `parts_of` there are none."""
        mechanism.clear(self.groups)
        writers = [self.start(number, buffered) for number in range(GROUPS)]
        seconds, left = [0.0] * GROUPS, list(range(GROUPS))
        self.share(mechanism, parts_of, left)
        began = time.monotonic()
        for writer in writers:
            writer.stdin.write(b"go\n")
            writer.stdin.close()
        while left:
            time.sleep(LOOK_S)
            done = [number for number in left if writers[number].poll() is not None]
            for number in done:
                seconds[number] = time.monotonic() - began
                left.remove(number)
                if writers[number].returncode != 0:
                    raise SystemExit("A writer failed; its message is above")
            if done and left:
                self.share(mechanism, parts_of, left)
        mechanism.clear(self.groups)
        return seconds

    def alone(self):
        """Bytes a second that the largest writer gets of the idle disk, without any cache but the disk's."""
        began, number = time.monotonic(), GROUPS - 1
        writer = self.start(number, buffered=False)
        writer.communicate(b"go\n")
        return self.volumes[number] / (time.monotonic() - began)

    def share(self, mechanism, parts_of, left):
        groups = [self.groups[number] for number in left]
        if parts_of is equal:
            return
        mechanism.share(groups, parts_of([self.volumes[number] for number in left]))


def mechanism_of(case, bed):
    rate, seek = case["rate"], case["seek"]
    if case["by"] == "limits":
        return (Throttle if case["version"] == 1 else Limits)(bed.number, rate)
    if case["by"] == "costs":
        return Costs(bed.number, rate, seek)
    return Weights("blkio.bfq.weight" if case["version"] == 1 else "io.bfq.weight")


def measure(case, bed):
    bed.schedule_by(case["scheduler"])
    if case["version"] == 2:
        for group in bed.groups:
            put(group / "memory.max", case["memory"])
    mechanism = mechanism_of(case, bed)
    for pair in range(case["pairs"]):
        order = (equal, reserved) if pair % 2 == 0 else (reserved, equal)
        for parts_of in order:
            seconds = bed.run(mechanism, case["buffered"], parts_of)
            print("\nrun", json.dumps({"case": case["name"], "reserved": parts_of is reserved, "seconds": seconds}), flush=True)
    if case["by"] == "costs":
        put(CGROUPS / "io.cost.qos", f"{bed.number} enable=0")


def main():
    cases = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    groups = make_groups(cases[0]["version"])
    volumes = cases[0]["volumes"]
    put(Path("/proc/sys/vm/dirty_bytes"), round(DIRTY * sum(volumes)))
    put(Path("/proc/sys/vm/dirty_background_bytes"), round(DIRTY / 2 * sum(volumes)))
    beds = {}
    for case in cases:
        if case["device"] not in beds:
            bed = beds[case["device"]] = Bed(case["device"], case["seek"] > 0, volumes, groups)
            print("\nalone", json.dumps({"device": case["device"], "rate": bed.alone()}), flush=True)
        measure(case, beds[case["device"]])


if __name__ == "__main__":
    os.chdir("/")
    main()
