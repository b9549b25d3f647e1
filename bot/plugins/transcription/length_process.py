"""Reads the length of a recording in its own process: `python -m …length_process`.

Standard input: the bytes. Standard output: seconds, 0 if they are unknown.
"""

import io
import sys
import warnings

from bot.plugin.readers import limit_itself

MEMORY_BYTES = 512 * 1024 * 1024
CPU_S = 10


def length_of(data: bytes) -> float:
    from tinytag import TinyTag, TinyTagException  # noqa: PLC0415 - after the limits

    try:
        found = TinyTag.get("recording", file_obj=io.BytesIO(data), tags=False)
    except (TinyTagException, ArithmeticError, LookupError, TypeError, ValueError):
        return 0.0
    return max(float(found.duration or 0.0), 0.0)


def main() -> None:
    warnings.simplefilter("ignore")
    data = sys.stdin.buffer.read()
    limit_itself(MEMORY_BYTES, CPU_S)
    sys.stdout.write(repr(length_of(data)))


if __name__ == "__main__":
    main()
