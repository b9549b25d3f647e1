"""The drafts in the home's `data/drafts/`, which no agent can read.

Blocking: runs in a thread.
"""

import contextlib
import re
from pathlib import Path

from bot.errors import ToolError
from bot.storage.confined import open_folder, read_bytes, replace_bytes
from bot.workshop.making.draft import Draft

NAME = re.compile(r"[a-z][a-z0-9_]{1,49}")
MOST = 100
"""The most drafts; stage or drop one before adding more."""
_BYTES = 1024 * 1024


class Drafts:
    """Drafts of one home, a file each, written whole or not at all."""

    def __init__(self, home: Path) -> None:
        self._data = home / "data"

    def put(self, draft: Draft) -> None:
        """Raises ToolError when there are too many or it is too large."""
        data = draft.dump()
        if len(data) > _BYTES:
            raise ToolError(f"the draft is larger than {_BYTES // 1024} KB; make it smaller")
        names = self.names()
        if draft.name not in names and len(names) >= MOST:
            raise ToolError(
                f"there are {MOST} drafts already; the operator has to tidy data/drafts"
            )
        with open_folder(self._data, ("drafts",), create=True) as folder:
            replace_bytes(folder, f"{draft.name}.json", data)

    def get(self, name: str) -> Draft:
        """Raises ToolError, naming those there are."""
        if NAME.fullmatch(name):
            with (
                contextlib.suppress(OSError, ValueError),
                open_folder(self._data, ("drafts",)) as folder,
            ):
                draft = Draft.load(read_bytes(folder, f"{name}.json", _BYTES))
                if draft.name == name:
                    return draft
        raise ToolError(
            f"there is no draft {name[:60]!r}; there is {', '.join(self.names()) or 'none at all'}"
        )

    def names(self) -> tuple[str, ...]:
        return tuple(
            sorted(
                path.stem
                for path in (self._data / "drafts").glob("*.json")
                if NAME.fullmatch(path.stem)
            )
        )
