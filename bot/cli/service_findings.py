"""Findings of `bellhop doctor` on accounts."""

from collections.abc import Mapping

from bot.assembly.plugins import known_services, plugins_of
from bot.connections.access import WORKSPACE
from bot.connections.credentials import Keyring, hash_of
from bot.connections.credentials_store import read_lapsed, read_refused, read_sealed
from bot.connections.oauth import Tokens
from bot.connections.services import Service, services
from bot.domain.database import Database
from bot.domain.health import Check
from bot.settings import Settings

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
