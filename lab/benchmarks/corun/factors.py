# SPDX-License-Identifier: Apache-2.0
"""What is made of the times of answers alone and beside stressors: pure."""

import statistics
from dataclasses import dataclass

# Middle of each class (Xavier, PUCRS 2019, Table 6.1), and the least that is of it.
CLASSES = {"low": 0.105, "moderate": 0.355, "high": 0.755}
LEAST = {"low": 0.01, "moderate": 0.21, "high": 0.51}
DIGITS = 3


@dataclass(frozen=True)
class Factors:
    """Of one resource: by class the factor, its quartiles over the repetitions, and the share of the node that was pressed on."""

    signal: str
    factor: dict
    quartiles: dict
    pressed: dict

    @staticmethod
    def of(signal, times, pressed):
        """
        `times` are mean times of answers by class and repetition, those of "absent" among them; `pressed` the share of each class that the stressors
        reached by themselves. A factor is the median over the repetitions of the time beside over that of the same repetition alone. Stressors
        that reached less or more than the middle of their class are taken to cost in proportion.
        """
        factor, quartiles = {}, {}
        for name in CLASSES:
            ratios = [beside / alone for beside, alone in zip(times[name], times["absent"])]
            scale = CLASSES[name] / pressed[name] if pressed[name] > 0 else 0.0
            scaled = [1 + (ratio - 1) * scale for ratio in ratios]
            factor[name] = statistics.median(scaled)
            ordered = sorted(scaled)
            quartiles[name] = (ordered[len(ordered) // 4], ordered[-1 - len(ordered) // 4])
        return Factors(signal, factor, quartiles, pressed)

    def __str__(self):
        return ", ".join(
            f"{name} {self.factor[name]:.2f} ({self.quartiles[name][0]:.2f} to {self.quartiles[name][1]:.2f})" for name in CLASSES
        )

    def columns(self):
        return {
            name: {"factor": round(self.factor[name], DIGITS), "quartiles": [round(one, DIGITS) for one in self.quartiles[name]],
                   "pressed": round(self.pressed[name], DIGITS)}
            for name in CLASSES
        }  # fmt: skip


def row_of(factors):
    """
    The three factors as the prior takes them: none below 1 or below the one before, as more pressure never helps; or, as text, why there
    is no row: stressors that did not reach their class say nothing of it.
    """
    row, least = [], 1.0
    for name in CLASSES:
        if factors.pressed[name] < LEAST[name]:
            return f"stressors of class {name} reached {factors.pressed[name]:.0%} of the node, and the class begins at {LEAST[name]:.0%}"
        least = max(least, round(factors.factor[name], DIGITS))
        row.append(least)
    return tuple(row)


def table_text(all_factors):
    """What yarn.interference.predict.degradation is set to."""
    rows = {one.signal: "/".join(f"{factor:g}" for factor in row_of(one)) for one in all_factors}
    return ", ".join(f"{signal}={row}" for signal, row in rows.items())
