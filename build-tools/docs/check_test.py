"""Tests of check.py: python3 check_test.py"""

import json
import os
import tempfile
import unittest

import check

RESULTS = {
    "cpu": 0.0822,
    "time.ms": {"p99": 1544.5},
    "gain": {"mean": 0.0975, "low": 0.0765, "high": 0.1185, "seeds": 30},
    "ratio": -1.04,
    "ratio_interval": {"from": -2.06, "to": 0.02},
    "none": None,
}


class CheckTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, check, "REPO", check.REPO)
        check.REPO = folder.name
        check.results.cache_clear()
        check.anchors.cache_clear()
        os.makedirs(os.path.join(folder.name, "docs", "measurements"))
        self.put("docs/measurements/m.json", json.dumps({"results": RESULTS}))

    def put(self, path, text):
        with open(os.path.join(check.REPO, path), "w", encoding="utf-8") as file:
            file.write(text)

    def stale(self, text):
        self.put("docs/page.md", text)
        return list(check.stale_figures("docs/page.md"))

    def figure(self, text, key):
        return self.stale(f"\nIt is [{text}](measurements/m.json#{key}).\n")

    def test_what_rounds_to_the_digits_written_is_right(self):
        for text, key in (("8 %", "cpu"), ("8.2 %", "cpu"), ("0.08", "cpu"), ("+8.22 %", "cpu"), ("1,544.5", "time.ms.p99"), ("9.8 %", "gain.mean"),
                          ("9.8 [7.6, 11.8] %", "gain"), ("9.8 ± 2.1 %", "gain"), ("-1.0 [-2.1, 0.0]", "ratio")):
            self.assertEqual([], self.figure(text, key), text)

    def test_what_differs_is_named_with_page_line_and_both_values(self):
        self.assertEqual(["docs/page.md:2: '8.3 %' is written, but docs/measurements/m.json has 8.2 % at results.cpu."], self.figure("8.3 %", "cpu"))
        for text, key in (("8.2", "cpu"), ("0.09", "cpu"), ("-8.2 %", "cpu"), ("1.0", "ratio"), ("9.8 [7.6, 12.0] %", "gain"), ("9.8 ± 2.2 %", "gain")):
            self.assertEqual(1, len(self.figure(text, key)), text)

    def test_a_key_that_is_not_there_or_has_no_such_figure_is_wrong(self):
        for text, key in (("8.2 %", "cpus"), ("8.2 %", "cpu.x"), ("8.2 [1.0, 2.0] %", "cpu"), ("0", "none"), ("1", "time.ms"), ("some", "cpu")):
            self.assertEqual(1, len(self.figure(text, key)), f"{text} {key}")

    def test_only_what_may_be_nought_is_not_clear(self):
        for said in (", not clear.", " (not clear)", ", which is not clear", ": not clear"):
            self.assertEqual([], self.stale(f"[-1.0 [-2.1, 0.0]](measurements/m.json#ratio){said}"))
            self.assertEqual(1, len(self.stale(f"[9.8 [7.6, 11.8] %](measurements/m.json#gain){said}")))
        self.assertEqual(1, len(self.stale("[8.2 %](measurements/m.json#cpu), not clear")))

    def test_a_figure_is_of_the_commit_that_is_named_nearest_to_it(self):
        results = {"a": {"commit": "b2", "x": 1}, "b": {"made": {"date": "2026"}, "x": 2}, "c.d": {"e": {"x": 3}}, "f": {"made": {"commit": "c3"}, "x": 4}}
        self.put("docs/measurements/m.json", json.dumps({"commit": "a1", "results": results}))
        for key, commit in (("a.x", "b2"), ("b.x", None), ("c.d.e.x", "a1"), ("f.x", "c3"), ("no", "a1")):
            self.assertEqual(commit, check.measured_at("docs/measurements/m.json", key), key)
        self.put("docs/page.md", "[1](measurements/m.json#a.x) [2](measurements/m.json#b.x)\n")
        self.assertEqual(["docs/page.md:1: docs/measurements/m.json does not say of which commit b.x is."], list(check.without_commit("docs/page.md")))

    def test_code_is_not_looked_at(self):
        self.assertEqual([], self.stale("`[9](measurements/m.json#cpu)`\n```\n[9](measurements/m.json#cpu)\n```\n"))

    def test_writing_puts_what_is_measured_in_place_and_nothing_else(self):
        self.put("README.md", "[page](docs/page.md)\n")
        self.put("docs/page.md", "[9.9 [7.6, 11.9] %](measurements/m.json#gain) and [1,111](measurements/m.json#time.ms.p99), [8.2 %](measurements/m.json#cpu)\n")
        check.write()
        self.assertEqual("[9.8 [7.6, 11.8] %](measurements/m.json#gain) and [1,544](measurements/m.json#time.ms.p99), [8.2 %](measurements/m.json#cpu)\n",
                         check.read("docs/page.md"))

    def test_links_lead_to_files_and_headings_of_the_repository(self):
        self.put("docs/other.md", "# One, two\n\n## One, two\n\n```\n# No heading\n```\n")
        text = "[a](other.md#one-two) [b](other.md#one-two_1) [c](other.md#no-heading)\n[d](no.md) [e](https://example.com/no) [f](../../outside) `[g](no.md)`\n"
        self.put("docs/page.md", text)
        self.assertEqual(
            [
                "docs/page.md:1: docs/other.md has no heading #no-heading.",
                "docs/page.md:2: the link to no.md leads nowhere.",
                "docs/page.md:2: the link to ../../outside leads nowhere.",
            ],
            list(check.broken_links("docs/page.md")),
        )


if __name__ == "__main__":
    unittest.main()
