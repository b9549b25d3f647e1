"""Polls through the real discord.py on the loopback Discord."""

import pytest

from bot.domain.messages import Conversation
from bot.domain.polls import NewPoll
from bot.errors import DeliveryError
from bot.loopback.discord import Fault
from bot.plugins.discord_chat.intake import conversation_of
from bot.plugins.discord_chat.seen import SeenPlace
from bot.testing.discord_town import Town

DAY = NewPoll("Which day?", ("Tue", "Thu"), 48)


def general(made: Town) -> Conversation:
    return conversation_of(SeenPlace(str(made.general.id), str(made.guild.id)))


async def test_a_poll_that_a_restart_forgot_is_not_posted_again(made: Town):
    message = await made.asked("make a poll")
    first = await made.chat.polls.post(message.reply_to, DAY, "k1")
    made.platform.forget_nonces()
    again = await made.chat.polls.post(message.reply_to, DAY, "k1")
    assert (again.message, again.place) == (first.message, general(made))
    assert len([one for one in made.general.messages.values() if one.poll]) == 1
    other = await made.chat.polls.post(message.reply_to, NewPoll("Who?", ("A", "B"), 1), "k2")
    assert other.message != first.message


async def test_a_cut_connection_posts_one_poll(made: Town):
    message = await made.asked("make a poll")
    made.platform.fault(Fault("POST", ".*/messages", after_processing=True))
    poll = await made.chat.polls.post(message.reply_to, DAY, "k1")
    shown = [one.id for one in made.general.messages.values() if one.poll]
    assert shown == [int(poll.message)]


async def test_only_a_message_with_a_poll_is_found_and_one_that_is_gone_is_not(made: Town):
    said = made.ann.say(made.general, "no poll")
    theirs = made.ann.poll(made.general, "Tea?", yes=2, no=1)
    polls, here = made.chat.polls, general(made)
    assert await polls.find(here, str(said.id)) is None
    found = await polls.find(here, str(theirs.id))
    assert found is not None
    assert (found.own, found.author, found.ended) == (False, "Ann", False)
    assert [(one.text, one.votes) for one in found.answers] == [("yes", 2), ("no", 1)]
    assert await polls.newest(here, 3) == [found]
    made.ann.delete(theirs)
    assert await polls.find(here, str(theirs.id)) is None
    with pytest.raises(DeliveryError, match="refused"):
        await polls.end(found)
