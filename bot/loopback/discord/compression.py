"""Gateway compression: none, zlib-stream, and zstd-stream where its library is installed."""

import importlib
import zlib
from collections.abc import Callable
from typing import Any, TypeAlias

Compressor: TypeAlias = Callable[[bytes], bytes]


def has_zstd() -> bool:
    """Whether this machine supports zstd-stream."""
    try:
        importlib.import_module("zstandard")
    except ModuleNotFoundError:
        return False
    return True


def compressor(kind: str) -> Compressor | None:
    """Return a context for one socket; None: plain text. Raises ValueError for an unknown kind."""
    match kind:
        case "":
            return None
        case "zlib-stream":
            return _zlib()
        case "zstd-stream" if has_zstd():
            return _zstd()
        case _:
            raise ValueError(f"{kind!r} is no compression that is understood here")


def _zlib() -> Compressor:
    context = zlib.compressobj()
    return lambda data: context.compress(data) + context.flush(zlib.Z_SYNC_FLUSH)


def _zstd() -> Compressor:
    zstandard: Any = importlib.import_module("zstandard")
    context = zstandard.ZstdCompressor().compressobj()
    return lambda data: context.compress(data) + context.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
