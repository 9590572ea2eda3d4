# SPDX-License-Identifier: Apache-2.0
import itertools
import unittest
from collections import Counter

import plan
from corun import parsed_arguments, planned

NAMES = [kind.name for kind in plan.KINDS]


def full(seed=1):
    return plan.plan(NAMES, repetitions=3, solos=2, sets=60, seed=seed)


class PlanTest(unittest.TestCase):
    def test_every_pair_is_there_in_every_repetition(self):
        wanted = {plan.set_name(pair) for pair in itertools.combinations_with_replacement(NAMES, 2)}

        for repetition in (1, 2, 3):
            told = [run.set for run in full() if run.arrangement == "pair" and run.repetition == repetition]
            self.assertEqual(len(told), len(NAMES) * (len(NAMES) + 1) // 2)
            self.assertEqual(set(told), wanted)

    def test_the_same_sixty_sets_of_three_and_four_come_in_every_repetition(self):
        told = [{run.set for run in full() if run.arrangement == "random" and run.repetition == one} for one in (1, 2, 3)]

        self.assertEqual(len(told[0]), 60)
        self.assertEqual(told[0], told[1])
        self.assertEqual(told[0], told[2])
        self.assertEqual({len(plan.kinds_of(one)) for one in told[0]}, {3, 4})

    def test_run_ids_are_unique(self):
        for seed in range(20):
            self.assertEqual(max(Counter(run.id for run in full(seed)).values()), 1)

    def test_no_set_holds_a_task_twice_or_a_kind_more_often_than_there_are_instances(self):
        for seed in range(20):
            for run in full(seed):
                self.assertEqual(len(set(run.tasks)), len(run.tasks))
                self.assertLess(max(task.instance for task in run.tasks), plan.INSTANCES)

    def test_kinds_are_about_equally_often_in_random_sets(self):
        for seed in range(20):
            counts = Counter(kind for run in full(seed) if run.arrangement == "random" for kind in plan.kinds_of(run.set))
            self.assertLessEqual(max(counts.values()) - min(counts.values()), 3 * 6)

    def test_solos_are_spread_over_the_whole_and_both_instances_have_some(self):
        for seed in range(20):
            runs = full(seed)
            for kind in NAMES:
                at = [number for number, run in enumerate(runs) if run.arrangement == "alone" and run.tasks[0].kind == kind]
                self.assertEqual(len(at), 6)
                self.assertLess(max(b - a for a, b in itertools.pairwise(at)), len(runs) // 3)
                self.assertEqual({runs[one].tasks[0].instance for one in at}, {0, 1})

    def test_order_is_the_seeds(self):
        self.assertEqual(full(5), full(5))
        self.assertNotEqual(full(5), full(6))

    def test_in_each_round_of_staircases_every_kind_is_alone_once_and_all_steps_are_by_one_task(self):
        for seed in range(20):
            runs = plan.staircases(NAMES, 2, seed)
            alone = Counter((run.repetition, run.tasks[0].kind) for run in runs if run.arrangement == "alone")

            self.assertEqual(len(runs), 2 * 7 * len(NAMES) // 2)
            self.assertEqual(alone, {(number, kind): 1 for number in (1, 2) for kind in NAMES})
            self.assertEqual(max(Counter(run.id for run in runs).values()), 1)
            for before, after in itertools.pairwise(runs):
                if before.id.split(".")[0] == after.id.split(".")[0]:
                    self.assertEqual(len(set(before.tasks) ^ set(after.tasks)), 1)
            for run in runs:
                self.assertEqual(len(set(run.tasks)), len(run.tasks))

    def test_more_sets_than_there_are_is_an_error(self):
        with self.assertRaises(ValueError):
            plan.plan(NAMES[:2], repetitions=1, solos=1, sets=60, seed=1)

    def test_kinds_of_undoes_set_name(self):
        self.assertEqual(plan.kinds_of(plan.set_name(["jvm-sort", "cpu-disk", "jvm-sort"])), ["cpu-disk", "jvm-sort", "jvm-sort"])

    def test_the_default_is_the_whole_plan_and_fits_into_its_time(self):
        arguments = parsed_arguments([])

        self.assertEqual(len(planned(arguments)), 5 * (2 * 20 + 210 + 60))
        self.assertLess(len(planned(arguments)) * (arguments.warm_up + arguments.window + 0.1), 60 * arguments.minutes)

    def test_the_quick_plan_has_every_kind_and_never_writes_where_the_full_one_does(self):
        quick, whole = parsed_arguments(["--quick"]), parsed_arguments([])

        self.assertEqual({task.kind for run in planned(quick) for task in run.tasks}, set(NAMES))
        self.assertNotEqual(quick.output, whole.output)


if __name__ == "__main__":
    unittest.main()
