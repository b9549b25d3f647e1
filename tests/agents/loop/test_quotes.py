"""Quotations of research: word for word what was read, or marked."""

import pytest

from bot.agents.loop.loop import MARK, mark_unfound
from bot.domain.sessions import StoredBlock, TranscriptMessage

PAGE = (
    "Atlas 4 starts **twice** as fast as Atlas 3 -\non the [machines](https://a.example/m) that we "
    "measured."
)
HISTORY = (
    TranscriptMessage(
        "user",
        (StoredBlock({"type": "text", "text": 'What does "the quick brown fox jumps" mean?'}),),
    ),
    TranscriptMessage(
        "assistant", (StoredBlock({"type": "text", "text": "I made up these very words myself."}),)
    ),
    TranscriptMessage(
        "user", (StoredBlock({"type": "tool_result", "content": [{"type": "text", "text": PAGE}]}),)
    ),
    TranscriptMessage(
        "user",
        (
            StoredBlock(
                {"type": "tool_result", "content": '[{"title": "Sparrows fly south in May"}]'}
            ),
        ),
    ),
)


@pytest.mark.parametrize(
    "quotation",
    [
        '"Atlas 4 starts twice as fast as Atlas 3"',
        "“Atlas 3 — on the machines that we measured”",
        "„starts twice as fast […] that we measured“",
        "«sparrows fly south in may»",
        '"the quick brown fox jumps"',
        '"three times faster"',
        "no quotation at all",
    ],
)
def test_known_and_short_quotes_stay_unchanged(quotation: str):
    assert mark_unfound(f"It says {quotation}.", HISTORY) == f"It says {quotation}."


@pytest.mark.parametrize(
    "quotation",
    [
        '"Atlas 4 starts three times as fast as Atlas 3"',
        "“twice as fast […] as nobody ever measured”",
        '"I made up these very words myself"',
        '"tlas 4 starts twice as fas"',
    ],
)
def test_an_unknown_quote_is_marked(quotation: str):
    assert mark_unfound(f"It says {quotation}.", HISTORY) == f"It says {quotation}{MARK}."
