# SPDX-License-Identifier: Apache-2.0
import random
import unittest

from model import Disk, equal, gain, gains, interleaved, reserved, switches, times

MIB = 1 << 20
VOLUMES = [10 * MIB, 20 * MIB, 30 * MIB]
EVEN = Disk(10 * MIB, 0)


def some_volumes(random_source):
    return [random_source.randint(1, 1000) * MIB for _ in range(random_source.randint(2, 6))]


class PartsTest(unittest.TestCase):
    def test_the_shortest_of_three_has_nine_tenths(self):
        self.assertEqual([round(one, 9) for one in reserved([30, 10, 20])], [0.05, 0.9, 0.05])

    def test_who_is_alone_has_all(self):
        self.assertEqual(reserved([5]), [1.0])

    def test_the_head_changes_files_after_each_run_of_equals_and_never_for_one(self):
        self.assertEqual(switches(equal([1, 2, 3])), 1)
        self.assertEqual(switches([1.0]), 0)
        self.assertAlmostEqual(switches([0.9, 0.05, 0.05]), 0.2)


class TimesTest(unittest.TestCase):
    def test_equal_writers_of_a_disk_without_seeks_end_when_the_thirds_are_written(self):
        # 10 MiB/s: three write until 3 s, two until 5 s, the last until 6 s.
        self.assertEqual([round(one, 9) for one in times(EVEN, VOLUMES, MIB, equal).each], [3, 5, 6])

    def test_without_seeks_nothing_is_gained_in_makespan_whatever_the_volumes(self):
        for seed in range(50):
            makespan, _ = gains(EVEN, some_volumes(random.Random(seed)), MIB)
            self.assertAlmostEqual(makespan, 0, places=9, msg=f"seed {seed}")

    def test_without_seeks_one_after_another_gains_no_three_tenths_of_completion(self):
        # One after another they end at 1, 3 and 6 s: no parts are better.
        best = gain((3 + 5 + 6) / 3, (1 + 3 + 6) / 3)
        self.assertAlmostEqual(best, 4 / 14)
        self.assertLess(gains(EVEN, VOLUMES, MIB)[1], best)

    def test_a_longer_seek_never_gains_less(self):
        for seed in range(50):
            volumes = some_volumes(random.Random(seed))
            found = [gains(Disk(10 * MIB, ms / 1000), volumes, MIB)[0] for ms in range(0, 200, 20)]
            self.assertEqual(found, sorted(found), f"seed {seed}")

    def test_the_published_makespan_goes_with_the_published_completion(self):
        # Where interleaving costs a third of the bandwidth.
        disk = Disk(10 * MIB, 0.053)
        makespan, completion = gains(disk, VOLUMES, MIB)
        self.assertAlmostEqual(interleaved(disk, MIB), 0.65, places=2)
        self.assertAlmostEqual(makespan, 0.26, places=1)
        self.assertTrue(0.4 < completion < 0.5, completion)


if __name__ == "__main__":
    unittest.main()
