"""Notes on the person's own board: add, list, change."""

import re
from datetime import datetime

from bot.plugin.models import JsonObject, as_objects
from bot.plugins.offline_model.phrases import (
    best_matches,
    counted,
    listing,
    plain,
    unquote,
    with_daily_note,
    with_left_out,
    without_path,
)
from bot.plugins.offline_model.script import JustSay, Script, ask, need
from bot.plugins.offline_model.situation import CallOutcome

TOOL = "manage_notes"
TITLE_CHARS = 80
_ADD = re.compile(
    r"^(?:(?:(?:make|take|add|create|write|leave|keep|save|put)\s+(?:me\s+)?(?:a|an|the|another"
    r"|one)?\s*(?:new\s+|quick\s+|short\s+)?note"
    r"|(?:new\s+)?note(?!s\b)(?:\s+to self)?|note down|jot down|write down|jot)\b)"
    r"(?:\s*[:\u2013—-]\s*|\s+(?:that says|saying|that|to|of|called|titled)\s+|\s+|$)(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT = re.compile(r"\babout\s+(?P<what>.+)$", re.IGNORECASE)
_LIST = re.compile(
    r"^(?:(?:show|list|read|give|see|check|tell|display|get|find|search)\b.*\bnotes?\b.*"
    r"|(?:what|which|do i"
    r"|have i|any|are there|how many)\b.*\bnotes?\b.*|(?:my\s+)?notes(?:\s+about\s+.+)?)$",
    re.IGNORECASE,
)
_UPDATE = re.compile(
    r"^(?:update|change|edit|extend|append to|add to)\s+(?:(?:the|my)\s+)?note\s+(?:about\s+|on\s+"
    r"|called\s+)?(?P<old>[^:]+?)\s*(?::|\s+to\s+|\s+with\s+)\s*(?P<new>.+)$",
    re.IGNORECASE | re.DOTALL,
)


def match(text: str, now: datetime) -> Script | None:
    """The script for a wish about notes, or None."""
    wish = plain(text)
    if with_daily_note(wish) != wish:
        return None  # a file
    if found := _UPDATE.match(wish):
        return _update(unquote(found["old"]), unquote(found["new"]))
    if _LIST.match(without_path(wish).strip()):
        about = _ABOUT.search(wish)
        return _show(unquote(about["what"]) if about else "")
    if found := _ADD.match(wish):
        return _add(found["rest"])
    return None


def _add(wish: str) -> Script:
    text = unquote(wish)
    if not text:
        text = unquote((yield from ask("What should the note say?")))
    title, body = _title_and_body(re.sub(r"^about\s+", "", text, flags=re.IGNORECASE))
    arguments: JsonObject = {"action": "add", "is_agent_note": False, "title": title}
    if body:
        arguments["body"] = body
    yield from need(TOOL, **arguments)
    return f"Noted: **{title}**{f' — {body}' if body and len(body) < 200 else ''}"


def _show(about: str) -> Script:
    outcome = yield from need(TOOL, action="list", is_agent_note=False)
    notes = _notes(outcome)
    if about:
        wanted = about.casefold()
        notes = [
            note for note in notes if wanted in f"{note.get('title')} {note.get('body')}".casefold()
        ]
    of = f" about {about}" if about else ""
    if not notes:
        return with_left_out(f"You have no notes{of}.", outcome.object)
    lines = listing(map(_line, notes))
    return with_left_out(f"You have {counted(len(notes), 'note')}{of}:\n\n{lines}", outcome.object)


def _update(wish: str, body: str) -> Script:
    notes = _notes((yield from need(TOOL, action="list", is_agent_note=False)))
    titles = [str(note.get("title")) for note in notes]
    found = best_matches(wish, titles)
    if not found:
        known = f" There are:\n\n{listing(titles)}" if titles else ""
        raise JustSay(f"I found no note like “{wish}”.{known}")
    if len(found) > 1:
        answer = yield from ask(
            f"Several notes fit “{wish}”. Which one is changed?",
            *(titles[index] for index in found),
        )
        meant = best_matches(answer, titles)
        found = [index for index in found if index in meant]
        if len(found) != 1:
            raise JustSay("I'm still not sure which note you mean; I left them as they are.")
    note = notes[found[0]]
    yield from need(
        TOOL,
        action="update",
        is_agent_note=False,
        note_id=str(note.get("note_id") or note.get("id")),
        body=body,
    )
    return f"Changed the note **{note.get('title')}**: {body}"


def _title_and_body(text: str) -> tuple[str, str]:
    """The first line, or what stands before a colon, is the title when there is more."""
    head, separator, rest = text.partition("\n")
    if not separator:
        head, separator, rest = text.partition(": ")
    if separator and len(head) <= TITLE_CHARS:
        return " ".join(head.split()), rest.strip()
    if len(text) <= TITLE_CHARS:
        return " ".join(text.split()), ""
    cut = " ".join(text.split())[: TITLE_CHARS - 1].rsplit(" ", 1)[0]
    return f"{cut}…", text


def _notes(outcome: CallOutcome) -> list[JsonObject]:
    return as_objects(outcome.object.get("notes")) or as_objects(outcome.data)


def _line(note: JsonObject) -> str:
    parts = [f"**{note.get('title')}**"]
    parts += [str(note["body"])] if note.get("body") else []
    parts += [f"(due {note['due']})"] if note.get("due") else []
    return " ".join(parts)
