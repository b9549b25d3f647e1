"""`bellhop doctor` on chat platforms: by the files, and with `--live` by asking them."""

import asyncio
from collections.abc import Iterable
from typing import cast

from bot.assembly.platforms import platforms_wanted, secrets_of
from bot.assembly.plugins import platforms_of
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
