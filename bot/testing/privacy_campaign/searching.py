"""Searches everything that Bellhop keeps: rows of the database, files of memory, lines of the log.

What is kept for a person may hold only what that person may know, what is kept as private to a
channel only what all its readers may know, and what is kept as public only public things.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.domain.database import Database
from bot.domain.sessions import SessionKey
from bot.testing.privacy_campaign.ledger import Ledger, Spot, tokens_in

_PEOPLE = ("person", "owner", "author", "addressee", "receiver")
_OWN = "person"
"""The owner kind of files that belong to a person."""
_INDEX = ("_data", "_content", "_idx", "_docsize", "_config")
_CHANNEL = "[channel:"


class HeardLog(logging.Handler):
    """Keeps the lines of the log that hold a secret. Use as a context manager."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(logging.INFO)
        self._ledger = ledger
        self._before = logging.WARNING

    def emit(self, record: logging.LogRecord) -> None:
        text = self.format(record)
        self._ledger.look_in_the_open("a line of the log", text, record.name)

    def __enter__(self) -> "HeardLog":
        root = logging.getLogger("bot")
        self._before = root.level
        root.setLevel(logging.INFO)
        root.addHandler(self)
        return self

    def __exit__(self, *_error: object) -> None:
        root = logging.getLogger("bot")
        root.removeHandler(self)
        root.setLevel(self._before)


@dataclass(frozen=True)
class Search:
    """One search of a home and its database."""

    ledger: Ledger
    accounts: Mapping[str, str]
    """Who a person id means now."""
    places: Mapping[str, str] = field(default_factory=dict[str, str])
    """The ledger's names of channels, by their keys."""

    def _account(self, person: str) -> str:
        """Whose id it is; an id of somebody unknown ends with their account."""
        return self.accounts.get(person) or person.rpartition("-")[2]

    def _place(self, channel: str) -> str:
        """The ledger's name of a channel's key, `discord:w:vault`."""
        platform, _, id_ = channel.split(":", 2)
        return self.places.get(channel, f"{platform}/{id_}")

    # --- the database ---

    async def rows(self, database: Database) -> None:
        sessions = {
            str(row["id"]): SessionKey.parse(row["session_key"]).person
            for row in await database.read("SELECT id, session_key FROM sessions")
        }
        turns = {
            int(row["id"]): SessionKey.parse(row["session"]).person
            for row in await database.read("SELECT id, session FROM inbox")
        }
        meetings = {
            str(row["id"]): (str(row["owner"]), row["reach"], row["channel"])
            for row in await database.read("SELECT id, owner, reach, channel FROM meetings_kept")
        }
        tables = await database.read("SELECT name FROM sqlite_master WHERE type = 'table'")
        for name in sorted(str(table["name"]) for table in tables):
            if name.endswith(_INDEX) or name.startswith("sqlite_"):
                continue
            for row in await database.read(f'SELECT * FROM "{name}"'):  # noqa: S608 - a table of this database
                kept = dict(row)
                if "meeting" in kept:
                    kept["owner"], kept["reach"], kept["channel"] = meetings[kept["meeting"]]
                people = {str(kept[key]) for key in _PEOPLE if kept.get(key)}
                people |= {sessions.get(str(kept.get("session_id")), "")}
                people |= {turns.get(kept.get("turn", -1), "")} if _is_number(kept) else set()
                people |= {_person_of(kept.get("session"))}
                self._row(name, kept, {one for one in people if one})

    def _row(self, table: str, row: Mapping[str, Any], people: set[str]) -> None:
        text = json.dumps(row, default=str, ensure_ascii=False)
        where = "a database row"
        self.ledger.looked[where] += 1
        if not tokens_in(text):
            return
        shared = "owner_kind" in row and row["owner_kind"] != _OWN
        for person in people if not shared else ():
            if not person.startswith("agent:"):
                self.ledger.look(where, text, Spot(self._account(person)), f"({table})")
        if shared or row.get("reach") == "public":
            self.ledger.look_in_the_open(where, text, f"public ({table})")
        elif row.get("reach") == "private" and row.get("channel"):
            place = self._place(str(row["channel"]))
            self.ledger.look(where, text, Spot("its readers", place), f"({table})")

    # --- files ---

    def files(self, home: Path) -> None:
        """Every file of memory, entry by entry; and all other texts of the home as public ones."""
        for path in sorted(home.rglob("*")):
            inside = path.relative_to(home).parts
            if not path.is_file() or inside[0] == "data":
                continue
            text = path.read_text(errors="replace")
            if path.suffix == ".jsonl":
                self._lines_of_people(text, path.name)
                continue
            person = _person_in(inside)
            for line in text.splitlines():
                if person:
                    self._entry(line, person)
                else:
                    self.ledger.look_in_the_open("a file", line, path.name)

    def _lines_of_people(self, text: str, name: str) -> None:
        for line in text.splitlines():
            person = str(json.loads(line).get("person", ""))
            self.ledger.look("a file", line, Spot(self._account(person)), f"({name})")

    def _entry(self, line: str, person: str) -> None:
        where = "a memory entry"
        self.ledger.look(where, line, Spot(self._account(person)))
        if "[private]" in line:
            return
        if _CHANNEL in line:
            place = self._place(line.partition(_CHANNEL)[2].partition("]")[0])
            self.ledger.look(where, line, Spot("its readers", place))
        else:
            self.ledger.look_in_the_open(where, line, f"public, of {self._account(person)}")


def _is_number(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("turn"), int)


def _person_of(session: object) -> str:
    try:
        return SessionKey.parse(str(session)).person
    except ValueError:
        return ""


def _person_in(parts: tuple[str, ...]) -> str:
    """Whose folder of memory a file is in, also in the archive and the backups."""
    if parts[0] != "memory" or len(parts) < 3:
        return ""
    return parts[-2] if not parts[-2][:1].isdigit() else ""
