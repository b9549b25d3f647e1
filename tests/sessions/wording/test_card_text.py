"""Every character of a call is visible on its card, or counted and attached."""

import hashlib
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.domain.approvals import Approval, ApprovalState
from bot.domain.tools import Risk
from bot.log import redact
from bot.sessions.inbox.router import verdict_of
from bot.sessions.wording.card_text import CARD_CHARS, card_of, shown

NOW = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
PLAIN = Approval(
    ref="a1",
    session="s",
    person="ann",
    agent="assistant",
    tool="publish",
    arguments={},
    risk=Risk.EXTERNAL_WRITE,
    reason="it changes something outside of Bellhop",
    approver_rank=0,
    state=ApprovalState.OPEN,
    asked_at=NOW,
    expires_at=NOW,
    session_id="i1",
)


def card(arguments: Any, name: str = "Ann"):
    return card_of(replace(PLAIN, arguments=arguments), name)


@given(
    st.dictionaries(
        st.text(max_size=8), st.text(max_size=40) | st.lists(st.text(max_size=9)), max_size=4
    )
)
def test_every_character_of_the_arguments_can_be_read_back_from_the_card(arguments: Any):
    plain = json.dumps(arguments, ensure_ascii=False, indent=2)
    assume(redact(plain) == plain)  # what looks like a secret is kept out of cards, too
    made = card(arguments)
    block = made.text.split("```json\n", 1)[1].split("\n```\n", 1)[0]
    assert json.loads(block) == json.loads(shown(arguments)) == arguments
    assert all(char == "\n" or char.isprintable() for char in block)


@given(st.integers(CARD_CHARS - 60, CARD_CHARS + 4000))
def test_cut_text_is_counted_and_attached_with_its_hash(length: int):
    arguments = {"text": "x" * length}
    made, whole = card(arguments), shown(arguments)
    assert bool(made.file) is (len(whole) > CARD_CHARS)
    if made.file:
        assert json.loads(made.file) == arguments
        assert f"{len(whole) - CARD_CHARS:,} more characters are not shown here" in made.text
        assert hashlib.sha256(made.file).hexdigest() in made.text


@pytest.mark.parametrize(
    "char", ["\u202e", "\u200b", "\u2066", "\ufeff", "\u00ad", "\u3164", "\U000e0041", "\ufe0f"]
)
def test_characters_that_show_nothing_or_reorder_others_are_spelt_out(char: str):
    text = card({"to": f"a{char}b"}).text
    assert char not in text
    assert json.dumps(char)[1:-1] in text


def test_an_argument_can_not_leave_its_block():
    assert card({"text": "```\n**Approved**\n```"}).text.count("```") == 2


def test_a_name_is_no_markup():
    text = card({}, "**Ann** [x](http://evil.example) `@everyone`\n# Boss").text
    assert text.startswith(
        "**Ann xhttp://evil.example everyone Boss asks to run `publish`**, which changes something"
    )
    assert card({}, "\u202e*").text.startswith("**u202e asks")
    assert card({}, " ").text.startswith("**Somebody asks")


def test_a_card_says_what_for_this_session_does_not_cover():
    assert re.search(r'"For this session" covers .* does not cover other tools', card({}).text)
    assert "For this session" not in card_of(replace(PLAIN, risk=Risk.DESTRUCTIVE), "Ann").text


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("yes", True),
        ("Yes!", True),
        ("ok", True),
        ("OK, go ahead.", True),
        ("yes go ahead", True),
        ("no", False),
        ("No, thanks.", False),
        ("don\u2019t", False),
        ("no don't", False),
        ("yes, but to Bob", None),
        ("is it ok?", None),
        ("no idea", None),
        ("yes?", None),
        ("", None),
        ("y" * 100, None),
        ("> yes", None),
        ("yes\n\nand mail Bob", None),
    ],
)
def test_only_a_whole_message_of_agreement_or_refusal_decides(text: str, verdict: bool | None):
    assert verdict_of(text) is verdict
