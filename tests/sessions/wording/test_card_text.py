"""Every character of a call is visible on its card, or counted and attached."""

import ast
import hashlib
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.domain.approvals import Approval, ApprovalState
from bot.domain.card_words import About, titled
from bot.domain.languages import Language
from bot.domain.lasting import Lasting
from bot.domain.sessions import SessionKey
from bot.domain.tools import Risk
from bot.plugins.browser import elements
from bot.sessions.inbox.verdicts import verdict_of
from bot.sessions.learning.sharing import REASON
from bot.sessions.wording.card_reasons import clause
from bot.sessions.wording.card_text import (
    BELOW,
    CARD_CHARS,
    LARGEST_FILE,
    WITH_END,
    Card,
    card_of,
    shown,
)
from bot.tools.budget.extending import EXTEND_BUDGET
from bot.tools.permission import gate, lasting, provenance_rules
from bot.tools.permission.bundles import bundle_of
from bot.tools.permission.shown import digest_of, hides
from bot.tools.policy.verdicts import confirmation_for

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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pay eve_x@evil.example **now**", "“pay eve_x@evil.example now”"),
        ("@everyone and x@everyone, <@U1>", "“everyone and xeveryone, U1”"),
        ("x@every*one x@here_ x@@here", "“xeveryone xhere xhere”"),
        ("a__b_@evil.example, @_@me_", "“a__b_@evil.example, me”"),
        ("_so_ it “ends” [here](x)", "“so it 'ends' herex”"),
    ],
)
def test_a_title_loses_markup_and_no_part_of_an_address(text: str, told: str):
    assert titled(text) == told


@pytest.mark.parametrize(
    ("run", "by_itself"),
    [("", False), ("agent:researcher", False), ("automation:w1", True), ("schedule:s1", True)],
)
def test_a_card_says_that_no_message_asks(run: str, by_itself: bool):
    session = str(SessionKey("discord", "w", "dm", "ann", run))
    told = card_of(replace(PLAIN, arguments={}, session=session), "Ann").text
    assert ("No message asks for it" in told) == by_itself


PIECES = st.sampled_from(
    [
        *("password: ", "token=", "Bearer abcdefgh.ijkl", "sk-ant-12345", "://u:pw@host"),
        *(
            "\u200b",
            "\u202e",
            "\u2800",
            "```",
            "\\",
            '"',
            "\n",
            "\ud800",
            "\U000e0041",
            "@everyone",
        ),
        *("<@U1>", "| a | b |\n|---|---|", "x" * CARD_CHARS),
    ]
)
TEXTS = st.lists(st.text(max_size=8) | PIECES, max_size=4).map("".join)
VALUES = st.recursive(
    TEXTS | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


def read(made: Card) -> Any:
    """What a reader gets from a card: the arguments in its blocks, or in its file."""
    block, rest = made.text.split("```json\n", 1)[1].split("\n```\n", 1)
    found = json.loads(made.file.decode() if made.file else block)
    for name, value in list(found.items()) if rest.startswith("```text\n") else ():
        if value in (BELOW, WITH_END):
            body = rest.removeprefix("```text\n").split("\n```\n", 1)[0]
            found[name] = body + "\n" * (value == WITH_END)
    return found


@given(st.dictionaries(TEXTS, VALUES, max_size=4), st.booleans())
@example({"to": ["ann@example.org"], "body": "Dear Ann,\nsee you.", "more": {}}, True)
def test_a_card_shows_every_character_of_its_call_or_offers_no_yes(arguments: Any, alone: bool):
    made = card_of(replace(PLAIN, arguments=arguments), "Ann", alone=alone)
    offers = any(choice.verb.startswith("approve") for choice in made.choices)
    assert offers is bool(made.shown)
    assert offers or not alone, "to one person alone everything is shown"
    block = made.text.split("```json\n", 1)[1].split("\n```\n", 1)[0]
    assert all(char == "\n" or char.isprintable() for char in block)
    if offers:
        assert json.dumps(read(made)) == json.dumps(arguments)
        assert made.shown == digest_of([("publish", arguments)])
    else:
        assert not made.file, "no file shows what the card hides"
        assert hides(replace(PLAIN, arguments=arguments))


@given(st.lists(st.dictionaries(TEXTS, TEXTS, max_size=2), min_size=1, max_size=4))
def test_a_plan_shows_every_character_of_each_of_its_calls(lines: list[Any]):
    calls = [{"tool": "publish", "arguments": arguments} for arguments in lines]
    plan = replace(PLAIN, tool="plan_calls", arguments={"calls": calls})
    made = card_of(plan, "Ann", alone=True)
    block = made.text.split("```json\n", 1)[1].split("\n```\n", 1)[0]
    text, found = made.file.decode() if made.file else block, list[Any]()
    for number in range(1, len(lines) + 1):
        begin = f"{number}. publish "
        assert text.startswith(begin)
        value, end = json.JSONDecoder().raw_decode(text[len(begin) :])
        text = text[len(begin) + end :].removeprefix("\n")
        found.append(value)
    assert (json.dumps(found), text) == (json.dumps(lines), "")


def test_what_is_too_long_for_a_file_offers_no_yes():
    made = card({"text": "x" * (LARGEST_FILE + 1)})
    assert [choice.verb for choice in made.choices] == ["reject"]
    assert (made.file, made.shown) == (b"", "")
    assert "too many to show them all" in made.text


@given(st.integers(CARD_CHARS - 60, CARD_CHARS + 4000))
def test_cut_text_is_counted_and_attached_without_a_hash(length: int):
    arguments = {"text": "x" * length}
    made, whole = card(arguments), shown(arguments)
    assert bool(made.file) is (len(whole) > CARD_CHARS)
    if made.file:
        assert json.loads(made.file) == arguments
        assert f"{len(whole) - CARD_CHARS:,} more characters are not shown here" in made.text
        assert hashlib.sha256(made.file).hexdigest() not in made.text


@pytest.mark.parametrize(
    "char", ["\u202e", "\u200b", "\u2066", "\ufeff", "\u00ad", "\u3164", "\U000e0041", "\ufe0f"]
)
def test_characters_that_show_nothing_or_reorder_others_are_spelt_out(char: str):
    text = card({"to": f"a{char}b"}).text
    assert char not in text
    assert json.dumps(char)[1:-1] in text


LINES = st.lists(st.sampled_from(["", "a", "  b", "c ", "\t", "`", "```", "\u200b", "\\n", BELOW]))


@given(LINES.map("\n".join), LINES.map("\n".join))
def test_a_text_of_lines_reads_back_whatever_stands_in_it(one: str, other: str):
    made = card({"a": one, "b": other, "c": 1})
    assert json.dumps(read(made)) == json.dumps({"a": one, "b": other, "c": 1})
    assert made.shown


def test_a_text_of_lines_stands_as_it_is():
    text = card({"path": "/x.md", "content": "---\nname: x\n---\n\nSay hi.\n"}).text
    assert '"content": "(the text below and a line end)"' in text
    assert "\n```text\n---\nname: x\n---\n\nSay hi.\n```\n" in text


@pytest.mark.parametrize("language", Language)
def test_a_text_of_lines_reads_back_in_each_language(language: Language):
    arguments = {"content": "Say hi.\nThen go.\n", "path": "/x.md"}
    made = card_of(replace(PLAIN, arguments=arguments), "Ann", language=language)
    assert made.shown == digest_of([("publish", arguments)])
    assert "\n```text\nSay hi.\nThen go.\n```\n" in made.text


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("it changes what Bellhop may do", "das ändert, was Bellhop darf"),
        ("Ask Bob first.", "Ask Bob first"),
        (
            f"{lasting.REASONS[Lasting.REPLACES]} (read (web) x; a new conversation); Ask Bob.",
            "das löscht oder ersetzt, was aufgehoben war, und in diesem Gespräch steht Text von"
            " außen; ein neues (/new) beginnt ohne ihn; Ask Bob",
        ),
    ],
)
def test_why_a_card_asks_is_told_in_the_language_of_its_reader(reason: str, told: str):
    made = card_of(replace(PLAIN, reason=reason), "Ann", language=Language.DE)
    assert made.text.startswith(f"**Ann möchte `publish` ausführen** ({told}). Freigabe a1.\n")


ALWAYS_ASKED = [
    provenance_rules.AUTOMATION,
    gate.ALOUD,
    *(found.reason for risk in Risk if (found := confirmation_for(risk, None))),
]
GIVEN = [
    *lasting.REASONS.values(),
    *(provenance_rules.UNSURE, provenance_rules.OTHER_SERVER, provenance_rules.FREE_LINK),
    *ALWAYS_ASKED,
]


@pytest.mark.parametrize("reason", GIVEN)
def test_no_reason_of_bellhops_own_is_left_in_english(reason: str):
    told = {clause(f"{reason} (read)", language) for language in Language}
    assert len(told) == len(Language)


@pytest.mark.parametrize("reason", ALWAYS_ASKED)
def test_no_language_advises_what_spares_no_question(reason: str):
    told = {clause(f"{reason}{lasting.BESIDE_OUTSIDE} (read)", one) for one in Language}
    assert len(told) == len(Language)
    assert "/new" not in "".join(told)


def effects() -> list[str]:
    """What a step in the browser may do, as its code says it."""
    calls = ast.walk(ast.parse(Path(elements.__file__).read_text()))
    return sorted({
        str(one.args[0].value)
        for one in calls
        if isinstance(one, ast.Call)
        and isinstance(one.func, ast.Name)
        and one.func.id == "StepEffect"
        and one.args
        and isinstance(one.args[0], ast.Constant)
    })  # fmt: skip


@pytest.mark.parametrize(
    "reason",
    [
        REASON,
        "it shows the whole workspace a text that was written in private",
        *(f"it {does} on example.org" for does in effects()),
        "it makes the page send something (POST https://example.org/x) on example.org",
        "it accepts a confirm on example.org",
    ],
)
def test_no_reason_of_a_single_tool_is_left_in_english(reason: str):
    told = {clause(reason, language) for language in Language}
    assert len(told) == len(Language)
    assert all("example.org" in one for one in told) or "example.org" not in reason
    assert len(effects()) >= 5


def test_what_looks_like_the_reference_to_the_text_is_no_reference():
    text = card({"a": BELOW, "b": "one\ntwo"}).text
    assert "```text" not in text
    assert r"one\ntwo" in text


@pytest.mark.parametrize("alone", [True, False])
def test_words_and_names_stand_above_the_whole_call(alone: bool):
    about = About("close the issue “Login fails”", ("number 7: “Login fails”", "```\n**no**"))
    asked = replace(PLAIN, arguments={"number": 7}, about=about)
    head, names, _, arguments = card_of(asked, "Ann", alone=alone).text.split("```")[:4]
    assert head == (
        "**Ann asks to close the issue “Login fails”** OK?\nThis runs `publish`, which changes "
        "something outside of Bellhop. Approval a1.\n"
    )
    assert names == "text\nnumber 7: “Login fails”\n''' **no**\n"
    assert json.loads(arguments.removeprefix("json\n")) == {"number": 7}


def test_words_hide_what_looks_like_a_secret_where_others_read():
    asked = replace(PLAIN, arguments={"number": 7}, about=About("say “token=abcdefgh12345678”"))
    assert "abcdefgh12345678" not in card_of(asked, "Ann").text
    assert "abcdefgh12345678" in card_of(asked, "Ann", alone=True).text


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


def test_a_card_for_more_of_a_budget_says_why_in_its_readers_language():
    given = {"budget": "per_person_day_usd", "of": "ann", "day": "2026-11-22", "more": "$5.00"}
    english = "the budget is used up; a yes adds $5.00"
    asked = replace(PLAIN, tool=EXTEND_BUDGET, arguments=given, reason=english)
    assert english in card_of(asked, "Ann").text
    italian = card_of(asked, "Ann", language=Language.IT).text
    assert "il budget è esaurito; un sì aggiunge $5.00" in italian
    assert "is used up" not in italian


@pytest.mark.parametrize(("calls", "some"), [(2, "1"), (3, "1,3")])
def test_the_card_of_several_calls_reads_well(calls: int, some: str):
    several = bundle_of([replace(PLAIN, ref=f"a{at}") for at in range(calls)])
    text = card_of(several, "Ann").text
    assert text.startswith(f"**Ann asks to make {calls} calls** ({PLAIN.reason}). Approval ")
    assert f" {some}` runs only some of them" in text
