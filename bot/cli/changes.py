"""Changes that commands make to a home: in their own process, or in the Bellhop that runs on it.

Used by commands of plug-ins, `bellhop connect`, and `bellhop memory distill|reflect|undo|forget`.
Also the one-time code with which the operator becomes the owner in a chat.
"""

from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

from bot.app import App
from bot.assembly.forgetting import build_everywhere, build_kept, build_memory_commands
from bot.assembly.platforms import platforms_wanted
from bot.cli.home_files import UnknownPerson, nobody_known, operator_name
from bot.clock import SystemClock
from bot.domain.access import Person, Role
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.places import AT_TERMINAL
from bot.domain.privacy import Viewer
from bot.errors import SettingsError
from bot.memory.backups import Undone
from bot.memory.passes_store import counted
from bot.memory.tiers import BACKUPS
from bot.sessions.commands.people import Claims, has_owner, how_to_claim
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.past_session_store import talks_ahead
from bot.sessions.settings import SessionSettings
from bot.settings import Settings


async def answer_of_plugin(app: App, plugin: str, name: str, params: JsonObject) -> JsonObject:
    """What a plug-in of this home does for its command. Raises SettingsError where it can't."""
    for one in app.house.plugged:
        if one.plugin.name == plugin and name in one.parts.answers:
            return await one.parts.answers[name](params)
    raise SettingsError(
        f"this home has no plug-in {plugin!r} that answers {name!r}; restart the Bellhop that runs "
        "on it, if another version began it"
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


async def claim_words(app: App, operator: str = "") -> str:
    """New codes and how to use them; empty when each platform that is served has its owner."""
    return await new_claim_words(
        app.database, app.contacts, app.settings, operator or operator_name()
    )


async def new_claim_words(
    database: Database, contacts: Contacts, settings: Settings, operator: str
) -> str:
    """One-time codes with which the operator becomes the owner, of the parts of an app."""
    free = [
        platform.traits
        for platform in platforms_wanted(settings)
        if not has_owner(contacts, platform.name)
    ]
    if not free:
        return ""
    claims = Claims(database, SystemClock(), contacts)
    return how_to_claim([(one, await claims.new_code(operator)) for one in free if one.claim])
