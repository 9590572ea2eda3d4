# SPDX-License-Identifier: Apache-2.0
"""What is measured, and what is made of it: pure."""

import statistics
from dataclasses import dataclass

from model import Disk, gain

MIB = 1 << 20
# A disk of 7,200 turns a minute: half a turn of 4.2 ms, and 9 ms for the arm. The published one had 10,000, and wrote faster by as much as it sought faster. The other
# disk has neither arm nor turns.
DISKS = {"rotating": Disk(60 * MIB, 0.0132), "even": Disk(60 * MIB, 0)}
DEVICES = {"rotating": "vda", "even": "vdb"}
PARTS = (10, 20, 30)
# An interval from the least to the largest of six has the median in it in 97 % of all cases, whatever the distribution.
PAIRS = 6
# What each writer's group may have, of 2 GiB: its part of the dirty memory is in proportion.
MEMORY = 384 * MIB
SCHEDULERS = ("none", "mq-deadline", "kyber", "bfq")


@dataclass(frozen=True)
class Case:
    disk: str
    version: int
    writes: str
    by: str
    scheduler: str

    @property
    def name(self):
        return ".".join([self.disk, f"v{self.version}", self.writes, self.by, self.scheduler.replace("-", "_")])

    def columns(self, unit, pairs):
        """As guest.py reads it; `unit` bytes are one of the parts."""
        disk = DISKS[self.disk]
        return {
            "name": self.name, "version": self.version, "buffered": self.writes != "direct", "by": self.by,
            "memory": MEMORY if self.writes == "buffered" else "max", "scheduler": self.scheduler, "device": DEVICES[self.disk], "rate": disk.rate, "seek": disk.seek,
            "volumes": [unit * part for part in PARTS], "pairs": pairs,
        }  # fmt: skip


def cases():
    """Limits under each scheduler, weights where there are some; version 1 leaves what is written later to the kernel's own threads, so it has direct writes only."""
    found = []
    for version, writes in ((2, "direct"), (2, "buffered"), (1, "direct")):
        found += [Case("rotating", version, writes, "limits", scheduler) for scheduler in SCHEDULERS]
        found.append(Case("rotating", version, writes, "weights", "bfq"))
        if version == 2:
            found.append(Case("rotating", version, writes, "costs", "none"))
        found.append(Case("even", version, writes, "limits", "none"))
    unlimited = [Case("rotating", 2, "buffered_without_memory_limits", *how) for how in (("limits", "mq-deadline"), ("weights", "bfq"))]
    return [*found, *unlimited, Case("even", 2, "direct", "weights", "bfq")]


@dataclass(frozen=True)
class Gains:
    """Of pairs of runs, with reserved shares against without: medians, and from the least to the largest."""

    makespan: tuple
    completion: tuple
    shortest: tuple

    @staticmethod
    def of(without, reserving):
        """Runs by pair, each the seconds that the writers took, from the smallest volume to the largest."""
        if not without or len(without) != len(reserving):
            raise ValueError(f"as many runs with as without, at least one, got {len(reserving)} and {len(without)}")
        pairs = list(zip(without, reserving))
        return Gains(
            tuple(gain(max(one), max(other)) for one, other in pairs),
            tuple(gain(statistics.mean(one), statistics.mean(other)) for one, other in pairs),
            tuple(gain(one[0], other[0]) for one, other in pairs),
        )

    def columns(self):
        found = {}
        for name in ("makespan", "completion", "shortest"):
            values = getattr(self, name)
            found[f"{name}_gain"] = statistics.median(values)
            found[f"{name}_gain_interval"] = {"from": min(values), "to": max(values), "pairs": len(values)}
        return found


def text(found):
    """A table; `found` has columns by case."""
    lines = [f"{'gains, per cent':46}{'makespan':>24}{'mean completion':>24}{'shortest':>24}"]
    for case, columns in found.items():
        cells = []
        for name in ("makespan", "completion", "shortest"):
            interval = columns[f"{name}_gain_interval"]
            middle, low, high = (100 * one for one in (columns[f"{name}_gain"], interval["from"], interval["to"]))
            cells.append(f"{middle:.1f} [{low:.1f}, {high:.1f}]")
        lines.append(f"{case.name:46}" + "".join(f"{cell:>24}" for cell in cells))
    lines.append(f"{'published, 10,000 turns a minute, at most':46}{'26':>24}{'50':>24}")
    return "\n".join(lines)
