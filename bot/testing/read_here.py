"""Reads and makes files in the process of a test, where a house starts one for each.

Starting a process and importing its parsers takes half a second, and most tests are about what
comes out. The limits of these processes are tried by tests that start them.
"""

import json
import math
import time
import warnings

from bot.knowledge.document_process import parts_of
from bot.plugins.made_files.make_process import answered, read_order


async def read_here(module: str, request: bytes, wall_s: float, most_bytes: int) -> bytes:
    """Take the place of `run_limited` in `bot.knowledge.reading`."""
    line, _, data = request.partition(b"\n")
    head = json.loads(line)
    # Its time is counted from the begin of the process, and this one has run for minutes.
    head["cpu_s"] += 2 * math.ceil(time.process_time())
    with warnings.catch_warnings(action="ignore"):
        found = parts_of(data, head)
    return json.dumps(found, ensure_ascii=False).encode("utf-8", "replace")


async def make_here(module: str, request: bytes, wall_s: float, most_bytes: int) -> bytes:
    """Take the place of `run_limited` in `bot.plugins.made_files.maker`."""
    with warnings.catch_warnings(action="ignore"):
        return answered(read_order(json.loads(request)))
