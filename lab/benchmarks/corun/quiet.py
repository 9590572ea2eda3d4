# SPDX-License-Identifier: Apache-2.0
"""Whether a run was disturbed from outside: the facts of its window, and the rule, which was fixed before the first run."""

import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

MAX_STEAL = 0.01
MAX_FOREIGN = 0.02
MAX_PSI = 5.0  # per cent of the last 10 s, asked for only while no task of ours runs: they wait for their own quota

CPUACCT = Path("/sys/fs/cgroup/cpuacct")
PRESSURE = Path("/proc/pressure/cpu")
USER_HZ = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Clock:
    """CPU time so far, in seconds: of everything, and of each part."""

    at: float
    steal: float
    everything: float
    kernel: float
    tasks: float
    own: float


@dataclass(frozen=True)
class Facts:
    """Of a window. Shares are of the time of all CPUs; pressure is the kernel's, in per cent, at the window's begin."""

    steal: float
    foreign_cpu: float
    kernel_cpu: float
    own_cpu: float
    psi_cpu_avg10: float | None

    def columns(self):
        return asdict(self)


def facts(before, after, cpus, pressure):
    time_of_all = (after.at - before.at) * cpus
    kernel, tasks, own = (getattr(after, part) - getattr(before, part) for part in ("kernel", "tasks", "own"))
    foreign = after.everything - before.everything - kernel - tasks - own
    return Facts(
        steal=(after.steal - before.steal) / time_of_all,
        foreign_cpu=max(0.0, foreign) / time_of_all,
        kernel_cpu=kernel / time_of_all,
        own_cpu=own / time_of_all,
        psi_cpu_avg10=pressure,
    )


def objection(one):
    """Why a run with these facts does not count; None where it does."""
    if one.steal > MAX_STEAL:
        return f"steal {one.steal:.3f} over {MAX_STEAL}"
    if one.foreign_cpu > MAX_FOREIGN:
        return f"foreign CPU {one.foreign_cpu:.3f} over {MAX_FOREIGN}"
    return None


def read_clock(tasks, own):
    """The clock, given the names of the accounting cgroups of the tasks and of the measurement's own processes."""
    kernel = kernel_threads()  # First, for it takes a while; the others belong together.
    at, everything, of_tasks, of_own = time.monotonic(), usage(""), usage(tasks), usage(own)
    stat = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return Clock(at, int(stat[8]) / USER_HZ, everything, kernel, of_tasks, of_own)


def usage(group):
    return int((CPUACCT / group / "cpuacct.usage").read_text()) / 1e9


def kernel_threads():
    """CPU seconds of the kernel's threads that live; they serve the disk and the network of the tasks, and write back."""
    total = 0
    for name in os.listdir("/proc"):
        if not name.isdecimal():
            continue
        try:
            parent = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1]
            if parent == "2":
                total += int(Path(f"/proc/{name}/schedstat").read_text().split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue
    return total / 1e9


def pressure():
    """Root's CPU pressure over the last 10 s in per cent; None where the kernel does not account it."""
    try:
        some = PRESSURE.read_text().split("\n", 1)[0]
    except OSError:
        return None
    return float(some.split("avg10=")[1].split()[0])
