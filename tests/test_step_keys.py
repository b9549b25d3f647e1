"""The grammar of step keys: one writer, one reader, and the keys that are on disk already."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.step_keys import (
    ANSWER,
    StepKey,
    StepKind,
    in_scope,
    is_step,
    read_step_key,
    send_key,
    step_in,
    step_key,
)
from tests.thoroughness import examples

ON_DISK = {
    "open": StepKey(StepKind.OPEN),
    "model:3": StepKey(StepKind.MODEL, "3"),
    "tool:3.0": StepKey(StepKind.TOOL, "3.0"),
    "tool:3.0/ask": StepKey(StepKind.ASK, "", "tool:3.0"),
    "tool:3.0/unknown": StepKey(StepKind.UNKNOWN, "", "tool:3.0"),
    "tool:3.0/task:a.1/open": StepKey(StepKind.OPEN, "", "tool:3.0/task:a.1"),
    "tool:3.0/sub:b/split:c/again": StepKey(StepKind.AGAIN, "", "tool:3.0/sub:b/split:c"),
    "tool:3.0/check:a.1.2/again/tool:1.0": StepKey(
        StepKind.TOOL, "1.0", "tool:3.0/check:a.1.2/again"
    ),
    "agent/model:1": StepKey(StepKind.MODEL, "1", "agent"),
    "steer:0": StepKey(StepKind.STEER, "0"),
    "compact:2": StepKey(StepKind.COMPACT, "2"),
    "send:answer": StepKey(StepKind.SEND, "answer"),
    "send:approval:a3f:ann": StepKey(StepKind.SEND, "approval:a3f:ann"),
    "send:tool:3.0/ask": StepKey(StepKind.SEND, "tool:3.0/ask"),
    "to:send:tool:3.0": StepKey(StepKind.TO, "send:tool:3.0"),
    "hand:tool:3.0": StepKey(StepKind.HAND, "tool:3.0"),
    "engine:apology": StepKey(StepKind.ENGINE, "apology"),
}


@pytest.mark.parametrize(("key", "read"), ON_DISK.items())
def test_a_key_on_disk_is_read_and_written_as_it_is(key: str, read: StepKey):
    assert read_step_key(key) == read
    assert in_scope(read.scope, step_key(read.kind, read.detail)) == key
    assert step_key(read.kind, read.detail, within=read.scope) == key


@pytest.mark.parametrize(
    "key",
    ["", "dance", "model:", "send", "models:1", "/model:1", "model:1/", "x/model:1", "a:send:b"],
)
def test_any_other_text_is_no_key(key: str):
    assert read_step_key(key) is None
    assert not is_step(key, StepKind.MODEL)


NAMED_BY_THE_REST = {StepKind.SEND, StepKind.TO, StepKind.HAND}
DETAILS = st.text("abc019.:", min_size=1, max_size=6)
SCOPES = st.lists(
    st.builds(
        step_key, st.sampled_from(sorted(set(StepKind) - NAMED_BY_THE_REST)), DETAILS | st.just("")
    ),
    max_size=3,
).map("/".join)


@settings(max_examples=examples(60))
@given(st.sampled_from(StepKind), DETAILS, SCOPES)
def test_what_is_written_is_read_back(kind: StepKind, detail: str, scope: str):
    key = step_key(kind, detail, within=scope)
    assert read_step_key(key) == StepKey(kind, detail, scope)
    assert is_step(key, kind)


def test_a_send_key_names_the_step_that_sent_it():
    assert step_in(send_key("t3f", ANSWER, "0123456789ab")) == ANSWER
    question = step_key(StepKind.SEND, "tool:3.0/ask")
    assert step_in(send_key("t3f", question, "")) == question
