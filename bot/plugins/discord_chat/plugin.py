"""Discord as a chat platform: its record for the rest of the program."""

import re
from collections.abc import Sequence

from bot.plugin.chat import (
    DIRECT,
    ChatAdapter,
    ChatPlatform,
    ChatServices,
    Check,
    IdTable,
    Phrase,
    PlaceTable,
    PlatformTraits,
    Secret,
    Secrets,
    Shard,
    place_ids,
)
from bot.plugin.plugin import NoSettings, Plugin
from bot.plugins.discord_chat.account import setup_steps
from bot.plugins.discord_chat.components import full_options
from bot.plugins.discord_chat.settings import DiscordSettings

TOKEN = "DISCORD_TOKEN"  # noqa: S105 - the name of it
_ID = re.compile(r"\d{15,20}")

TRAITS = PlatformTraits(
    name="discord",
    title="Discord",
    formatting=" Discord: markdown without tables or images, under 2000 characters.",
    workspace_in_person_id=False,
    id_example="123456789012345678",
    id_shape=re.compile(r"\d+"),
    id_remedy=(
        "is no Discord id; write the number that Discord gives: switch on Settings, "
        "Advanced, Developer Mode, then right-click the person, Copy User ID"
    ),
    handle=re.compile(r"[#@\s]"),
    mention=re.compile(r"<@!?(\d+)>|@?(\d{15,20})"),
    direct_workspace=DIRECT,
    direct_to_person=True,
    claim="/claim {code}",
    has_roles=True,
    has_categories=True,
    has_polls=True,
    has_file_forms=True,
    has_forums=True,
    has_server_events=True,
    prints_numbers=lambda choices: bool(full_options(choices)),
    here=Phrase("in this Discord server"),
    there=Phrase("in the Discord server {id}"),
)

_REMEDY = "take the one from the Discord Developer Portal, Bot, Reset Token"
_WRONG_KINDS = (
    (re.compile(r"Bot\s.*", re.IGNORECASE), "has the word Bot in front; leave that out"),
    (re.compile(r".*\s.*", re.DOTALL), f"has a space in it; {_REMEDY}"),
    (re.compile(r"\d+"), f"is an application id; {_REMEDY}"),
    (re.compile(r"[0-9a-f]{64}"), f"is a public key; {_REMEDY}"),
    (re.compile(r"[\w-]{32}"), f"is a client secret; {_REMEDY}"),
)


def token_problem(token: str | None) -> str | None:
    """Why DISCORD_TOKEN can't be a bot's token, with the remedy; None if it may be one."""
    if not token:
        return f"DISCORD_TOKEN is missing; {_REMEDY}, and put it into .env"
    return next(
        (f"DISCORD_TOKEN {what}" for kind, what in _WRONG_KINDS if kind.fullmatch(token)), None
    )


def _is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


class Discord(ChatPlatform[DiscordSettings]):
    """Discord, through discord.py."""

    traits = TRAITS
    settings = DiscordSettings
    secrets = (Secret(TOKEN, "Token of the bot"),)
    first_steps = 4
    try_it = "then write to the bot on Discord, or mention it in a channel"
    id_tables = (
        IdTable("discord.channels", place_ids(_is_id), "right-click the channel, Copy Channel ID"),
        IdTable("access.roles.discord", _is_id, "right-click the role, Copy Role ID"),
    )

    def build(
        self, settings: DiscordSettings, secret: Secrets, services: ChatServices
    ) -> ChatAdapter:
        from bot.plugins.discord_chat.adapter import DiscordChat  # noqa: PLC0415 - imports discord.py

        shard = Shard.of_line(services.line)
        if shard is not None:  # all lines together keep the limit
            calls = max(1, settings.calls_per_s // shard.count)
            settings = settings.model_copy(update={"calls_per_s": calls})
        return DiscordChat(settings, secret(TOKEN), services)

    def lines(self, settings: DiscordSettings) -> Sequence[str]:
        return [Shard(number, settings.shards).line(self.name) for number in range(settings.shards)]

    def line_of(self, settings: DiscordSettings, workspace: str) -> str:
        return Shard.of_workspace(workspace, settings.shards).line(self.name)

    def problems(self, settings: DiscordSettings, secret: Secrets) -> Sequence[str]:
        problem = token_problem(secret(TOKEN))
        return () if problem is None else (problem,)

    async def examine(self, settings: DiscordSettings, secret: Secrets) -> Sequence[Check]:
        from bot.plugins.discord_chat.examine import examine  # noqa: PLC0415 - imports discord.py

        return await examine(settings, secret(TOKEN))

    async def canary(self, settings: DiscordSettings, secret: Secrets, channel: str) -> Check:
        from bot.plugins.discord_chat.examine import try_canary  # noqa: PLC0415 - imports discord.py

        return await try_canary(settings, secret(TOKEN), channel)

    def steps(self, application: str = "") -> Sequence[str]:
        return setup_steps(application)

    def place_tables(self, settings: DiscordSettings) -> Sequence[PlaceTable]:
        return (PlaceTable("channels", settings.channels),)

    def is_channel(self, text: str) -> bool:
        return _is_id(text)


DISCORD = Discord()


class DiscordChatPlugin(Plugin[NoSettings]):
    name = "discord_chat"
    title = "people on Discord"
    platforms = (DISCORD,)
