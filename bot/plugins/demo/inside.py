"""What happens inside the demo's Bellhop, as its control socket tells it."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bot.plugin.models import JsonObject

NEWEST = 6
PATIENCE_S = 10.0
_MOST_BYTES = 4 * 2**20
_ASKED = {"id": 1, "method": "cycles.newest", "params": {"limit": NEWEST}}


class Inside:
    """Asks the Bellhop that runs on a home for its newest runs."""

    def __init__(self, home: Path) -> None:
        self._socket = home / "data" / "bellhop.sock"
        self._found: Sequence[JsonObject] = ()

    async def newest(self) -> Sequence[JsonObject]:
        """The newest runs, newest first: who asked what, and the tree of `bellhop cycles show`.

        While Bellhop doesn't run, they are what it said last.
        """
        with suppress(OSError, ValueError):  # it starts, or was killed within its answer
            async with asyncio.timeout(PATIENCE_S):
                self._found = await self._ask()
        return self._found

    async def _ask(self) -> Sequence[JsonObject]:
        reader, writer = await asyncio.open_unix_connection(self._socket, limit=_MOST_BYTES)
        try:
            writer.write(f"{json.dumps(_ASKED)}\n".encode())
            return json.loads(await reader.readline()).get("result", self._found)
        finally:
            writer.close()
