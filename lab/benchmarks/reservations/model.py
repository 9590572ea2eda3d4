# SPDX-License-Identifier: Apache-2.0
"""Which disks can gain by reserved shares: a fluid model of writers that share one head. Pure."""

from dataclasses import dataclass

# Of the disk's bandwidth, what the shortest writer is reserved while others write; the others have the rest in equal parts (Xavier, PUCRS 2019, 3.4).
RESERVED = 0.9


@dataclass(frozen=True)
class Disk:
    """`rate` in bytes a second under the head; `seek` in seconds from one file to another, the turn of the platter included."""

    rate: float
    seek: float


@dataclass(frozen=True)
class Times:
    """Seconds from the common start to the end of each writer."""

    each: tuple

    @property
    def makespan(self):
        return max(self.each)

    @property
    def completion(self):
        """The mean over the writers."""
        return sum(self.each) / len(self.each)


def equal(left):
    """Parts of the bandwidth without reservations; `left` has the bytes that each active writer has still to write."""
    return [1 / len(left)] * len(left)


def reserved(left):
    """Parts with them, made anew whenever a writer ends."""
    if len(left) == 1:
        return [1.0]
    shortest = left.index(min(left))
    return [RESERVED if one == shortest else (1 - RESERVED) / (len(left) - 1) for one in range(len(left))]


def switches(parts):
    """How often the head changes files, as a share of the runs that are written: at each, or to and from those who are not the largest."""
    return 0 if len(parts) == 1 else min(1, 2 * (1 - max(parts)))


def times(disk, volumes, run, parts_of):
    """Times of writers of `volumes` bytes that are served `run` bytes at a stretch. Without seeks the last one ends when all bytes are written, whatever the parts."""
    left, ends, now = dict(enumerate(volumes)), {}, 0.0
    while left:
        parts = parts_of(list(left.values()))
        per_byte = 1 / disk.rate + disk.seek * switches(parts) / run
        speeds = {one: part / per_byte for one, part in zip(left, parts)}
        first = min(left, key=lambda one: left[one] / speeds[one])
        step = left[first] / speeds[first]
        now += step
        ends[first] = now
        left = {one: bytes_left - speeds[one] * step for one, bytes_left in left.items() if one != first}
    return Times(tuple(ends[one] for one in range(len(volumes))))


def gain(without, reserving):
    """By what share the one is less than the other; 0.1 is a tenth."""
    return 1 - reserving / without


def gains(disk, volumes, run):
    """What shares gain in makespan and in mean completion."""
    without, reserving = times(disk, volumes, run, equal), times(disk, volumes, run, reserved)
    return gain(without.makespan, reserving.makespan), gain(without.completion, reserving.completion)


def interleaved(disk, run):
    """What is left of the rate when the head changes files after each run."""
    return 1 / (1 + disk.seek * disk.rate / run)
