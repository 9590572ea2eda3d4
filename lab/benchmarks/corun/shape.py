# SPDX-License-Identifier: Apache-2.0
"""The node that the tasks of a set share: one CPU quota, one throttled disk, one shaped network. Made on entry, gone on exit."""

import errno
import fcntl
import os
import subprocess
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
GROUP = "corun"
OWN = "corun-own"
NAMESPACE = "corun"
LINK = "corun0"
HERE, THERE = "198.18.77.1", "198.18.77.2"
LOCK = Path("/run/corun.lock")
MIB = 1 << 20


@dataclass(frozen=True)
class Shape:
    """What the node has. Reads and writes are throttled apart: that is how the kernel does it."""

    cpus: str = "0-1"
    cpu_quota_us: int = 100_000
    cpu_period_us: int = 100_000
    read_bytes_per_s: int = 64 * MIB
    write_bytes_per_s: int = 64 * MIB
    read_operations_per_s: int = 2_000
    network_bits_per_s: int = 200_000_000
    network_burst_bytes: int = 256 * 1024
    network_queue_bytes: int = 4 * MIB
    region_bytes: int = 64 * MIB

    def columns(self):
        return asdict(self)


def call(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")
    return done.stdout.strip()


def put(path, value):
    try:
        path.write_text(str(value))
    except OSError as error:
        raise SystemExit(f"{value!r} cannot be written to {path}: {error.strerror}") from error


def require_facilities():
    """Ends the program with everything that this machine lacks."""
    missing = [
        f"cgroup v1 {controller} at {CGROUPS / controller} (a machine with cgroup v2 alone cannot run this)"
        for controller, file in (
            ("cpu", "cgroup.procs"), ("cpuacct", "cpuacct.usage"), ("cpuset", "cpuset.cpus"), ("blkio", "cgroup.procs"))
        if not (CGROUPS / controller / file).exists()
    ]  # fmt: skip
    if not missing and not (CGROUPS / "blkio" / "blkio.throttle.read_bps_device").exists():
        missing.append("blkio.throttle (CONFIG_BLK_DEV_THROTTLING)")
    if not Path("/dev/loop-control").exists():
        missing.append("loop devices (/dev/loop-control)")
    if missing:
        raise SystemExit("This machine lacks: " + "; ".join(missing))


class Node:
    """Use it in a `with`. One at a time on a machine; what a killed one left behind goes before a new one is made."""

    def __init__(self, shape, directory, regions):
        self.shape, self.directory, self.regions = shape, directory, regions

    def __enter__(self):
        with ExitStack() as stack:
            self._lock(stack)
            self._sweep()
            stack.callback(self._sweep)
            self._groups()
            if self.regions:
                self._disk()
            self._network()
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *exit_facts):
        return self.stack.__exit__(*exit_facts)

    @staticmethod
    def _lock(stack):
        lock = stack.enter_context(open(LOCK, "w", encoding="utf-8"))
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SystemExit(f"Another measurement runs: {LOCK} is locked") from error

    @property
    def _file(self):
        return Path(self.directory) / "disk"

    def _groups(self):
        for controller in ("cpu", "cpuacct", "cpuset", "blkio"):
            (CGROUPS / controller / GROUP).mkdir()
        (CGROUPS / "cpuacct" / OWN).mkdir()
        cpuset = CGROUPS / "cpuset" / GROUP
        self._limit_cpu()
        put(cpuset / "cpuset.mems", (CGROUPS / "cpuset" / "cpuset.mems").read_text().strip())
        put(cpuset / "cpuset.cpus", self.shape.cpus)

    def reshape(self, shape):
        """Makes it a node of another size; what its tasks have had so far stays. Period, CPUs and regions must be the same."""
        self.shape = shape
        self._limit_cpu()
        if self.regions:
            self._limit_disk()
        call("tc", "qdisc", "change", "dev", LINK, "root", *self._network_limit())

    def _limit_cpu(self):
        cpu = CGROUPS / "cpu" / GROUP
        put(cpu / "cpu.cfs_period_us", self.shape.cpu_period_us)
        put(cpu / "cpu.cfs_quota_us", self.shape.cpu_quota_us)

    def _limit_disk(self):
        device = Path("/sys/block", os.path.basename(self.disk), "dev").read_text().strip()
        blkio = CGROUPS / "blkio" / GROUP
        put(blkio / "blkio.throttle.read_bps_device", f"{device} {self.shape.read_bytes_per_s}")
        put(blkio / "blkio.throttle.write_bps_device", f"{device} {self.shape.write_bytes_per_s}")
        put(blkio / "blkio.throttle.read_iops_device", f"{device} {self.shape.read_operations_per_s}")

    def _network_limit(self):
        return ("tbf", "rate", f"{self.shape.network_bits_per_s}bit", "burst", self.shape.network_burst_bytes,
                "limit", self.shape.network_queue_bytes)  # fmt: skip

    def _disk(self):
        """A loop device over a file that is written throughout: what was never written is read without a disk."""
        size = self.regions * self.shape.region_bytes // MIB
        call("dd", "if=/dev/urandom", f"of={self._file}", "bs=1M", f"count={size}", "conv=fsync", "status=none")
        self.disk = call("losetup", "--find", "--show", "--direct-io=on", self._file)
        block = Path("/sys/block") / os.path.basename(self.disk)
        put(block / "queue" / "scheduler", "none")
        # Else each sync of a task becomes a flush of the disk below, which the rest of the machine shares and no throttle sees.
        put(block / "queue" / "write_cache", "write through")
        self._limit_disk()

    def _network(self):
        call("ip", "netns", "add", NAMESPACE)
        call("ip", "link", "add", LINK, "type", "veth", "peer", "name", "eth0", "netns", NAMESPACE)
        call("ip", "address", "add", f"{HERE}/30", "dev", LINK)
        call("ip", "link", "set", LINK, "up")
        call("ip", "-n", NAMESPACE, "address", "add", f"{THERE}/30", "dev", "eth0")
        call("ip", "-n", NAMESPACE, "link", "set", "eth0", "up")
        call("tc", "qdisc", "add", "dev", LINK, "root", *self._network_limit())

    def add_task(self, name, pid):
        """A cgroup of the task's name under the quota, and the process in all that is shared."""
        own = CGROUPS / "cpu" / GROUP / name
        own.mkdir()
        put(own / "cgroup.procs", pid)
        for controller in ("cpuacct", "cpuset", "blkio"):
            put(CGROUPS / controller / GROUP / "cgroup.procs", pid)

    def add_own(self, pid):
        put(CGROUPS / "cpuacct" / OWN / "cgroup.procs", pid)

    def _sweep(self):
        """Removes all of it, whether it was made now or left behind."""
        put(CGROUPS / "cpuacct" / "cgroup.procs", os.getpid())
        kill_group(CGROUPS / "cpuacct" / GROUP)
        kill_group(CGROUPS / "cpuacct" / OWN)
        for controller in ("cpu", "cpuset", "blkio", "cpuacct"):
            group = CGROUPS / controller / GROUP
            for child in group.glob("*/"):
                remove(child)
            remove(group)
        remove(CGROUPS / "cpuacct" / OWN)
        if Path("/sys/class/net", LINK).exists():
            call("ip", "link", "delete", LINK)
        if Path("/run/netns", NAMESPACE).exists():
            call("ip", "netns", "delete", NAMESPACE)
        for line in call("losetup", "--associated", self._file).splitlines():
            call("losetup", "--detach", line.split(":")[0])
        self._file.unlink(missing_ok=True)


def kill_group(group):
    try:
        for pid in (group / "cgroup.procs").read_text().split():
            os.kill(int(pid), 9)
    except (FileNotFoundError, ProcessLookupError):
        pass


def remove(group):
    """Removes a cgroup; its processes were killed, and may take a moment to go."""
    deadline = time.monotonic() + 10
    while True:
        try:
            group.rmdir()
            return
        except FileNotFoundError:
            return
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > deadline:
                raise SystemExit(f"{group} cannot be removed: {error.strerror}") from error
            time.sleep(0.01)
