"""Hundreds of hostile texts in every field of every page: none of them becomes markup.

A page with them has the very elements and attributes that it has with harmless texts.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from lxml import html

from bot.plugins.console.templates import fill, told
from bot.plugins.console.website import ROUTES, Route
from tests.plugins.console.hostile_answers import ATTACKS, answer_of, harmless
from tests.thoroughness import is_thorough

WHOLE = {"/memory", "/log", "/people", "/unattended"}
"""Pages that show their texts as long as they are."""
WORDED = {"aria-label", "class", "data-sure", "value"}
"""Attributes with words that are filled in. Each holds text alone, whatever the text is."""
ADDRESSES = {"href", "action", "data-live"}
OUR_ADDRESS = re.compile(r"/console(/[a-z-]+)?")
IN_A_HEADER = re.compile(r"[\r\n]|bad\d+\(")


def as_read(text: str) -> str:
    """A text as a page shows it: every line break is one, and nothing hides."""
    return told(text).replace("\r\n", "\n").replace("\r", "\n")


async def html_of(route: Route, texts: Sequence[str], *, decidable: bool = True) -> str | None:
    """The page, or what a stream puts into it; None for a download."""
    answer = await answer_of(route, texts, decidable=decidable)
    told = "".join(value for name, value in answer.headers.items() if "Content" not in name)
    assert not IN_A_HEADER.search(told)
    if answer.events is not None:
        event = (await anext(answer.events)).decode()
        assert event.count("\n") == 2, "one event of one line"
        return json.loads(event.removeprefix("data: "))["html"]
    if "html" not in answer.kind:
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        return None
    return answer.body.decode()


def parsed(page: str) -> Any:
    reader: Any = html
    return reader.document_fromstring(page)


def shape(page: str) -> list[tuple[str, ...]]:
    """Each element and comment with its attributes, without what is filled into their values."""
    return [
        (str(one.tag), *(f"{name}={_ours(name, value)}" for name, value in sorted(one.items())))
        for one in parsed(page).iter()
    ]


def _ours(name: str, value: str) -> str:
    if name in WORDED:
        return ""
    begin = OUR_ADDRESS.match(value)
    return begin[0] if begin and name in ADDRESSES else value


async def refute(route: Route, texts: Sequence[str], *, decidable: bool = True) -> str:
    """Compare a page with its harmless form; all that a reader of it sees."""
    page = await html_of(route, texts, decidable=decidable)
    if page is None:
        return ""
    plain = await html_of(route, [harmless(one) for one in texts], decidable=decidable)
    assert plain
    assert shape(page) == shape(plain), f"{route.path}: {texts[0]!r}"
    return "".join(parsed(page).itertext())


@pytest.mark.parametrize("route", ROUTES, ids=lambda one: f"{one.method} {one.path}")
async def test_no_row_of_a_list_becomes_markup(route: Route):
    seen = await refute(route, ATTACKS)
    assert len(ATTACKS) >= 500
    if route.path in WHOLE:
        assert [one for one in ATTACKS if as_read(one) not in seen] == []


@pytest.mark.thorough
async def test_no_single_text_becomes_markup():
    at_once = 1 if is_thorough() else 20
    for route in (one for one in ROUTES if "{" in one.path or one.path == "/rights"):
        for begin in range(0, len(ATTACKS), at_once):
            together = " ".join(ATTACKS[begin : begin + at_once])
            for decidable in (True, False)[: 1 + ("approvals" in route.path)]:
                await refute(route, [together], decidable=decidable)


@pytest.mark.parametrize("page", ["sign_in", "closed"])
def test_no_name_becomes_markup_before_signing_in(page: str):
    for attack in ATTACKS:
        given = [dict.fromkeys(("name", "role", "why"), one) for one in (attack, harmless(attack))]
        hostile, plain = (shape(fill(page, {"base": "/console", **one})) for one in given)
        assert hostile == plain, attack


def test_nothing_of_a_text_hides_or_turns_around_and_languages_stay():
    assert told("pay \u202e05\u2066 \x1b[1m\u200b\U000e0041") == (
        "pay \\u202e05\\u2066 \\u001b[1m\\u200b\\U000e0041"
    )
    usual = "a\tb\r\nשלום\u200f مي\u200cخواهم 👩\u200d💻 ❤\ufe0f"  # noqa: RUF001 - three languages
    assert told(usual) == usual
