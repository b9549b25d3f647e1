"""What commands, edits, deletions and answers mean: the very turn that they are about."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.chat import Acceptance
from bot.domain.messages import (
    Addressed,
    Attachment,
    Command,
    Conversation,
    IncomingMessage,
    MessageKind,
    Place,
    ReplyTarget,
)
from bot.testing.app_lives import AppLives
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say, whole
from tests.thoroughness import tried

HERE = "discord:w:dm-ann"
ASK = call("ask_user_for_clarification", {"question": "Which?"})


def in_thread(
    chat: FakeChat, who: str, text: str, thread: str = "t", title: str = "Milk"
) -> IncomingMessage:
    """A message whose answer goes to a thread below the channel `town`."""
    message = chat.message(who, text, where=thread, place=Place.THREAD)
    there = Conversation(chat.platform, "w", thread, Place.THREAD, title, "town")
    return replace(message, conversation=there, reply_to=ReplyTarget(there))


def edit(
    message: IncomingMessage, text: str, addressed: Addressed = Addressed.NONE, stamp: int = 1
) -> IncomingMessage:
    return replace(
        message,
        key=f"edit:{message.key}:{stamp}",
        text=text,
        kind=MessageKind.EDIT,
        addressed=addressed,
        attachments=(),
    )


async def test_a_stop_in_a_channel_reaches_the_persons_threads_and_names_them(home: Path):
    scripted = ScriptedModel([say("never"), say("never"), say("Ben's.")], strict=True)
    scripted.hold(1)
    scripted.hold(2)
    async with running_app(home, scripted) as house:
        chat = house.chat
        await chat.deliver(in_thread(chat, "ann", "add milk"))
        await scripted.asked(1)
        await chat.deliver(in_thread(chat, "ben", "add tea", "u", "Tea"))
        await scripted.asked(2)
        await chat.command("ann", "status", where="town", place=Place.CHANNEL)
        await chat.until(1)
        assert "- Running for you in “Milk”" in chat.texts[0]
        assert "Tea" not in chat.texts[0]
        await chat.command("ann", "stop", where="town", place=Place.CHANNEL)
        await chat.until(3)
        assert sorted(chat.texts[1:]) == [
            "Stopped.",
            "Stopping in “Milk”.",
        ]
        assert house.app.engine.running("discord|w|u|ben|")
        await chat.command("ben", "new", where="town", place=Place.CHANNEL)
        await chat.until(5)
        assert "Started afresh in “Tea”." in chat.texts


async def test_a_stop_elsewhere_reaches_nothing(home: Path):
    scripted = ScriptedModel([say("Milk added.")], strict=True)
    answer = scripted.hold(1)
    async with running_app(home, scripted) as house:
        chat = house.chat
        await chat.deliver(in_thread(chat, "ann", "add milk"))
        await scripted.asked(1)
        await chat.command("ann", "stop", where="village", place=Place.CHANNEL)
        await chat.command("ann", "stop")
        await chat.until(2)
        assert chat.texts == ["Nothing is running or waiting here."] * 2
        answer.set()
        await chat.until(3)
        assert chat.texts[-1] == "Milk added."


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["stop", "new"])
async def test_a_command_rerun_after_a_crash_leaves_later_turns_alone(home: Path, name: str):
    """Wherever it crashes, the message after it is asked about, and its question stays open."""

    async def play(folder: Path, point: CrashPoint | None) -> list[str]:
        lives = AppLives(folder)
        model = PlanModel({"ask": [ASK, say("never")]})
        async with lives.life(model) as life:
            await life.tell("ann", "do:ask", key="k1")
        await lives.clock.advance(60)
        async with lives.life(model, point) as life:
            await life.order("ann", name, key="k2")
        commits = lives.commits
        assert life.database.gone is (point is not None), point
        await lives.clock.advance(60)
        async with lives.life(model) as life:
            await life.chat.command(
                "ann", name, key="k2"
            )  # not accepted when the process went before
            if await life.app.engine.open_question(HERE, "discord-ann") is not None:
                await life.settle()  # it is stopped now
            await life.tell("ann", "do:ask", key="k3")
            question = await life.app.engine.open_question(HERE, "discord-ann")
            assert question is not None, (point, lives.chat.texts)
            assert question.turn > 2
        return commits

    for number, point in enumerate(tried(crash_points(await play(home / "whole", None)))):
        await play(home / f"life{number}", point)


async def test_a_mention_added_by_an_edit_starts_one_turn(home: Path):
    async with running_app(
        home, PlanModel({}, otherwise=lambda request: f"{len(request.messages)}")
    ) as house:
        chat = house.chat
        message = chat.message(
            "ann", "what is this?", where="town", place=Place.CHANNEL, addressed=Addressed.NONE
        )
        assert await chat.deliver(message) is Acceptance.CONTEXT
        assert await chat.deliver(edit(message, "what was this?")) is Acceptance.CONTEXT
        mention = edit(message, "what is this, Bellhop?", Addressed.MENTION, 2)
        assert await chat.deliver(mention) is Acceptance.TURN
        await chat.until(1)
        await house.until_idle()
        assert await chat.deliver(mention) is Acceptance.DUPLICATE
        assert (
            await chat.deliver(edit(message, "hm, Bellhop?", Addressed.MENTION, 3))
            is Acceptance.CONTEXT
        )
        assert await chat.deliver(message) is Acceptance.DUPLICATE
        await house.until_idle()
        assert len(chat.posts) == 1


def command_edit(message: IncomingMessage, name: str, stamp: int = 1) -> IncomingMessage:
    """As adapters read an edit that leaves a command."""
    return replace(edit(message, f"/{name}", Addressed.COMMAND, stamp), command=Command(name))


async def test_a_command_made_by_an_edit_runs_once(home: Path):
    async with running_app(home, PlanModel({})) as house:
        chat = house.chat
        message = chat.message(
            "ann", "status?", where="town", place=Place.CHANNEL, addressed=Addressed.NONE
        )
        assert await chat.deliver(message) is Acceptance.CONTEXT
        assert await chat.deliver(command_edit(message, "status")) is Acceptance.CONTROL
        await chat.until(1)
        assert await chat.deliver(command_edit(message, "status")) is Acceptance.DUPLICATE
        assert "role Friend" in chat.texts[0]


async def test_a_mistyped_command_can_be_put_right_by_an_edit(home: Path):
    async with running_app(home, PlanModel({})) as house:
        chat = house.chat
        wrong = replace(
            chat.message("ann", "/statsu"), kind=MessageKind.COMMAND, command=Command("statsu")
        )
        await house.posts_after(chat.deliver(wrong))
        assert await chat.deliver(command_edit(wrong, "statsu")) is Acceptance.CONTEXT
        assert await chat.deliver(command_edit(wrong, "status", 2)) is Acceptance.CONTROL
        await chat.until(2)
        assert "role Friend" in chat.texts[1]


async def test_open_messages_can_be_edited_into_commands_and_answered_ones_not(home: Path):
    scripted = ScriptedModel([say("Hello."), call("current_time"), say("Never.")])
    never = scripted.hold(3)
    async with running_app(home, scripted) as house:
        chat = house.chat
        answered, running, waiting = (
            chat.message("ann", text) for text in ("hello", "work", "more")
        )
        await house.posts_after(chat.deliver(answered))
        await chat.deliver(running)
        await scripted.asked(3)
        await chat.deliver(waiting)
        assert await chat.deliver(command_edit(answered, "stop")) is Acceptance.CONTEXT
        assert await chat.deliver(command_edit(waiting, "status")) is Acceptance.CONTROL
        await chat.until(2)
        assert await chat.deliver(command_edit(running, "stop")) is Acceptance.CONTROL
        await chat.until(4)
        never.set()
        await house.until_idle()
        assert len(chat.posts) == 4
        assert {text.split(".")[0] for text in chat.texts[2:]} == {"Stopping", "Stopped"}


async def test_a_waiting_message_is_used_as_edited_or_not_at_all(home: Path):
    scripted = ScriptedModel([call("current_time"), say("Both.")], strict=True)
    answer = scripted.hold(1)
    async with running_app(home, scripted) as house:
        chat = house.chat
        first = chat.message("ann", "hello")
        await chat.deliver(first)
        await scripted.asked(1)
        milk, tea = chat.message("ann", "buy milk"), chat.message("ann", "buy tea")
        await chat.deliver(milk)
        await chat.deliver(tea)
        await chat.deliver(edit(milk, "buy oat milk"))
        gone = replace(tea, key=f"delete:{tea.key}:0", text="", kind=MessageKind.DELETE)
        assert await chat.deliver(gone) is Acceptance.CONTEXT
        assert await chat.deliver(gone) is Acceptance.DUPLICATE
        await chat.deliver(edit(first, "something else"))
        answer.set()
        await chat.until(1)
        await house.until_idle()
        assert "withdrawn" in str(await house.app.engine.recorded(tea.key))
        assert await chat.deliver(tea) is Acceptance.DUPLICATE
        told = await house.command("ann", "why", f"{tea.key}")
    seen = whole(scripted.requests[1])
    assert "buy oat milk" in seen
    assert "buy tea" not in seen
    assert "buy milk" not in seen
    assert "something else" not in seen
    assert chat.texts[0] == "Both."
    assert "deleted before" in told


async def test_a_channel_question_needs_no_mention_unless_it_is_somebody_elses(home: Path):
    scripted = ScriptedModel([ASK, say("Red it is.")], strict=True)
    async with running_app(home, scripted) as house:
        chat = house.chat
        town = {"where": "town", "place": Place.CHANNEL}
        await house.tell("ann", "paint it", **town)
        bens = chat.message(
            "ben", "I like blue", where="town", place=Place.CHANNEL, addressed=Addressed.NONE
        )
        assert await chat.deliver(bens) is Acceptance.CONTEXT
        aside = chat.message(
            "ann", "@ben do you?", where="town", place=Place.CHANNEL, addressed=Addressed.NONE
        )
        assert await chat.deliver(replace(aside, to_others=True)) is Acceptance.CONTEXT
        assert await chat.say("ann", "red", **town, addressed=Addressed.NONE) is Acceptance.CONTROL
        await chat.until(2)
        assert chat.texts[1] == "Red it is."
    assert "red" in whole(scripted.requests[1])


@pytest.mark.parametrize("words", ["", "this one"])
async def test_a_file_answers_an_open_question_and_is_read(home: Path, words: str):
    scripted = ScriptedModel([ASK, say("Read it.")], strict=True)
    async with running_app(home, scripted) as house:
        chat = house.chat
        chat.files["f1"] = b"the inside of the file"
        await house.ask("ann", "look at something")
        await house.tell(
            "ann", words, attachments=(Attachment("f1", "notes.txt", "text/plain", 22),)
        )
        assert chat.texts[1] == "Read it."
        await house.until_idle()
        assert not await house.app.engine.open_turns()
    seen = whole(scripted.requests[1])
    assert "(with the message: notes.txt)" in seen
    assert "the inside of the file" in seen


async def test_nobody_answers_a_question_that_somebody_else_was_asked(home: Path):
    scripted = ScriptedModel([ASK, ASK, say("Ben's.")], strict=True)
    async with running_app(home, scripted) as house:
        chat = house.chat
        town = {"where": "town", "place": Place.CHANNEL}
        await house.tell("ann", "paint it", **town)
        await house.tell("ben", "paint mine", **town)
        await house.posts_after(chat.click("ben", "t1", "answer", "red", **town))
        assert chat.texts[2] == "That question is for somebody else."
        await house.posts_after(chat.click("ben", "t2", "answer", "red", **town))
        assert chat.texts[3] == "Ben's."


async def delete(at: Harness, key: str, who: str = "ann") -> None:
    gone = at.chat.message(who, "", key=f"delete:{key}:2")
    await at.posts_after(at.chat.deliver(replace(gone, kind=MessageKind.DELETE)))


async def test_later_requests_do_not_hold_it_and_its_answer_stays(home: Path):
    model = ScriptedModel([say("Noted."), say("Sure."), say("Fine."), say("Still fine.")])
    async with running_app(home, model) as at:
        await at.tell("ann", "My word is heron", key="discord:m1")
        await at.ask("ann", "Thanks")
        assert "heron" in str(model.requests[1].messages)
        await delete(at, "discord:m1")
        await delete(at, "discord:m1")  # platforms may say it twice
        await at.ask("ann", "And now?")
        chat = at.chat
    third = str(model.requests[2].messages)
    assert "heron" not in third
    assert "They deleted this message afterwards." in third
    assert "Noted." in third
    assert "Thanks" in third
    async with running_app(home, model, chat) as at:  # it is stored so
        await at.ask("ann", "And then?")
    fourth = str(model.requests[3].messages)
    assert "heron" not in fourth
    assert "And now?" in fourth


async def test_nobody_takes_back_what_another_said(home: Path):
    model = ScriptedModel([say("Noted."), say("Sure.")])
    async with running_app(home, model) as at:
        await at.tell("ann", "Same words", key="discord:m1")
        await at.tell("ben", "Same words", key="discord:m2")
        await delete(at, "discord:m2", "ben")
        rows = await at.rows("SELECT session_key, rewritten FROM sessions")
    assert {str(row["session_key"]).split("|")[-2]: row["rewritten"] for row in rows} == {
        "ann": 0,
        "ben": 1,
    }
