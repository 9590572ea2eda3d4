# SPDX-License-Identifier: Apache-2.0
"""The collector as a process, and held processes: what its own benchmarks have."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "intp-collector" / "bench"))
from node import REPOSITORY, Daemon, Held, container_id, machine, require, write  # noqa: E402

__all__ = ["REPOSITORY", "Daemon", "Held", "container_id", "machine", "require", "write"]
