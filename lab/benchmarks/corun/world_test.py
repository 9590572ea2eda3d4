# SPDX-License-Identifier: Apache-2.0
import json
import unittest
from pathlib import Path

import table
import world

HERE = Path(__file__).resolve().parent
MACHINE = {
    "machine": {"cpus": 2},
    "node": {"cpu_quota_us": 100000, "cpu_period_us": 100000, "read_bytes_per_s": 1 << 20, "network_bits_per_s": 10**6},
}


def row(set_of, kind, rate, arrangement, **levels):
    return {
        "run": "1", "arrangement": arrangement, "set": set_of, "size": "1", "kind": kind, "work_per_s": rate,
        "cpu": "", "blk": "", "blkwait": "", "netp": "", **levels,
    }  # fmt: skip


class WorldTest(unittest.TestCase):
    def test_committed_world_is_that_of_the_committed_measurement(self):
        rows = table.read(table.data_path(HERE / "data"))
        machine = json.loads((HERE / "data" / "machine.json").read_text(encoding="utf-8"))
        committed = json.loads((HERE.parents[1] / "simulator" / "worlds" / "corun.json").read_text(encoding="utf-8"))
        self.assertEqual(world.world(rows, machine), committed)

    def test_demands_are_shares_of_the_node_that_tasks_had(self):
        told = world.world(
            [
                row("a", "a", "10", "alone", cpu="0.5", netp="0.004"),
                row("b", "b", "10", "alone", cpu="0.1", blk="0.07", blkwait="3.9"),
            ],
            MACHINE,
        )
        self.assertEqual(told["kinds"], {"a": {"cpu": 1.0}, "b": {"cpu": 0.2, "disk": 1.0}})

    def test_a_slowdown_is_the_median_of_a_company_and_never_below_one(self):
        rows = [row("a", "a", "10", "alone"), row("b", "b", "10", "alone")]
        rows += [row("a+b", "a", rate, "pair") for rate in ("5", "4", "2")]
        rows += [row("a+b", "b", "11", "pair"), row("a+a+b", "a", "5", "random")]
        self.assertEqual(world.world(rows, MACHINE)["slowdowns"], {"a": {"b": 2.5, "a+b": 2.0}, "b": {"a": 1.0}})


if __name__ == "__main__":
    unittest.main()
