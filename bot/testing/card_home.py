"""A home whose tools ask people: an approval by an admin, and a question with options."""

from pathlib import Path

from bot.testing.scripted_model import call, say

TOOL = """\
# wipe

## Description
Wipe something when somebody asks for it.

## Access
Friend+

## Risk
destructive

## Implementation
shell: wipe.sh
"""
NOTE = (
    TOOL.replace("# wipe", "# note")
    .replace("destructive", "external-write")
    .replace("wipe.sh", "note.sh")
)
COLOURS = {"question": "Which colour?", "options": ["red", "blue"]}
PLANS = {
    "wipe": [call("tool_search", {"pattern": "wipe"}), call("wipe"), say("It waits.")],
    "note": [call("tool_search", {"pattern": "note"}), call("note"), say("It waits.")],
    "rain": [say("It rains. Shall I look at tomorrow as well?")],
    "ask": [call("ask_user_for_clarification", COLOURS), say("So be it.")],
}
"""For PlanModel: `do:wipe` leads to an approval for MasterAdmins, `do:note` to one for the asker,
and `do:ask` to a question.
"""


def furnish(home: Path) -> None:
    """Add the tool to a home."""
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "wipe.md").write_text(TOOL)
    (folder / "wipe.sh").write_text("echo wiped")
    (folder / "note.md").write_text(NOTE)
    (folder / "note.sh").write_text("echo noted")
