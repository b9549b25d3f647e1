"""`bellhop doctor` on chat platforms and accounts: by the files, and with `--live` by asking."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import cast

from bot.assembly.platforms import platforms_wanted, secrets_of
from bot.assembly.plugins import known_services, platforms_of, plugins_of
from bot.connections.access import WORKSPACE
from bot.connections.credentials import Keyring, hash_of
from bot.connections.credentials_store import read_lapsed, read_refused, read_sealed
from bot.connections.oauth import Tokens
from bot.connections.services import Service, services
from bot.domain.database import Database
from bot.domain.health import Check
from bot.endpoints.settings import ConsoleSettings
from bot.plugin.chat import AnyPlatform
from bot.settings import Settings


def configured(settings: Settings) -> list[Check]:
    """Checks without network: enabled platforms, kinds of tokens, forms of ids."""
    return [*(_state(settings, one) for one in platforms_of(settings)), *_ids(settings)]


async def asked(settings: Settings) -> list[Check]:
    """The platforms' own answers, asked in parallel; without those that `configured` refuses."""
    secret = secrets_of(settings)
    wanted = [(one, settings.get(one.settings)) for one in platforms_wanted(settings)]
    found = await asyncio.gather(
        *(
            one.examine(section, secret)
            for one, section in wanted
            if not one.problems(section, secret)
        )
    )
    return [check for checks in found for check in checks]


async def canary(settings: Settings, place: str) -> Check:
    """Post and delete a message in `platform:ID`, and see whether it arrives."""
    name, _, channel = place.partition(":")
    platform = next((one for one in platforms_of(settings) if one.name == name), None)
    if platform is None or not platform.is_channel(channel):
        forms = " or ".join(f"{one.name}:CHANNEL_ID" for one in platforms_of(settings))
        return Check("canary", "error", f"{place} is no place; write {forms}")
    return await platform.canary(settings.get(platform.settings), secrets_of(settings), channel)


def _state(settings: Settings, platform: AnyPlatform) -> Check:
    section, secret = settings.get(platform.settings), secrets_of(settings)
    first = platform.secrets[0].name if platform.secrets else ""
    if not section.enabled:
        return _off(platform.name, first if first and secret(first) else None)
    problems = list(platform.problems(section, secret))
    if not settings.get(ConsoleSettings).port and (unserved := platform.needs_server(section)):
        problems.append(unserved)
    tokens = "token" if len(platform.secrets) == 1 else "tokens"
    asks = f"`bellhop doctor --live` asks {platform.traits.title} about its {tokens}"
    fine = "; ".join([platform.state(section), *([asks] if first else [])])
    return Check.of(platform.name, problems, fine, "error")


def _off(name: str, secret: str | None) -> Check:
    there = f"off, though there is a {secret}; `{name}: {{enabled: true}}` switches it on"
    return Check(name, "ok", there if secret else "off; `bellhop init` prints how to set it up")


def _ids(settings: Settings) -> Iterable[Check]:
    """Names stand where ids belong: such a line would never match anything."""
    for table in (table for platform in platforms_of(settings) for table in platform.id_tables):
        section, name, *inner = table.setting.split(".")
        keys = cast("dict[str, object]", getattr(settings.section(section), name))
        for part in inner:
            keys = cast("dict[str, object]", keys.get(part, {}))
        names = [key for key in keys if not table.ids(key)]
        if names:
            told = f"{', '.join(names)}: not an id, so it matches nothing; to find the id: "
            yield Check(table.setting, "warning", f"{told}{table.where}")


# --- accounts at services ---


_SEALING_KEY = "BELLHOP_SECRET_KEY"
_NAMED = 8
"""More people than these are only counted."""


def accounts_set_up(settings: Settings) -> list[Check]:
    """A warning for each service with only a part of its client settings in .env."""
    problems: list[str] = []
    for service in known_services(plugins_of(settings)):
        prefix = service.id.upper()
        names = (f"{prefix}_CLIENT_ID", f"{prefix}_CLIENT_SECRET")
        given = [name for name in names if settings.secret(name)]
        if len(given) == 1:
            (missing,) = set(names) - set(given)
            problems.append(
                f"{given[0]} is set, but nobody can connect {service.title}: {missing} is not set"
            )
        elif given and not settings.secret(_SEALING_KEY):
            told = (
                f"{service.title} is set up, but nobody can connect it: {_SEALING_KEY} is not set"
            )
            problems.append(f"{told}; run `bellhop rotate-key`")
    return [Check("accounts", "warning", problem) for problem in problems]


async def accounts_lapsed(settings: Settings, database: Database) -> list[Check]:
    """A warning for each service that no longer accepts the workspace's account."""
    lapsed, refused = await read_lapsed(database), await read_refused(database)
    sealed = await read_sealed(database)
    findings: list[Check] = []
    for service in known_services(plugins_of(settings)):
        name, place = f"{service.id.upper()}_WORKSPACE_TOKEN", (WORKSPACE, service.id)
        token = settings.secret(name)
        given = token if token and refused.get(service.id) != hash_of(token) else None
        if given or (place in sealed and place not in lapsed) or not (token or place in sealed):
            continue
        problem = (
            f"{service.title} no longer accepts the workspace's account; put a new token into "
            f"{name}, or run `bellhop connect {service.id} --workspace`"
        )
        findings.append(Check("accounts", "warning", problem))
    return findings


async def accounts_narrow(settings: Settings, database: Database) -> list[Check]:
    """A warning for each service where people allowed less than their tools need by now."""
    keys, lapsed = Keyring(settings.secret), await read_lapsed(database)
    if not keys.present:
        return []
    known = services(
        settings.section("services"), settings.secret, known_services(plugins_of(settings))
    )
    missing: dict[str, dict[str, set[str]]] = {}
    for (person, name), sealed in (await read_sealed(database)).items():
        service = known.get(name)
        if service is None or not service.scope_uses or (person, name) in lapsed:
            continue
        token = keys.open(person, name, sealed)
        granted = Tokens.from_text(token).scopes if token else ()
        for scope in service.scopes if granted else ():
            if scope not in granted:
                missing.setdefault(name, {}).setdefault(scope, set()).add(person)
    return [Check("accounts", "warning", _narrow(known[name], of)) for name, of in missing.items()]


def _narrow(service: Service, missing: Mapping[str, set[str]]) -> str:
    """Whose account at a service lacks what; they connect again."""
    people = sorted(set[str]().union(*missing.values()))
    scopes = ", ".join(
        f"{scope} (to {service.scope_uses[scope]})" if scope in service.scope_uses else scope
        for scope in sorted(missing)
    )
    shown = {WORKSPACE: "the workspace's account"}
    who = [shown.get(one, one) for one in people[:_NAMED]]
    more = f" and {len(people) - _NAMED} more" if len(people) > _NAMED else ""
    return (
        f"{service.title}: {', '.join(who)}{more} allowed less than the tools need: {scopes}; "
        f"connect again with `/connect {service.id}`"
    )
