"""What a draft shows of a turn has a limit, and what is newest has the first claim to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.draft_lines import DraftLines
from bot.domain.chat import PlanShown, TextDelta, WorkShown
from bot.domain.plans import PlanTask
from bot.testing.fake_clock import FakeClock, settle

MOST = 2_000


async def drawn(goal: str, titles: list[str], words: str, text: str, *, apart: str = "\n") -> str:
    lines = DraftLines(FakeClock(), lambda: None)
    tasks = tuple(PlanTask(str(number), title) for number, title in enumerate(titles, 1))
    if tasks:
        lines.show(PlanShown(goal, tasks))
    lines.show(WorkShown(words))
    lines.show(TextDelta(text))
    lines.stop()
    await settle()
    return lines.drawn(MOST, hint="-# {}", apart=apart)


@pytest.mark.parametrize("apart", ["\n", "\n\n"])
async def test_of_a_long_plan_the_first_tasks_make_room_for_the_newest_words(apart: str):
    titles = [f"compare the offers of vendor {number}, line by line" for number in range(1, 41)]
    text = "".join(f"line {number} of the answer\n" for number in range(1, 200))
    shown = await drawn("choose a vendor", titles, "Searching the web", text, apart=apart)
    assert len(shown) <= MOST
    head, _, end = shown.partition(f"takes a task out, /plan add … adds one{apart}")
    assert head.startswith("**choose a vendor**\n…\n▫️ ")
    assert "vendor 40, line by line\n⏳ Searching the web\n-# /plan strike" in head
    assert "vendor 1," not in head
    assert len(end) > MOST * 0.45
    assert end.startswith("line ")
    assert end.endswith("line 199 of the answer\n")


async def test_a_code_block_that_is_opened_again_stays_within_the_limit():
    text = "```python with a long word behind it\n" + "x = 1\n" * 500
    shown = await drawn("", [], "", text)
    assert len(shown) <= MOST
    assert "```python" in shown
    assert shown.endswith("x = 1\n")


@given(
    st.text(max_size=200),
    st.lists(st.text(max_size=150), max_size=60),
    st.text(max_size=200),
    st.text(st.sampled_from("ab \n`~|-"), max_size=3_000),
)
async def test_whatever_is_shown_stays_within_the_limit(
    goal: str, titles: list[str], words: str, text: str
):
    assert len(await drawn(goal, titles, words, text)) <= MOST
