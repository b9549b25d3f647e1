"""An attached transcript becomes a meeting with the offline model; broken ones are told."""

from pathlib import Path

import pytest

from bot.domain.messages import Attachment, Conversation, Place, Visibility
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app

VTT = (
    "WEBVTT\n\n00:00:05.000 --> 00:00:09.000\n<v Ben>Yes, blue.</v>\n\n"
    "00:00:01.000 --> 00:00:04.000\n<v Ann>We decided on blue, then?</v>\n"
)
OFFICE = Conversation("fake", "w", "office", Place.CHANNEL, visibility=Visibility.PUBLIC)


def attached(chat: FakeChat, name: str, data: bytes) -> tuple[Attachment, ...]:
    chat.files[name] = data
    return (Attachment(name, name, "text/plain", len(data)),)


@pytest.fixture
def offline(home: Path) -> Path:
    (home / "bellhop.yaml").write_text("model: {provider: offline}\n")
    (home / "contacts.yaml").write_text(
        "- {id: ann, name: Ann, role: Friend, ids: {discord: [ann]}}\n"
        "- {id: ben, name: Ben, role: Friend, ids: {discord: [ben]}}\n"
    )
    return home


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
async def test_a_transcript_in_and_what_was_said_out(offline: Path, encoding: str):
    chat = FakeChat()
    async with running_app(offline, None, chat) as house:
        told = await house.ask(
            "ann", "here", attachments=attached(chat, "paint.vtt", VTT.encode(encoding))
        )
        assert "I made a meeting of `paint.vtt`: **paint** (with Ann, Ben)" in told
        assert "were sorted by their times" in told
        answer = await house.ask("ann", "what did we decide about blue?")
        assert "[00:00:01] Ann: We decided on blue, then?" in answer
        assert "[00:00:01] Ann: We decided on blue, then?" in await house.ask(
            "ann", "what did we decide?"
        )
        assert await house.ask("ben", "what did we decide about blue?") == (
            "I found no decision about blue in the meetings here."
        )


async def test_a_transcript_in_an_old_encoding_becomes_a_meeting_too(offline: Path):
    chat = FakeChat()
    old = VTT.replace("blue", "bl\xfce").encode("latin-1")
    async with running_app(offline, None, chat) as house:
        told = await house.ask("ann", "here", attachments=attached(chat, "latin.vtt", old))
        assert "I made a meeting of `latin.vtt`: **latin** (with Ann, Ben)" in told
        assert "Ann: We decided on blüe, then?" in await house.ask("ann", "what did we decide?")


async def test_broken_meetings_are_reported(offline: Path):
    chat = FakeChat()
    async with running_app(offline, None, chat) as house:
        for name, data, words in (
            ("empty.vtt", b"", "empty.vtt is empty."),
            (
                "bad.pdf",
                b"%PDF-1.7 broken",
                "I got `bad.pdf`, but didn't keep it: bad.pdf can't be read: it is damaged",
            ),
            (
                "huge.vtt",
                b"WEBVTT\n\n" + b"x" * 10_000_000,
                "I got `huge.vtt`, but didn't keep it: the most is 8 MB.",
            ),
            (
                "words.srt",
                b"only words",
                "I made no meeting of `words.srt`: words.srt holds no line with times",
            ),
        ):
            assert words in await house.ask("ann", "here", attachments=attached(chat, name, data))
        assert await house.ask("ann", "show my meetings") == "There are no meetings here yet."
