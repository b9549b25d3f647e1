"""A stand-in for a conversation summary: the offline model can only extract recent lines."""

import re

from bot.domain.json_types import JsonObject
from bot.llm.blocks import as_objects, blocks_of

_TRANSCRIPT = re.compile(r'\A<quoted kind="transcript"[^>\n]*>\n(.*)\n</quoted>\Z', re.DOTALL)
_SAID = re.compile(r"^\[(person:[^\]\n]+|you)\] (.+)$", re.MULTILINE)
ENTRIES = 40
ENTRY_CHARS = 200


def extract(body: JsonObject) -> str | None:
    """First lines of the newest messages in a quoted transcript; None if there is none."""
    messages = as_objects(body.get("messages"))
    if len(messages) != 1:
        return None
    for block in blocks_of(messages[0]):
        if found := _TRANSCRIPT.match(str(block.get("text") or "")):
            lines = [f"- {who}: {_short(text)}" for who, text in _SAID.findall(found[1])]
            told = "\n".join(lines[-ENTRIES:]) or "- nothing in words"
            return (
                "<summary>\n## Said (an extract: the offline model can't "
                f"summarise)\n{told}\n</summary>"
            )
    return None


def _short(text: str) -> str:
    return text if len(text) <= ENTRY_CHARS else text[: ENTRY_CHARS - 1] + "…"
