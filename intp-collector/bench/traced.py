# SPDX-License-Identifier: Apache-2.0
"""What is told of each moment, against perf's trace of the same tracepoints: who took whose CPU, and the service of packets."""

import os
import re
import signal
import subprocess
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, contextmanager

from node import Daemon, Held, container_id, growth, stand_still

OUTSIDE = "outside"
# With who is not watched, intpd tells as many of each.
MOST_WATCHED = 8
NET_RX = "vec=3 "
LINE = re.compile(r"^\s*(?P<task>.*?)\s+(?P<pid>\d+)\s+\[(?P<cpu>\d+)\]\s+(?P<time>[\d.]+):\s+(?P<event>\S+):\s(?P<fields>.*)$")


class Trace:
    """perf's record of some tracepoints; its lines when it is over."""

    def __init__(self, directory, events, cpu=None):
        self.file = os.path.join(directory, "perf.data")
        where = ["-a"] if cpu is None else ["-C", str(cpu)]
        self.process = subprocess.Popen(
            ["perf", "record", "-q", *where, "-m", "4M", "-e", ",".join(events), "-o", self.file], stderr=subprocess.DEVNULL)

    def events(self):
        """(cpu, ns, event, fields) in the order of time."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        out = subprocess.run(["perf", "script", "--ns", "-i", self.file], capture_output=True, check=True, text=True).stdout
        found = [LINE.match(line) for line in out.splitlines()]
        told = [(int(one["cpu"]), round(float(one["time"]) * 1e9), one["event"].rpartition(":")[2], one["fields"]) for one in found if one]
        return sorted(told, key=lambda one: one[1])


@contextmanager
def tracing(events, cpu=None):
    with tempfile.TemporaryDirectory(prefix="intp-bench-", dir="/var/tmp") as directory:
        trace = Trace(directory, events, cpu)
        time.sleep(1)  # What begins before it records is not in what it is compared with: that stands still.
        try:
            yield trace
        finally:
            if trace.process.poll() is None:
                trace.process.kill()
                trace.process.wait()


def takers(daemon, names):
    """How often each took the CPU of each, by (victim, taker)."""
    rows = {one["container"]: one["preempted_by"] for one in daemon.ask(op="snapshot")["containers"]}
    return Counter({(name, by.get("container", OUTSIDE)): by["times"] for name in names for by in rows[name]})


def preemptor(count, seconds):
    """The share of pre-emptions that is booked to another; `count` watched spinners and one that is not, on one CPU."""
    cpu = os.cpu_count() - 1
    with ExitStack() as stack:
        daemon = stack.enter_context(Daemon("--nic-speed", "1000000000"))
        held = {}
        for number in range(count + 1):
            one = Held(["taskset", "-c", cpu, "sh", "-c", "while :; do :; done"])
            stack.callback(one.kill)
            held[container_id(number)] = one
        names = list(held)[:count]
        processes = [one.process for one in held.values()]
        daemon.watch({name: held[name].pid for name in names})
        for one in held.values():
            one.go()
        time.sleep(0.5)
        stand_still(processes)
        trace = stack.enter_context(tracing(["sched:sched_switch"], cpu))
        before = takers(daemon, names)
        for process in processes:
            os.killpg(process.pid, signal.SIGCONT)
        time.sleep(seconds)
        stand_still(processes)
        ours = takers(daemon, names) - before
        theirs = followers(trace.events(), {held[name].pid: name for name in names})
        return 1 - sum((ours & theirs).values()) / max(sum(ours.values()), sum(theirs.values()))


def followers(events, names):
    told = Counter()
    for _, _, _, fields in events:
        switch = re.search(r"prev_pid=(\d+) .*prev_state=(\S+) ==> .*next_pid=(\d+)", fields)
        victim = names.get(int(switch[1]))
        if victim and switch[2].startswith("R") and switch[1] != switch[3]:
            told[(victim, names.get(int(switch[3]), OUTSIDE))] += 1
    return told


def packet_service(events):
    """Nanoseconds from stack to driver, and from the softirq's being raised to the end of the poll, as docs/signals.md defines nets."""
    queued, raised, loopback, total = {}, {}, set(), 0
    for cpu, now, event, fields in events:
        if event == "net_dev_queue" and "dev=lo " in fields:
            loopback.add(cpu)
        elif event == "net_dev_queue":
            queued[re.search(r"skbaddr=(\S+)", fields)[1]] = now
        elif event == "net_dev_xmit" and "dev=lo " in fields:
            loopback.discard(cpu)
        elif event == "net_dev_xmit":
            total += now - queued.pop(re.search(r"skbaddr=(\S+)", fields)[1], now)
        elif event == "softirq_raise" and fields.startswith(NET_RX) and cpu not in loopback:
            raised.setdefault(cpu, now)
        elif event == "napi_poll" and cpu in raised:
            work, budget = map(int, re.search(r"work (\d+) budget (\d+)", fields).groups())
            total += now - raised[cpu] if work > 0 else 0
            raised.pop(cpu)
            if work >= budget:
                raised[cpu] = now
    return total


def nets(daemon, held, let_go):
    """The error of all containers' nets together, while `let_go` lets them go and waits until they are over."""
    with tracing(["net:net_dev_queue", "net:net_dev_xmit", "irq:softirq_raise", "napi:napi_poll"]) as trace:
        before = daemon.snapshot()
        let_go()
        after = daemon.snapshot()
        ours = sum(growth(before, after, name, "nets")[0] for name in held)
        theirs = packet_service(trace.events())
        return abs(ours - theirs) / theirs
