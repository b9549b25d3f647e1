"""The terminal adapter: typed lines become messages, sends show once, nothing crashes it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.terminal.adapter import TerminalChat, terminal_conversation
from bot.chat.terminal.typed import MAX_CHARACTERS, OpenChoices, readable
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
    IncomingMessage,
    MessageKind,
    OutgoingFile,
    OutgoingMessage,
    PlatformPerson,
    PostedCard,
    ReplyTarget,
)
from bot.errors import DeliveryError, StorageError
from bot.testing.fake_chat import fetched
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.scripted_view import ScriptedView


class House:
    """Stands for the Router: remembers what it accepted."""

    def __init__(self, acceptance: Acceptance = Acceptance.TURN) -> None:
        self.acceptance = acceptance
        self.accepted: list[IncomingMessage] = []
        self.broken = False

    async def accept(self, message: IncomingMessage) -> Acceptance:
        if self.broken:
            raise StorageError("the disk is full")
        self.accepted.append(message)
        return self.acceptance


def chat_on(
    view: ScriptedView,
    folder: Path,
    *,
    name: str | None = None,
    serial: bool = False,
    piped: tuple[Attachment, ...] = (),
) -> TerminalChat:
    person = PlatformPerson(name or "me", name or "me", platform_roles=("Friend",))
    conversation = terminal_conversation(name)
    return TerminalChat(
        view,
        FakeClock(),
        person=person,
        conversation=conversation,
        folder=folder,
        blobs=folder / "data" / "blobs",
        serial=serial,
        piped=piped,
    )


@asynccontextmanager
async def running(chat: TerminalChat, house: House) -> AsyncGenerator[None]:
    task = asyncio.create_task(chat.run(house.accept))
    await settle()
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture
def view() -> ScriptedView:
    return ScriptedView()


async def until(condition: asyncio.Event) -> None:
    async with asyncio.timeout(5):
        await condition.wait()


async def accepted(house: House, count: int) -> list[IncomingMessage]:
    """Wait for threads of file work too."""
    async with asyncio.timeout(5):
        while len(house.accepted) < count:
            await settle(1)
    return house.accepted


async def noticed(view: ScriptedView) -> str:
    async with asyncio.timeout(5):
        while not view.notices:
            await settle(1)
    return view.notices[-1]


# --- what is typed ---


async def test_a_typed_text_becomes_a_message_with_its_own_key(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(), chat_on(view, tmp_path, name="Anna")
    async with running(chat, house):
        view.type("hello")
        view.type("hello")
        first, second = await accepted(house, 2)
    assert first.text == "hello"
    assert first.kind is MessageKind.TEXT
    assert first.key.startswith("terminal:")
    assert first.key != second.key
    assert first.conversation.key == "terminal:local:Anna"
    assert first.sender == PlatformPerson("Anna", "Anna", platform_roles=("Friend",))
    assert first.private


async def test_commands_are_parsed_here(view: ScriptedView, tmp_path: Path) -> None:
    house, chat = House(Acceptance.CONTROL), chat_on(view, tmp_path)
    async with running(chat, house):
        view.type("/approve a3")
        (message,) = await accepted(house, 1)
    assert message.kind is MessageKind.COMMAND
    assert message.command == Command("approve", "a3")


@pytest.mark.parametrize("text", ["/exit", "/quit"])
async def test_exit_leaves_without_asking_anybody(
    view: ScriptedView, tmp_path: Path, text: str
) -> None:
    house, chat = House(), chat_on(view, tmp_path)
    async with running(chat, house):
        view.type(text)
        await until(chat.left)
        await settle()
        assert view.closed == 1
    assert house.accepted == []


async def test_it_does_not_return_after_leaving_so_that_nobody_restarts_it(
    view: ScriptedView, tmp_path: Path
) -> None:
    chat = chat_on(view, tmp_path)
    task = asyncio.create_task(chat.run(House().accept))
    view.leave()
    await until(chat.left)
    await settle()
    assert not task.done()
    task.cancel()


@pytest.mark.parametrize("text", ["", "   ", "\n\t\n"])
async def test_an_empty_text_gets_a_hint(view: ScriptedView, tmp_path: Path, text: str) -> None:
    house, chat = House(), chat_on(view, tmp_path)
    async with running(chat, house):
        view.type(text)
        assert "/help" in await noticed(view)
    assert house.accepted == []


async def test_100000_characters_are_passed_on(view: ScriptedView, tmp_path: Path) -> None:
    house, chat = House(), chat_on(view, tmp_path)
    async with running(chat, house):
        view.type("x" * 100_000)
        (message,) = await accepted(house, 1)
    assert len(message.text) == 100_000


async def test_a_text_beyond_the_limit_is_declined_with_a_way_out(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(), chat_on(view, tmp_path)
    async with running(chat, house):
        view.type("x" * (MAX_CHARACTERS + 1))
        assert "@path" in await noticed(view)
    assert house.accepted == []


async def test_invalid_utf8_is_replaced_and_said(view: ScriptedView, tmp_path: Path) -> None:
    house, chat = House(), chat_on(view, tmp_path)
    async with running(chat, house):
        view.type(b"caf\xe9 \xff".decode("utf-8", "surrogateescape"))
        (message,) = await accepted(house, 1)
    assert message.text == "caf\ufffd \ufffd"
    assert "UTF-8" in view.notices[0]


@given(st.text(st.characters()))
def test_readable_text_can_always_be_stored(text: str) -> None:
    readable(text).encode("utf-8")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00")))
def test_good_text_is_left_as_it_is(text: str) -> None:
    assert readable(text) == text


async def test_a_refused_accept_is_said_and_talking_goes_on(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(), chat_on(view, tmp_path)
    house.broken = True
    async with running(chat, house):
        view.type("hello")
        assert "the disk is full" in await noticed(view)
        house.broken = False
        view.type("again")
        assert (await accepted(house, 1))[0].text == "again"


async def test_an_ignored_message_is_not_met_with_silence(
    view: ScriptedView, tmp_path: Path
) -> None:
    chat = chat_on(view, tmp_path)
    async with running(chat, House(Acceptance.IGNORED)):
        view.type("hello")
        assert "does not answer" in await noticed(view)
    assert not chat.busy


# --- files ---


async def test_files_travel_by_path(view: ScriptedView, tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("# Report")
    (tmp_path / "with space.txt").write_bytes(b"12345")
    house, chat = House(), chat_on(view, tmp_path)
    async with running(chat, house):
        view.type('compare @report.md, with @"with space.txt" and ask @anna')
        (message,) = await accepted(house, 1)
        assert [(file.name, file.mime, file.size) for file in message.attachments] == [
            ("report.md", "text/markdown", 8),
            ("with space.txt", "text/plain", 5),
        ]
        assert await fetched(chat, message.attachments[1]) == b"12345"


@pytest.mark.parametrize(
    "written",
    ["@nothere.md", "@/nowhere/at/all", "@./", '@"no such file"', "@~nobody-here/x", "@a\x01/b"],
)
async def test_a_file_that_is_not_there_is_said_and_nothing_is_sent(
    view: ScriptedView, tmp_path: Path, written: str
) -> None:
    house, chat = House(), chat_on(view, tmp_path)
    async with running(chat, house):
        view.type(f"read {written} please")
        assert written.strip('@"') in await noticed(view)
    assert house.accepted == []


async def test_a_file_that_went_away_is_a_delivery_error(
    view: ScriptedView, tmp_path: Path
) -> None:
    (tmp_path / "gone.md").write_text("x")
    house, chat = House(), chat_on(view, tmp_path)
    async with running(chat, house):
        view.type("@gone.md")
        (message,) = await accepted(house, 1)
        (tmp_path / "gone.md").unlink()
        with pytest.raises(DeliveryError, match=r"gone\.md"):
            await fetched(chat, message.attachments[0])


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


async def test_files_of_an_answer_are_named(view: ScriptedView, tmp_path: Path) -> None:
    chat = chat_on(view, tmp_path)
    async with running(chat, House()):
        file = OutgoingFile("plan.pdf", "application/pdf", "abc")
        await chat.send(
            OutgoingMessage(ReplyTarget(chat.conversation), "Here:", files=(file,)), "k1"
        )
    assert f"plan.pdf (application/pdf): {tmp_path}/data/blobs/abc" in view.said[0]


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


def test_what_is_withdrawn_can_not_be_picked() -> None:
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


# --- one after another ---


async def test_a_serial_run_reads_on_only_after_the_answer(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(), chat_on(view, tmp_path, serial=True)
    async with running(chat, house):
        view.type("one")
        view.type("two")
        (message,) = await accepted(house, 1)
        await settle()
        live = chat.live(message.reply_to, "t1")
        await chat.send(OutgoingMessage(message.reply_to, "interim"), "k1")
        await settle()
        assert len(house.accepted) == 1
        await chat.send(OutgoingMessage(message.reply_to, "answer"), "k2", live)
        await live.close()
        await accepted(house, 2)
    assert view.said == ["interim", "answer"]
    assert chat.problem is None


async def test_a_serial_run_does_not_take_an_older_answer_for_its_own(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(), chat_on(view, tmp_path, serial=True)
    async with running(chat, house):
        view.type("one")
        view.leave()
        await accepted(house, 1)
        await chat.send(
            OutgoingMessage(ReplyTarget(chat.conversation, message="older"), "late"), "k1"
        )
        await settle()
        assert not chat.left.is_set()


async def test_a_serial_turn_without_an_answer_is_a_problem(
    view: ScriptedView, tmp_path: Path
) -> None:
    house, chat = House(), chat_on(view, tmp_path, serial=True)
    async with running(chat, house):
        view.type("one")
        view.leave()
        (message,) = await accepted(house, 1)
        await chat.live(message.reply_to, "t1").close()
        await until(chat.left)
    assert chat.problem == "The turn ended without an answer."
