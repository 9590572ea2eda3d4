# SPDX-License-Identifier: Apache-2.0
import unittest

import quiet

BEFORE = quiet.Clock(at=100, steal=1, everything=50, kernel=5, tasks=20, own=3)


def after(**grown):
    grown = {"at": 4, **grown}
    return quiet.Clock(**{part: getattr(BEFORE, part) + grown.get(part, 0) for part in BEFORE.__dict__})


class QuietTest(unittest.TestCase):
    def test_foreign_is_what_neither_tasks_nor_measurement_nor_kernel_threads_took(self):
        facts = quiet.facts(BEFORE, after(everything=5, kernel=0.5, tasks=3, own=0.5), cpus=2, pressure=40.0)

        self.assertAlmostEqual(facts.foreign_cpu, 1 / 8)
        self.assertAlmostEqual(facts.kernel_cpu, 0.5 / 8)
        self.assertEqual(facts.psi_cpu_avg10, 40.0)

    def test_busy_tasks_are_no_objection(self):
        self.assertIsNone(quiet.objection(quiet.facts(BEFORE, after(everything=8, tasks=8), 2, 99.0)))

    def test_foreign_work_is_an_objection(self):
        self.assertIn("foreign", quiet.objection(quiet.facts(BEFORE, after(everything=0.2), 2, None)))

    def test_steal_is_an_objection(self):
        self.assertIn("steal", quiet.objection(quiet.facts(BEFORE, after(steal=0.1), 2, None)))


if __name__ == "__main__":
    unittest.main()
