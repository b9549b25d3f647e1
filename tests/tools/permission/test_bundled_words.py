"""Several calls on one card are told in the language of its reader, call by call."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.domain.approvals import Approval, ApprovalState
from bot.domain.card_words import About
from bot.domain.languages import Language, Phrase
from bot.sessions.wording.card_reasons import why_asked
from bot.tools.permission.bundles import lines_about, reasons_of
from bot.tools.permission.plans_store import SEVERAL_CALLS

NOW = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
PLAIN = Approval("a1", "s", "ann", "assistant", "x", {}, None, "", 0, ApprovalState.OPEN, NOW, NOW)
CHANGES = "it changes what Bellhop may do"

CLOSE = Phrase(
    "close {name}", "{name} schließen", "fermer {name}", "cerrar {name}", "chiudere {name}"
)


def test_each_line_is_in_the_language_of_its_reader():
    calls = [About.told(CLOSE.filled(name="{7}"), ("number 7",)), About.told("open 8")]
    told = lines_about(calls)
    assert told.names == ("1. close {7}", "1. number 7", "2. open 8")
    german = told.read_in(Language.DE).names
    assert german == ("1. {7} schließen", "1. number 7", "2. open 8")


@pytest.mark.parametrize(
    ("reasons", "told"),
    [
        (
            (CHANGES, "Ask Bob first.", CHANGES),
            {
                Language.EN: f" (1, 3: {CHANGES}; 2: Ask Bob first)",
                Language.DE: " (1, 3: das ändert, was Bellhop darf; 2: Ask Bob first)",
            },
        ),
        (
            (CHANGES, CHANGES),
            {
                Language.EN: f" ({CHANGES})",
                Language.DE: " (das ändert, was Bellhop darf)",
            },
        ),
    ],
)
def test_a_card_says_which_calls_each_reason_is_about(
    reasons: tuple[str, ...], told: dict[Language, str]
):
    bundle = replace(PLAIN, tool=SEVERAL_CALLS, reason=reasons_of(reasons))
    assert {language: why_asked(bundle, language) for language in told} == told


def test_what_is_stored_is_read_back_in_each_language():
    about = lines_about([About.told(CLOSE.filled(name="x"))])
    assert About.from_json(about.to_json()) == about
    assert About.from_json({"words": "close x"}).read_in(Language.IT).words == "close x"
