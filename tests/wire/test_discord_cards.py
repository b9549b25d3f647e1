"""Cards that are over, edited through the real discord.py on the loopback Discord."""

import pytest

from bot.domain.messages import Choice, OutgoingMessage, PostedCard, ReplyTarget
from bot.errors import DeliveryError
from bot.testing.discord_town import Town, town
from bot.testing.fake_clock import FakeClock


async def posted(made: Town, target: ReplyTarget, text: str) -> PostedCard:
    """A card with one button."""
    asks = OutgoingMessage(target, text, (Choice("Approve", "a1", "approve"),))
    return PostedCard("t1/send:card", asks, await made.chat.send(asks, "t1/send:card"))


async def test_a_card_that_is_over_keeps_its_text_and_says_how_it_ended():
    async with town() as made:
        message = await made.asked()
        card = await posted(made, message.reply_to, "may I? " * 400)
        *_, shown = made.ann.sees(made.thread(message))
        text = shown.content
        for _ in range(2):
            await made.chat.close_card(card, "Approved by Olga")
            assert (shown.content, shown.labels) == (f"{text}\n-# Approved by Olga", [])
        del shown.channel.messages[shown.id]
        with pytest.raises(DeliveryError) as gone:
            await made.chat.close_card(card, "Approved by Olga")
        assert not gone.value.retryable


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
        with pytest.raises(DeliveryError) as late:
            await made.chat.close_card(card, "Expired")
        assert not late.value.retryable
