"""A plug-in of others writes down what people record; a home has one that does."""

import json
from pathlib import Path

import pytest

from bot.domain.messages import Attachment
from bot.errors import SettingsError
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, say
from tests.plugin.conftest import Install

HEARS = """
from bot.plugin.recordings import *
class Ears:
    async def transcribe(self, person, recording):
        data = await recording.read()
        if recording.seconds > 60:
            raise TranscriptionError(f"{shown_length(recording.seconds)} is too long")
        words = f" {person} says {len(data)} of {recording.size}\\0 in {recording.media_type} "
        return WrittenSpeech(words if len(data) > 5 else "\\0 ", 61)
class It(Plugin):
    name = "ears"
    api = 19
    def build(self, given):
        return Parts(transcriber=Ears())
"""
ANN = "- {id: ann, name: Ann, role: Partner, ids: {discord: [ann]}}\n"


def spoken(chat: FakeChat, ref: str, data: bytes, seconds: float) -> tuple[Attachment, ...]:
    chat.files[ref] = data
    return (Attachment(ref, f"{ref}.ogg", "audio/ogg", len(data), True, seconds),)


async def test_a_plugin_of_others_writes_down_what_people_say(tmp_path: Path, install: Install):
    install("ears", HEARS)
    (tmp_path / "contacts.yaml").write_text(ANN)
    (tmp_path / "bellhop.yaml").write_text("plugins: [ears]\n")
    chat, model = FakeChat(), ScriptedModel([say("Yes.")] * 3)
    async with running_app(tmp_path, model, chat) as house:
        for ref, size, seconds in (("a", 24, 0), ("b", 5, 0), ("c", 24, 62)):
            data = b"OggS" + bytes(size - 4)
            await house.ask("ann", "", attachments=spoken(chat, ref, data, seconds))
    first, second, third = (json.dumps(one.messages[-2:]) for one in model.requests)
    heard = "[voice message, 1:01, written down by a machine]\\nann says 24 of 24 in audio/ogg"
    assert heard in first
    assert "Nothing is said in b.ogg (1:01)." in second
    assert "c.ogg (1:02) could not be listened to: 1:02 is too long." in third


async def test_two_plugins_that_write_down_are_refused(tmp_path: Path, install: Install):
    install("ears", HEARS)
    (tmp_path / "bellhop.yaml").write_text(
        "plugins: [ears]\ntranscription: {url: 'http://127.0.0.1:8089'}\n"
    )
    with pytest.raises(SettingsError, match="transcription and ears all write down recordings"):
        async with running_app(tmp_path, ScriptedModel([say("Yes.")])) as house:
            await house.ask("ann", "hello")
