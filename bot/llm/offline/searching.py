"""Search over what was said, documents, people, meetings and todos."""

import re
from datetime import datetime

from bot.domain.json_types import JsonObject
from bot.llm.blocks import as_objects
from bot.llm.offline.phrases import counted, listing, plain, unquote
from bot.llm.offline.script import Script, need

TOOL = "search"
_SEARCH = re.compile(r"^(?:search(?:\s+for)?|look\s+for)\s+(?P<words>.+)$", re.IGNORECASE | re.DOTALL)


def match(text: str, now: datetime) -> Script | None:
    """The script for a wish to search, or None."""
    found = _SEARCH.match(plain(text))
    return _search(unquote(found["words"])) if found else None


def _search(words: str) -> Script:
    outcome = yield from need(TOOL, query=words)
    hits = as_objects(outcome.object.get("hits"))
    left_out = outcome.object.get("leftOut")
    private = f"\n\n{left_out}." if left_out else ""
    if not hits:
        return f"I found nothing about {words}.{private}"
    return f"I found {counted(len(hits), 'place')}:\n\n{listing(map(_line, hits))}{private}"


def _line(hit: JsonObject) -> str:
    where = next((hit[name] for name in ("link", "ref", "where") if hit.get(name)), "")
    parts = (
        str(hit.get("when") or "")[:10],
        f"{hit['by']}:" if hit.get("by") else "",
        hit.get("title"),
        hit.get("text"),
    )
    return " ".join(str(part) for part in parts if part) + (f" ({where})" if where else "")
