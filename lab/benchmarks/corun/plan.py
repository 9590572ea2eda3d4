# SPDX-License-Identifier: Apache-2.0
"""What is to be run, in which order: pure, and the same for the same seed."""

import itertools
import random
from dataclasses import dataclass

INSTANCES = 2  # Of each kind there are so many tasks; a set holds a kind no more often.


@dataclass(frozen=True)
class Kind:
    """A kind of task. `needs` is what its contender is given: "", "disk", "network" or "jvm"."""

    name: str
    needs: str
    unit: str


KINDS = (
    Kind("cpu-integer", "", "100,000 steps of a shift register"),
    Kind("cpu-matrix", "", "product of two 96 x 96 matrices of doubles"),
    Kind("cpu-light", "", "2,000,000 steps of a shift register, then 8 ms of sleep"),
    Kind("memory-stream", "", "256 KiB of each of three 64 MiB arrays, a = b + 3 c"),
    Kind("cache-chase", "", "5,000 hops along a random cycle through 12 MiB"),
    Kind("disk-sequential", "disk", "direct read of 128 KiB, one at a time"),
    Kind("disk-random", "disk", "direct read of 16 KiB at random, four at a time"),
    Kind("disk-write", "disk", "buffered write of 256 KiB, synced"),
    Kind("network-stream", "network", "16 KiB sent over TCP"),
    Kind("network-request", "network", "16 KiB sent over TCP and answered before the next"),
    Kind("cpu-disk", "disk", "direct read of 64 KiB, then 1,000,000 steps"),
    Kind("cpu-network", "network", "500,000 steps, then 16 KiB sent over TCP"),
    Kind("disk-mixed", "disk", "direct read of 64 KiB at random, then a direct write of as much"),
    Kind("disk-log", "disk", "buffered write of 4 KiB, synced"),
    Kind("cpu-write", "disk", "1,000,000 steps, then a buffered write of 64 KiB, synced"),
    Kind("memory-touch", "", "8 MiB asked for, a byte of each page written, given back"),
    Kind("cpu-threads", "", "100,000 steps of a shift register, by one of four threads"),
    Kind("switch-pairs", "", "100 times that two threads wake each other through pipes"),
    Kind("jvm-mapreduce", "jvm", "step of a word count by Hadoop's local job runner: some 200,000 a job"),
    Kind("jvm-sort", "jvm", "sort of 10,000 boxed numbers in Java"),
)
BY_NAME = {kind.name: kind for kind in KINDS}


@dataclass(frozen=True)
class Task:
    """One of the tasks of its kind."""

    kind: str
    instance: int


@dataclass(frozen=True)
class Run:
    """One set of tasks that run together. `arrangement` is "alone", "pair", "random" or "staircase"; `id` is unique in a plan."""

    id: str
    repetition: int
    arrangement: str
    tasks: tuple

    @property
    def set(self):
        return set_name(task.kind for task in self.tasks)


def set_name(kinds):
    return "+".join(sorted(kinds))


def kinds_of(set_of):
    """The kinds of a row's set, sorted, one as often as it is in it: the inverse of set_name."""
    return set_of.split("+")


def all_pairs(kinds):
    """Every pair of kinds, each with itself too."""
    return [tuple(sorted(pair)) for pair in itertools.combinations_with_replacement(kinds, 2)]


def random_sets(kinds, count, rng):
    """
    Different sets of three and of four, in turn. Kinds are dealt from a pack that holds each INSTANCES times and is shuffled
    anew when it runs out, so that all are about equally often in a set. Raises ValueError where so few kinds have no so many sets.
    """
    sets, pack, tries = [], [], 0
    while len(sets) < count:
        tries += 1
        if tries > 100 * count:
            raise ValueError(f"{len(kinds)} kinds have no {count} different sets; ask for fewer")
        size = 3 + len(sets) % 2
        if len(pack) < size:
            pack = [kind for kind in kinds for _ in range(INSTANCES)]
            rng.shuffle(pack)
        one = tuple(sorted(pack.pop() for _ in range(size)))
        if one not in sets:
            sets.append(one)
    return sets


def plan(kinds, repetitions, solos, sets, seed, pairs=None):
    """
    The runs in their order: repetition by repetition, each with all pairs (or those given), the same random sets, and `solos`
    rounds of every kind alone, the order drawn anew and the solos spread evenly over it.
    """
    rng = random.Random(seed)
    together = [("pair", pair) for pair in (all_pairs(kinds) if pairs is None else pairs)]
    together += [("random", one) for one in random_sets(kinds, sets, rng)]
    runs = []
    for repetition in range(1, repetitions + 1):
        rng.shuffle(together)
        alone = []
        for number in range(solos):
            # The rounds alternate between the instances, over repetitions too, so that each has been alone.
            instance = ((repetition - 1) * solos + number) % INSTANCES
            alone += [
                Run(f"{repetition}/{kind}/{number + 1}", repetition, "alone", (Task(kind, instance),))
                for kind in rng.sample(list(kinds), len(kinds))
            ]
        mixed = [
            Run(f"{repetition}/{set_name(one)}", repetition, arrangement, tasks_of(one)) for arrangement, one in together
        ]
        runs += spread(alone, mixed, rng)
    return runs


def staircases(kinds, rounds, seed):
    """
    Staircase scenarios (Herd, 5.1: "container execution overlaps in time"): four tasks come one after the other and leave in the same order. A run is
    what is there between two of these moments. In each round every kind is the first or the last of one scenario, and so once alone, and is
    between them in another. Raises ValueError where there is an odd number of kinds.
    """
    if len(kinds) % 2:
        raise ValueError(f"an even number of kinds is needed, not {len(kinds)}")
    rng = random.Random(seed)
    runs = []
    for number in range(1, rounds + 1):
        outer, inner = rng.sample(list(kinds), len(kinds)), rng.sample(list(kinds), len(kinds))
        for one in range(len(kinds) // 2):
            four = tasks_of((outer[2 * one], *inner[2 * one : 2 * one + 2], outer[2 * one + 1]))
            steps = [four[:count] for count in range(1, 5)] + [four[gone:] for gone in range(1, 4)]
            runs += [
                Run(f"{number}/{one + 1}.{step}", number, "staircase" if len(tasks) > 1 else "alone", tasks)
                for step, tasks in enumerate(steps, 1)
            ]
    return runs


def tasks_of(kinds):
    """The first instance of every kind, the second of one that is there already."""
    seen = []
    tasks = []
    for kind in kinds:
        tasks.append(Task(kind, seen.count(kind)))
        seen.append(kind)
    return tuple(tasks)


def spread(few, many, rng):
    """Both lists as one, each in its order and evenly over the whole."""
    keyed = [((number + rng.random()) / len(few), run) for number, run in enumerate(few)]
    keyed += [((number + rng.random()) / len(many), run) for number, run in enumerate(many)]
    return [run for _, run in sorted(keyed, key=lambda one: one[0])]
