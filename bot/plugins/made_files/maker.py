"""Starts the process that makes files; at most one at a time."""

import asyncio
import importlib.util
import json
import logging

from bot.plugin.files import DocumentError
from bot.plugin.programs import run_limited
from bot.plugins.made_files.orders import FileOrder, MadeFile

log = logging.getLogger(__name__)

WALL_S = 60.0
MOST_BYTES = 10 * 1024 * 1024
"""The largest file that every platform takes."""
_PROCESS = "bot.plugins.made_files.make_process"


class FileMaker:
    """Makes one file after the other."""

    def __init__(self) -> None:
        self._one_at_a_time = asyncio.Lock()

    async def make(self, order: FileOrder) -> MadeFile:
        """Raises DocumentError: why it can't be made, and what to correct."""
        request = json.dumps(order.to_json()).encode()
        async with self._one_at_a_time:
            output = await run_limited(_PROCESS, request, WALL_S, MOST_BYTES)
        if not output:
            log.warning("kind=<%s>, bytes=<%d> | a file was not made", order.kind, len(request))
            raise DocumentError(
                "it takes more time or memory than a file may, or has more than "
                f"{MOST_BYTES // 1024**2} MB; make it shorter"
            )
        head, _, data = output.partition(b"\n")
        told = json.loads(head)
        if problem := told.get("problem"):
            raise DocumentError(problem)
        return MadeFile(data, told["note"])


def plots_there() -> bool:
    """Whether the extra `plots` is installed."""
    return importlib.util.find_spec("matplotlib") is not None
