"""Files: write, append, read, list, change and delete, by default under /documents.

Of files sent with a message, transcripts become meetings, others are kept as documents.
"""

import re
from datetime import datetime

from bot.plugins.offline_model import meetings
from bot.plugins.offline_model.phrases import (
    DOCUMENTS,
    absolute,
    find_path,
    listing,
    plain,
    unquote,
    with_daily_note,
    without_path,
)
from bot.plugins.offline_model.script import OfflineCall, Script, ask, attempt, check, need
from bot.plugins.offline_model.situation import ReceivedFile

DAILY_NOTES = "/daily-notes/"
_FILE = r"(?:(?:a|an|the|my|this|that|new|text|markdown)\s+)*(?:file|document|doc)s?"
_WRITE = re.compile(
    r"^(?:write|create|make|save|store|put)\b(?P<rest>.*)$", re.IGNORECASE | re.DOTALL
)
_INTO = re.compile(
    r"^(?:write|save|store|put|append|add)\s+(?P<text>.+?)\s+(?:in|into|to|as|under|at)"
    r"\b\s*(?:(?:a|an|the|my"
    r"|new)\b\s*)*(?:(?:file|document)\b\s*)?(?:called\s*|named\s*)?$",
    re.IGNORECASE | re.DOTALL,
)
_CONTENT = re.compile(
    r"^(?:\s*(?:called|named|at|in|to))*\s*(?:[:\u2013—]|\b(?:with(?: the)?(?: text| content| "
    r"words| line)?s?"
    r"|containing|that says|saying|which says)\b\s*:?)\s*(?P<text>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_READ = re.compile(
    r"^(?:read|show|open|display|print|cat|view|get|see|what(?:'s| is| does| stands)(?: in"
    r"| inside)?)\b",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"^(?:(?:list|show|see|display)\b.*\b(?:files|documents|docs|folder|directory)\b.*"
    r"|(?:what|which"
    rf"|do i have|how many|any)\b.*\b(?:files|documents|docs)\b.*|(?:list|ls|dir)\s+/\S*|(?:list"
    rf"|show)\s+{_FILE}|(?:my )?(?:files|documents)|ls|what(?:'s| is) in (?:the folder )?/\S*/)$",
    re.IGNORECASE,
)
_DELETE = re.compile(r"^(?:delete|remove|erase|trash)\b", re.IGNORECASE)
_REPLACE = re.compile(
    r"^(?:replace|change)\s+(?P<old>.+?)\s+(?:with|to|by)\s+(?P<new>.+?)\s+in\b\s*(?:(?:the"
    r"|my)\b\s*)?(?:(?:file|document)\b\s*)?$",
    re.IGNORECASE | re.DOTALL,
)
_FOLDER = "/documents/incoming"
_TRIES = 9
"""The most names to try for a file whose name is taken."""
_CANT = "I can't summarise: I'm running on the offline model."
_ODD = re.compile(r"[^\w.-]+")


def match(text: str, now: datetime) -> Script | None:
    """The script for a wish about files, or None."""
    text = with_daily_note(text)
    wish = plain(text)
    path = find_path(wish)
    if _LIST.match(wish) and not (path and "." in path.rpartition("/")[2]):
        return _list(path.rstrip("/") or "/" if path else DOCUMENTS)
    if path is None:
        return _without_name(wish)
    around = without_path(wish).strip()
    if _DELETE.match(wish):
        return _delete(path)
    if found := _REPLACE.match(around):
        return _replace(path, unquote(found["old"]), unquote(found["new"]))
    if re.match(r"^(?:append|add)\b", wish, re.IGNORECASE):
        return _append(path, _given(wish, around, raw=text))
    if _WRITE.match(wish):
        return _write(path, _given(wish, around, raw=text))
    if _READ.match(wish) or wish == path:
        return _read(path)
    return None


def _without_name(wish: str) -> Script | None:
    """A wish that says "file" but names none."""
    if found := re.match(
        r"^(?P<verb>write|create|make|save|read|open|show|delete|remove)"
        rf"\s+(?:me\s+)?{_FILE}(?P<rest>.*)$",
        wish,
        re.IGNORECASE | re.DOTALL,
    ):
        return _ask_name(found["verb"].lower(), found["rest"])
    return None


def _ask_name(verb: str, rest: str) -> Script:
    name = yield from ask("What is the file called? A name such as trips/lisbon.md is enough.")
    path = find_path(name) or absolute(
        unquote(name).replace(" ", "-") + ("" if "." in name else ".md")
    )
    if verb in {"read", "open", "show"}:
        return (yield from _read(path))
    if verb in {"delete", "remove"}:
        return (yield from _delete(path))
    found = _CONTENT.match(rest)
    return (yield from _write(path, unquote(found["text"]) if found else ""))


def _given(wish: str, around: str, raw: str) -> str:
    """The text to write: after the path (`x.md: text`, `x.md with text`) or before it.

    For example `save text to x.md`.
    """
    path = find_path(wish) or ""
    name = path.removeprefix(f"{DOCUMENTS}/") if path and path not in raw else path
    _, _, after = raw.partition(name)
    if found := _CONTENT.match(after):
        return found["text"].strip().strip('"“”')
    if found := _INTO.match(around):
        text = re.sub(
            r"^(?:the\s+)?(?:text|line|words?|content)\s+", "", found["text"], flags=re.IGNORECASE
        )
        return "" if re.fullmatch(_FILE, text, re.IGNORECASE) else unquote(text)
    return ""


def _write(path: str, content: str) -> Script:
    if not content:
        content = yield from ask(f"What should {path} say?")
    yield from need(
        "write_file", path=path, content=content if content.endswith("\n") else f"{content}\n"
    )
    return f"I wrote `{path}`."


def _append(path: str, content: str) -> Script:
    if not content:
        content = yield from ask(f"What should I add to {path}?")
    before = yield from attempt("read_file", path=path)
    if before.is_error and "there is no file" not in before.text:
        check("read_file", before)
    if before.is_error:
        return (yield from _write(path, content))
    kept = "" if before.text == "[the file is empty]" else before.text.rstrip("\n") + "\n"
    yield from need("write_file", path=path, content=f"{kept}{content}\n")
    return f"I added that to `{path}`."


def _read(path: str) -> Script:
    if path.endswith("/"):
        return (yield from _list(path.rstrip("/") or "/"))
    outcome = yield from attempt("read_file", path=path)
    if outcome.is_error and " is a folder" in outcome.text:
        return (yield from _list(path))
    if outcome.is_error and path.startswith(DAILY_NOTES) and "there is no file" in outcome.text:
        day = path.removeprefix(DAILY_NOTES).removesuffix(".md")
        return f"There is no daily note for {day}. *Add to my daily note: met Ann* begins today's."
    check("read_file", outcome)
    return f"`{path}`:\n\n{outcome.text}"


def _list(path: str) -> Script:
    outcome = yield from need("list_directory", path=path)
    if outcome.text in {"", "[the folder is empty]"}:
        return f"There is nothing in `{path}`."
    lines = "\n".join(f"- {line}" for line in outcome.text.splitlines() if line.strip())
    return f"In `{path}`:\n\n{lines}"


def _delete(path: str) -> Script:
    yield from need("delete_file", path=path)
    return f"I deleted `{path}`."


def _replace(path: str, old: str, new: str) -> Script:
    (outcome,) = yield (OfflineCall("edit_file", {"path": path, "old": old, "new": new}),)
    check("edit_file", outcome)
    return f"I changed “{old}” to “{new}” in `{path}`."


def keep(files: tuple[ReceivedFile, ...]) -> Script:
    """Store the files that can be stored, and say where they are."""
    lines: list[str] = []
    for file in files:
        kept = yield from _keep(file)
        lines.append(kept)
    return f"{_CANT} {lines[0]}" if len(lines) == 1 else f"{_CANT}\n\n{listing(lines)}"


def _keep(file: ReceivedFile) -> Script:
    if file.transcript:
        made = yield from attempt(meetings.TOOL, action="add", transcript=file.kept_at)
        if not made.missing:
            return meetings.made_of(file.name, made)
    if file.kept_at:
        return f"I kept it under `{file.kept_at}`."
    if not file.text:
        why = (
            f"but didn't keep it: {file.problem}"
            if file.problem
            else "but not as a whole text, so I didn't keep it."
        )
        return f"I got `{file.name}`, {why}"
    return (yield from _store(file))


def _store(file: ReceivedFile) -> Script:
    for number in range(1, _TRIES + 1):
        path = f"{_FOLDER}/{_named(file.name, number)}"
        there = yield from attempt("read_file", path=path)
        if not there.is_error and there.text.rstrip() == file.text.rstrip():
            return f"I kept it under `{path}`."
        if there.missing:
            break
        if not there.is_error or "there is no file" not in there.text:
            continue
        done = yield from attempt("write_file", path=path, content=file.text)
        if not done.is_error:
            return f"I kept it under `{path}`; say *read {path}* to see it."
        break
    return f"I got `{file.name}`, but could not keep it here."


def _named(name: str, number: int) -> str:
    """A name that is safe in a path, with a number when it is taken."""
    clean = _ODD.sub("-", name).strip("-.") or "file"
    stem, dot, ending = clean.rpartition(".")
    if number == 1:
        return clean
    return f"{stem}-{number}.{ending}" if dot else f"{clean}-{number}"
