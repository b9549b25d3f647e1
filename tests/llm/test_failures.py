"""How failures are named, how long a server asks to wait, and that no key survives in a detail."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.failures import DETAIL_CHARS, clean, from_status, retry_after_s

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
KINDS = {
    *(
        "auth",
        "credit",
        "no_model",
        "rate_limit",
        "overloaded",
        "unreachable",
        "timeout",
        "bad_request",
        "too_long",
    ),
    *("cut", "nonsense"),
}


@given(st.integers(200, 599), st.none() | st.text(max_size=20), st.text(max_size=80))
def test_every_status_has_a_known_kind(status: int, error_type: str | None, message: str):
    assert from_status(status, error_type, message, {}, NOW).trouble.kind in KINDS


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Sat, 21 Nov 2026 09:01:00 GMT"}, 60.0),
        ({"retry-after": "Sat, 21 Nov 2026 08:00:00 GMT"}, 0.0),
        ({"retry-after": "Sat, 21 Nov 2026 09:00:10 -0000"}, 10.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_the_wait_is_read_from_the_headers(headers: dict[str, str], seconds: float | None):
    assert retry_after_s(headers, NOW) == seconds


@given(st.text(max_size=200), st.text(max_size=200))
def test_our_key_never_survives(before: str, after: str):
    key = "local-Key_12345678"
    line = clean(f"{before}{key}{after}", key)
    assert key not in line
    assert len(line) <= DETAIL_CHARS


def test_other_keys_are_redacted_and_lines_folded():
    assert clean("a\n sk-ant-api03-abcdefgh  Bearer xyz", "none") == "a [redacted] [redacted]"


def test_words_that_only_look_like_keys_stay():
    assert clean("task-list and key words", "none") == "task-list and key words"
