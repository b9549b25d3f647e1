"""Folders are looked at now and then where nobody tells of changes."""

import asyncio
from contextlib import aclosing
from pathlib import Path

from bot.storage.watch import changes


async def test_it_looks_at_least_so_often(tmp_path: Path):
    async with asyncio.timeout(20), aclosing(changes([tmp_path], at_least_s=0.01)) as found:
        for _ in range(2):
            await anext(found)
