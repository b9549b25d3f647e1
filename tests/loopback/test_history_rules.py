"""The rules that every history is held to, within one request and across a session's requests."""

import pytest

from bot.domain.json_types import JsonObject
from bot.llm.unlocking import tool_addition
from bot.loopback.messages_api.history_rules import HistoryRules, structure_problem

TOOL: JsonObject = {"name": "echo", "input_schema": {"type": "object"}}
SYSTEM: list[JsonObject] = [{"type": "text", "text": "You are Bellhop."}]


def user(*content: JsonObject | str) -> JsonObject:
    return {
        "role": "user",
        "content": [text(part) if isinstance(part, str) else part for part in content],
    }


def assistant(*content: JsonObject | str) -> JsonObject:
    return {**user(*content), "role": "assistant"}


def system(*content: JsonObject | str) -> JsonObject:
    return {**user(*content), "role": "system"}


def text(words: str) -> JsonObject:
    return {"type": "text", "text": words}


def use(ident: str = "a") -> JsonObject:
    return {"type": "tool_use", "id": ident, "name": "echo", "input": {}}


def result(ident: str = "a") -> JsonObject:
    return {"type": "tool_result", "tool_use_id": ident, "content": "ok"}


GOOD: list[list[JsonObject]] = [
    [user("hi")],
    [{"role": "user", "content": "hi"}],
    [user("hi"), system({"type": "text", "text": "it is noon"})],
    [user("hi"), system("note"), assistant("hello"), user("more")],
    [user("hi"), assistant("I look", use()), user(result())],
    [
        user("hi"),
        assistant(use("a"), use("b")),
        user(result("b"), result("a"), "steered"),
        system(tool_addition(TOOL)),
    ],
]
BAD: list[tuple[list[JsonObject], str]] = [
    ([], "at least one"),
    ([assistant("hi")], "first message"),
    ([system("hi")], "first message"),
    ([user("hi"), assistant("hello")], "must end with a user message"),
    ([user("a"), user("b")], "two user messages"),
    ([user("a"), assistant("b"), assistant("c"), user("d")], "two assistant messages"),
    ([user()], "must not be empty"),
    ([user(" ")], "non-empty"),
    ([user("a"), {"role": "tool", "content": "x"}], "unexpected role"),
    ([user("a"), system("b"), user("c")], "followed by an assistant"),
    ([user("a"), system("b"), system("c")], "followed by an assistant"),
    ([user("a"), assistant("b"), system("c")], "directly follow a user"),
    ([user("a"), system(use())], "may not stand in a system"),
    ([user("a"), system({"type": "tool_addition", "tool": TOOL})], "tool_definition"),
    ([user("a"), assistant(use()), user("b")], "exactly one tool_result"),
    ([user("a"), assistant(use()), system("b"), user(result())], "directly follow a user"),
    ([user("a"), assistant(use()), user("b", result())], "must come first"),
    ([user("a"), assistant(use()), user(result(), result())], "found 2"),
    ([user("a"), assistant(use()), user(result(), result("z"))], "answers no tool_use"),
    ([user(result())], "answers no tool_use"),
    ([user("a"), assistant(use()), user(result()), assistant(use()), user(result())], "unique"),
]


@pytest.mark.parametrize("messages", GOOD)
def test_a_well_formed_history_passes(messages: list[JsonObject]):
    assert structure_problem(messages) is None


@pytest.mark.parametrize(("messages", "reason"), BAD)
def test_a_broken_history_is_refused_with_the_reason(messages: list[JsonObject], reason: str):
    assert reason in (structure_problem(messages) or "")


def test_system_messages_are_refused_where_they_are_not_known():
    assert "not supported" in (
        structure_problem([user("a"), system("b")], system_notes=False) or ""
    )


FIRST = [user("hi")]
SECOND = [*FIRST, assistant("hello"), user("more")]
THIRD = [*SECOND, assistant("yes"), user("again")]


def test_growing_at_the_end_is_fine_and_so_is_the_same_request_again():
    rules = HistoryRules()
    for messages in (FIRST, FIRST, SECOND, SECOND, THIRD):
        assert rules.check(SYSTEM, [TOOL], messages) is None


def test_two_sessions_may_begin_alike():
    rules = HistoryRules()
    other = [*FIRST, assistant("hey"), user("else")]
    for messages in (FIRST, FIRST, SECOND, other, THIRD, [*other, assistant("ok"), user("x")]):
        assert rules.check(SYSTEM, [TOOL], messages) is None


@pytest.mark.parametrize(
    "edited",
    [
        [FIRST[0], assistant("hello!"), *THIRD[2:]],
        [*THIRD[:2], user("less"), *THIRD[3:]],
    ],
)
def test_an_edited_past_is_refused(edited: list[JsonObject]):
    rules = HistoryRules()
    assert rules.check(SYSTEM, [TOOL], FIRST) is None
    assert rules.check(SYSTEM, [TOOL], SECOND) is None
    assert "append-only" in (rules.check(SYSTEM, [TOOL], edited) or "")


def test_an_edited_opening_is_noticed_by_the_reply_that_follows_it():
    rules = HistoryRules()
    rules.check(SYSTEM, [TOOL], FIRST)
    rules.replied(SECOND[1]["content"], "end_turn")
    assert "append-only" in (rules.check(SYSTEM, [TOOL], [user("hi!"), *SECOND[1:]]) or "")


def test_a_changed_prefix_is_refused_and_new_tools_only_follow_old_ones():
    rules = HistoryRules()
    assert rules.check(SYSTEM, [TOOL], FIRST) is None
    assert "system" in (rules.check([*SYSTEM, text("x")], [TOOL], SECOND) or "")
    assert "tools" in (rules.check(SYSTEM, [{**TOOL, "name": "x"}], SECOND) or "")
    assert "tools" in (rules.check(SYSTEM, [{**TOOL, "name": "x"}, TOOL], SECOND) or "")
    assert rules.check(SYSTEM, [TOOL, {**TOOL, "name": "x"}], SECOND) is None


def test_inline_mode_allows_no_new_tools():
    rules = HistoryRules(append_tools=False)
    assert rules.check(SYSTEM, [TOOL], FIRST) is None
    assert "grew" in (rules.check(SYSTEM, [TOOL, {**TOOL, "name": "x"}], SECOND) or "")


def test_breakpoints_may_move():
    rules = HistoryRules()
    marked = {**text("hi"), "cache_control": {"type": "ephemeral"}}
    assert rules.check(SYSTEM, [TOOL], [user(marked)]) is None
    assert rules.check(SYSTEM, [TOOL], SECOND) is None


def test_an_unknown_session_counts_as_resumed_and_a_new_epoch_may_begin():
    rules = HistoryRules()
    assert rules.check(SYSTEM, [TOOL], THIRD) is None
    assert rules.check(SYSTEM, [TOOL], [user("hi there"), *SECOND[1:]]) is None
    rules.forget()
    assert rules.check([text("new")], [], SECOND) is None


def test_a_paused_reply_may_end_the_history_and_be_continued():
    rules = HistoryRules()
    paused = assistant("searching")
    rules.check(SYSTEM, [], FIRST)
    assert rules.check(SYSTEM, [], [*FIRST, paused]) is not None
    rules.replied(paused["content"], "pause_turn")
    assert rules.check(SYSTEM, [], [*FIRST, paused]) is None
    assert rules.check(SYSTEM, [], [*FIRST, paused, assistant("found"), user("thanks")]) is None


def test_thinking_must_come_back_as_it_was():
    rules = HistoryRules()
    block = {"type": "thinking", "thinking": "hm", "signature": "s1"}
    rules.check(SYSTEM, [], FIRST)
    rules.replied([block], "end_turn")
    changed = assistant({**block, "thinking": "hmm"}, "hello")
    assert "thinking block was changed" in (
        rules.check(SYSTEM, [], [*FIRST, changed, user("x")]) or ""
    )
    assert rules.check(SYSTEM, [], [*FIRST, assistant(block, "hello"), user("x")]) is None
