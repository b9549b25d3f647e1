"""Polls that people have posted on Discord: who may, what is read of them, how they end."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.domain.models import ModelReply
from bot.loopback.discord import Message
from bot.loopback.discord.payloads import SEND_POLLS
from bot.testing.discord_house import House, house, serving, town
from bot.testing.scripted_model import ScriptedModel, call, say

SEARCH = call("tool_search", {"pattern": "polls"})
MAKE = call(
    "polls", {"action": "make", "question": "Which day?", "answers": ["Tue", "Thu"], "hours": 48}
)


def poll(action: str, **more: Any) -> ModelReply:
    return call("polls", {"action": action, **more})


async def polled(made: House) -> Message:
    """The poll that stands in the channel."""

    def found() -> Message | None:
        posted = [one for one in made.general.messages.values() if one.poll]
        return posted[-1] if posted else None

    return await made.platform.until(found)


def results(model: ScriptedModel) -> str:
    """What the model read in its last request."""
    return json.dumps(model.requests[-1].messages, ensure_ascii=False)


async def test_a_poll_stands_where_the_person_wrote_and_its_end_in_their_conversation(home: Path):
    script = [SEARCH, MAKE, say("Vote away."), poll("read"), say("Thu leads.")]
    model = ScriptedModel([*script, poll("end"), say("Thu it is."), say("Thu won.")], strict=True)
    async with house(home, model) as made:
        asked = made.ann.say(made.general, "make a poll for the meetup", mention=True)
        thread = await made.thread(asked)
        await made.reads(made.ann, thread, "Vote away.")
        posted = await polled(made)
        assert (posted.author, posted.reply_to) == (made.platform.world.bot, asked.id)
        assert posted.poll is not None
        assert posted.poll["question"]["text"] == "Which day?"
        made.ben.vote(posted, "Thu")
        made.ann.say(thread, "how does it look?", mention=True)
        await made.reads(made.ann, thread, "Thu leads.")
        assert '{\\"Tue\\": 0, \\"Thu\\": 1}' in results(model)
        made.ann.say(thread, "enough, end it", mention=True)
        await made.reads(made.ann, thread, "Thu it is.")
        assert posted.poll["results"]["is_finalized"]
        made.ben.say(thread, "so what won?", mention=True)
        await made.reads(made.ben, thread, "Thu won.")
        for line in ("[you, to all] The poll ended: Which day?", "- Thu: 1", "Most votes: Thu"):
            assert line in results(model)
        assert made.platform.refusals == []


@pytest.mark.parametrize("moderates", [True, False])
async def test_another_persons_poll_is_ended_by_who_may_remove_messages_alone(
    home: Path, moderates: bool
):
    model = ScriptedModel([SEARCH, MAKE, say("Vote away."), poll("end"), say("Well.")])
    async with town(home) as made:
        guild = made.general.guild
        assert guild is not None
        if moderates:
            made.ben.user.roles.append(made.platform.role(guild, "moderators").id)
        async with serving(made, home, model):
            await ended_by_ben(made, model, moderates=moderates)


async def ended_by_ben(made: House, model: ScriptedModel, *, moderates: bool) -> None:
    thread = await made.thread(made.ann.say(made.general, "make a poll", mention=True))
    await made.reads(made.ann, thread, "Vote away.")
    posted = await polled(made)
    made.ben.say(thread, "end it", mention=True)
    await made.reads(made.ben, thread, "Well.")
    refused = "only who had it made, and who may remove messages here" in results(model)
    assert refused is not moderates
    assert posted.poll is not None
    assert posted.poll["results"]["is_finalized"] is moderates


async def test_who_may_not_post_polls_there_themself_gets_none(home: Path):
    model = ScriptedModel([SEARCH, MAKE, say("Not here.")])
    async with house(home, model) as made:
        made.general.withheld = SEND_POLLS
        made.platform.moved(made.general)
        asked = made.ann.say(made.general, "make a poll", mention=True)
        await made.reads(made.ann, await made.thread(asked), "Not here.")
        assert "Ann may not post polls here themself" in results(model)
        assert not any(one.poll for one in made.general.messages.values())


async def test_what_discord_refuses_is_told_and_not_said_to_be_posted(home: Path):
    model = ScriptedModel([SEARCH, MAKE, say("Sorry.")])
    async with house(home, model) as made:
        made.general.denied.add("polls")
        asked = made.ann.say(made.general, "make a poll", mention=True)
        await made.reads(made.ann, await made.thread(asked), "Sorry.")
        assert "Discord does not allow Bellhop to write there" in results(model)


async def test_a_poll_of_somebody_else_is_read_and_never_ended(home: Path):
    script = [SEARCH, poll("read"), say("Tea."), poll("end"), say("I can't.")]
    model = ScriptedModel(script)
    async with house(home, model) as made:
        native = made.ben.poll(made.general, "Tea or coffee?", Tea=2, Coffee=1)
        asked = made.ann.say(made.general, "who leads in the poll?", mention=True)
        thread = await made.thread(asked)
        await made.reads(made.ann, thread, "Tea.")
        assert "Tea or coffee?" in results(model)
        made.ann.say(made.general, "end that poll", mention=True)
        await made.platform.until(lambda: model.left == 0)
        assert "the platform lets me end no other" in results(model)
        assert native.poll is not None
        assert not native.poll["results"]["is_finalized"]
