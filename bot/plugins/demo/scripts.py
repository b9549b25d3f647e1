"""What the demo's model does at the wishes of the tours; everything else is the offline rules'."""

import json
from collections.abc import Callable, Mapping

from bot.plugins.offline_model.script import Script, attempt, need
from bot.plugins.offline_model.situation import Situation

PUBLISH = "publish the site with the new prices"
STORY = "tell me the story of the lighthouse"
COMPARE = "compare the three hosting offers"
BONUS = "remember that my bonus this year is 4,200 euros"
ASK_BONUS = "what do you know about the bonus?"
REMIND = "remind me in 1 minute to stretch"

_LIGHTHOUSE = """\
The lighthouse at the end of the pier had been dark for eleven winters when the harbour office \
asked somebody, anybody, to switch it on again.

Ines took the key because nobody else did. The stairs were worn in the middle, and at each landing \
a keeper had written the year and a few words: *1931, fog for nine days. 1954, a whale. 1978, my \
daughter was born while the lamp was turning.*

At the top the lens was covered with a sheet. She pulled it away, and the last of the daylight \
fell through it and walked slowly around the room, as if it had only waited for that.

The lamp needed a new bulb, a new fuse, and two evenings of patience. On the third evening it \
turned. Out on the water a fishing boat flashed its lights twice, then twice more.

Ines found a pencil on the sill. Below the last line she wrote the year, and then: *somebody \
answered.*"""


def _publish() -> Script:
    outcome = yield from need("publish_site", note="new prices")
    return f"The site is out: {outcome.text}"


def _story() -> Script:
    yield from ()
    return _LIGHTHOUSE


def _compare() -> Script:
    outcome = yield from attempt(
        "plan",
        goal="compare the three hosting offers",
        tasks=[
            {"id": "1", "description": "Collect the prices of the offers."},
            {"id": "2", "description": "Read the contracts of the offers.", "agent": "lawyer"},
            {
                "id": "3",
                "description": "Weigh the offers and recommend one.",
                "depends_on": ["1", "2"],
            },
        ],
    )
    _, number, results = outcome.text.partition("\n1.")
    return f"That is what the plan gave:\n{number}{results}"


def _says(text: str) -> Callable[[], Script]:
    def script() -> Script:
        yield from ()
        return text

    return script


_REPLANNED = {
    "tasks": [
        {"id": "4", "description": "Read the terms that the offers print.", "depends_on": ["1"]},
        {"id": "5", "description": "Weigh the offers and recommend one.", "depends_on": ["4"]},
    ]
}
_WISHES: Mapping[str, Callable[[], Script]] = {
    PUBLISH: _publish,
    STORY: _story,
    COMPARE: _compare,
    "Collect the prices of the offers.": _says("North 12, Harbour 9, Cliff 15 euros a month."),
    "Read the terms that the offers print.": _says(
        "North: monthly. Harbour: one year. Cliff: monthly, with support at night."
    ),
    "Weigh the offers and recommend one.": _says(
        "North: little more than Harbour, and you can leave each month."
    ),
}
_MENDS_A_PLAN = "A task of a plan failed."


def script_of(situation: Situation) -> Script | None:
    """The script of a tour's wish; None for any other words."""
    if situation.decided:
        return None
    words = situation.task.strip()
    for wish, script in _WISHES.items():
        if words == wish or words.endswith(f" {wish}") or words.startswith(wish):
            return script()
    if _MENDS_A_PLAN in words:
        return _says(json.dumps(_REPLANNED))()
    return None
