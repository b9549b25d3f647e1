"""The same conversation in the terminal, on Discord and on Slack leaves the same transcript."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.app import AppOptions, open_app
from bot.chat.discord_chat.adapter import DiscordChat
from bot.chat.discord_chat.settings import DiscordSettings
from bot.chat.slack_chat.adapter import SlackChat
from bot.chat.slack_chat.manifest import manifest
from bot.chat.slack_chat.settings import SlackSettings
from bot.chat.terminal.adapter import TerminalChat, terminal_conversation
from bot.clock import SystemClock
from bot.domain.chat import ChatAdapter
from bot.domain.messages import PlatformPerson
from bot.testing.discord_platform import DiscordPlatform
from bot.testing.discord_town import PATIENT
from bot.testing.fake_clock import settle
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.scripted_view import ScriptedView
from bot.testing.slack_house import TOKENS, HurriedClock
from bot.testing.slack_platform import TEAM, SlackPlatform

SAID = (("keep the code in mind", "Kept."), ("paint it", "Which colour?"), ("blue", "Blue it is."))


@dataclass
class Place:
    """A person's side of one platform."""

    chat: ChatAdapter
    person: str
    say: Callable[[str], object]
    sees: Callable[[], list[str]]
    ready: Callable[[], bool]


@asynccontextmanager
async def terminal(home: Path) -> AsyncGenerator[Place]:
    view = ScriptedView()
    person = PlatformPerson("ann", "ann")
    chat = TerminalChat(view, SystemClock(), person=person, conversation=terminal_conversation("ann"), folder=home)
    yield Place(chat, "terminal: [ann]", view.type, lambda: view.said, lambda: view.opened > 0)


@asynccontextmanager
async def discord(home: Path) -> AsyncGenerator[Place]:
    async with DiscordPlatform() as platform:
        ann = platform.person("ann")
        settings = DiscordSettings(enabled=True, api_base=platform.api_base, gateway_url=platform.gateway_url)
        chat = DiscordChat(settings, platform.options.token, SystemClock(), pace=PATIENT)
        yield Place(
            chat,
            f'discord: ["{ann.id}"]',
            lambda text: ann.say(ann.dm, text),
            lambda: [message.content for message in ann.sees(ann.dm)],
            lambda: bool(platform.gateway.connected and platform.interactions.commands),
        )


@asynccontextmanager
async def slack(home: Path) -> AsyncGenerator[Place]:
    settings = SlackSettings()
    async with SlackPlatform(manifest(settings)) as platform:
        ann = platform.person("ann")
        chat = SlackChat(SlackSettings(enabled=True, api_base=platform.api_base), TOKENS, HurriedClock())
        yield Place(
            chat,
            f'slack: ["{TEAM}:{ann.id}"]',
            ann.say,
            lambda: [message.text for message in platform.said],
            lambda: chat.connected,
        )


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await settle(1)


async def converse(home: Path, place: Place) -> list[Any]:
    """Hold the conversation; gives the messages of the last request, without the operator's notes."""
    (home / "contacts.yaml").write_text(f"- {{id: ann, name: Ann, role: Friend, ids: {{{place.person}}}}}\n")
    model = ScriptedModel(
        [
            call("save_fact", {"key": "code", "value": "1234"}, id="one"),
            say("Kept."),
            call("ask_user_for_clarification", {"question": "Which colour?"}, id="two"),
            say("Blue it is."),
        ],
        strict=True,
    )
    async with open_app(AppOptions(home, [place.chat], model)) as app:
        running = asyncio.create_task(app.run())
        try:
            await until(place.ready)
            for words, answer in SAID:
                place.say(words)
                await until(lambda answer=answer: any(answer in text for text in place.sees()))
                await until(lambda: not app.engine.busy)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
    return [message for message in model.requests[-1].messages if message["role"] != "system"]


async def test_the_transcript_is_the_same_on_every_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    transcripts: list[str] = []
    for platform in (terminal, discord, slack):
        home = tmp_path / platform.__name__
        home.mkdir()
        async with platform(home) as place:
            transcripts.append(json.dumps(await converse(home, place), indent=1))
    assert transcripts[1] == transcripts[0]
    assert transcripts[2] == transcripts[0]
    assert "blue" in transcripts[0]
