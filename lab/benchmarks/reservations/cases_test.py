# SPDX-License-Identifier: Apache-2.0
import json
import unittest

from cases import SCHEDULERS, Gains, cases, text


class CasesTest(unittest.TestCase):
    def test_each_scheduler_is_tried_by_limits_in_both_versions_and_buffered_where_that_is_limited(self):
        tried = {(case.version, case.writes, case.scheduler) for case in cases() if case.by == "limits" and case.disk == "rotating"}
        expected = {(version, writes, one) for version, writes in ((1, "direct"), (2, "direct"), (2, "buffered")) for one in SCHEDULERS}
        self.assertEqual(expected - tried, set())

    def test_weights_are_tried_only_where_something_holds_them(self):
        for case in cases():
            self.assertTrue(case.by != "weights" or case.scheduler == "bfq", case)

    def test_only_buffered_writers_have_limits_of_memory(self):
        limited = {case.writes for case in cases() if case.columns(4, 6)["memory"] != "max"}
        self.assertEqual(limited, {"buffered"})

    def test_no_case_is_measured_twice(self):
        names = [case.name for case in cases()]
        self.assertEqual(len(names), len(set(names)))

    def test_the_guest_is_told_volumes_of_ten_twenty_and_thirty_parts(self):
        columns = json.loads(json.dumps(cases()[0].columns(4, 6)))
        self.assertEqual(columns["volumes"], [40, 80, 120])


class GainsTest(unittest.TestCase):
    def test_gains_are_of_pairs_with_the_middle_and_the_ends(self):
        columns = Gains.of([[3, 5, 6], [3, 5, 10], [3, 5, 8]], [[1, 3, 6], [1, 3, 5], [1, 3, 6]]).columns()
        self.assertEqual(columns["makespan_gain"], 0.25)
        self.assertEqual(columns["makespan_gain_interval"], {"from": 0.0, "to": 0.5, "pairs": 3})
        self.assertAlmostEqual(columns["shortest_gain"], 2 / 3)
        self.assertAlmostEqual(columns["completion_gain_interval"]["from"], 4 / 14)

    def test_a_run_without_its_pair_is_refused(self):
        with self.assertRaises(ValueError):
            Gains.of([[1, 2, 3]], [])

    def test_the_table_has_what_was_published_below(self):
        table = text({cases()[0]: Gains.of([[3, 5, 6]], [[1, 3, 6]]).columns()}).splitlines()
        self.assertEqual(table[1].split()[:3], ["rotating.v2.direct.limits.none", "0.0", "[0.0,"])
        self.assertEqual(table[-1].split()[-2:], ["26", "50"])


if __name__ == "__main__":
    unittest.main()
