"""Posts of a forum on Discord: their tags are read, set by rights, and solved after a yes."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.domain.models import ModelReply
from bot.loopback.discord import Channel
from bot.loopback.discord.world import ChannelKind, ForumTag
from bot.testing.discord_house import House, serving, town
from bot.testing.scripted_model import Answer, ScriptedModel, call, say

SEARCH = call("tool_search", {"pattern": "forum_post"})


def post(action: str, **more: Any) -> ModelReply:
    return call("forum_post", {"action": action, **more})


@dataclass
class Forum:
    """A server with a forum that offers three tags, one of them for moderators."""

    made: House
    model: ScriptedModel
    channel: Channel
    bug: ForumTag
    solved: ForumTag
    pinned: ForumTag

    def names(self, thread: Channel) -> list[str]:
        return [self.channel.tags[one].name for one in thread.applied]

    def read(self) -> str:
        """What the model read in its last request."""
        return json.dumps(self.model.requests[-1].messages, ensure_ascii=False)

    async def left(self, number: int) -> None:
        await self.made.platform.until(lambda: self.model.left == number)


@asynccontextmanager
async def forum(home: Path, script: Sequence[Answer]) -> AsyncGenerator[Forum]:
    model = ScriptedModel(script)
    async with town(home) as made:
        guild, world = made.general.guild, made.platform.world
        assert guild is not None
        channel = made.platform.channel(guild, "help", ChannelKind.FORUM)
        tags = [
            world.add_tag(channel, name, moderated=name == "pinned")
            for name in ("bug", "solved", "pinned")
        ]
        async with serving(made, home, model):
            yield Forum(made, model, channel, *tags)


async def test_the_tags_of_a_post_are_words_of_its_first_message(home: Path):
    async with forum(home, [say("It is DNS."), say("It is still DNS.")]) as at:
        ann, ben = at.made.ann, at.made.ben
        opened = ann.open_post(at.channel, "No mail", "why?", at.bug, mention=True)
        await at.made.reads(ann, opened.channel, "It is DNS.")
        assert "why?\\n[tags: bug]" in at.read()
        other = ben.open_post(at.channel, "No web", "why not?", at.bug, at.solved)
        ann.say(other.channel, "what do you think?", mention=True)
        await at.made.reads(ann, other.channel, "It is still DNS.")
        assert "[tags: bug, solved]" in at.read()


async def test_its_author_has_a_post_marked_as_solved_after_a_yes(home: Path):
    script = [SEARCH, post("read"), post("solve", tags=["Solved"]), say("It waits."), say("Done.")]
    async with forum(home, script) as at:
        ann = at.made.ann
        opened = ann.open_post(at.channel, "No mail", "why?", at.bug)
        ann.say(opened.channel, "thanks, mark it as solved", mention=True)
        card = await at.made.reads(ann, opened.channel, "have the post “No mail” marked as solved")
        assert "“bug”, “solved”" in card.content
        assert at.names(opened.channel) == ["bug"]
        ann.click(card, "Approve")
        await at.left(0)
        await at.made.reads(ann, opened.channel, "Done.")
        assert at.names(opened.channel) == ["bug", "solved"]
        assert (opened.channel.archived, opened.channel.archive_minutes) == (False, 60)
        assert not [one for one in at.made.platform.refusals if one.startswith("PATCH")]


async def test_somebody_else_can_not_and_is_not_even_asked(home: Path):
    async with forum(home, [SEARCH, post("solve", tags=["solved"]), say("Ask Ann.")]) as at:
        ann, ben = at.made.ann, at.made.ben
        opened = ann.open_post(at.channel, "No mail", "why?", at.bug)
        ben.say(opened.channel, "mark it as solved", mention=True)
        await at.made.reads(ben, opened.channel, "Ask Ann.")
        assert "only who opened this post, and who moderates here" in at.read()
        assert at.names(opened.channel) == ["bug"]
        assert not [one for one in ben.sees(opened.channel) if one.labels]


async def test_a_tag_of_moderators_a_lock_and_an_unknown_tag_are_refused(home: Path):
    tries = [
        post("tag", tags=["pinned"]),
        post("solve", tags=["solved"], lock=True),
        post("tag", tags=["fixed"]),
    ]
    async with forum(home, [SEARCH, *tries, say("None of it.")]) as at:
        ann = at.made.ann
        opened = ann.open_post(at.channel, "No mail", "why?", at.bug)
        ann.say(opened.channel, "pin it, lock it, call it fixed", mention=True)
        await at.made.reads(ann, opened.channel, "None of it.")
        for words in (
            "the tag “pinned” is for moderators alone",
            "the lock is for moderators alone",
            "the forum has no “fixed”; it has “bug”, “solved”, “pinned”",
        ):
            assert words in at.read()
        assert (at.names(opened.channel), opened.channel.locked) == (["bug"], False)


async def test_elsewhere_there_is_no_post_and_discords_no_is_told(home: Path):
    script = [
        SEARCH,
        post("read"),
        say("No post."),
        post("solve"),
        say("It waits."),
        say("Not so."),
    ]
    async with forum(home, script) as at:
        ann = at.made.ann
        asked = ann.say(at.made.general, "which tags has this?", mention=True)
        await at.made.reads(ann, await at.made.thread(asked), "No post.")
        assert "this is no post of a forum" in at.read()
        opened = ann.open_post(at.channel, "No mail", "why?", at.bug)
        at.channel.denied.add("manage")
        ann.say(opened.channel, "close it", mention=True)
        card = await at.made.reads(ann, opened.channel, "marked as solved")
        ann.click(card, "Approve")
        await at.made.reads(ann, opened.channel, "Not so.")
        assert "only with the permission Manage Threads; the post is as it was" in at.read()
