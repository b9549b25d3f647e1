"""Stores files that people sent as their documents."""

import json
import re

from bot.clock import format_utc
from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.domain.origins import Origin
from bot.domain.privacy import Learned
from bot.files.database_files import version_of
from bot.files.paths import normalise
from bot.files.store import FileRows, Owner, StoredText, put_new

FOLDER = "/documents/incoming"
ROOM_CHARS = 32_000_000
"""The most characters of one person's files in this folder."""
_NAME_CHARS = 60
_ODD = re.compile(r"[^\w.-]+")


class IncomingFiles:
    """Stores texts that came with messages. Raises StorageError."""

    def __init__(self, rows: FileRows, clock: Clock) -> None:
        self._rows = rows
        self._clock = clock

    async def new(
        self, person: str, name: str, text: str, learned: Learned, origin: Origin
    ) -> tuple[str, Unit] | None:
        """The path of a person's new file and its unit; None if there is no room for it.

        The unit is rejected if the path was taken meanwhile.
        """
        owner = Owner("person", person)
        below = await self._rows.below(owner, FOLDER)
        blocked = await self._rows.file_above(owner, f"{FOLDER}/file")
        if blocked or sum(int(row["size"]) for row in below) + len(text) > ROOM_CHARS:
            return None
        # A folder takes a name as well as a file does.
        taken = {str(row["path"]).removeprefix(f"{FOLDER}/").partition("/")[0] for row in below}
        path = f"{FOLDER}/{free_name(name, taken)}"
        stored = StoredText(
            text=text,
            version=version_of(text),
            updated_at=format_utc(self._clock.now()),
            updated_by=person,
            learned=learned,
            origin=json.dumps(origin.to_json(), sort_keys=True),
        )
        return path, put_new(owner, path, stored)


def free_name(name: str, taken: set[str]) -> str:
    """A name that is safe in a path, with a number when it is taken: `log.txt`, `log-2.txt`."""
    clean = normalise("/" + (_ODD.sub("-", name).strip("-.") or "file"))[1:]
    stem, dot, ending = clean.rpartition(".")
    if not dot or len(ending) > _NAME_CHARS // 4:
        stem, dot, ending = clean, "", ""
    stem = stem[:_NAME_CHARS].rstrip("-.") or "file"
    found, number = f"{stem}{dot}{ending}", 1
    while found in taken:
        number += 1
        found = f"{stem}-{number}{dot}{ending}"
    return found
