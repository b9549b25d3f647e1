"""What a terminal shows: answers, running turns, and choices to pick from."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat.terminal.adapter import terminal_conversation
from bot.chat.terminal.typed import OpenChoices
from bot.chat.terminal.view import Option, TurnProgress
from bot.domain.chat import (
    Acceptance,
    Status,
    TextDelta,
    TextReset,
    Thinking,
    ToolEnded,
    ToolStarted,
)
from bot.domain.messages import (
    Action,
    Attachment,
    Choice,
    Command,
    MessageKind,
    OutgoingFile,
    OutgoingMessage,
    PostedCard,
    ReplyTarget,
)
from bot.errors import DeliveryError
from bot.testing.fake_clock import settle
from bot.testing.scripted_terminal import House, accepted, chat_on, noticed, running, until
from bot.testing.scripted_view import ScriptedView

# --- answers ---


async def test_a_send_is_shown_exactly_once_per_key(view: ScriptedView, tmp_path: Path) -> None:
    house, chat = House(), chat_on(view, tmp_path)
    async with running(chat, house):
        view.type("hello")
        (message,) = await accepted(house, 1)
        first = await chat.send(OutgoingMessage(message.reply_to, "Hi."), "k1")
        second = await chat.send(OutgoingMessage(message.reply_to, "Hi."), "k1")
        assert await chat.find_sent(message.reply_to, "k1") == first == second
        assert await chat.find_sent(message.reply_to, "k2") is None
    assert view.said == ["Hi."]


async def test_an_answer_to_an_earlier_process_is_marked(
    view: ScriptedView, tmp_path: Path
) -> None:
    chat = chat_on(view, tmp_path)
    async with running(chat, House()):
        await chat.send(
            OutgoingMessage(ReplyTarget(chat.conversation, message="older"), "Done at last."), "k1"
        )
    assert view.asides == ["Done at last."]
    assert view.said == []


async def test_one_question_waits_for_its_own_answer_and_not_for_an_earlier_one(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(), chat_on(view, tmp_path, serial=True)
    async with running(chat, house):
        view.type("what is open?")
        (message,) = await accepted(house, 1)
        earlier = chat.live(
            ReplyTarget(chat.conversation, message="older"), "t1"
        )  # its approval came meanwhile
        await chat.send(
            OutgoingMessage(ReplyTarget(chat.conversation, message="older"), "It was sent."),
            "k1",
            earlier,
        )
        await chat.send(
            OutgoingMessage(ReplyTarget(chat.conversation), "Two grants have ended."), "k2"
        )
        await earlier.close()
        view.leave()
        await settle()
        assert not chat.left.is_set()
        await chat.send(OutgoingMessage(message.reply_to, "Nothing."), "k3")
        await until(chat.left)
    assert view.said == ["Nothing."]
    assert view.asides == ["It was sent.", "Two grants have ended."]
    assert chat.problem is None


async def test_an_answer_that_covers_it_ends_the_wait_for_a_message_that_joined(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(), chat_on(view, tmp_path, serial=True)
    async with running(chat, house):
        older = ReplyTarget(chat.conversation, message="older")
        running_turn = chat.live(older, "t1")
        view.type("and Berlin?")
        view.leave()
        (message,) = await accepted(house, 1)
        covers = (message.reply_to.message or "",)
        answer = OutgoingMessage(older, "Both are dry.", covers=covers)
        await chat.send(answer, "k1", running_turn)
        card = OutgoingMessage(older, "May I?", CHOICES, covers=covers)
        await chat.send(card, "k2")
        await running_turn.close()
        await until(chat.left)
    assert (view.said, view.asides) == (["Both are dry.", "May I?"], [])
    assert chat.problem is None


async def test_what_a_message_announces_is_waited_for(view: ScriptedView, tmp_path: Path) -> None:
    house, chat = House(Acceptance.CONTROL), chat_on(view, tmp_path, serial=True)
    async with running(chat, house):
        view.type("/approve a1")
        view.leave()
        (message,) = await accepted(house, 1)
        await chat.send(OutgoingMessage(message.reply_to, "Approved.", continues=True), "k1")
        await settle()
        assert not chat.left.is_set()
        await chat.send(OutgoingMessage(ReplyTarget(chat.conversation, message="b"), "Sent."), "k2")
        await until(chat.left)
    assert view.said == ["Approved.", "Sent."]


async def test_a_card_that_is_shown_without_numbers_has_none_to_pick(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(), chat_on(view, tmp_path, serial=True)
    async with running(chat, house):
        older = ReplyTarget(chat.conversation, message="older")
        await chat.send(OutgoingMessage(older, "May I?", CHOICES), "k1")
        view.type("1")
        (message,) = await accepted(house, 1)
    assert (view.asides, message.kind, message.text) == (["May I?"], MessageKind.TEXT, "1")


async def test_piped_files_go_with_the_first_message_alone(
    view: ScriptedView, tmp_path: Path
) -> None:
    piped = Attachment(str(tmp_path / "in"), "standard-input.txt", "text/plain", 3)
    house, chat = House(), chat_on(view, tmp_path, piped=(piped,))
    async with running(chat, house):
        view.type("summarise")
        view.type("and now?")
        first, second = await accepted(house, 2)
    assert (first.attachments, second.attachments) == ((piped,), ())


async def test_files_of_an_answer_are_saved_once_and_named(
    view: ScriptedView, tmp_path: Path
) -> None:
    chat, blobs = chat_on(view, tmp_path), tmp_path / "data" / "blobs"
    blobs.mkdir(parents=True)
    (blobs / "abc").write_bytes(b"%PDF")
    files = (OutgoingFile("plan.pdf", "application/pdf", "abc"), OutgoingFile("x.md", "", "gone"))
    message = OutgoingMessage(ReplyTarget(chat.conversation), "Here:", files=files)
    async with running(chat, House()):
        await asyncio.gather(chat.send(message, "k1"), chat.send(message, "k1"))
        await chat.send(message, "k2")
        elsewhere = replace(message, target=ReplyTarget(terminal_conversation("Ben")))
        with pytest.raises(DeliveryError):
            await chat.send(elsewhere, "k3")
    saved = tmp_path / "downloads" / "plan.pdf"
    assert view.said == [f"Here:\n\n📎 Saved as `{saved}`  \n(x.md is no longer stored.)"] * 2
    assert [(one, one.read_bytes()) for one in saved.parent.iterdir()] == [(saved, b"%PDF")]


async def test_somebody_elses_conversation_is_not_shown_here(
    view: ScriptedView, tmp_path: Path
) -> None:
    chat = chat_on(view, tmp_path, name="Anna")
    elsewhere = ReplyTarget(terminal_conversation("Ben"))
    async with running(chat, House()):
        with pytest.raises(DeliveryError) as caught:
            await chat.send(OutgoingMessage(elsewhere, "secret"), "k1")
        chat.live(elsewhere, "t1").show(TextDelta("secret"))
    assert caught.value.retryable
    assert view.said == []
    assert all(progress is None or not progress.text for progress in view.shown_progress)


async def test_after_leaving_a_send_is_kept_for_later(view: ScriptedView, tmp_path: Path) -> None:
    chat = chat_on(view, tmp_path)
    async with running(chat, House()):
        view.leave()
        await until(chat.left)
        with pytest.raises(DeliveryError) as caught:
            await chat.send(OutgoingMessage(ReplyTarget(chat.conversation), "late"), "k1")
    assert caught.value.retryable


# --- a running turn ---


async def test_a_turn_shows_what_it_does_and_leaves_lines_about_tools(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(), chat_on(view, tmp_path)
    async with running(chat, house):
        view.type("hello")
        (message,) = await accepted(house, 1)
        await settle()
        assert view.shown_progress[-1] == TurnProgress()
        live = chat.live(message.reply_to, "t1")
        live.show(ToolStarted("1", "manage_todos", 'manage_todos create "buy milk"'))
        live.show(ToolEnded("1", "manage_todos", ok=True, seconds=0.1))
        live.show(TextDelta("Do"))
        live.show(TextDelta("ne."))
        assert view.shown_progress[-1] == TurnProgress(text="Done.")
        await chat.send(OutgoingMessage(message.reply_to, "Done."), "k1", live)
        assert view.shown_progress[-1] == TurnProgress()
        await live.close()
    assert view.shown_progress[-1] is None
    assert view.tools == ['manage_todos create "buy milk" ✓']
    assert view.said == ["Done."]


async def test_ctrl_c_stops_a_turn_and_only_hints_without_one(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(), chat_on(view, tmp_path)
    async with running(chat, house):
        view.interrupt()
        assert "/exit" in await noticed(view)
        view.type("work")
        await accepted(house, 1)
        view.interrupt()
        stop = (await accepted(house, 2))[1]
    assert stop.kind is MessageKind.STOP
    assert stop.command == Command("stop")


def test_progress_follows_the_updates() -> None:
    started = ToolStarted("1", "a", "a()")
    progress = (
        TurnProgress().after(TextDelta("half")).after(TextReset()).after(Thinking("first\nsecond"))
    )
    assert progress == TurnProgress(status="first second")
    assert progress.after(Status("retrying")).status == "retrying"
    assert progress.after(started) == TurnProgress(tools=(started,))
    assert progress.after(started).after(ToolEnded("1", "a", ok=True, seconds=1.0)).tools == ()


# --- picking ---


CHOICES = (Choice("Tea", "q1", "answer", "Tea"), Choice("Coffee", "q1", "answer", "Coffee"))


async def test_a_number_picks_an_option(view: ScriptedView, tmp_path: Path) -> None:
    house, chat = House(Acceptance.CONTROL), chat_on(view, tmp_path)
    async with running(chat, house):
        await chat.send(OutgoingMessage(ReplyTarget(chat.conversation), "Which?", CHOICES), "k1")
        assert view.offered == [(Option(1, "Tea"), Option(2, "Coffee"))]
        view.type(" 2 ")
        (message,) = await accepted(house, 1)
    assert message.kind is MessageKind.ACTION
    assert message.action == Action("q1", "answer", "Coffee")
    assert message.text == "Coffee"


async def test_free_text_is_always_possible_and_closes_the_options(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(Acceptance.CONTROL), chat_on(view, tmp_path)
    async with running(chat, house):
        await chat.send(OutgoingMessage(ReplyTarget(chat.conversation), "Which?", CHOICES), "k1")
        view.type("rather water")
        view.type("1")
        first, second = await accepted(house, 2)
    assert first.kind is MessageKind.TEXT
    assert second.kind is MessageKind.TEXT
    assert second.text == "1"


def test_numbers_go_on_over_several_messages() -> None:
    choices = OpenChoices()
    choices.offer(CHOICES)
    assert choices.offer((Choice("Yes", "a1", "approve"),)) == (Option(3, "Yes"),)
    assert choices.pick("1") == CHOICES[0]
    assert choices.pick("2") is None
    assert choices.pick("3") == Choice("Yes", "a1", "approve")


@pytest.mark.parametrize("text", ["0", "3", "٢", "1.", "-1", "one", "99999"])
def test_only_a_number_on_the_screen_picks(text: str) -> None:
    choices = OpenChoices()
    choices.offer(CHOICES)
    assert choices.pick(text) is None


def test_a_withdrawn_choice_can_not_be_picked() -> None:
    choices = OpenChoices()
    choices.offer(CHOICES)
    choices.offer((Choice("Yes", "a1", "approve"),))
    assert choices.withdraw(CHOICES)
    assert not choices.withdraw(CHOICES)
    assert choices.pick("1") is None
    assert choices.pick("3") == Choice("Yes", "a1", "approve")


async def test_a_card_that_was_decided_elsewhere_is_said_once(
    view: ScriptedView, tmp_path: Path
) -> None:
    chat = chat_on(view, tmp_path)
    async with running(chat, House()):
        card = OutgoingMessage(ReplyTarget(chat.conversation), "**Approval a1**: wipe", CHOICES)
        posted = PostedCard("k1", card, await chat.send(card, "k1"))
        for _ in range(2):
            await chat.close_card(posted, "Approved by Olga")
        assert view.notices == ["Approved by Olga (Approval a1: wipe)"]
