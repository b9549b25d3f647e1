"""The two views: the prompt drives a real terminal, the plain one separates answers."""

import asyncio
import io
import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.input.defaults import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from bot.chat.terminal import paint
from bot.chat.terminal.plain import PlainView, lines_of, one_line
from bot.chat.terminal.prompt import PromptView
from bot.chat.terminal.view import Interrupted, Left, Option, TurnProgress, Typed
from bot.domain.chat import ToolEnded, ToolStarted


class Screen:
    """A PromptView on a terminal of 80 by 30 that is a string."""

    def __init__(self, keys: PipeInput, folder: Path) -> None:
        self.keys = keys
        self.written = io.StringIO()
        output = Vt100_Output(
            self.written, lambda: Size(rows=30, columns=80), term="xterm", enable_cpr=False
        )
        self.view = PromptView(
            folder / "history",
            banner="Bellhop\n",
            folder=folder,
            terminal_input=keys,
            terminal_output=output,
        )


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    context: AbstractContextManager[PipeInput] = create_pipe_input()
    with context as keys:
        yield Screen(keys, tmp_path)


def test_a_line_of_an_answer_holds_as_many_characters_as_are_said(screen: Screen) -> None:
    assert screen.view.columns == 77
    for columns in (12, 40, 80, 300):
        lines = paint.markdown("w" * 500, columns).splitlines()
        shown = re.sub(r"\x1b\[[0-9;]*m", "", lines[0])
        assert len(shown.strip()) == paint.text_columns(columns)


async def test_enter_sends_and_the_scrollback_keeps_what_was_typed(screen: Screen) -> None:
    await screen.view.open()
    screen.keys.send_text("hello there\r")
    assert await screen.view.read() == Typed("hello there")
    await screen.view.close()
    assert "hello there" in screen.written.getvalue()


async def test_enter_typed_before_the_prompt_sends_and_alt_enter_breaks_the_line(
    screen: Screen,
) -> None:
    screen.keys.send_text("one\x1b\rtwo\n")
    assert await screen.view.read() == Typed("one\ntwo")


async def test_a_pasted_text_keeps_its_lines(screen: Screen) -> None:
    screen.keys.send_text("\x1b[200~one\rtwo\nthree\x1b[201~ four\r")
    assert await screen.view.read() == Typed("one\ntwo\nthree four")


async def test_a_long_paste_is_folded_in_the_prompt_and_whole_in_the_message(
    screen: Screen,
) -> None:
    paste = "word " * 20_000
    # In a thread: it is more than a pipe holds while nobody reads.
    sending = asyncio.create_task(
        asyncio.to_thread(screen.keys.send_text, f"\x1b[200~{paste}\x1b[201~!\r")
    )
    assert await screen.view.read() == Typed(f"{paste}!")
    await sending
    assert len(screen.written.getvalue()) < 5_000
    assert screen.view.fold(paste) == "[paste 1: 100,000 characters]"
    assert screen.view.fold("line\n" * 340) == "[paste 2: 341 lines]"
    assert screen.view.fold("short") == "short"


async def test_ctrl_c_and_ctrl_d_are_told_apart(screen: Screen) -> None:
    screen.keys.send_text("\x03")
    assert await screen.view.read() == Interrupted()
    screen.keys.send_text("\x04")
    assert await screen.view.read() == Left()


async def test_ctrl_c_clears_the_text_when_idle_and_keeps_it_when_busy(screen: Screen) -> None:
    screen.keys.send_text("abc\x03def\r")
    assert await screen.view.read() == Typed("def")
    screen.view.progress(TurnProgress())
    screen.keys.send_text("half\x03")
    assert await screen.view.read() == Interrupted()
    screen.keys.send_text(" done\r")
    assert await screen.view.read() == Typed("half done")
    await screen.view.close()


async def test_messages_arrive_above_the_prompt_while_somebody_types(screen: Screen) -> None:
    reading = asyncio.create_task(screen.view.read())
    screen.keys.send_text("half a ")
    await asyncio.sleep(0)
    screen.view.progress(
        TurnProgress(text="A **streamed** answer", tools=(ToolStarted("1", "a", "a()"),))
    )
    screen.view.tool_done("a()", ToolEnded("1", "a", ok=True, seconds=0.25))
    screen.view.say("The **whole** answer", [Option(1, "Yes")])
    screen.view.progress(None)
    screen.keys.send_text("sentence\r")
    async with asyncio.timeout(60):
        assert await reading == Typed("half a sentence")
    await screen.view.close()
    written = screen.written.getvalue()
    assert "0.2s" in written
    assert "whole" in written


async def test_history_survives_and_takes_any_bytes(screen: Screen, tmp_path: Path) -> None:
    screen.keys.send_text("first\r")
    await screen.view.read()
    screen.keys.send_bytes(b"bad \xff\xfe\r")
    await screen.view.read()
    screen.keys.send_text("\x1b[A\x1b[A\r")
    assert await screen.view.read() == Typed("first")
    assert "first" in (tmp_path / "history").read_text()


# --- paint ---


@given(st.text(), st.integers(1, 200))
def test_markdown_never_fails_and_lets_no_control_sequence_through(text: str, columns: int) -> None:
    rendered = paint.markdown(text, columns)
    assert "\x1b]" not in rendered
    assert "\x07" not in rendered
    assert rendered.endswith("\n")


def test_a_hostile_answer_cannot_drive_the_terminal() -> None:
    rendered = paint.markdown("hello \x1b]0;owned\x07\x1b[2J\x9b31m world", 80)
    assert "\x1b[2J" not in rendered
    assert "\x1b]0" not in rendered
    assert "\x9b" not in rendered


def test_code_can_be_copied() -> None:
    rendered = paint.markdown("```python\nx = 1\n\nif x:\n    y = 2\n```", 80)
    bare = re.sub(r"\x1b\[[0-9;]*m", "", rendered)
    assert bare == "  x = 1\n\n  if x:\n      y = 2\n"


# --- plain ---


async def test_plain_answers_go_to_output_and_the_rest_to_errors() -> None:
    out, errors = io.StringIO(), io.StringIO()
    view = PlainView(one_line("hi"), out, errors, tools=True)
    await view.open()
    assert await view.read() == Typed("hi")
    assert await view.read() == Left()
    view.progress(TurnProgress(text="half"))
    view.tool_done("a\x1b()", ToolEnded("1", "a", ok=False, seconds=0.25))
    view.say("Which?", [Option(1, "Tea"), Option(2, "Coffee")])
    view.aside("\x1bold")
    view.notice("a \x1bhint")
    await view.close()
    assert out.getvalue() == "Which?\n\n1 Tea\n2 Coffee\n"
    assert errors.getvalue() == "⚙ a() ✗ 0.2s\n(an earlier answer) old\na hint\n"


async def test_plain_reads_a_stream_line_by_line() -> None:
    read_line = lines_of(io.StringIO("one\r\n\ntwo"))
    assert [await read_line() for _ in range(4)] == ["one", "two", None, None]


async def test_a_pipe_that_nobody_reads_ends_the_conversation() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w", encoding="utf-8") as out:
        view = PlainView(one_line("hi"), out, io.StringIO())
        assert await view.read() == Typed("hi")
        os.close(reading)
        view.say("an answer")
        view.say("another")
        assert isinstance(await view.read(), Left)
        await view.close()


WORDS = st.text(
    st.characters(
        min_codepoint=33,
        max_codepoint=0x17F,
        exclude_characters="`\x7f",
        exclude_categories=["Cc", "Cf", "Zs"],
    ),
    min_size=1,
    max_size=300,
)


def shown(text: str, columns: int = 60) -> str:
    """What stands on the screen, without colours and without white space."""
    painted = re.sub(r"\x1b\[[0-9;]*m", "", paint.markdown(text, columns))
    assert all(len(line) <= columns for line in painted.splitlines())
    return "".join(painted.split())


@given(WORDS)
def test_every_character_of_a_code_block_is_on_the_screen(line: str) -> None:
    assert line in shown(f"wants to run this:\n\n```json\n{line}\n```\n\nAnswer yes or no.")


@given(
    st.lists(
        st.from_regex(r"[a-z]{1,20}( [a-z]{1,20}){0,12}", fullmatch=True), min_size=1, max_size=6
    )
)
def test_every_line_stays_a_line(lines: list[str]) -> None:
    painted = re.sub(r"\x1b\[[0-9;]*m", "", paint.markdown("\n".join(lines), 300))
    wrapped = " ".join(painted.split())
    assert wrapped == " ".join(" ".join(lines).split())
    if all(len(line) < 90 for line in lines):
        assert [line.strip() for line in painted.splitlines()] == lines


@pytest.mark.parametrize(
    "text",
    ["use /skill <name> here", "<name>", "<div>\nwords\n</div>", "a <b>bold</b> <!-- note --> end"],
)
def test_text_like_html_is_shown(text: str) -> None:
    assert shown(text) == "".join(text.split())


def test_a_long_word_in_a_table_is_shown_whole() -> None:
    word = "".join(chr(97 + number % 26) for number in range(90))
    assert "|" not in (table := shown(f"| a | b |\n|---|---|\n| {word} | x |"))
    assert all(letter in table for letter in word)
    assert "…" not in table


async def test_the_spinner_ends_with_the_turn_and_begins_anew_with_the_next(screen: Screen):
    def spinners() -> int:
        tasks = asyncio.all_tasks()
        return sum(task.get_name() == "terminal-spinner" for task in tasks)

    for _ in range(2):
        screen.view.progress(TurnProgress())
        screen.view.progress(TurnProgress(text="a"))
        assert spinners() == 1
        screen.view.progress(None)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert spinners() == 0
