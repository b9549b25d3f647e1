"""A home whose tools ask people: an approval by an admin, and a question with options."""

from pathlib import Path

from bot.testing.home_files import write_tool
from bot.testing.scripted_model import call, say

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
    """Add the tools to a home."""
    write_tool(home, "wipe", "echo wiped", access="Friend+", risk="destructive")
    write_tool(home, "note", "echo noted", access="Friend+", risk="external-write")
