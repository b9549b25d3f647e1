"""Unreadable objects of a platform: each is skipped, counted and logged."""

import logging
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

log = logging.getLogger(__name__)


class Unreadable:
    """Counts them.

    The log names the kind of object and the place in the code, never what the object holds.
    """

    def __init__(self, platform: str) -> None:
        self._platform = platform
        self.count = 0

    def skip(self, what: str, error: BaseException, id_: str = "") -> None:
        """`what`: the kind of object.

        The error's own words are left out: they may quote the object.
        """
        self.count += 1
        log.error(
            (
                "platform=<%s>, what=<%s>, id=<%s>, error=<%s>, at=<%s>, skipped=<%d> | can't be "
                "read, skipped"
            ),
            self._platform,
            what,
            id_,
            type(error).__name__,
            _where(error),
            self.count,
        )

    @contextmanager
    def skipping(self, what: str, id_: str = "") -> Generator[None]:
        """Run a block that reads one object; if it raises, the object is skipped."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever one object does, the others are read
            self.skip(what, error, id_)


def _where(error: BaseException) -> str:
    """The last steps to the error, innermost last."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return " > ".join(
        f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames
    )
