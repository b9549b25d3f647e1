"""The same people on loopback platforms with real clients: writing, seeing, clicking."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bot.chat.limits import Limiter
from bot.clock import SystemClock
from bot.domain.chat import ChatAdapter
from bot.domain.clock import Clock
from bot.loopback.discord import DiscordPlatform
from bot.loopback.slack import BOT_USER, TEAM, SlackPlatform
from bot.loopback.slack.world import Message as SlackMessage
from bot.loopback.telegram import BOT_ID as TELEGRAM_BOT
from bot.loopback.telegram import TOKEN as TELEGRAM_TOKEN
from bot.loopback.telegram import Message as TelegramMessage
from bot.loopback.telegram import TelegramPlatform
from bot.plugin.chat import ChatServices
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.manifest import manifest
from bot.plugins.slack_chat.settings import SlackSettings
from bot.plugins.telegram_chat.adapter import TelegramChat
from bot.plugins.telegram_chat.connection import TelegramConnection
from bot.plugins.telegram_chat.settings import TelegramSecrets, TelegramSettings
from bot.storage.blobs import Blobs
from bot.testing.discord_town import PATIENT
from bot.testing.home_files import contact, know
from bot.testing.slack_house import TOKENS, HurriedClock

NAMES = ("Ann", "Ben")


@dataclass(frozen=True)
class Shown:
    """A message from Bellhop, as one person sees it."""

    text: str
    labels: tuple[str, ...]
    direct: bool
    """Whether it is in their own direct conversation."""
    only_them: bool
    place: str
    """Its thread, else its channel or direct conversation."""
    click: Callable[[str], object]
    files: tuple[tuple[str, bytes], ...] = ()
    """Names and bytes of what is attached."""


class PlatformTown(Protocol):
    """One channel, `general`, with everybody in `NAMES` as a member.

    `ids` are written as in contacts.yaml.
    """

    platform: str
    ids: dict[str, str]
    channel: str
    """The id of `general`."""
    workspace: str
    team: str
    """The id of a role or user group that Ann has; empty where the platform has none."""

    def connect(self, home: Path | None = None) -> ChatAdapter:
        """The real adapter. It posts the files that Bellhop keeps in `home`."""
        ...

    async def ready(self) -> None: ...

    def say(self, who: str, text: str, *, direct: bool = False) -> None:
        """Mention Bellhop in the channel, or send it a direct message."""
        ...

    def talk(self, who: str, text: str) -> None:
        """Write in the channel without mentioning Bellhop."""
        ...

    def reply(self, who: str, text: str) -> None:
        """Mention Bellhop in the thread that the last mention in the channel opened."""
        ...

    def upload(self, who: str, name: str, data: bytes, text: str) -> None:
        """Send Bellhop a text file in a direct message."""
        ...

    def speak(self, who: str, data: bytes) -> None:
        """Send Bellhop a voice message of three seconds in a direct message."""
        ...

    def command(self, who: str, name: str, **options: str) -> None:
        """Use one of Bellhop's commands in the channel."""
        ...

    def sees(self, who: str) -> list[Shown]: ...

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for a state that a platform call or event brings about. Raises TimeoutError."""
        ...

    def leave(self, who: str) -> None:
        """Somebody leaves the workspace."""
        ...


async def reads(town: PlatformTown, who: str, text: str, count: int = 1) -> Shown:
    """Wait until a person sees `count` messages from Bellhop with this text; return the last."""

    def having() -> list[Shown]:
        return [one for one in town.sees(who) if text in one.text]

    try:
        await town.until(lambda: len(having()) >= count)
    except TimeoutError:
        raise AssertionError(f"{who} does not read {text!r}: {town.sees(who)}") from None
    return having()[-1]


class DiscordTown:
    """Implements `PlatformTown`."""

    platform = "discord"
    pace = PATIENT
    clock: Clock = SystemClock()

    def __init__(self, discord: DiscordPlatform) -> None:
        self.discord = discord
        self.guild = discord.guild()
        team = discord.role(self.guild, "team")
        self.team = str(team.id)
        self.people = {"Ann": discord.person("Ann", team), "Ben": discord.person("Ben")}
        self.general = discord.channel(self.guild)
        self.ids = {name: person.id for name, person in self.people.items()}
        self.channel, self.workspace = str(self.general.id), str(self.guild.id)
        self._roots: list[Any] = []

    def connect(self, home: Path | None = None) -> ChatAdapter:
        urls = {"api_base": self.discord.api_base}
        settings = DiscordSettings.model_validate({"enabled": True, **urls})
        token, blobs = self.discord.options.token, _blobs(home)
        return DiscordChat(
            settings, token, ChatServices(self.clock, read_blob=blobs), pace=self.pace
        )

    async def ready(self) -> None:
        await self.discord.ready()
        await self.discord.until(lambda: self.discord.interactions.commands)

    def say(self, who: str, text: str, *, direct: bool = False) -> None:
        person = self.people[who]
        said = person.say(person.dm if direct else self.general, text, mention=not direct)
        if not direct:
            self._roots.append(said)

    def talk(self, who: str, text: str) -> None:
        self.people[who].say(self.general, text)

    def reply(self, who: str, text: str) -> None:
        threads = [self.people[who].thread_of(root) for root in self._roots]
        thread = next(thread for thread in reversed(threads) if thread is not None)
        self.people[who].say(thread, text, mention=True)

    def upload(self, who: str, name: str, data: bytes, text: str) -> None:
        person = self.people[who]
        person.upload(person.dm, name, data, text)

    def speak(self, who: str, data: bytes) -> None:
        self.people[who].speak(self.people[who].dm, data)

    def command(self, who: str, name: str, **options: str) -> None:
        self.people[who].slash(self.general, name, **options)

    def sees(self, who: str) -> list[Shown]:
        person = self.people[who]
        threads = [thread for root in self._roots if (thread := person.thread_of(root))]
        found = {
            message.id: message
            for place in (person.dm, self.general, *threads)
            for message in person.sees(place)
        }
        return [
            Shown(
                message.content,
                tuple(message.labels),
                message.channel is person.dm,
                message.only_for is not None,
                str(message.channel.id),
                lambda label, message=message: person.click(message, label),
                tuple((file.name, file.data) for file in message.files),
            )
            for _, message in sorted(found.items())
        ]

    async def until(self, holds: Callable[[], object]) -> None:
        await self.discord.until(lambda: holds() or None)

    def leave(self, who: str) -> None:
        self.guild.left.add(self.people[who].user.id)


class SlackTown:
    """Implements `PlatformTown`."""

    platform = "slack"

    def __init__(self, slack: SlackPlatform) -> None:
        self.slack = slack
        self.people = {name: slack.person(name.lower()) for name in NAMES}
        self.team = "S0TEAM"
        slack.world.groups[self.team] = {self.people["Ann"].id}
        self.general = slack.channel("general", *self.people.values())
        self.ids = {name: f"{TEAM}:{person.id}" for name, person in self.people.items()}
        self.channel, self.workspace = self.general.id, TEAM
        self._roots: list[SlackMessage] = []

    def connect(self, home: Path | None = None) -> ChatAdapter:
        settings = SlackSettings(enabled=True, api_base=self.slack.api_base)
        limits = Limiter(HurriedClock())
        connection = SlackConnection(TOKENS, settings, SystemClock(), ping_s=0.2, limits=limits)
        clock, blobs = HurriedClock(), _blobs(home)
        return SlackChat(
            settings, TOKENS, ChatServices(clock, read_blob=blobs), connection=connection
        )

    async def ready(self) -> None:
        await self.slack.delivery.wait_connected()

    def say(self, who: str, text: str, *, direct: bool = False) -> None:
        person = self.people[who]
        if direct:
            person.say(text)
        else:
            self._roots.append(person.mention(text, self.general))

    def talk(self, who: str, text: str) -> None:
        self.people[who].say(text, self.general)

    def reply(self, who: str, text: str) -> None:
        self.people[who].reply(self._roots[-1], f"<@{BOT_USER}> {text}")

    def upload(self, who: str, name: str, data: bytes, text: str) -> None:
        self.people[who].upload(name, "text/plain", data, text)

    def speak(self, who: str, data: bytes) -> None:
        self.people[who].speak(data)

    def command(self, who: str, name: str, **options: str) -> None:
        self.people[who].slash(" ".join((name, *options.values())), self.general)

    def sees(self, who: str) -> list[Shown]:
        person = self.people[who]
        found = [(True, one) for one in person.sees()] + [
            (False, one) for one in person.sees(self.general)
        ]
        return [
            Shown(
                json.dumps(one.blocks, ensure_ascii=False)
                if one.blocks and not one.text
                else "\n".join((one.text, *_contexts(one))),
                _labels(one),
                direct,
                one.only_for is not None,
                one.channel if direct else one.root,
                lambda label, one=one: person.click(one, label),
                tuple((file.name, file.data) for file in one.files),
            )
            for direct, one in sorted(found, key=lambda pair: float(pair[1].ts))
        ]

    async def until(self, holds: Callable[[], object]) -> None:
        await self.slack.until(lambda: holds() or None)

    def leave(self, who: str) -> None:
        self.slack.world.members[self.people[who].id].gone = True


class TelegramTown:
    """Implements `PlatformTown`. A reply is what a thread is elsewhere."""

    platform = "telegram"

    def __init__(self, telegram: TelegramPlatform) -> None:
        self.telegram = telegram
        self.people = {name: telegram.person(name) for name in NAMES}
        for person in self.people.values():
            telegram.world.reachable.add(int(person.id))
        self.general = telegram.group("general", *self.people.values())
        self.general.members[TELEGRAM_BOT] = "administrator"  # it hears everything
        self.ids = {name: person.id for name, person in self.people.items()}
        self.channel = self.workspace = str(self.general.id)
        self.team = ""
        self._roots: list[TelegramMessage] = []

    def connect(self, home: Path | None = None) -> ChatAdapter:
        settings = TelegramSettings(enabled=True, api_base=self.telegram.api_base)
        secrets = TelegramSecrets(TELEGRAM_TOKEN)
        limits = Limiter(HurriedClock())
        connection = TelegramConnection(secrets, settings, SystemClock(), limits)
        clock, blobs = HurriedClock(), _blobs(home)
        return TelegramChat(
            settings, secrets, ChatServices(clock, read_blob=blobs), connection=connection
        )

    async def ready(self) -> None:
        await self.telegram.until(lambda: self.telegram.polling)

    def say(self, who: str, text: str, *, direct: bool = False) -> None:
        person = self.people[who]
        if direct:
            person.say(text)
        else:
            self._roots.append(person.mention(text, self.general))

    def talk(self, who: str, text: str) -> None:
        self.people[who].say(text, self.general)

    def reply(self, who: str, text: str) -> None:
        self.people[who].mention(text, self.general, reply_to=self._roots[-1])

    def upload(self, who: str, name: str, data: bytes, text: str) -> None:
        self.people[who].upload(name, data, text)

    def speak(self, who: str, data: bytes) -> None:
        self.people[who].speak(data)

    def command(self, who: str, name: str, **options: str) -> None:
        self.people[who].say(" ".join((f"/{name}", *options.values())), self.general)

    def sees(self, who: str) -> list[Shown]:
        person = self.people[who]
        found = [(True, one) for one in person.sees()] + [
            (False, one) for one in person.sees(self.general)
        ]
        return [
            Shown(
                one.text,
                tuple(one.labels),
                direct,
                direct,
                str(one.chat.id),
                lambda label, one=one: person.click(one, label),
                self._files(one),
            )
            for direct, one in found
        ]

    def _files(self, message: TelegramMessage) -> tuple[tuple[str, bytes], ...]:
        file = message.extra.get("document")
        if not file:
            return ()
        return ((str(file["file_name"]), self.telegram.world.files[file["file_id"]]),)

    async def until(self, holds: Callable[[], object]) -> None:
        await self.telegram.until(lambda: holds() or None)

    def leave(self, who: str) -> None:
        self.general.members.pop(int(self.people[who].id))


def _blobs(home: Path | None) -> Callable[[str], Awaitable[bytes | None]]:
    async def none(_: str) -> bytes | None:
        return None

    return none if home is None else Blobs(home / "data" / "blobs").get


def _contexts(message: SlackMessage) -> list[str]:
    """Return the context lines of a message, which say how a card ended."""
    contexts = [block for block in message.blocks if block["type"] == "context"]
    return [item["text"] for block in contexts for item in block["elements"]]


def _labels(message: SlackMessage) -> tuple[str, ...]:
    actions = [block for block in message.blocks if block["type"] == "actions"]
    return tuple(
        item["text"]["text"] for block in actions for item in block["elements"] if "text" in item
    )


@asynccontextmanager
async def on_discord() -> AsyncGenerator[DiscordTown]:
    async with DiscordPlatform() as platform:
        yield DiscordTown(platform)


@asynccontextmanager
async def on_slack() -> AsyncGenerator[SlackTown]:
    async with SlackPlatform(manifest(SlackSettings())) as platform:
        yield SlackTown(platform)


@asynccontextmanager
async def on_telegram() -> AsyncGenerator[TelegramTown]:
    async with TelegramPlatform() as platform:
        yield TelegramTown(platform)


PLATFORMS: dict[str, Callable[[], AbstractAsyncContextManager[PlatformTown]]] = {
    "discord": on_discord,
    "slack": on_slack,
    "telegram": on_telegram,
}


def write_contacts(home: Path, town: PlatformTown) -> None:
    """Write a contacts.yaml in which everybody is a Friend and lives in Berlin."""
    people = [
        {**contact(name, "Friend", **{town.platform: id_}), "timezone": "Europe/Berlin"}
        for name, id_ in town.ids.items()
    ]
    know(home, *people)
