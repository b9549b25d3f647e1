"""Keeps the garbage collector off what stays, and returns free memory of glibc's heap."""

import asyncio
import contextlib
import ctypes
import gc
import sys
from collections.abc import Generator

EVERY_S = 60.0
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
"""Of mallopt(3)."""
_LARGE_BYTES = 128 * 1024
_COLLECTED_EVERY = (10_000, 5, 5)
"""Thresholds of the garbage collector. A turn leaves no cycles, so it has little to find. At 1000
objects it looked at all turns under way so often that it took a tenth of their CPU time.
"""


def one_heap() -> None:
    """Let all threads share one heap, because each heap keeps free memory of its own.

    Python runs one thread at a time anyway. Large blocks stay out of the heap: by default glibc
    takes ever larger ones into it, where they leave holes.
    """
    if (libc := _glibc()) is not None:
        libc.mallopt(_M_ARENA_MAX, 1)
        libc.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)


@contextlib.contextmanager
def uncollected_start() -> Generator[None]:
    """Keep the collector off until `freeze_start`: what a start builds stays.

    At the end it is on, as before, also for the caller of a start that failed.
    """
    thresholds = gc.get_threshold()
    gc.disable()
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.enable()
        gc.unfreeze()


def freeze_start() -> None:
    """Freeze the objects of the start, so that collections don't scan all of them again.

    Its garbage goes before that, or it would stay. Little of that is among what imports made.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTED_EVERY)
    gc.enable()


async def give_back_free_memory(every_s: float = EVERY_S) -> None:
    """Return free memory each minute, until cancelled.

    glibc keeps free memory between used blocks.
    """
    libc = _glibc()
    while libc is not None:
        await asyncio.sleep(every_s)
        await asyncio.to_thread(libc.malloc_trim, 0)


def _glibc() -> ctypes.CDLL | None:
    """None on other systems, and with another C library."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "mallopt") and hasattr(libc, "malloc_trim") else None
