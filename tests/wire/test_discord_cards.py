"""Cards that are over, edited through the real discord.py on the loopback Discord."""

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.messages import Choice, MessageKind, OutgoingMessage, PostedCard, ReplyTarget
from bot.errors import DeliveryError
from bot.loopback.discord import Fault
from bot.loopback.discord.world import IS_COMPONENTS_V2, LOADING
from bot.plugins.discord_chat.frames import frame
from bot.testing.discord_town import Town, town
from bot.testing.fake_clock import FakeClock
from bot.testing.refusals import final


async def posted(made: Town, target: ReplyTarget, text: str) -> PostedCard:
    """A card with one button."""
    asks = OutgoingMessage(target, text, (Choice("Approve", "a1", "approve"),))
    return PostedCard("t1/send:card", asks, await made.chat.send(asks, "t1/send:card"))


async def test_a_card_that_is_over_keeps_its_text_and_says_how_it_ended(made: Town):
    message = await made.asked()
    card = await posted(made, message.reply_to, "may I? " * 400)
    *_, shown = made.ann.sees(made.thread(message))
    text = shown.content
    for _ in range(2):
        await made.chat.close_card(card, "Approved by Olga")
        assert (shown.content, shown.labels) == (f"{text}\n-# Approved by Olga", [])
    del shown.channel.messages[shown.id]
    with pytest.raises(DeliveryError, check=final):
        await made.chat.close_card(card, "Approved by Olga")


@pytest.mark.parametrize("pieces", [1, 2])
async def test_a_card_for_one_person_is_edited_as_long_as_its_interaction_lasts(pieces: int):
    clock = FakeClock()
    async with town(clock=clock) as made:
        made.ann.slash(made.general, "status")
        message = await made.heard()
        card = await posted(made, message.reply_to, "may I? " * (250 * pieces))
        await made.chat.close_card(card, "Expired")
        *_, shown = made.ann.sees(made.general)
        assert (len(card.receipt.message_ids), shown.labels) == (pieces, [])
        assert shown.content.endswith("\n-# Expired")
        await clock.advance(15 * 60)
        with pytest.raises(DeliveryError, check=final):
            await made.chat.close_card(card, "Expired")


async def test_a_card_is_a_frame_with_its_text_and_buttons(made: Town):
    message = await made.asked()
    await posted(made, message.reply_to, "may I?")
    *_, shown = made.ann.sees(made.thread(message))
    (container,) = shown.components
    assert [part["type"] for part in container["components"]] == [10, 14, 1]
    assert made.platform.payloads.message(shown)["content"] == ""
    made.ann.click(shown, "Approve")
    clicked = await made.heard(2)
    assert clicked.action is not None
    assert (clicked.action.ref, clicked.action.verb) == ("a1", "approve")


async def test_a_framed_message_of_another_bot_is_quoted_by_its_words(made: Town):
    robot = made.platform.person("Robot", bot=True)
    body: JsonObject = {"flags": IS_COMPONENTS_V2, "components": frame("build 7 failed", [])}
    told = made.platform.posts.create(made.general, robot.user, body)
    made.ann.say(made.general, "why?", mention=True, reply_to=told)
    quoted = (await made.heard(2)).quoted
    assert [one.text for one in quoted] == made.inbox.texts[:1] == ["build 7 failed"]


ANSWERS_COMMAND = 20
ALERT: JsonObject = {
    "type": "rich",
    "author": {"name": "Grafana"},
    "title": "Disk of db-2 is 94 % full",
    "url": "https://grafana.example.com/a/7",
    "description": "for 10 minutes",
    "fields": [{"name": "Since", "value": "09:12", "inline": True}],
}
ALERT_WORDS = (
    "Grafana\nDisk of db-2 is 94 % full\nhttps://grafana.example.com/a/7\nfor 10 minutes\n"
    "Since: 09:12"
)


async def test_the_embed_of_another_app_is_read_and_quoted_and_a_link_preview_is_not(made: Town):
    robot = made.platform.person("Robot", bot=True)
    told = made.platform.posts.create(made.general, robot.user, {"embeds": [ALERT]})
    made.ann.say(made.general, "what is this?", mention=True, reply_to=told)
    quoted = (await made.heard(2)).quoted
    assert [one.text for one in quoted] == made.inbox.texts[:1] == [ALERT_WORDS]
    made.ann.forward(told, made.ann.dm)
    assert [one.text for one in (await made.heard(3)).quoted] == [ALERT_WORDS]
    body: JsonObject = {"content": "see https://grafana.example.com/a/7", "embeds": [ALERT]}
    seen = made.platform.posts.create(made.general, made.bob.user, body)
    assert (await made.heard(4)).text == "see https://grafana.example.com/a/7"
    made.ann.forward(seen, made.ann.dm)
    assert [one.text for one in (await made.heard(5)).quoted] == [seen.content]


async def test_what_another_app_answers_to_its_command_is_quoted_in_the_thread_below_it(made: Town):
    robot = made.platform.person("Robot", bot=True)
    told = made.platform.posts.create(made.general, robot.user, {"embeds": [ALERT]})
    told.kind = ANSWERS_COMMAND
    made.ann.say(made.ann.start_thread(told, "Disk"), "what is this?", mention=True)
    assert [one.text for one in (await made.heard(2)).quoted] == [ALERT_WORDS]


async def test_an_answer_that_another_app_promised_is_heard_when_it_comes(made: Town):
    robot = made.platform.person("Robot", bot=True)
    promised = made.platform.posts.create(
        made.general, robot.user, {"content": "", "flags": LOADING}
    )
    promised.kind = ANSWERS_COMMAND
    made.ann.say(made.general, "what will it say?")
    await made.heard(1)
    assert made.inbox.texts == ["what will it say?"]
    made.platform.posts.edit(promised, {"content": "Looking."})  # it is promised still
    promised.flags = 0
    made.platform.posts.edit(promised, {"content": "The disk is full."})
    assert (await made.heard(2)).text == "The disk is full."
    made.platform.posts.edit(promised, {"content": "The disk is fine."})
    assert (await made.heard(3)).kind is MessageKind.EDIT


async def test_a_card_that_discord_refuses_as_a_frame_is_plain_text_with_its_buttons(made: Town):
    message = await made.asked()
    refused = Fault("POST", ".*/messages", 400, body={"code": 50035, "message": "Invalid"})
    made.platform.fault(refused)
    card = await posted(made, message.reply_to, "may I?")
    *_, shown = made.ann.sees(made.thread(message))
    assert (shown.content, shown.labels) == ("may I?", ["Approve"])
    assert not shown.flags & IS_COMPONENTS_V2
    await made.chat.close_card(card, "Approved by Olga")
    assert (shown.content, shown.labels) == ("may I?\n-# Approved by Olga", [])


async def test_a_place_that_refuses_frames_is_spared_them_for_an_hour():
    clock = FakeClock()
    async with town(clock=clock) as made:
        message, other = await made.asked(), await made.asked("And this?")
        framed = await posted(made, message.reply_to, "may I?")
        body: JsonObject = {"code": 50035, "message": "Invalid"}
        made.platform.fault(Fault("POST", ".*/messages", 400, body=body))

        async def calls(target: ReplyTarget, number: int) -> tuple[int, bool]:
            before = len(made.platform.log.calls)
            asks = OutgoingMessage(target, "and I?", (Choice("Yes", "a2", "approve"),))
            sent = await made.chat.send(asks, f"t1/send:{number}")
            shown = made.platform.world.find_message(int(sent.message_ids[0]))
            assert shown is not None
            return len(made.platform.log.calls) - before, bool(shown.flags & IS_COMPONENTS_V2)

        assert await calls(message.reply_to, 1) == (2, False)
        assert await calls(message.reply_to, 2) == (1, False)
        assert (await calls(other.reply_to, 3))[1]
        await made.chat.close_card(framed, "Expired")
        *_, last = [one for one in made.ann.sees(made.thread(message)) if "may I?" in one.content]
        assert (last.content, last.labels) == ("may I?\n-# Expired", [])
        await clock.advance(60 * 60)
        assert await calls(message.reply_to, 4) == (1, True)


async def test_a_framed_card_found_after_a_crash_is_not_posted_again(made: Town):
    message = await made.asked()
    asks = OutgoingMessage(message.reply_to, "may I?", (Choice("Approve", "a1", "approve"),))
    first = await made.chat.send(asks, "t1/send:card")
    found = await made.found(message, "t1/send:card")
    assert found is not None
    assert found.message_ids == first.message_ids
