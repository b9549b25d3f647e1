"""`bellhop doctor` on Discord and Slack: by the files, and with `--live` by asking them."""

import asyncio
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from bot.cli.findings import Check

if TYPE_CHECKING:
    from bot.settings import Settings

_DISCORD_ID = re.compile(r"\d{15,20}")
_SLACK_CHANNEL = re.compile(r"[CDG][A-Z0-9]+")
_SLACK_GROUP = re.compile(r"S[A-Z0-9]+")
_SUBSCRIPTIONS = (
    "Slack does not say which events the app gets; if it does not react, compare Event "
    "Subscriptions (bot events) with"
    " `bellhop slack-manifest`"
)


def configured(settings: "Settings") -> list[Check]:
    """Checks without network: enabled platforms, kinds of tokens, forms of ids."""
    return [_discord(settings), _slack(settings), *_ids(settings)]


async def asked(settings: "Settings") -> list[Check]:
    """The platforms' own answers, asked in parallel; without those that `configured` refuses."""
    found = await asyncio.gather(_ask_discord(settings), _ask_slack(settings))
    return [finding for findings in found for finding in findings]


async def canary(settings: "Settings", place: str) -> Check:
    """Post and delete a message in `discord:ID` or `slack:ID`, and see whether it arrives."""
    from bot.assembly.platforms import slack_tokens  # noqa: PLC0415 - with the house, not for --help
    from bot.chat.discord_chat import canary as on_discord  # noqa: PLC0415
    from bot.chat.discord_chat.settings import DiscordSettings  # noqa: PLC0415
    from bot.chat.slack_chat import examine as on_slack  # noqa: PLC0415
    from bot.chat.slack_chat.settings import SlackSettings  # noqa: PLC0415
    from bot.clock import SystemClock  # noqa: PLC0415

    platform, _, channel = place.partition(":")
    if platform == "discord" and _DISCORD_ID.fullmatch(channel):
        token = settings.secret("DISCORD_TOKEN") or ""
        found = await on_discord.try_canary(settings.get(DiscordSettings), token, channel)
        return Check(found.check, found.state, found.text)
    if platform == "slack" and _SLACK_CHANNEL.fullmatch(channel):
        tokens = slack_tokens(settings)
        told = await on_slack.try_canary(
            settings.get(SlackSettings), tokens, SystemClock(), channel
        )
        return Check(told.check, told.state, told.text)
    return Check(
        "canary", "error", f"{place} is no place; write discord:CHANNEL_ID or slack:CHANNEL_ID"
    )


def _discord(settings: "Settings") -> Check:
    from bot.chat.discord_chat.settings import DiscordSettings  # noqa: PLC0415 - with the house, not for --help
    from bot.chat.discord_chat.tokens import token_problem  # noqa: PLC0415

    token = settings.secret("DISCORD_TOKEN")
    if not settings.get(DiscordSettings).enabled:
        return _off("discord", "DISCORD_TOKEN" if token else None)
    if problem := token_problem(token):
        return Check("discord", "error", problem)
    return Check("discord", "ok", "on; `bellhop doctor --live` asks Discord about its token")


def _slack(settings: "Settings") -> Check:
    from bot.assembly.platforms import slack_tokens  # noqa: PLC0415
    from bot.chat.slack_chat.settings import SlackSettings  # noqa: PLC0415
    from bot.console.settings import ConsoleSettings  # noqa: PLC0415

    wanted, tokens = settings.get(SlackSettings), slack_tokens(settings)
    if not wanted.enabled:
        return _off("slack", "SLACK_BOT_TOKEN" if tokens.bot else None)
    problems = tokens.problems(wanted)
    if wanted.mode == "http" and not wanted.port and not settings.get(ConsoleSettings).port:
        problems.append(
            "slack.mode is http, but nothing listens: set console.port (or slack.port) to a port"
        )
    if problems:
        return Check("slack", "error", "\n".join(problems))
    return Check(
        "slack",
        "ok",
        f"on, mode {wanted.mode}; `bellhop doctor --live` asks Slack about its tokens",
    )


def _off(name: str, secret: str | None) -> Check:
    if secret:
        return Check(
            name,
            "ok",
            f"off, though there is a {secret}; `{name}: {{enabled: true}}` switches it on",
        )
    return Check(name, "ok", "off; `bellhop init` prints how to set it up")


def _ids(settings: "Settings") -> Iterable[Check]:
    """Names stand where ids belong: such a line would never match anything."""
    from bot.chat.discord_chat.settings import DiscordSettings  # noqa: PLC0415
    from bot.chat.slack_chat.settings import SlackSettings  # noqa: PLC0415
    from bot.sessions.settings import AccessSettings  # noqa: PLC0415

    discord, access = settings.get(DiscordSettings), settings.get(AccessSettings)
    places = [
        (
            "discord.channels",
            discord.channels,
            _DISCORD_ID,
            "right-click the channel, Copy Channel ID",
        ),
        ("discord.guilds", discord.guilds, _DISCORD_ID, "right-click the server, Copy Server ID"),
        (
            "access.discord_roles",
            access.discord_roles,
            _DISCORD_ID,
            "right-click the role, Copy Role ID",
        ),
        (
            "slack.channels",
            settings.get(SlackSettings).channels,
            _SLACK_CHANNEL,
            "at the end of the channel's details",
        ),
        (
            "access.slack_groups",
            access.slack_groups,
            _SLACK_GROUP,
            "in the address of the user group's page",
        ),
    ]
    for setting, table, shape, where in places:
        names = [name for name in table if not shape.fullmatch(name)]
        if names:
            yield Check(
                setting,
                "warning",
                f"{', '.join(names)}: no id, so it matches nothing; find it so: {where}",
            )


async def _ask_discord(settings: "Settings") -> list[Check]:
    from bot.chat.discord_chat.examine import examine  # noqa: PLC0415
    from bot.chat.discord_chat.settings import DiscordSettings  # noqa: PLC0415
    from bot.chat.discord_chat.tokens import token_problem  # noqa: PLC0415

    wanted, token = settings.get(DiscordSettings), settings.secret("DISCORD_TOKEN")
    if not wanted.enabled or token_problem(token) or not token:
        return []
    found = await examine(wanted, token)
    return [Check(finding.check, finding.state, finding.text) for finding in found]


async def _ask_slack(settings: "Settings") -> list[Check]:
    from bot.assembly.platforms import slack_tokens  # noqa: PLC0415
    from bot.chat.slack_chat.examine import examine  # noqa: PLC0415
    from bot.chat.slack_chat.settings import SlackSettings  # noqa: PLC0415
    from bot.clock import SystemClock  # noqa: PLC0415

    wanted, tokens = settings.get(SlackSettings), slack_tokens(settings)
    if not wanted.enabled or tokens.problems(wanted):
        return []
    found = await examine(wanted, tokens, SystemClock())
    findings = [Check(finding.check, finding.state, finding.text) for finding in found]
    if findings[0].state == "ok":
        findings.append(Check("slack subscriptions", "ok", _SUBSCRIPTIONS))
    return findings
