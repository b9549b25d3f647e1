"""The terminal adapter: typed lines become messages, sends show once, nothing crashes it."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.terminal.typed import MAX_CHARACTERS, readable
from bot.domain.chat import Acceptance
from bot.domain.messages import Command, MessageKind, OutgoingMessage, PlatformPerson, ReplyTarget
from bot.errors import DeliveryError
from bot.testing.fake_chat import fetched
from bot.testing.fake_clock import settle
from bot.testing.scripted_terminal import House, accepted, chat_on, noticed, running, until
from bot.testing.scripted_view import ScriptedView

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
    assert chat.problem is not None
    assert chat.problem.startswith("The turn ended without an answer. If something failed, data/")
