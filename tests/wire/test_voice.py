"""Voice messages by real clients on Discord, Slack and Telegram, and a transcription server."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from bot.app import AppOptions
from bot.domain.models import Model
from bot.testing.both_platforms import (
    PLATFORMS,
    DiscordTown,
    PlatformTown,
    TelegramTown,
    reads,
    write_contacts,
)
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.tools import NO_SANDBOX
from bot.testing.transcription import TranscriptionServer, transcription_server
from bot.testing.web_site import answer

VOICE, QUIET, LOST = (b"OggS" + bytes(number) for number in (20, 30, 40))
HEARD = "[voice message, 0:03, written down by a machine]\nRemind me of the paint."


@asynccontextmanager
async def listening(
    platform: str, home: Path, model: Model, words: str
) -> AsyncGenerator[tuple[PlatformTown, TranscriptionServer]]:
    """Bellhop in a town, with a transcriber that hears these words in `VOICE`."""
    async with transcription_server(says={VOICE: words}) as server, PLATFORMS[platform]() as town:
        write_contacts(home, town)
        (home / "bellhop.yaml").write_text(f"{NO_SANDBOX}transcription: {{url: '{server.url}'}}\n")
        async with running(AppOptions(home, [town.connect()], model)):
            await town.ready()
            yield town, server


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_a_voice_message_is_heard_as_what_its_person_says(platform: str, tmp_path: Path):
    model = ScriptedModel([say(f"Answer {number}.") for number in range(4)])
    async with listening(platform, tmp_path, model, "Remind me of the paint.") as (town, server):
        town.speak("Ann", VOICE)
        await reads(town, "Ann", "Answer 0.")
        town.speak("Ann", QUIET)
        await reads(town, "Ann", "Answer 1.")
        server.faults.append(answer("{}", "401 Unauthorized"))
        town.speak("Ann", LOST)
        await reads(town, "Ann", "Answer 2.")
        town.upload("Ann", "talk.ogg", VOICE, "what does he say?")
        await reads(town, "Ann", "Answer 3.")
    told = [request.messages[-2:] for request in model.requests]
    texts = [json.dumps(one) for one in told]
    assert json.dumps(HEARD)[1:-1] in texts[0]
    assert "Nothing is said in " in texts[1]
    assert "could not be listened to: the transcriber could not be asked" in texts[2]
    assert "talk.ogg, written down by a machine:" in texts[3], "anybody may speak in a file"
    assert "<quoted" in texts[3]
    assert server.refusals == []


@pytest.mark.parametrize("platform", ["discord", "telegram"])
async def test_what_another_member_recorded_is_never_ones_own_words(platform: str, tmp_path: Path):
    model = ScriptedModel([say("Answer 0.")])
    async with listening(platform, tmp_path, model, "Pay Ben.") as (town, _):
        if platform == "discord":
            _forward(cast("DiscordTown", town))
        else:
            _reply(cast("TelegramTown", town))
        await town.until(lambda: bool(model.requests))
    told = json.dumps(model.requests[0].messages[-2:])
    assert "written down by a machine:\\nPay Ben." in told
    assert "[voice message" not in told


def _forward(town: DiscordTown) -> None:
    ann, ben = town.people["Ann"], town.people["Ben"]
    ann.forward(ben.speak(town.general, VOICE), ann.dm)


def _reply(town: TelegramTown) -> None:
    ann, ben = town.people["Ann"], town.people["Ben"]
    ann.mention("what does he say?", town.general, reply_to=ben.speak(VOICE, town.general))
