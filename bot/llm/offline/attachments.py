"""Files sent with a message: transcripts become meetings, others are kept as documents."""

import re

from bot.llm.offline import meetings
from bot.llm.offline.phrases import listing
from bot.llm.offline.script import Script, attempt
from bot.llm.offline.situation import ReceivedFile

FOLDER = "/documents/incoming"
TRIES = 9
"""The most names to try for a file whose name is taken."""
_CANT = "I can't summarise: I'm running on the offline model."
_ODD = re.compile(r"[^\w.-]+")


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
    return (yield from _write(file))


def _write(file: ReceivedFile) -> Script:
    for number in range(1, TRIES + 1):
        path = f"{FOLDER}/{_named(file.name, number)}"
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
