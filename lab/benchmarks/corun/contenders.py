# SPDX-License-Identifier: Apache-2.0
"""
The tasks as processes. All are started once and stopped while they are not in a set, so that a JVM is warm in every run. Each
counts its work in eight bytes of shared memory, behind which stands how much of it it may do.
"""

import mmap
import os
import signal
import struct
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from collector import REPOSITORY, Held, container_id
from plan import BY_NAME, INSTANCES, Task
from shape import NAMESPACE, THERE

PROGRAM = REPOSITORY / "lab" / "benchmarks" / "target" / "corun" / "contender"
PORT = 7001
JVM_OPTIONS = ("-Xms192m", "-Xmx192m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Djava.net.preferIPv4Stack=true")
# Units done, and how many a second it does at most.
RECORD = struct.Struct("=QQ")
PACE = struct.Struct("=Q")


class Worker:
    """One process that counts its work, held before its first instruction until it is let go."""

    def __init__(self, stack, what, command, counter, log, **options):
        self.what = what
        counter.write_bytes(bytes(RECORD.size))
        with open(counter, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), RECORD.size)
        self.log = log
        with open(log, "wb") as output:
            self.held = Held(command, stdout=output, stderr=output, **options)
        stack.callback(self.held.kill)
        self.pid = self.held.pid

    def go(self):
        os.killpg(self.pid, signal.SIGCONT)

    def stop(self):
        os.killpg(self.pid, signal.SIGSTOP)

    def work(self):
        """Units done so far."""
        return RECORD.unpack_from(self.memory)[0]

    def hold_back(self, units_per_s):
        """At most so many units a second; 0: as many as it can."""
        PACE.pack_into(self.memory, RECORD.size - PACE.size, units_per_s)

    def require_alive(self):
        if self.held.process.poll() is not None:
            raise SystemExit(f"{self.what} ended: {self.log.read_text(errors='replace')[-2000:].strip()}")


class Contender(Worker):
    """One task of a co-run."""

    def __init__(self, stack, node, task, name, command, directory):
        super().__init__(stack, task.kind, command, directory / "work", directory / "log", cwd=directory)
        self.task, self.name = task, name
        node.add_task(name, self.pid)


class Contenders:
    """All tasks of these kinds, stopped, and the sink that takes in what they send. Use it in a `with`."""

    def __init__(self, node, kinds, directory, java, class_path):
        self.node, self.kinds, self.directory = node, kinds, Path(directory)
        self.java, self.class_path = java, class_path

    def __enter__(self):
        with ExitStack() as stack:
            if any(BY_NAME[kind].needs == "network" for kind in self.kinds):
                self._start_sink(stack)
            self.by_task, region = {}, 0
            for number, task in enumerate(Task(kind, one) for kind in self.kinds for one in range(INSTANCES)):
                directory = self.directory / f"{task.kind}-{task.instance}"
                directory.mkdir()
                command = self._command(task.kind, directory, region)
                region += BY_NAME[task.kind].needs == "disk"
                self.by_task[task] = Contender(stack, self.node, task, container_id(number), command, directory)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *exit_facts):
        return self.stack.__exit__(*exit_facts)

    def _start_sink(self, stack):
        sink = subprocess.Popen(["ip", "netns", "exec", NAMESPACE, PROGRAM, "sink", THERE, str(PORT)], stdout=subprocess.PIPE)
        stack.callback(sink.wait)
        stack.callback(sink.kill)
        self.node.add_own(sink.pid)
        if sink.stdout.readline() != b"listening\n":
            raise SystemExit("The sink of the network's tasks did not start; its message is above")

    def _command(self, kind, directory, region):
        counter = directory / "work"
        needs = BY_NAME[kind].needs
        if needs == "jvm":
            main = "org.interference.yarn.benchmarks.corun.JvmContender"
            return [self.java, *JVM_OPTIONS, "-cp", self.class_path, main, kind, counter, directory]
        command = [PROGRAM, kind, counter]
        if needs == "disk":
            size = self.node.shape.region_bytes
            command += [self.node.disk, region * size, size]
        if needs == "network":
            command += [THERE, PORT]
        return command

    def warm_up(self, seconds):
        """Lets every task work for a while, in groups small enough to get somewhere, and stops it again."""
        tasks = list(self.by_task.values())
        for contender in tasks:
            jvm = BY_NAME[contender.task.kind].needs == "jvm"
            contender.go()
            deadline = time.monotonic() + 60
            while contender.work() == 0:
                contender.require_alive()
                if time.monotonic() > deadline:
                    raise SystemExit(f"{contender.task.kind} has done nothing in 60 s")
                time.sleep(0.01)
            time.sleep(seconds if jvm else 0.1)
            contender.stop()


def disk_regions(kinds):
    return INSTANCES * sum(BY_NAME[kind].needs == "disk" for kind in kinds)
