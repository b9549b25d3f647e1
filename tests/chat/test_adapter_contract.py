"""The contract of `domain.chat.ChatAdapter`, for every chat platform."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.domain.chat import (
    PlanShown,
    Status,
    TextDelta,
    TextReset,
    Thinking,
    ToolEnded,
    ToolStarted,
)
from bot.domain.messages import Choice, MessageKind, OutgoingMessage, PostedCard
from bot.domain.plans import PlanTask
from bot.errors import DeliveryError
from bot.testing.adapter_stages import FILE_BYTES, STAGES, Performance, remote
from bot.testing.fake_chat import fetched
from bot.testing.postgres_server import PostgresServer, postgres_programs

KEY = "t1/send:answer"


@pytest.fixture(params=[*STAGES, *(["remote"] if postgres_programs() else [])])
async def on(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Performance]:
    if request.param == "remote":
        server: PostgresServer = request.getfixturevalue("postgres")
        async with remote(tmp_path, server.url(server.database())) as performance:
            yield performance
        return
    async with STAGES[request.param](tmp_path) as performance:
        yield performance


async def test_a_message_comes_with_its_reply_target(on: Performance):
    first, second = await on.said("good morning"), await on.said("good evening")
    assert (first.text, second.text) == ("good morning", "good evening")
    assert first.key != second.key
    assert first.private
    assert first.sender.id == second.sender.id
    assert {first.conversation.platform, first.reply_to.conversation.platform} == {
        on.stage.adapter.platform
    }
    assert on.stage.adapter.platform in KNOWN_PLATFORMS
    await on.stage.adapter.send(OutgoingMessage(second.reply_to, "to the second"), KEY)
    assert "to the second" in on.stage.sees()
    assert len(on.heard) == 2, "what Bellhop says is not handed in"


async def test_a_send_is_one_visible_thing_that_is_found_by_its_key(on: Performance):
    adapter = on.stage.adapter
    message = OutgoingMessage((await on.said("hello")).reply_to, "the one answer")
    assert await adapter.find_sent(message.target, KEY) is None
    sent = await adapter.send(message, KEY)
    found = await adapter.find_sent(message.target, KEY)
    assert found is not None
    assert found.message_ids == sent.message_ids
    assert await adapter.find_sent(message.target, "t2/send:answer") is None
    again = await adapter.send(message, KEY)
    assert again.message_ids == sent.message_ids
    assert on.stage.sees().count("the one answer") == 1


async def test_a_live_view_ends_in_one_answer(on: Performance):
    adapter = on.stage.adapter
    target = (await on.said("what is new?")).reply_to
    live = adapter.live(target, "t1", KEY)
    for update in (
        TextDelta("Let me "),
        TextReset(),
        Thinking("where to look"),
        ToolStarted("c1", "web_search", "web_search news"),
        Status("retrying the model"),
        ToolEnded("c1", "web_search", ok=False, seconds=0.1, note="timed out"),
        ToolEnded("c2", "web_search", ok=True, seconds=0.1),
        PlanShown("read the news", (PlanTask("1", "read"),)),
        TextDelta("Nothing"),
    ):
        live.show(update)
    await adapter.send(OutgoingMessage(target, "Nothing is new."), KEY, live)
    await live.close()
    await live.close()
    live.show(TextDelta("too late"))
    assert on.stage.sees().count("Nothing is new.") == 1
    assert "too late" not in on.stage.sees()


async def test_a_choice_comes_back_until_its_card_is_over(on: Performance):
    adapter = on.stage.adapter
    target = (await on.said("publish it")).reply_to
    for ref in ("a1", "a2"):
        choices = (Choice(f"Approve {ref}", ref, "approve"), Choice(f"Not {ref}", ref, "reject"))
        asked = OutgoingMessage(target, f"May I, {ref}?", choices)
        sent = await adapter.send(asked, f"t1/send:{ref}")
    card = PostedCard(f"t1/send:{ref}", asked, sent)

    click = await on.picked("Approve a1")
    assert click is not None
    assert click.kind is MessageKind.ACTION
    assert click.action is not None
    assert (click.action.ref, click.action.verb) == ("a1", "approve")

    await adapter.close_card(card, "Approved by Olga")
    await adapter.close_card(card, "Approved by Olga")
    assert on.stage.sees().count("Approved by Olga") == 1
    late = await on.picked("Approve a2")
    assert late is None or late.kind is MessageKind.TEXT


async def test_a_file_is_read_in_pieces_and_one_that_is_gone_is_an_error(on: Performance):
    message = await on.sent_file("list.txt")
    (attachment,) = message.attachments
    assert attachment.name == "list.txt"
    assert await fetched(on.stage.adapter, attachment) == FILE_BYTES
    with pytest.raises(DeliveryError):
        await fetched(on.stage.adapter, replace(attachment, ref=f"{attachment.ref}0"))
