"""One person on each platform, with real clients: typing, giving commands and seeing."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.chat.draft_lines import checklist
from bot.chat.terminal.adapter import TerminalChat, terminal_conversation
from bot.clock import SystemClock
from bot.domain.chat import ChatAdapter
from bot.domain.messages import PlatformPerson
from bot.loopback.discord import DiscordPlatform
from bot.loopback.slack import TEAM, SlackPlatform
from bot.plugin.chat import ChatServices
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.rates import Pace
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.manifest import manifest
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.discord_town import PATIENT
from bot.testing.scripted_view import ScriptedView
from bot.testing.slack_house import TOKENS, HurriedClock
from bot.testing.waiting import until


@dataclass
class Surface:
    """A person's direct conversation with Bellhop on one platform."""

    chat: ChatAdapter
    person: str
    """The person's name in contacts.yaml."""
    say: Callable[[str], object]
    order: Callable[[str, str], object]
    """Gives a command (name, arguments)."""
    sees: Callable[[], list[str]]
    plan: Callable[[], list[str]]
    """Returns the lines of the plan as it is shown now."""
    ready: Callable[[], bool]

    async def reads(self, words: str) -> None:
        """Wait until a message with these words is there."""
        await until(lambda: any(words in text for text in self.sees()))


@asynccontextmanager
async def terminal(home: Path, pace: Pace = PATIENT) -> AsyncGenerator[Surface]:
    view = ScriptedView()
    person = PlatformPerson("ann", "ann")
    chat = TerminalChat(
        view, SystemClock(), person=person, conversation=terminal_conversation("ann"), folder=home
    )

    def plan() -> list[str]:
        now = view.shown_progress[-1] if view.shown_progress else None
        return checklist(now.plan) if now is not None and now.plan is not None else []

    yield Surface(
        chat,
        "terminal: [ann]",
        view.type,
        lambda name, args: view.type(f"/{name} {args}"),
        lambda: view.said,
        plan,
        lambda: view.opened > 0,
    )


@asynccontextmanager
async def discord(home: Path, pace: Pace = PATIENT) -> AsyncGenerator[Surface]:
    async with DiscordPlatform() as platform:
        ann = platform.person("ann")
        settings = DiscordSettings(enabled=True, api_base=platform.api_base)
        chat = DiscordChat(settings, platform.options.token, ChatServices(SystemClock()), pace=pace)

        def plan() -> list[str]:
            drafts = [message.content for message in ann.sees(ann.dm) if "Stop" in message.labels]
            return drafts[-1].splitlines() if drafts else []

        yield Surface(
            chat,
            f'discord: ["{ann.id}"]',
            lambda text: ann.say(ann.dm, text),
            lambda name, args: ann.slash(ann.dm, name, **({"text": args} if args else {})),
            lambda: [message.content for message in ann.sees(ann.dm)],
            plan,
            lambda: bool(platform.gateway.connected and platform.interactions.commands),
        )


@asynccontextmanager
async def slack(home: Path, pace: Pace = PATIENT) -> AsyncGenerator[Surface]:
    settings = SlackSettings()
    async with SlackPlatform(manifest(settings)) as platform:
        ann = platform.person("ann")
        chat = SlackChat(
            SlackSettings(enabled=True, api_base=platform.api_base),
            TOKENS,
            ChatServices(HurriedClock()),
        )

        def plan() -> list[str]:
            shown = [message for message in platform.said if message.tasks]
            cards = (
                [card for key, card in shown[-1].tasks.items() if key.startswith("plan-")]
                if shown
                else []
            )
            return [
                f"[{card['status']}] {card['title']} {card.get('details', '')}".rstrip()
                for card in cards
            ]

        yield Surface(
            chat,
            f'slack: ["{TEAM}:{ann.id}"]',
            ann.say,
            lambda name, args: ann.say(f"!{name} {args}"),
            lambda: [message.text for message in platform.said],
            plan,
            lambda: chat.connected,
        )
