# SPDX-License-Identifier: Apache-2.0
import unittest

from disk import Head


class HeadTest(unittest.TestCase):
    def test_what_follows_needs_no_seek(self):
        head = Head(100, 1)
        self.assertEqual(head.serve(0, 100, 0), (0, 1))
        self.assertEqual(head.serve(100, 100, 0), (1, 2))

    def test_what_lies_elsewhere_does_before_or_behind(self):
        head = Head(100, 1)
        self.assertEqual(head.serve(300, 100, 0), (0, 2))
        self.assertEqual(head.serve(0, 100, 0), (2, 4))

    def test_a_disk_at_rest_begins_when_it_is_asked(self):
        head = Head(100, 1)
        head.serve(0, 100, 0)
        self.assertEqual(head.serve(100, 100, 10), (10, 11))


if __name__ == "__main__":
    unittest.main()
