"""What was read from outside and where, in words for the reason of a card.

Only names of tools and of servers are told: others chose the names of files and people.
"""

import re
from collections.abc import Mapping

_SHOWN = 3
_TOOL = re.compile(r"tool:([\w-]{1,64})")
_KINDS = {
    "person": "a guest's or bot's message",
    "conversation": "messages of others in this conversation",
    "conversation with answers": "messages of others in this conversation",
    "file": "an attached file",
    "memory": "a memory",
    "another session": "somebody else's session in this thread",
    "agent": "an agent's answer",
    "summary of a conversation": "the summary of this conversation",
}


def read_in_words(sources: Mapping[str, bool]) -> str:
    """The sources, the newest kind first; the value says whether this turn has read it."""
    now = list(dict.fromkeys(_words(one) for one, current in sources.items() if current))
    before = [_words(one) for one, current in sources.items() if not current]
    earlier = [one for one in dict.fromkeys(before) if one not in now]
    parts = [f"{_listed(now)} in this request"] if now else []
    return ", ".join([*parts, *([f"{_listed(earlier)} earlier"] if earlier else [])])


def says(server: str) -> str:
    """The words for the descriptions of a server."""
    return f"what the MCP server {server} says about its tools"


def _words(source: str) -> str:
    if found := _TOOL.fullmatch(source):
        return f"a result of {found[1]}"
    return _KINDS.get(source) or _KINDS.get(source.partition(":")[0], "a text of others")


def _listed(words: list[str]) -> str:
    more = len(words) - _SHOWN
    return " and ".join([*words[:_SHOWN], *([f"{more} more"] if more > 0 else [])])
