# SPDX-License-Identifier: Apache-2.0
import json
import math
import unittest

from cells import PUBLISHED, Cell, text


class CellTest(unittest.TestCase):
    def test_half_the_rate_is_twice_the_time(self):
        cell = Cell.of([10, 20, 30], [5, 10, 15])
        self.assertEqual((cell.mean, cell.low, cell.high), (1, 1, 1))

    def test_the_interval_is_students(self):
        # 10, 20 and 30 %: mean 20, deviation 10, 4.303 * 10 / sqrt(3) = 24.84 on either side.
        cell = Cell.of([1.1, 1.2, 1.3], [1, 1, 1])
        self.assertAlmostEqual(cell.mean, 0.2)
        self.assertAlmostEqual(cell.low, 0.2 - 0.2484, places=4)
        self.assertAlmostEqual(cell.high, 0.2 + 0.2484, places=4)

    def test_each_repetition_is_held_against_its_own(self):
        self.assertAlmostEqual(Cell.of([10, 1], [5, 0.5]).high, 1)

    def test_a_single_repetition_has_no_interval(self):
        cell = Cell.of([10], [8])
        self.assertEqual(str(cell), "25.0")
        self.assertEqual(cell.columns(), {"longer": 0.25, "repetitions": 1})

    def test_nothing_lost_has_no_sign(self):
        self.assertEqual(str(Cell.of([1.0], [1.0001])), "0.0")

    def test_no_work_is_no_number(self):
        cell = Cell.of([10, 10], [5, 0])
        self.assertTrue(math.isinf(cell.mean))
        self.assertEqual(json.loads(json.dumps(cell.columns())), {"longer": "no work", "repetitions": 2})

    def test_a_victim_that_does_nothing_alone_is_refused(self):
        with self.assertRaises(ValueError):
            Cell.of([0], [1])


class TextTest(unittest.TestCase):
    def test_what_was_published_stands_beside(self):
        cells = {"limits": {"lu": {"memory": Cell.of([2], [1])}}}
        table = text(cells, ["lu"], ["memory"], ["limits"]).splitlines()
        self.assertEqual(table[2].split(), ["memory", "100.0", "88.2"])

    def test_the_published_tables_have_a_row_each(self):
        # Table 2.2 has four columns, the LXC column of Table 2.3 six rows.
        self.assertEqual({victim: len(row) for victim, row in PUBLISHED.items()}, {"sort": 4, "lu": 6})


if __name__ == "__main__":
    unittest.main()
