# SPDX-License-Identifier: Apache-2.0
import unittest

from factors import Factors, row_of, table_text

REACHED = {"low": 0.105, "moderate": 0.355, "high": 0.755}


def factors(low, moderate, high, pressed=None):
    times = {"absent": [1.0], "low": [low], "moderate": [moderate], "high": [high]}
    return Factors.of("cpu", times, pressed or REACHED)


class FactorsTest(unittest.TestCase):
    def test_factor_is_the_time_beside_over_that_alone_of_the_same_repetition(self):
        # The machine is twice as slow in the second repetition: that is no harm of the neighbours'.
        times = {"absent": [1.0, 2.0, 1.0], "low": [1.1, 2.2, 1.1], "moderate": [1.5, 3.0, 1.5], "high": [2.0, 4.0, 9.0]}
        found = Factors.of("cpu", times, REACHED)
        self.assertAlmostEqual(1.1, found.factor["low"])
        self.assertAlmostEqual(1.5, found.factor["moderate"])
        self.assertAlmostEqual(2.0, found.factor["high"])

    def test_stressors_that_reached_less_than_the_middle_of_their_class_cost_in_proportion(self):
        found = factors(1.0, 1.0, 1.5, {**REACHED, "high": 0.6})
        self.assertAlmostEqual(1 + 0.5 * 0.755 / 0.6, found.factor["high"])

    def test_stressors_that_did_not_reach_their_class_are_no_row(self):
        found = factors(1.0, 1.1, 1.2, {**REACHED, "high": 0.45})
        self.assertEqual("stressors of class high reached 45% of the node, and the class begins at 51%", row_of(found))

    def test_stressors_that_did_nothing_are_no_row(self):
        self.assertIn("reached 0%", row_of(factors(1.0, 1.1, 1.2, {**REACHED, "low": 0.0})))

    def test_more_pressure_never_helps(self):
        self.assertEqual((1.0, 1.2, 1.2), row_of(factors(0.97, 1.2, 1.1)))

    def test_text_is_as_the_setting_takes_it(self):
        self.assertEqual("cpu=1/1.235/2", table_text([factors(1.0, 1.23456, 2.0)]))


if __name__ == "__main__":
    unittest.main()
