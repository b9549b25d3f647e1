"""The day's note for the model: whole at a session's or epoch's start, and after changes."""

import json
from collections.abc import Sequence

from bot.agents.notes import quote
from bot.domain.access import Person
from bot.domain.database import Row, Unit
from bot.domain.origins import Origin
from bot.domain.places import Location
from bot.domain.privacy import Viewer
from bot.domain.sessions import StoredBlock
from bot.files.daily_notes import notes_of, today
from bot.files.seen_store import SeenFiles, saw
from bot.files.store import learned_of
from bot.sessions.house import House

SHOWN_CHARS = 4_000
"""Characters from the end of one note: the day continues there."""


async def day_notes(house: House, person: Person, location: Location) -> list[Row]:
    """The person's notes of today that are visible there, in their time zone."""
    day = today(house.clock.now(), house.zone(person))
    return await notes_of(house.files, Viewer.at(location, person), day)


async def changed_notes(house: House, session: str, notes: Sequence[Row]) -> list[Row]:
    """The notes that the session has not seen in their current version."""
    known = SeenFiles(house.database)
    return [note for note in notes if await known.version(session, note["path"]) != note["version"]]


def seen_unit(session: str, notes: Sequence[Row]) -> Unit:
    """The session has seen these notes, as far as they were shown whole."""
    whole = [note for note in notes if len(note["text"]) <= SHOWN_CHARS]
    return Unit(
        tuple(
            write for note in whole for write in saw(session, note["path"], note["version"]).writes
        )
    )


def note_blocks(notes: Sequence[Row]) -> list[StoredBlock]:
    return [_block(note) for note in notes]


def _block(note: Row) -> StoredBlock:
    text = str(note["text"])
    if len(text) > SHOWN_CHARS:
        text = f"[only its end; read_file {note['path']} shows all]\n{text[-SHOWN_CHARS:]}"
    origin = Origin.from_json(json.loads(note["origin"]))
    return quote(
        f"this person's note of today, {note['path']}",
        text,
        origin,
        private=learned_of(note).private,
    )
