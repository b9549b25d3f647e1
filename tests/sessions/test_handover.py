"""A fact is handed on only as far as one text that its reader may see holds it."""

import pytest

from bot.clock import parse_utc
from bot.domain.facts import Fact
from bot.sessions.handover import open_part, texts_of

SEEN = ["web7 is at 10.0.0.7, owner Kim", "the merger is planned", "the party is cancelled"]


@pytest.mark.parametrize(
    ("key", "value", "handed"),
    [
        ("web7", "10.0.0.7", ("web7", "10.0.0.7")),
        ("address of web7", "10.0.0.7", ("of web7", "10.0.0.7")),
        ("salary", "10.0.0.7", ("result", "10.0.0.7")),
        ("owner", "Kim is the owner", ("owner", "Kim is the owner")),
        ("pin", "1007", None),
        ("pin", "10 0 7", None),
        ("plan", "the merger is cancelled", None),
        ("owner", "Kim, who is ill", None),
    ],
)
def test_what_stands_in_one_open_text_is_handed_on(key: str, value: str, handed: tuple[str, str] | None):
    fact = Fact(key, value, "assistant", "c", parse_utc("2026-11-20T09:00:00Z"))
    found = open_part(fact, texts_of(SEEN))
    assert (None if found is None else (found.key, found.value)) == handed


def test_a_private_fact_is_never_handed_on():
    fact = Fact("web7", "10.0.0.7", "assistant", "c", parse_utc("2026-11-20T09:00:00Z"), private=True)
    assert open_part(fact, texts_of(SEEN)) is None
