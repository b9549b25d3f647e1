"""The terminal adapter: typed lines become messages, sends show once, nothing crashes it."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.terminal.typed import MAX_CHARACTERS, readable
from bot.domain.chat import Acceptance
from bot.domain.messages import Command, MessageKind, PlatformPerson
from bot.errors import DeliveryError
from bot.testing.fake_chat import fetched
from bot.testing.fake_clock import settle
from bot.testing.scripted_terminal import House, chat_on, terminal, until
from bot.testing.scripted_view import ScriptedView

# --- what is typed ---


async def test_a_typed_text_becomes_a_message_with_its_own_key(tmp_path: Path) -> None:
    async with terminal(tmp_path, name="Anna") as here:
        here.view.type("hello")
        here.view.type("hello")
        first, second = await here.hears(2)
    assert first.text == "hello"
    assert first.kind is MessageKind.TEXT
    assert first.key.startswith("terminal:")
    assert first.key != second.key
    assert first.conversation.key == "terminal:local:Anna"
    assert first.sender == PlatformPerson("Anna", "Anna", platform_roles=("Friend",))
    assert first.private


async def test_commands_are_parsed_here(tmp_path: Path) -> None:
    async with terminal(tmp_path, Acceptance.CONTROL) as here:
        message = await here.typed("/approve a3")
    assert message.kind is MessageKind.COMMAND
    assert message.command == Command("approve", "a3")


@pytest.mark.parametrize("text", ["/exit", "/quit"])
async def test_exit_leaves_without_asking_anybody(tmp_path: Path, text: str) -> None:
    async with terminal(tmp_path) as here:
        here.view.type(text)
        await until(here.chat.left)
        await settle()
        assert here.view.closed == 1
    assert here.house.accepted == []


async def test_it_does_not_return_after_leaving_so_that_nobody_restarts_it(tmp_path: Path) -> None:
    view = ScriptedView()
    chat = chat_on(view, tmp_path)
    task = asyncio.create_task(chat.run(House().accept))
    view.leave()
    await until(chat.left)
    await settle()
    assert not task.done()
    task.cancel()


@pytest.mark.parametrize("text", ["", "   ", "\n\t\n"])
async def test_an_empty_text_gets_a_hint(tmp_path: Path, text: str) -> None:
    async with terminal(tmp_path) as here:
        here.view.type(text)
        assert "/help" in await here.notices()
    assert here.house.accepted == []


async def test_100000_characters_are_passed_on(tmp_path: Path) -> None:
    async with terminal(tmp_path) as here:
        message = await here.typed("x" * 100_000)
    assert len(message.text) == 100_000


async def test_a_text_beyond_the_limit_is_declined_with_a_way_out(tmp_path: Path) -> None:
    async with terminal(tmp_path) as here:
        here.view.type("x" * (MAX_CHARACTERS + 1))
        assert "@path" in await here.notices()
    assert here.house.accepted == []


async def test_invalid_utf8_is_replaced_and_said(tmp_path: Path) -> None:
    async with terminal(tmp_path) as here:
        message = await here.typed(b"caf\xe9 \xff".decode("utf-8", "surrogateescape"))
    assert message.text == "caf\ufffd \ufffd"
    assert "UTF-8" in here.view.notices[0]


@given(st.text(st.characters()))
def test_readable_text_can_always_be_stored(text: str) -> None:
    readable(text).encode("utf-8")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00")))
def test_good_text_is_left_as_it_is(text: str) -> None:
    assert readable(text) == text


async def test_a_refused_accept_is_said_and_talking_goes_on(tmp_path: Path) -> None:
    async with terminal(tmp_path) as here:
        here.house.broken = True
        here.view.type("hello")
        assert "the disk is full" in await here.notices()
        here.house.broken = False
        assert (await here.typed("again")).text == "again"


async def test_an_ignored_message_is_not_met_with_silence(tmp_path: Path) -> None:
    async with terminal(tmp_path, Acceptance.IGNORED) as here:
        here.view.type("hello")
        assert "does not answer" in await here.notices()
    assert not here.chat.busy


# --- files ---


async def test_files_travel_by_path(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("# Report")
    (tmp_path / "with space.txt").write_bytes(b"12345")
    async with terminal(tmp_path) as here:
        message = await here.typed('compare @report.md, with @"with space.txt" and ask @anna')
        assert [(file.name, file.mime, file.size) for file in message.attachments] == [
            ("report.md", "text/markdown", 8),
            ("with space.txt", "text/plain", 5),
        ]
        assert await fetched(here.chat, message.attachments[1]) == b"12345"


@pytest.mark.parametrize(
    "written",
    ["@nothere.md", "@/nowhere/at/all", "@./", '@"no such file"', "@~nobody-here/x", "@a\x01/b"],
)
async def test_a_file_that_is_not_there_is_said_and_nothing_is_sent(
    tmp_path: Path, written: str
) -> None:
    async with terminal(tmp_path) as here:
        here.view.type(f"read {written} please")
        assert written.strip('@"') in await here.notices()
    assert here.house.accepted == []


async def test_a_file_that_went_away_is_a_delivery_error(tmp_path: Path) -> None:
    (tmp_path / "gone.md").write_text("x")
    async with terminal(tmp_path) as here:
        message = await here.typed("@gone.md")
        (tmp_path / "gone.md").unlink()
        with pytest.raises(DeliveryError, match=r"gone\.md"):
            await fetched(here.chat, message.attachments[0])


# --- one after another ---


async def test_a_serial_run_reads_on_only_after_the_answer(tmp_path: Path) -> None:
    async with terminal(tmp_path, serial=True) as here:
        message = await here.typed("one")
        here.view.type("two")
        await settle()
        live = here.chat.live(message.reply_to, "t1")
        await here.send("interim", "k1", to=message.reply_to)
        await settle()
        assert len(here.house.accepted) == 1
        await here.send("answer", "k2", live, to=message.reply_to)
        await live.close()
        await here.hears(2)
    assert here.view.said == ["interim", "answer"]
    assert here.chat.problem is None


async def test_a_serial_run_does_not_take_an_older_answer_for_its_own(tmp_path: Path) -> None:
    async with terminal(tmp_path, serial=True) as here:
        here.view.type("one")
        here.view.leave()
        await here.hears(1)
        await here.send("late", "k1", to=here.target("older"))
        await settle()
        assert not here.chat.left.is_set()


async def test_a_serial_turn_without_an_answer_is_a_problem(tmp_path: Path) -> None:
    async with terminal(tmp_path, serial=True) as here:
        here.view.type("one")
        here.view.leave()
        (message,) = await here.hears(1)
        await here.chat.live(message.reply_to, "t1").close()
        await until(here.chat.left)
    assert here.chat.problem is not None
    assert here.chat.problem.startswith(
        "The turn ended without an answer. If something failed, data/"
    )
