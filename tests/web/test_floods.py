"""Bodies of a gigabyte: who sends one is hung up on after a few megabytes, by every way in."""

import asyncio
from pathlib import Path

import pytest

from bot.testing.flood import GIGABYTE, Flood, flooding
from bot.testing.flood_doors import ANSWERS, met, posted

MOST = 18_000_000
"""Bytes: an answer may have 5,000,000, and the buffers of two sockets hold what nobody reads."""


@pytest.mark.parametrize("way", ANSWERS)
async def test_a_gigabyte_is_not_read(way: str, tmp_path: Path):
    async with flooding(Flood()) as flood:
        said = await met(ANSWERS[way], flood, tmp_path)
    ends = {"a revocation": "True", "the answer to a mail": "unknown: "}
    assert said.startswith(ends.get(way, "refused: "))
    assert flood.answers == 1, "what was too large once is not asked for again"
    assert flood.sent < MOST


async def test_a_gigabyte_that_is_posted_is_refused():
    seen = await asyncio.gather(*(posted(path, GIGABYTE) for path in ("/mail/resend", "/form")))
    for one in seen:
        assert one.status in {0, 413}, "0: it hung up before the sender read the answer"
        assert one.sent < MOST
