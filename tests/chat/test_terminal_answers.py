"""What a terminal shows: answers, running turns, and choices to pick from."""

import asyncio
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
from bot.testing.refusals import passing
from bot.testing.scripted_terminal import terminal, until

BENS = ReplyTarget(terminal_conversation("Ben"))

# --- answers ---


async def test_a_send_is_shown_exactly_once_per_key(tmp_path: Path) -> None:
    async with terminal(tmp_path) as here:
        message = await here.typed("hello")
        first = await here.send("Hi.", to=message.reply_to)
        second = await here.send("Hi.", to=message.reply_to)
        assert await here.chat.find_sent(message.reply_to, "k1") == first == second
        assert await here.chat.find_sent(message.reply_to, "k2") is None
    assert here.view.said == ["Hi."]


async def test_an_answer_to_an_earlier_process_is_marked(tmp_path: Path) -> None:
    async with terminal(tmp_path) as here:
        await here.send("Done at last.", to=here.target("older"))
    assert here.view.asides == ["Done at last."]
    assert here.view.said == []


async def test_one_question_waits_for_its_own_answer_and_not_for_an_earlier_one(
    tmp_path: Path,
) -> None:
    async with terminal(tmp_path, serial=True) as here:
        message = await here.typed("what is open?")
        older = here.target("older")
        earlier = here.chat.live(older, "t1")  # its approval came meanwhile
        await here.send("It was sent.", "k1", earlier, to=older)
        await here.send("Two grants have ended.", "k2")
        await earlier.close()
        here.view.leave()
        await settle()
        assert not here.chat.left.is_set()
        await here.send("Nothing.", "k3", to=message.reply_to)
        await until(here.chat.left)
    assert here.view.said == ["Nothing."]
    assert here.view.asides == ["It was sent.", "Two grants have ended."]
    assert here.chat.problem is None


async def test_an_answer_that_covers_it_ends_the_wait_for_a_message_that_joined(
    tmp_path: Path,
) -> None:
    async with terminal(tmp_path, serial=True) as here:
        older = here.target("older")
        running_turn = here.chat.live(older, "t1")
        here.view.type("and Berlin?")
        here.view.leave()
        (message,) = await here.hears(1)
        covers = (message.reply_to.message or "",)
        await here.send("Both are dry.", "k1", running_turn, to=older, covers=covers)
        await here.send("May I?", "k2", to=older, choices=CHOICES, covers=covers)
        await running_turn.close()
        await until(here.chat.left)
    assert (here.view.said, here.view.asides) == (["Both are dry.", "May I?"], [])
    assert here.chat.problem is None


async def test_what_a_message_announces_is_waited_for(tmp_path: Path) -> None:
    async with terminal(tmp_path, Acceptance.CONTROL, serial=True) as here:
        here.view.type("/approve a1")
        here.view.leave()
        (message,) = await here.hears(1)
        await here.send("Approved.", to=message.reply_to, continues=True)
        await settle()
        assert not here.chat.left.is_set()
        await here.send("Sent.", "k2", to=here.target("b"))
        await until(here.chat.left)
    assert here.view.said == ["Approved.", "Sent."]


async def test_a_card_that_is_shown_without_numbers_has_none_to_pick(tmp_path: Path) -> None:
    async with terminal(tmp_path, serial=True) as here:
        await here.send("May I?", to=here.target("older"), choices=CHOICES)
        message = await here.typed("1")
    assert (here.view.asides, message.kind, message.text) == (["May I?"], MessageKind.TEXT, "1")


async def test_piped_files_go_with_the_first_message_alone(tmp_path: Path) -> None:
    piped = Attachment(str(tmp_path / "in"), "standard-input.txt", "text/plain", 3)
    async with terminal(tmp_path, piped=(piped,)) as here:
        here.view.type("summarise")
        here.view.type("and now?")
        first, second = await here.hears(2)
    assert (first.attachments, second.attachments) == ((piped,), ())


async def test_files_of_an_answer_are_saved_once_and_named(tmp_path: Path) -> None:
    blobs = tmp_path / "data" / "blobs"
    blobs.mkdir(parents=True)
    (blobs / "abc").write_bytes(b"%PDF")
    files = (OutgoingFile("plan.pdf", "application/pdf", "abc"), OutgoingFile("x.md", "", "gone"))
    async with terminal(tmp_path) as here:
        await asyncio.gather(*(here.send("Here:", files=files) for _ in range(2)))
        await here.send("Here:", "k2", files=files)
        with pytest.raises(DeliveryError):
            await here.send("Here:", "k3", to=BENS, files=files)
    saved = tmp_path / "downloads" / "plan.pdf"
    assert here.view.said == [f"Here:\n\n📎 Saved as `{saved}`  \n(x.md is no longer stored.)"] * 2
    assert [(one, one.read_bytes()) for one in saved.parent.iterdir()] == [(saved, b"%PDF")]


async def test_somebody_elses_conversation_is_not_shown_here(tmp_path: Path) -> None:
    async with terminal(tmp_path, name="Anna") as here:
        with pytest.raises(DeliveryError, check=passing):
            await here.send("secret", to=BENS)
        here.chat.live(BENS, "t1").show(TextDelta("secret"))
    assert here.view.said == []
    assert all(progress is None or not progress.text for progress in here.view.shown_progress)


async def test_after_leaving_a_send_is_kept_for_later(tmp_path: Path) -> None:
    async with terminal(tmp_path) as here:
        here.view.leave()
        await until(here.chat.left)
        with pytest.raises(DeliveryError, check=passing):
            await here.send("late")


# --- a running turn ---


async def test_a_turn_shows_what_it_does_and_leaves_lines_about_tools(tmp_path: Path) -> None:
    async with terminal(tmp_path) as here:
        message = await here.typed("hello")
        await settle()
        assert here.view.shown_progress[-1] == TurnProgress()
        live = here.chat.live(message.reply_to, "t1")
        live.show(ToolStarted("1", "manage_todos", 'manage_todos create "buy milk"'))
        live.show(ToolEnded("1", "manage_todos", ok=True, seconds=0.1))
        live.show(TextDelta("Do"))
        live.show(TextDelta("ne."))
        assert here.view.shown_progress[-1] == TurnProgress(text="Done.")
        await here.send("Done.", "k1", live, to=message.reply_to)
        assert here.view.shown_progress[-1] == TurnProgress()
        await live.close()
    assert here.view.shown_progress[-1] is None
    assert here.view.tools == ['manage_todos create "buy milk" ✓']
    assert here.view.said == ["Done."]


async def test_ctrl_c_stops_a_turn_and_only_hints_without_one(tmp_path: Path) -> None:
    async with terminal(tmp_path) as here:
        here.view.interrupt()
        assert "/exit" in await here.notices()
        here.view.type("work")
        await here.hears(1)
        here.view.interrupt()
        stop = (await here.hears(2))[1]
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


async def test_a_number_picks_an_option(tmp_path: Path) -> None:
    async with terminal(tmp_path, Acceptance.CONTROL) as here:
        await here.send("Which?", choices=CHOICES)
        assert here.view.offered == [(Option(1, "Tea"), Option(2, "Coffee"))]
        message = await here.typed(" 2 ")
    assert message.kind is MessageKind.ACTION
    assert message.action == Action("q1", "answer", "Coffee")
    assert message.text == "Coffee"


async def test_free_text_is_always_possible_and_closes_the_options(tmp_path: Path) -> None:
    async with terminal(tmp_path, Acceptance.CONTROL) as here:
        await here.send("Which?", choices=CHOICES)
        here.view.type("rather water")
        here.view.type("1")
        first, second = await here.hears(2)
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


async def test_a_card_that_was_decided_elsewhere_is_said_once(tmp_path: Path) -> None:
    async with terminal(tmp_path) as here:
        card = OutgoingMessage(here.target(), "**Approval a1**: wipe", CHOICES)
        posted = PostedCard("k1", card, await here.chat.send(card, "k1"))
        for _ in range(2):
            await here.chat.close_card(posted, "Approved by Olga")
        assert here.view.notices == ["Approved by Olga (Approval a1: wipe)"]
