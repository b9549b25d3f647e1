"""Changes that commands make to a home: in their own process, or in the Bellhop that runs on it.

`CHANGES` at the end has each by the name of its call through the control socket.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from bot.app import App
from bot.assembly.forgetting import build_everywhere, build_memory_commands
from bot.assembly.platforms import platforms_wanted
from bot.cli.home_files import UnknownPerson, nobody_known, operator_name
from bot.clock import SystemClock
from bot.domain.access import Person, Role
from bot.domain.database import Database
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.languages import Language
from bot.domain.messages import PlatformPerson
from bot.domain.places import AT_TERMINAL
from bot.domain.privacy import Viewer
from bot.errors import SettingsError
from bot.memory.backups import Undone
from bot.memory.passes_store import counted
from bot.memory.tiers import BACKUPS
from bot.sessions.approvals.decisions import CardAnswer
from bot.sessions.commands.approvals import GrantCommands
from bot.sessions.commands.automations import AutomationCommands, ScheduleCommands, UnattendedWish
from bot.sessions.commands.people import Claims, has_owner, how_to_claim
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.past_session_store import talks_ahead
from bot.sessions.settings import SessionSettings
from bot.settings import Settings

Change = Callable[[App, JsonObject], Awaitable[JsonValue]]


def asker(app: App, params: JsonObject, roles: tuple[str, ...] = ()) -> Person:
    """Who asks at a terminal."""
    name = str(params["person"])
    sender = PlatformPerson(name, name, platform_roles=roles)
    return app.contacts.resolve("terminal", "local", sender)


async def decide(app: App, params: JsonObject) -> JsonObject:
    """Decide an approval: the sentence for the person, and whether it was taken.

    `shown` identifies what they have read of it; without it, what a card has shown counts.
    """
    ref = str(params["ref"])
    before = await app.approvals.get(ref)
    said = CardAnswer(params["approve"] is True, read=str(params.get("shown") or ""))
    text = await app.decisions.decide(ref, asker(app, params), said)
    after = await app.approvals.get(ref)
    return {
        "text": text,
        "decided": before is not None and after is not None and before.state != after.state,
    }


async def revoke_grant(app: App, params: JsonObject) -> JsonObject:
    """Revoke a grant: the sentence for the person, and whether it was done."""
    ref, grants = str(params["ref"]), app.house.permission.grants
    before = await grants.get(ref)
    text = await GrantCommands(grants).revoke(ref, asker(app, params))
    after = await grants.get(ref)
    revoked = before is not None and after is not None and before.revoked_at != after.revoked_at
    return {"text": text, "revoked": revoked}


async def change_schedule(app: App, params: JsonObject) -> JsonObject:
    """Change a schedule (`pause ID`): the sentence for the person, and whether it was done."""
    return await _run(app, params, _schedules(app))


async def change_automation(app: App, params: JsonObject) -> JsonObject:
    """Change an automation (`pause ID`): the sentence for the person, and whether it was done."""
    return await _run(app, params, AutomationCommands(app.database, app.clock, _schedules(app)))


def _schedules(app: App) -> ScheduleCommands:
    return ScheduleCommands(app.database, app.engine, app.clock, app.house.ground.meter)


async def _run(
    app: App, params: JsonObject, commands: ScheduleCommands | AutomationCommands
) -> JsonObject:
    person = asker(app, params)
    viewer = Viewer.at(AT_TERMINAL, person)
    told = await commands.run(UnattendedWish(str(params["change"]), person, viewer, _key()))
    return {"text": told.text, "done": told.done}


def _key() -> str:
    return f"terminal:{uuid4().hex}"


async def take_over(app: App, params: JsonObject) -> JsonObject:
    """List or begin a take-over of another id's things: the sentences for the MasterAdmin."""
    text = await app.moves.takeovers.run(
        asker(app, params),
        str(params["earlier"]),
        str(params["contact"]),
        Language.EN,
        yes=params["yes"] is True,
        key=_key(),
    )
    await app.moves.links.follow()
    return {"text": text}


async def _follow(app: App, params: JsonObject) -> list[JsonValue]:
    await app.contacts.reload_if_changed()
    return list(await app.moves.links.follow())


async def _audit(app: App, params: JsonObject) -> None:
    name = f"{params.get('subject', 'skill')}:{params['name']}"
    step = (str(params["person"]), str(params["kind"]), name, str(params["detail"]))
    await app.database.write(app.approvals.audit_unit(*step))


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


async def change_memory(app: App, params: JsonObject) -> JsonObject:
    """Distil, reflect, undo or forget: the sentence for who asked, and what failed.

    `everywhere` shows what forgetting everywhere would remove, `everywhere-yes` does it.

    Raises UnknownPerson.
    """
    verb, person, what = (str(params[name]) for name in ("verb", "person", "what"))
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
    if app.contacts.person(person) is None and not await app.house.forgetting.kept.any_of(person):
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


async def _claim(app: App, params: JsonObject) -> str:
    return await claim_words(app, str(params["operator"]))


async def _answer(app: App, params: JsonObject) -> JsonObject:
    return await answer_of_plugin(app, str(params["plugin"]), str(params["name"]), params["params"])


CHANGES: Mapping[str, Change] = {
    "approvals.decide": decide,
    "grants.revoke": revoke_grant,
    "schedules.change": change_schedule,
    "automations.change": change_automation,
    "memory.change": change_memory,
    "plugins.answer": _answer,
    "people.code": _claim,
    "people.follow": _follow,
    "people.take_over": take_over,
    "connections.begin": begin_connection,
    "connections.finish": finish_connection,
    "skills.audit": _audit,
}
