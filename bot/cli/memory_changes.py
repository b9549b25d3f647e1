"""The work of `bellhop memory distill|reflect|undo|forget`, here or in a running Bellhop."""

from collections.abc import Sequence

from bot.app import App
from bot.cli.unknown_person import UnknownPerson, nobody_known
from bot.domain.access import Person, Role
from bot.domain.json_types import JsonObject
from bot.domain.places import AT_TERMINAL
from bot.domain.privacy import Viewer
from bot.memory.backups import Undone
from bot.memory.passes_store import counted
from bot.memory.tiers import BACKUPS
from bot.sessions.commands.memory import MemoryCommands
from bot.sessions.reports.kept_things import KeptThings


async def change_memory(app: App, verb: str, person: str, what: str = "") -> JsonObject:
    """Distil, reflect, undo or forget: the sentence for who asked, and what failed.

    Raises UnknownPerson.
    """
    failed: Sequence[tuple[str, str]] = ()
    if person:
        await _check_person(app, person)
    match verb:
        case "distill":
            done = await app.learning.passes.distil(person)
            text, failed = done.in_words(), done.failed
        case "reflect":
            done = await app.learning.passes.reflect(person)
            merged = counted(done.merged, "entry", "entries")
            text, failed = f"{merged} merged, {done.archived} moved to the archive", done.failed
        case "forget":
            known = app.contacts.person(person) or Person(person, person, Role.GUEST)
            forgotten = await _memories(app).forget(Viewer.at(AT_TERMINAL, known), what)
            text = (
                forgotten.in_words()
                if forgotten.things
                else f"Nothing that is kept of {person} matches."
            )
        case _:
            text = _undone_in_words(await app.house.memory.undo())
    return {"text": text, "failed": [f"{whose}: {why}" for whose, why in failed]}


def _kept(app: App) -> KeptThings:
    house = app.house
    return KeptThings(
        house.ground.database,
        house.ground.clock,
        house.memory,
        house.records.facts,
        house.connectors,
    )


def _memories(app: App) -> MemoryCommands:
    house = app.house
    return MemoryCommands(
        _kept(app), house.ground.database, house.ground.clock, house.memory, house.chats.attachments
    )


async def _check_person(app: App, person: str) -> None:
    """Raises UnknownPerson for an id that has no contact and no data: a typing error."""
    await app.contacts.reload_if_changed()
    if app.contacts.person(person) is None and not await _kept(app).any_of(person):
        raise UnknownPerson(nobody_known(person, app.contacts))


def _undone_in_words(undone: Undone) -> str:
    if not undone.name:
        return "There is nothing to undo."
    named = ", ".join(f"memory/{path}" for path in undone.restored) or "nothing"
    changed = "".join(
        (
            f"\nmemory/{path} was edited since and stays; what it was is "
            f"memory/{BACKUPS}/{undone.name}/{path}"
        )
        for path in undone.changed
    )
    return f"As before the pass of {undone.name}: {named}{changed}"
