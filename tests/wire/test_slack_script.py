"""One conversation on Slack from hello to stop, through slack-bolt, in both modes."""

from dataclasses import dataclass

import pytest

from bot.domain.chat import TextDelta, WorkShown
from bot.domain.messages import (
    Addressed,
    Choice,
    Conversation,
    IncomingMessage,
    MessageKind,
    OutgoingFile,
    OutgoingMessage,
    Place,
    PostedCard,
    ReplyTarget,
)
from bot.loopback.slack import TEAM, Channel, ChannelKind, Message, Person, SlackPlatform
from bot.plugins.slack_chat.manifest import manifest
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.fake_chat import fetched
from bot.testing.slack_house import BLOBS, SlackHouse, slack_house


@dataclass
class Scene:
    """The people and places of the script, and the thread that it plays in."""

    slack: SlackPlatform
    house: SlackHouse
    ann: Person
    bob: Person
    office: Channel
    root: Message
    thread: Conversation
    heard: int = 0

    async def hear(self) -> IncomingMessage:
        self.heard += 1
        return await self.house.next(self.heard)


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_the_script(mode: str):
    settings = SlackSettings.model_validate({"mode": mode})
    async with SlackPlatform(manifest(settings)) as slack:
        slack.world.groups["S1"] = {slack.person("ann").id}
        async with slack_house(slack, mode) as house:
            await _play(slack, house)
        async with slack_house(slack, mode, house.recovery) as again:
            await slack.until(lambda: again.recovery.finished)
            # History does not say when a reaction was put, so it comes again, under the key that it
            # had.
            assert [one for one in again.heard if ":r:" not in one.key] == []
            assert {one.key for one in again.heard} <= {one.key for one in house.heard}
        # Nothing more is asked for than is used, and nothing is used that is not asked for.
        asked = manifest(settings)
        assert slack.log.scopes_used == set(asked["oauth_config"]["scopes"]["bot"])
        assert slack.log.events_used == set(asked["settings"]["event_subscriptions"]["bot_events"])
        assert all(
            not message.unfurl
            for message in slack.said
            if not message.files and not message.only_for
        )
        assert len(set(house.calls)) == len(house.calls)


async def _play(slack: SlackPlatform, house: SlackHouse) -> None:
    ann, bob = slack.person("ann"), slack.person("bob")
    office = slack.channel("office", ann, bob)
    await _dm(house, ann)
    root = ann.mention("what's the weather?", office)
    mention = await house.next(2)
    scene = Scene(slack, house, ann, bob, office, root, mention.conversation, 2)
    await _mention(scene, mention)
    await _question(scene)
    await _files(scene)
    await _commands(scene)
    await _stop(scene)
    await _reaction(scene)
    await _renamed(scene)
    await _changes(scene)
    await _elsewhere(scene)
    await _step(scene)


async def _dm(house: SlackHouse, ann: Person) -> None:
    """A direct message is answered in its thread, after the prompts of the messages tab."""
    slack = house.slack
    ann.open_home()
    hello = ann.say("good morning")
    first = await house.next(1)
    assert (first.addressed, first.private, first.conversation.id) == (
        Addressed.DM,
        True,
        ann.dm.id,
    )
    assert (first.sender.name, first.sender.platform_roles) == ("ann", ("S1",))
    assert first.key == f"slack:{TEAM}:{ann.dm.id}:{hello.ts}"
    await house.answer(first.reply_to, "Good morning, *Ann*.", "k:dm")
    assert [(m.text, m.thread_ts) for m in slack.said] == [("Good morning, *Ann*.", hello.ts)]
    await slack.until(lambda: ann.dm.id in slack.world.prompts)


async def _mention(scene: Scene, mention: IncomingMessage) -> None:
    """A mention opens a thread; tool lines and text stream there, and the status follows."""
    slack, house, thread = scene.slack, scene.house, scene.root.ts
    assert (mention.text, mention.addressed) == ("what's the weather?", Addressed.MENTION)
    assert (mention.conversation.id, mention.conversation.place) == (
        f"{scene.office.id}:{thread}",
        Place.THREAD,
    )
    live = house.chat.live(mention.reply_to, "t1")
    live.show(WorkShown("Looking at the sky"))
    await house.showing(lambda m: "now" in m.tasks)
    assert slack.world.sessions[scene.office.id, thread].status == "processing"
    live.show(WorkShown("Reading a web page", steps=("Looking at the sky", "Reading a web page")))
    rain = "It rains in Bern. " * 8
    live.show(TextDelta(rain))
    await house.showing(lambda m: m.text.startswith("It rains"))
    await house.chat.send(OutgoingMessage(mention.reply_to, rain + "Take a coat."), "k:rain", live)
    await live.close()
    (shown,) = [m for m in slack.said if m.channel == scene.office.id]
    assert shown.text == rain + "Take a coat."
    assert (shown.tasks["now"]["status"], shown.tasks["now"]["title"]) == ("complete", "Done")
    assert shown.tasks["now"]["details"] == "Looking at the sky\nReading a web page"
    assert slack.world.sessions[scene.office.id, thread].past == ["processing", "active"]
    assert await house.chat.find_sent(mention.reply_to, "k:rain") is not None


async def _question(scene: Scene) -> None:
    """Another person goes on in the thread without a mention, and is asked by buttons."""
    scene.bob.reply(scene.root, "and tomorrow?")
    message = await scene.hear()
    assert (message.addressed, message.sender.name) == (Addressed.FOLLOWED, "bob")
    assert message.conversation == scene.thread
    options = tuple(Choice(label, "q1", "answer", label) for label in ("Bern", "Thun"))
    asked = OutgoingMessage(message.reply_to, "Where?", options)
    posted = PostedCard("k:ask", asked, await scene.house.chat.send(asked, "k:ask"))
    card = await scene.house.showing(lambda m: m.blocks)
    scene.bob.click(card, "Thun")
    click = await scene.hear()
    assert click.action is not None
    assert (click.action.ref, click.action.verb, click.action.value) == ("q1", "answer", "Thun")
    assert click.conversation == scene.thread
    await scene.house.chat.close_card(posted, "Answered: Thun")
    marked = await scene.house.showing(lambda m: "Answered: Thun" in str(m.blocks))
    assert "actions" not in str(marked.blocks)


async def _files(scene: Scene) -> None:
    """A file comes in; a file and a long answer go out."""
    slack, house = scene.slack, scene.house
    scene.ann.upload(
        "plan.txt", "text/plain", b"Monday: sun", "read this", scene.office, scene.root.ts
    )
    message = await scene.hear()
    assert (message.text, message.attachments[0].name) == ("read this", "plan.txt")
    assert await fetched(house.chat, message.attachments[0]) == b"Monday: sun"
    long = "\n\n".join(f"Paragraph {number} " + "word " * 100 for number in range(60))
    files = (OutgoingFile("rain.csv", "text/csv", "b1"),)
    await house.answer(message.reply_to, long, "k:long", files=files)
    pieces = [
        m.text
        for m in slack.said
        if (m.metadata or {}).get("event_payload", {}).get("key") == "k:long"
    ]
    assert len(pieces) == 3
    assert "".join(pieces) == long
    assert [file.data for m in slack.said for file in m.files] == [BLOBS["b1"]]
    assert await house.chat.find_sent(message.reply_to, "k:long") is not None


async def _commands(scene: Scene) -> None:
    """Native, with an exclamation mark, and after a mention."""
    ann, bob = scene.ann, scene.bob
    bob.slash("status now", scene.office)
    native = await scene.hear()
    assert native.command is not None
    assert (native.command.name, native.command.args, native.reply_to.ephemeral_to) == (
        "status",
        "now",
        bob.id,
    )
    await scene.house.answer(native.reply_to, "All is well.", "k:status")
    assert "All is well." in str(bob.sees(scene.office)[-1].blocks)
    assert "All is well." not in str([m.blocks for m in ann.sees(scene.office)])
    ann.reply(scene.root, "!new")
    written = await scene.hear()
    ann.mention("/help me", scene.office)
    mentioned = await scene.hear()
    commands = [(m.command.name, m.command.args) for m in (written, mentioned) if m.command]
    assert commands == [("new", ""), ("help", "me")]
    assert written.conversation == scene.thread


async def _reaction(scene: Scene) -> None:
    """An emoji on a message, which automations hear."""
    scene.bob.react(scene.root, "eyes")
    reaction = await scene.hear()
    assert (reaction.kind, reaction.sender.id) == (MessageKind.REACTION, scene.bob.id)


async def _renamed(scene: Scene) -> None:
    """Somebody changes their name."""
    scene.bob.becomes(name="robert")
    scene.bob.reply(scene.root, "it is me")
    assert (await scene.hear()).sender.name == "robert"


async def _stop(scene: Scene) -> None:
    """Slack's own stop button, in mid-stream."""
    scene.ann.reply(scene.root, "tell me everything")
    message = await scene.hear()
    live = scene.house.chat.live(message.reply_to, "t2")
    live.show(TextDelta("Once upon a time " * 10))
    draft = await scene.house.showing(lambda m: m.text.startswith("Once"))
    scene.ann.stop(scene.office, scene.root.ts)
    stop = await scene.hear()
    assert (stop.kind, stop.conversation, stop.sender.id) == (
        MessageKind.STOP,
        scene.thread,
        scene.ann.id,
    )
    await scene.house.chat.send(OutgoingMessage(message.reply_to, "Stopped."), "k:stop", live)
    await live.close()
    assert draft.text == "Stopped."
    assert scene.slack.world.sessions[scene.office.id, scene.root.ts].status == "active"


async def _changes(scene: Scene) -> None:
    """Edits and deletions change the record; messages to others are heard, not answered."""
    more = scene.ann.reply(scene.root, "tell me more")
    await scene.hear()
    key = f"slack:{TEAM}:{scene.office.id}:{more.ts}:"
    scene.ann.edit(more, "tell me a little")
    edit = await scene.hear()
    assert (edit.kind, edit.text, edit.key.startswith(f"edit:{key}")) == (
        MessageKind.EDIT,
        "tell me a little",
        True,
    )
    scene.ann.delete(more)
    delete = await scene.hear()
    assert (delete.kind, delete.key.startswith(f"delete:{key}")) == (MessageKind.DELETE, True)
    scene.ann.say("lunch?", scene.office)
    lunch = await scene.hear()
    assert (lunch.addressed, lunch.conversation.place) == (Addressed.NONE, Place.CHANNEL)


async def _elsewhere(scene: Scene) -> None:
    """Private channels and groups are like channels; a reminder goes to a person directly."""
    private = scene.slack.channel("board", scene.ann, kind=ChannelKind.PRIVATE)
    group = scene.slack.channel("trio", scene.ann, scene.bob, kind=ChannelKind.MPIM)
    scene.ann.say("numbers", private)
    assert (await scene.hear()).addressed is Addressed.NONE
    scene.ann.mention("are you here?", group)
    here = await scene.hear()
    assert (here.addressed, here.private) == (Addressed.MENTION, False)
    bob = Conversation("slack", TEAM, scene.bob.id)
    await scene.house.answer(ReplyTarget(bob), "A reminder.", "k:reminder")
    assert [m.text for m in scene.bob.sees()] == ["A reminder."]
    assert await scene.house.chat.find_sent(ReplyTarget(bob), "k:reminder") is not None


async def _step(scene: Scene) -> None:
    """A step of a workflow is answered to the workflow, and its asker is nobody's colleague."""
    run = scene.slack.run_step("ask_bellhop", question="how is the weather?")
    asked = await scene.hear()
    assert (asked.text, asked.typed, asked.sender.outside) == ("how is the weather?", "", True)
    await scene.house.answer(asked.reply_to, "Sunny.", "k:step")
    assert scene.slack.world.step_runs[run] == {"outputs": {"answer": "Sunny."}}
