"""Reports changes of files below some folders, so that they are reloaded.

See docs/rules.md#live-files.
"""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import cast

from watchfiles import awatch  # pyright: ignore[reportUnknownVariableType] - it knows trio, which is not here

log = logging.getLogger(__name__)

_NEW_FOLDERS_MS = 5_000
"""A folder that is created later is found within this time."""


async def changes(
    folders: Sequence[Path], *, recursive: bool = True, at_least_s: float | None = None
) -> AsyncGenerator[None]:
    """Yield after each burst of changes below `folders`, for ever; folders may come and go.

    With `at_least_s` also when so many seconds went by: a machine isn't told what another one
    changes on a shared path. Folders that can't be watched count as changed every five seconds.
    """
    told = ""
    loop = asyncio.get_running_loop()
    yielded = loop.time()
    timeout_ms = (
        _NEW_FOLDERS_MS if at_least_s is None else int(min(_NEW_FOLDERS_MS, at_least_s * 1000))
    )
    watch = cast("Callable[..., AsyncIterator[set[object]]]", awatch)
    while True:
        present = await asyncio.to_thread(_present, folders)
        if not present:
            await asyncio.sleep(_NEW_FOLDERS_MS / 1000)
            continue
        try:
            async for found in watch(
                *present,
                recursive=recursive,
                yield_on_timeout=True,
                rust_timeout=timeout_ms,
                ignore_permission_denied=True,  # of one folder below; whoever reads it says why
            ):
                if found or (at_least_s is not None and loop.time() - yielded >= at_least_s):
                    yield
                    yielded = loop.time()
                if present != await asyncio.to_thread(_present, folders):
                    yield
                    break
        except (OSError, RuntimeError, ExceptionGroup) as error:
            # too many watches, or a name that is no UTF-8
            why = error.exceptions[0] if isinstance(error, ExceptionGroup) else error
            if told != (told := str(why)):
                log.warning("%s | changes are looked for every five seconds", told)
            await asyncio.sleep(_NEW_FOLDERS_MS / 1000)
            yield


def _present(folders: Sequence[Path]) -> list[Path]:
    """Those that can be watched."""
    return [
        folder for folder in folders if folder.is_dir() and os.access(folder, os.R_OK | os.X_OK)
    ]
