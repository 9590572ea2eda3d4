# SPDX-License-Identifier: Apache-2.0
import tempfile
import unittest
from pathlib import Path

import summary
import table


def row(run, kinds, kind, rate, arrangement="pair", repetition=1):
    return {
        "run": run, "repetition": repetition, "arrangement": arrangement, "set": "+".join(sorted(kinds)), "size": len(kinds),
        "kind": kind, "instance": 0, "at_s": 7, "window_s": 4.0, "work": 1, "work_per_s": rate, "cpu": 0.5,
        "steal": 0.0, "foreign_cpu": 0.001,
    }  # fmt: skip


def solo(number, kind, rate):
    return row(f"1/{kind}/{number}", [kind], kind, rate, "alone")


PAIR = [row("1/a+b", ["a", "b"], "a", 50.0), row("1/a+b", ["a", "b"], "b", 8.0)]


class TableTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.path = Path(self.directory.name) / "corun.csv"

    def append(self, *rows):
        table.append(self.path, table.COLUMNS, rows)

    def test_table_of_fewer_signals_is_read_and_not_gone_on_with(self):
        old = [name for name in table.COLUMNS if name not in table.TOLD]
        table.append(self.path, old, [solo(1, "a", 100.0)])

        self.assertEqual("0.5", table.read(self.path)[0]["cpu"])
        with self.assertRaises(SystemExit):
            table.require_same_columns(self.path)

    def test_its_own_table_is_gone_on_with(self):
        table.require_same_columns(self.path)
        self.append(*PAIR)
        table.require_same_columns(self.path)

    def test_table_of_something_else_is_refused(self):
        self.path.write_text("run,cpu\n1,2\n", encoding="utf-8")
        with self.assertRaises(SystemExit):
            table.read(self.path)

    def test_what_was_appended_is_read(self):
        self.append(solo(1, "a", 100.0))
        self.append(*PAIR)

        rows = table.read(self.path)

        self.assertEqual([one["kind"] for one in rows], ["a", "a", "b"])
        self.assertEqual(table.done(rows), {"1/a/1", "1/a+b"})
        self.assertEqual(rows[0]["cpu"], "0.5")
        self.assertEqual(rows[0]["mbw"], "")

    def test_a_run_that_was_cut_off_anywhere_is_not_done(self):
        self.append(solo(1, "a", 100.0))
        first = self.path.stat().st_size
        self.append(*PAIR)
        whole = self.path.read_bytes()

        for length in range(first, len(whole)):
            self.path.write_bytes(whole[:length])
            self.assertEqual(table.done(table.read(self.path)), {"1/a/1"}, length)

    def test_resuming_after_a_cut_leaves_each_run_once(self):
        self.append(solo(1, "a", 100.0))
        self.append(*PAIR)
        self.path.write_bytes(self.path.read_bytes()[:-9])

        table.replace(self.path, table.read(self.path))
        self.append(*PAIR)

        self.assertEqual([one["run"] for one in table.read(self.path)], ["1/a/1", "1/a+b", "1/a+b"])

    def test_a_missing_and_an_empty_table_have_no_rows(self):
        self.assertEqual(table.read(self.path), [])
        self.path.touch()
        self.assertEqual(table.read(self.path), [])

    def test_another_programs_table_is_refused(self):
        self.path.write_text("run,size\n1,1\n")

        with self.assertRaises(SystemExit):
            table.read(self.path)

    def test_slowdown_is_median_rate_alone_over_the_rate_in_the_set(self):
        self.append(solo(1, "a", 90.0), solo(2, "a", 100.0), solo(3, "a", 400.0), solo(1, "b", 8.0), *PAIR)

        table.write_slowdowns(self.path)

        told = {(one["run"], one["kind"]): float(one["slowdown"]) for one in table.read(self.path)}
        self.assertEqual(told[("1/a+b", "a")], 2.0)
        self.assertEqual(told[("1/a+b", "b")], 1.0)
        self.assertEqual(told[("1/a/2", "a")], 1.0)
        self.assertEqual(told[("1/a/3", "a")], 0.25)

    def test_without_a_solo_or_without_work_there_is_no_slowdown(self):
        rows = table.with_slowdowns([*PAIR, row("1/a+a", ["a", "a"], "a", 0.0), solo(1, "a", 3.0)])

        self.assertEqual([one["slowdown"] for one in rows[1:3]], ["", ""])

    def test_a_level_is_growth_over_growth_and_absent_where_it_was_not_counted(self):
        self.assertEqual(table.level({"used": 5, "capacity": 10}, {"used": 8, "capacity": 16}), 0.5)
        self.assertEqual(table.level({"used": 5, "capacity": 10}, {"used": 5, "capacity": 16}), 0.0)
        self.assertIsNone(table.level({"used": 5, "capacity": 10}, {"used": 8, "capacity": 10}))
        self.assertIsNone(table.level({"status": "unavailable"}, {"used": 8, "capacity": 10}))

    def test_the_matrix_has_the_row_kinds_slowdown_beside_the_other_kind(self):
        rows = [solo(1, "a", 100.0), solo(1, "b", 16.0), *PAIR]

        self.assertEqual(summary.pair_matrix(table.with_slowdowns(rows)), {("a", "b"): 2.0, ("b", "a"): 2.0})

    def test_repetition_spread_is_the_distance_from_the_median_of_the_same_kind_in_the_same_set(self):
        rows = [row(f"{n}/a+b", ["a", "b"], "a", rate, repetition=n) for n, rate in enumerate((50.0, 40.0, 100.0), 1)]

        told = summary.repetition_spread(table.with_slowdowns([solo(1, "a", 100.0), *rows]))

        self.assertEqual(sorted(told), [0.0, 0.25, 0.5])

    def test_the_report_tells_of_every_kind(self):
        told = summary.summary([{**one, "size": str(one["size"])} for one in (solo(1, "a", 100.0), solo(1, "b", 16.0), *PAIR)])

        self.assertIn("a                  1        100", told)
        self.assertIn("2.00", told)


if __name__ == "__main__":
    unittest.main()
