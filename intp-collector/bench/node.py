# SPDX-License-Identifier: Apache-2.0
"""What the collector's benchmarks share: the daemon as a process, its protocol, containers to watch, and the result file."""

import datetime
import json
import os
import platform
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COLLECTOR = Path(__file__).resolve().parent.parent
REPOSITORY = COLLECTOR.parent
INTPD = COLLECTOR / "build" / "intpd"


class Daemon:
    """`intpd serve` on a socket of its own; use it in a `with`. `start_ms` runs from exec to the first answer."""

    def __init__(self, *options):
        self.directory = tempfile.TemporaryDirectory(prefix="intpd-bench-")
        self.path = os.path.join(self.directory.name, "intpd.sock")
        self.options = options

    def __enter__(self):
        self.log = open(os.path.join(self.directory.name, "log"), "w+b")
        started = time.monotonic_ns()
        self.process = subprocess.Popen(
            [INTPD, "serve", "--socket", self.path, *self.options], stdout=self.log, stderr=self.log
        )
        self.connection = self._connect(started + 10_000_000_000)
        self.hello = self.ask(op="hello")
        self.start_ms = (time.monotonic_ns() - started) / 1e6
        return self

    def _connect(self, deadline):
        while time.monotonic_ns() < deadline and self.process.poll() is None:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(self.path)
                self.lines = connection.makefile("rb")
                return connection
            except OSError:
                connection.close()
                time.sleep(0.0005)
        self.log.seek(0)
        raise SystemExit("intpd did not start: " + self.log.read().decode())

    def __exit__(self, *_):
        self.lines.close()
        self.connection.close()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)
        self.log.close()
        self.directory.cleanup()

    def ask_raw(self, **request):
        """One request, its answer's line, and the round trip in microseconds."""
        line = json.dumps({"v": 1, **request}).encode() + b"\n"
        started = time.perf_counter_ns()
        self.connection.sendall(line)
        answer = self.lines.readline()
        return answer, (time.perf_counter_ns() - started) / 1e3

    def ask(self, **request):
        answer = json.loads(self.ask_raw(**request)[0])
        if not answer["ok"]:
            raise SystemExit(f"intpd refused {request}: {answer['error']}")
        return answer

    def watch(self, pids_by_id):
        answer = self.ask(
            op="watch", containers=[{"container": name, "pid": pid} for name, pid in pids_by_id.items()]
        )
        if answer["refused"]:
            raise SystemExit(f"intpd refused {answer['refused'][0]}")
        return {watched["container"]: watched["attribution"] for watched in answer["watched"]}

    def unwatch(self, names):
        self.ask(op="unwatch", containers=list(names))

    def snapshot(self):
        """Signals by container id."""
        return {one["container"]: one["signals"] for one in self.ask(op="snapshot")["containers"]}

    def memory_mib(self, field="VmRSS"):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith(field + ":"))
        return int(line.split()[1]) / 1024

    def map_mib(self):
        """What the kernel has for the BPF maps that the daemon holds."""
        files = Path(f"/proc/{self.process.pid}/fdinfo").iterdir()
        texts = [file.read_text() for file in files]
        held = [line.split()[1] for text in texts if "map_id:" in text for line in text.splitlines() if line.startswith("memlock:")]
        return sum(map(int, held)) / 1024**2

    def cpu_seconds(self):
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9


def _stat(pid):
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


class Held:
    """A command that is stopped before its first instruction, so that it can be watched whole."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(
            ["sh", "-c", 'kill -STOP $$; exec "$@"', "sh", *map(str, command)], start_new_session=True, **options
        )
        self.pid = self.process.pid
        while _stat(self.pid)[0] != "T":
            if self.process.poll() is not None:
                raise SystemExit(f"{command} ended before it was let go")
            time.sleep(0.001)

    def go(self):
        os.kill(self.pid, signal.SIGCONT)

    def kill(self):
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def stand_still(processes):
    """Stops process groups, and returns when none of their processes runs or waits for a CPU."""
    for process in processes:
        os.killpg(process.pid, signal.SIGSTOP)
    for process in processes:
        for pid in members(process.pid):
            while state(pid) != "T":
                time.sleep(0.0005)


def members(root):
    return [root, *map(int, Path(f"/proc/{root}/task/{root}/children").read_text().split())]


def state(pid):
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def container_id(number):
    return f"container_1700000000000_0001_01_{number:06d}"


def error(ours, theirs):
    if ours == theirs:
        return 0.0
    if not theirs:
        raise SystemExit(f"the other count is 0 and ours {ours:g}: there is nothing to compare with, as on a machine too busy for the load; run it again on a quiet one")
    return abs(ours - theirs) / theirs


def growth(before, after, name, of):
    one, other = before[name][of], after[name][of]
    if "used" not in one or "used" not in other:
        raise SystemExit(f"{of} is unavailable: {other.get('reason') or one.get('reason')}")
    return other["used"] - one["used"], other["capacity"] - one["capacity"]


def summary(values):
    """Median and spread of a list of figures."""
    values = sorted(values)
    quartiles = statistics.quantiles(values, n=4) if len(values) > 1 else [values[0]] * 3
    return {
        "median": statistics.median(values),
        "q1": quartiles[0],
        "q3": quartiles[2],
        "min": values[0],
        "max": values[-1],
        "n": len(values),
    }


def require(*programs):
    if os.geteuid() != 0:
        raise SystemExit("This needs root: it makes cgroups and network namespaces and loads BPF programs.")
    missing = [p for p in programs if subprocess.run(["sh", "-c", f"command -v {p}"], capture_output=True).returncode]
    if missing:
        raise SystemExit("Missing programs: " + " ".join(missing))
    if not INTPD.exists():
        raise SystemExit(f"{INTPD.relative_to(REPOSITORY)} is not there; build it: make -C intp-collector")


def machine():
    cpus = Path("/proc/cpuinfo").read_text()
    model = next((line.split(":")[1].strip() for line in cpus.splitlines() if line.startswith("model name")), "?")
    memory = int(Path("/proc/meminfo").read_text().split()[1]) / 1024**2
    return {
        "cpu": model,
        "cpus": os.cpu_count(),
        "memory_gib": round(memory),
        "kernel": platform.release().split("-")[0],
        "virtual": " hypervisor" in cpus,
    }


def commit():
    """Returns the commit that is measured, as a part of a file of measurements; nothing without git."""
    git = ["git", "-c", f"safe.directory={REPOSITORY}", "-C", str(REPOSITORY)]
    try:
        head = subprocess.run([*git, "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
        changes = subprocess.run([*git, "status", "--porcelain", "--", ".", ":!docs"], check=True, capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return {}
    return {"commit": head + (" and changes" if changes else "")}


def write(name, results, command=None):
    """Writes docs/measurements/<name>.json, figures rounded to 4 significant digits, and prints the results.

    command is what makes them again; without it, the program that runs."""
    path = _path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "name": name,
        "command": command or " ".join([os.path.relpath(sys.argv[0], REPOSITORY), *sys.argv[1:]]),
        "machine": machine(),
        "date": datetime.date.today().isoformat(),
        **commit(),
        "results": _rounded(results),
    }
    text = json.dumps(document, indent=2)
    path.write_text(text + "\n")
    print(text)


def write_section(name, section, results):
    """Writes results, with date and commit of their own, as one section of the existing docs/measurements/<name>.json, whose other figures stay."""
    path = _path(name)
    document = json.loads(path.read_text())
    document["results"][section] = {"date": datetime.date.today().isoformat(), **commit(), **_rounded(results)}
    path.write_text(json.dumps(document, indent=2) + "\n")


def _path(name):
    return REPOSITORY / "docs" / "measurements" / f"{name}.json"


def _rounded(value):
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value
