"""Changes that commands make to a home: in their own process, or in the Bellhop that runs on it.

Used by `bellhop knowledge`, `bellhop connect`, and `bellhop memory distill|reflect|undo|forget`.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from bot.app import App
from bot.assembly.forgetting import build_everywhere, build_kept, build_memory_commands
from bot.cli.unknown_person import UnknownPerson, nobody_known
from bot.domain.access import Person, Role
from bot.domain.json_types import JsonObject
from bot.domain.places import AT_TERMINAL
from bot.domain.privacy import Viewer
from bot.errors import DocumentError, EmbedderError, SettingsError
from bot.knowledge.documents import AddedDocument
from bot.knowledge.reading import MOST_BYTES, RawDocument
from bot.memory.backups import Undone
from bot.memory.passes_store import counted
from bot.memory.tiers import BACKUPS
from bot.regular_file import open_regular_file
from bot.sessions.records.past_session_store import talks_ahead
from bot.sessions.settings import SessionSettings


async def change_knowledge(app: App, params: JsonObject) -> JsonObject:
    """Add one document, remove something, or make some vectors.

    Raises DocumentError, EmbedderError.
    """
    match params["verb"]:
        case "add":
            return await _add(
                app, str(params["source"]), str(params["collection"]), str(params["roles"])
            )
        case "remove":
            return {"text": await app.house.documents.collections.remove(str(params["what"]))}
        case _:
            return await _embed(app)


async def _add(app: App, source: str, collection: str, roles: str) -> JsonObject:
    if source.startswith(("http://", "https://")):
        raw = await app.house.documents.collections.fetch(source)
    else:
        raw = RawDocument(Path(source).name, await asyncio.to_thread(_bytes, Path(source)))
    added = await app.house.documents.collections.add(raw, source, collection, roles)
    return {"text": _in_words(added), "known": added.known, "parts": added.parts}


async def _embed(app: App) -> JsonObject:
    """The vectors of some parts more, and how many then wait."""
    vectors = app.house.documents.collections.vectors
    if vectors is None:
        return {"done": 0, "pending": 0, "set": False}
    try:
        done = await vectors.embed_some()
    except EmbedderError as error:
        return {"done": 0, "pending": await vectors.pending(), "set": True, "problem": str(error)}
    return {"done": done, "pending": await vectors.pending(), "set": True}


def _bytes(path: Path) -> bytes:
    """Read at most one byte beyond the limit, so that a larger file is refused as too large."""
    try:
        with open_regular_file(path) as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise DocumentError(f"{path} can't be read: {error.strerror or error}") from error


def _in_words(added: AddedDocument) -> str:
    if added.known:
        return f"{added.name} is in {added.collection} already, unchanged"
    parts = f"{added.parts:,} part{'' if added.parts == 1 else 's'}"
    return (
        f"{added.name} added to {added.collection}: "
        f"{parts}{f'; {added.note}' if added.note else ''}"
    )


async def begin_connection(app: App, params: JsonObject) -> JsonObject:
    """The `url` of a link for `owner` (a person id, or WORKSPACE) to connect `service`.

    Raises SettingsError.
    """
    services, name = app.house.accounts.connections.services, str(params["service"])
    service = services.get(name.casefold())
    if service is None:
        raise SettingsError(f"{name!r} is no service; known are {', '.join(services)}")
    if not service.offered:
        prefix = service.id.upper()
        raise SettingsError(
            f"{prefix}_CLIENT_ID and {prefix}_CLIENT_SECRET are not set; put them into .env"
        )
    return {
        "url": await app.house.accounts.connecting.begin(
            str(params["owner"]), service, str(params["shown"])
        )
    }


async def finish_connection(app: App, params: JsonObject) -> JsonObject:
    """Use the `address` from `owner`'s browser: a sentence, and whether it is now connected."""
    given = parse_qs(urlsplit(str(params["address"]).strip()).query)
    state, code = (given.get(name, [""])[0] for name in ("state", "code"))
    outcome = await app.house.accounts.connecting.finish(state, code, str(params["owner"]))
    return {"text": outcome.text, "connected": outcome.service is not None}


async def change_memory(app: App, verb: str, person: str, what: str = "") -> JsonObject:
    """Distil, reflect, undo or forget: the sentence for who asked, and what failed.

    `everywhere` shows what forgetting everywhere would remove, `everywhere-yes` does it.

    Raises UnknownPerson.
    """
    failed: Sequence[tuple[str, str]] = ()
    if person:
        await _check_person(app, person)
    match verb:
        case "distill":
            done = await app.learning.passes.distil(person)
            ahead = await talks_ahead(app.database, person)
            idle = app.settings.get(SessionSettings).idle_minutes
            told = (done.in_words(), done.why_own(), ahead.in_words(idle))
            text = "\n".join(part for part in told if part)
            failed = done.failed
        case "reflect":
            done = await app.learning.passes.reflect(person)
            merged = counted(done.merged, "entry", "entries")
            text, failed = f"{merged} merged, {done.archived} moved to the archive", done.failed
        case "forget":
            known = app.contacts.person(person) or Person(person, person, Role.GUEST)
            forgotten = await build_memory_commands(app.house).forget(
                Viewer.at(AT_TERMINAL, known), what
            )
            text = (
                forgotten.in_words()
                if forgotten.things
                else f"Nothing that is kept of {person} matches."
            )
        case "everywhere":
            how = f"bellhop memory forget {person} --everywhere"
            text = await build_everywhere(app.house).shown(person, what, how, "--yes")
        case "everywhere-yes":
            text = await build_everywhere(app.house).yes(person, what)
        case _:
            text = _undone_in_words(await app.house.memory.editor.undo())
    return {"text": text, "failed": [f"{whose}: {why}" for whose, why in failed]}


async def _check_person(app: App, person: str) -> None:
    """Raises UnknownPerson for an id that has no contact and no data: a typing error."""
    await app.contacts.reload_if_changed()
    if app.contacts.person(person) is None and not await build_kept(app.house).any_of(person):
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
