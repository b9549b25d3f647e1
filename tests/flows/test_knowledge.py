""" "Keep this for the team": an attached file becomes a document after a yes, even a late one."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.domain.messages import (
    Attachment,
    IncomingMessage,
    Place,
    PlatformPerson,
    QuotedMessage,
)
from bot.domain.origins import Trust
from bot.domain.places import Visibility
from bot.testing import documents
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say

ROOM: dict[str, Any] = {"where": "room", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
MANUAL = Attachment("manual", "manual.pdf", "application/pdf", 1_000)


def town() -> FakeChat:
    chat = FakeChat()
    chat.files["manual"] = documents.pdf(["The pump has a warranty", "of two years"])
    return chat


async def asked_to_keep(house: Harness, model: ScriptedModel, who: str) -> str:
    """Ask for it; gives the reference of the card that asks for a yes."""
    model.add(
        call("tool_search", {"query": "keep an attached file"}),
        call("keep_document", {"file": "manual.pdf"}),
    )
    model.add(say("It needs your yes."))
    before = len(house.chat.posts)
    await house.chat.say(who, "keep this for the team", attachments=(MANUAL,), **ROOM)
    await house.chat.until(before + 2)
    await house.until_idle()
    return next(
        one.ref
        for post in house.chat.posts
        for one in post.message.choices
        if one.verb == "approve"
    )


async def finds(house: Harness, model: ScriptedModel, who: str) -> bool:
    """Whether search_documents shows the manual to somebody in the same channel."""
    model.add(call("get_capabilities", {"names": ["search_documents"]}))
    model.add(call("search_documents", {"query": "pump warranty"}), say("Here."))
    await house.ask(who, "how long is the warranty?", **ROOM)
    blocks = [block for message in model.requests[-1].messages for block in message["content"]]
    return (
        "manual.pdf"
        in [json.dumps(block) for block in blocks if block["type"] == "tool_result"][-1]
    )


async def test_a_partners_file_is_kept_after_their_yes_and_found_by_others(home: Path):
    model = ScriptedModel()
    async with running_app(home, model, town()) as house:
        ref = await asked_to_keep(house, model, "ben")
        assert await house.app.house.documents.collections.rows.documents() == []
        # The turn is over, and the file waits for the yes.
        for _ in range(3):
            await house.app.house.chats.attachments.sweep()
        model.add(say("Kept."))
        before = len(house.chat.posts)
        await house.chat.click("ben", ref, "approve", **ROOM)
        await house.chat.until(before + 1)
        await house.until_idle()
        [kept] = await house.app.house.documents.collections.rows.documents()
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
        assert await house.app.database.read("SELECT 1 FROM attachments") == []


async def test_a_file_that_nobody_allowed_is_not_kept(home: Path):
    model = ScriptedModel()
    async with running_app(home, model, town()) as house:
        ref = await asked_to_keep(house, model, "ann")
        model.add(say("Then not."))
        before = len(house.chat.posts)
        await house.chat.click("ann", ref, "reject", **ROOM)
        await house.chat.until(before + 1)
        await house.until_idle()
        assert await house.app.house.documents.collections.rows.documents() == []


async def keeps(house: Harness, model: ScriptedModel, message: IncomingMessage) -> str:
    """What keep_document answers to this message, after a yes if it asks for one."""
    keep = call("keep_document", {"file": "manual.pdf"})
    model.add(call("tool_search", {"query": "keep an attached file"}), keep, say("Asked."))
    first = len(house.chat.posts)
    await house.chat.deliver(message)
    await house.chat.until(first + 1)
    await house.until_idle()
    refs = [one.ref for post in house.chat.posts[first:] for one in post.message.choices[:1]]
    if refs:
        model.add(say("Done."))
        before = len(house.chat.posts)
        await house.chat.click("ann", refs[0], "approve", **ROOM)
        await house.chat.until(before + 1)
        await house.until_idle()
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
        assert await house.app.house.documents.collections.rows.documents() == []
        model.add(say("A manual."))
        await house.ask("ann", "look at this", attachments=(MANUAL,), **ROOM)
        for _ in range(3):
            await house.app.house.chats.attachments.sweep()
        await keeps(house, model, house.chat.message("ann", "now keep it for the team", **ROOM))
        [kept] = await house.app.house.documents.collections.rows.documents()
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
        [kept] = await house.app.house.documents.collections.rows.documents()
        assert (kept.name, kept.owner) == ("manual.pdf", "ann")
