"""What a team keeps: documents, and what was said in meetings."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.messages import (
    Attachment,
    Conversation,
    IncomingMessage,
    Place,
    PlatformPerson,
    QuotedMessage,
    Visibility,
)
from bot.domain.models import ModelReply
from bot.domain.origins import Trust
from bot.plugins.collections.store import DocumentRows
from bot.testing import documents
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import know, write_tool
from bot.testing.scripted_model import ScriptedModel, call, result_texts, say, unlock

ROOM: dict[str, Any] = {"where": "room", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
MANUAL = Attachment("manual", "manual.pdf", "application/pdf", 1_000)
GIVEN = {"file": "manual.pdf"}
KEEPING = call("keep_document", GIVEN)
LINE: JsonObject = {"tool": "keep_document", "arguments": GIVEN}


def town() -> FakeChat:
    chat = FakeChat()
    chat.files["manual"] = documents.pdf(["The pump has a warranty", "of two years"])
    return chat


async def asked_to_keep(
    house: Harness, model: ScriptedModel, who: str, asking: ModelReply = KEEPING
) -> str:
    """Ask for it; gives the reference of the card that asks for a yes."""
    model.add(call("tool_search", {"query": "keep an attached file"}), asking)
    model.add(say("It needs your yes."))
    await house.tell(who, "keep this for the team", attachments=(MANUAL,), **ROOM)
    return next(
        one.ref
        for post in house.chat.posts
        for one in post.message.choices
        if one.verb == "approve"
    )


async def finds(house: Harness, model: ScriptedModel, who: str) -> bool:
    """Whether search_documents shows the manual to somebody in the same channel."""
    model.add(unlock("search_documents"))
    model.add(call("search_documents", {"query": "pump warranty"}), say("Here."))
    await house.ask(who, "how long is the warranty?", **ROOM)
    return "manual.pdf" in result_texts(model.requests[-1])[-1]


@pytest.mark.parametrize(
    ("asking", "after"),
    [
        (KEEPING, []),
        (call("file_away", GIVEN), []),
        (call("plan_calls", {"calls": [LINE, LINE]}), [KEEPING]),
    ],
    ids=["by its name", "under another name", "in a plan"],
)
async def test_a_partners_file_is_kept_after_their_yes_and_found_by_others(
    asking: ModelReply, after: list[ModelReply], home: Path
):
    model = ScriptedModel()
    runs = "native: keep_document"
    write_tool(home, "file_away", access="Partner+", risk="external-write", implementation=runs)
    async with running_app(home, model, town()) as house:
        ref = await asked_to_keep(house, model, "ben", asking)
        assert await DocumentRows(house.app.database).documents() == []
        # The turn is over, and the file waits for the yes, even if the platform has it no more.
        for _ in range(3):
            await house.app.house.chats.attachments.sweep()
        house.chat.files.clear()
        model.add(*after, say("Kept."))
        await house.posts_after(house.chat.click("ben", ref, "approve", **ROOM))
        [kept] = await DocumentRows(house.app.database).documents()
        assert (kept.name, kept.owner, kept.collection, kept.parts) == (
            "manual.pdf",
            "ben",
            "team",
            2,
        )
        assert kept.origin.trust is Trust.MEMBER
        assert await finds(house, model, "ann")
        for _ in range(3):
            await house.app.house.chats.attachments.sweep()
        assert await house.rows("SELECT 1 FROM attachments") == []


async def test_a_file_that_nobody_allowed_is_not_kept(home: Path):
    model = ScriptedModel()
    async with running_app(home, model, town()) as house:
        ref = await asked_to_keep(house, model, "ann")
        model.add(say("Then not."))
        await house.posts_after(house.chat.click("ann", ref, "reject", **ROOM))
        assert await DocumentRows(house.app.database).documents() == []


async def keeps(house: Harness, model: ScriptedModel, message: IncomingMessage) -> str:
    """What keep_document answers to this message, after a yes if it asks for one."""
    keep = call("keep_document", {"file": "manual.pdf"})
    model.add(call("tool_search", {"query": "keep an attached file"}), keep, say("Asked."))
    first = len(house.chat.posts)
    await house.posts_after(house.chat.deliver(message))
    refs = [one.ref for post in house.chat.posts[first:] for one in post.message.choices[:1]]
    if refs:
        model.add(say("Done."))
        await house.posts_after(house.chat.click("ann", refs[0], "approve", **ROOM))
    return json.dumps(model.requests[-1].messages)


async def test_an_earlier_file_of_this_place_is_kept_and_others_are_not(home: Path):
    model = ScriptedModel()
    async with running_app(home, model, town()) as house:
        model.add(say("A manual."), say("Also a manual."))
        await house.ask("ann", "look at this", attachments=(MANUAL,))
        await house.ask("ben", "look at this", attachments=(MANUAL,), **ROOM)
        asks = house.chat.message("ann", "keep the manual for the team", **ROOM)
        said = await keeps(house, model, asks)
        assert "'manual.pdf' was attached here lately (there are: none)" in said
        assert await DocumentRows(house.app.database).documents() == []
        model.add(say("A manual."))
        await house.ask("ann", "look at this", attachments=(MANUAL,), **ROOM)
        for _ in range(3):
            await house.app.house.chats.attachments.sweep()
        await keeps(house, model, house.chat.message("ann", "now keep it for the team", **ROOM))
        [kept] = await DocumentRows(house.app.database).documents()
        assert (kept.name, kept.owner, kept.parts) == ("manual.pdf", "ann", 2)


async def test_a_file_of_the_message_that_is_replied_to_is_kept(home: Path):
    model = ScriptedModel()
    async with running_app(home, model, town()) as house:
        asks = house.chat.message("ann", "keep this for the team", **ROOM)
        ben = PlatformPerson("ben", "Ben")
        elsewhere = QuotedMessage(ben, "forwarded", ("manual.pdf",))
        assert "was attached here lately" in await keeps(
            house, model, replace(asks, quoted=(elsewhere,))
        )
        asks = house.chat.message("ann", "keep this for the team", **ROOM)
        here = QuotedMessage(ben, "the manual", ("manual.pdf",), (MANUAL,))
        await keeps(house, model, replace(asks, quoted=(here,)))
        [kept] = await DocumentRows(house.app.database).documents()
        assert (kept.name, kept.owner) == ("manual.pdf", "ann")


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
    know(home, ann="Friend", ben="Friend")
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
