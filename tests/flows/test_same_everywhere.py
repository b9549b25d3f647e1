"""The same conversation in the terminal, on Discord and on Slack leaves the same transcript."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from bot.app import AppOptions, open_app
from bot.testing import surfaces
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.surfaces import Surface
from bot.testing.waiting import until

SAID = (("keep the code in mind", "Kept."), ("paint it", "Which colour?"), ("blue", "Blue it is."))


async def converse(home: Path, place: Surface) -> list[Any]:
    """Hold the conversation; returns the last request's messages without operator's notes."""
    (home / "contacts.yaml").write_text(
        f"- {{id: ann, name: Ann, role: Friend, ids: {{{place.person}}}}}\n"
    )
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


async def test_the_transcript_is_the_same_on_every_platform(tmp_path: Path):
    transcripts: list[str] = []
    for platform in (surfaces.terminal, surfaces.discord, surfaces.slack):
        home = tmp_path / platform.__name__
        home.mkdir()
        async with platform(home) as place:
            transcripts.append(json.dumps(await converse(home, place), indent=1))
    assert transcripts[1] == transcripts[0]
    assert transcripts[2] == transcripts[0]
    assert "blue" in transcripts[0]
