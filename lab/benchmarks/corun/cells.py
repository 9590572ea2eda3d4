# SPDX-License-Identifier: Apache-2.0
"""What is made of rates of work alone and beside a stressor: pure."""

import math
import statistics
from dataclasses import dataclass

# Half of a 95 % interval is so many standard errors, by degrees of freedom (Student's t).
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)

# Per cent by which two containers of LXC slowed one another (Xavier, PUCRS 2019, Tables 2.2 and 2.3): TeraSort and LU beside the stressors of IBS.
PUBLISHED = {
    "sort": {"cpu": 0.0, "memory": 8.3, "disk": 5.5, "fork_bomb": 0.0},
    "lu": {"cpu": 0.0, "memory": 88.2, "disk": 9.0, "fork_bomb": 0.0, "network_in": 2.2, "network_out": 10.3},
}


@dataclass(frozen=True)
class Cell:
    """By what share a victim takes longer for the same work: the mean over repetitions, and its 95 % interval, endless for a single one."""

    mean: float
    low: float
    high: float
    repetitions: int

    @staticmethod
    def of(alone, beside):
        """Rates of work, one of each for a repetition; one that came to nothing beside the stressor makes the cell endless."""
        if not alone or len(alone) != len(beside) or min(alone) <= 0 or min(beside) < 0:
            raise ValueError(f"as many rates alone, above 0, as beside, got {alone} and {beside}")
        if min(beside) == 0:
            return Cell(math.inf, math.inf, math.inf, len(alone))
        longer = [one / other - 1 for one, other in zip(alone, beside)]
        mean = statistics.mean(longer)
        half = math.inf
        if len(longer) > 1:
            half = STUDENT[min(len(longer) - 2, len(STUDENT) - 1)] * statistics.stdev(longer) / math.sqrt(len(longer))
        return Cell(mean, mean - half, mean + half, len(longer))

    def __str__(self):
        if math.isinf(self.mean):
            return "no work"
        mean, low, high = (round(100 * one, 1) + 0.0 for one in (self.mean, self.low, self.high))  # No zero is below zero.
        return f"{mean:.1f}" + ("" if math.isinf(low) else f" [{low:.1f}, {high:.1f}]")

    def columns(self):
        """What the file has; JSON knows no endless number."""
        interval = {} if math.isinf(self.low) else {"interval": {"from": self.low, "to": self.high}}
        return {"longer": "no work" if math.isinf(self.mean) else self.mean, **interval, "repetitions": self.repetitions}


def text(cells, victims, stressors, setups):
    """A table for each victim; `cells` by setup, victim and stressor."""
    lines = []
    for victim in victims:
        published = PUBLISHED.get(victim, {})
        lines.append(f"{victim} takes longer, per cent")
        lines.append("".join([f"{'':12}", *(f"{setup:>22}" for setup in setups), f"{'published (LXC)':>18}"]))
        for stressor in stressors:
            found = "".join(f"{cells[setup][victim][stressor]!s:>22}" for setup in setups)
            lines.append(f"{stressor:12}{found}{published.get(stressor, '-'):>18}")
        lines.append("")
    return "\n".join(lines)
