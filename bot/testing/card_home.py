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
COLOURS = {"question": "Which colour?", "options": ["red", "blue"]}
PLANS = {
    "wipe": [call("tool_search", {"pattern": "wipe"}), call("wipe"), say("It waits.")],
    "ask": [call("ask_user_for_clarification", COLOURS), say("So be it.")],
}
"""For PlanModel: `do:wipe` leads to an approval for MasterAdmins, `do:ask` to a question."""


def furnish(home: Path) -> None:
    """Add the tool to a home."""
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "wipe.md").write_text(TOOL)
    (folder / "wipe.sh").write_text("echo wiped")
