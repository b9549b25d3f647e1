"""The play of a drafted skill is read, and has to be true to itself."""

import pytest

from bot.plugins.making.writing import play_text
from bot.skills.play_file import PLAY_FILE
from bot.workshop.drafts.checks import play_problems
from bot.workshop.drafts.draft import Draft, DraftKind

KNOWN = {"manage_todos"}


def problems(play: str | None) -> list[str]:
    files = {"SKILL.md": "text"} | ({PLAY_FILE: play} if play is not None else {})
    draft = Draft("owls", DraftKind.SKILL, files, "MasterAdmin")
    return list(play_problems(draft, KNOWN.__contains__))


def text(has: str = "two mice", tool: str = "manage_todos") -> str:
    calls = [(tool, {"action": "list"}), (tool, {"action": "list"})]
    return play_text("feed the owls", calls, 'Two mice: each, "as ever".', [has])


@pytest.mark.parametrize(
    ("play", "problem"),
    [
        (None, ""),
        (text(), ""),
        (text(has="three"), "play: 'three' is not in the answer"),
        (text(tool="feed_owls"), "play: there is no tool feed_owls"),
        ("asked: x\nreplies: [{say: y}]\nresult: {}", "play: say in `has`"),
        ("asked: [", "play: play.yaml, line"),
    ],
)
def test_what_is_wrong_with_a_play_is_said(play: str | None, problem: str):
    found = problems(play)
    assert not found if not problem else found[0].startswith(problem)
