"""What was changed for somebody, counted: `/undo`, and the line below an answer."""

from collections.abc import Mapping, Sequence

from bot.domain.languages import CountedPhrase, Language, Phrase

CHANGED = Phrase("Changed: {what}. `/undo` within an hour takes it back.")
TODO = CountedPhrase(Phrase("todo"), Phrase("{count} todos"))
NOTE = CountedPhrase(Phrase("note"), Phrase("{count} notes"))
FILE = CountedPhrase(Phrase("file"), Phrase("{count} files", context="documents"))
MEETING = CountedPhrase(Phrase("meeting"), Phrase("{count} meetings"))
SUMMARY = CountedPhrase(Phrase("summary"), Phrase("{count} summaries"))
ENTRY = CountedPhrase(Phrase("entry"), Phrase("{count} entries"))
NOTE_ABOUT_SOMEBODY = CountedPhrase(
    Phrase("note about somebody"), Phrase("{count} notes about somebody")
)
ADDED = Phrase("{what} added")
ALTERED = Phrase("{what} changed")
FINISHED = Phrase("{what} done")
DISMISSED = Phrase("{what} dismissed")
DELETED = Phrase("{what} deleted")
CREATED = Phrase("{what} created")
REPLACED = Phrase("{what} replaced")
WRITTEN = Phrase("{what} written")
STORED = Phrase("{what} stored")
NOUNS: Mapping[str, CountedPhrase] = {
    "todo": TODO,
    "note": NOTE,
    "file": FILE,
    "meeting": MEETING,
    "summary": SUMMARY,
    "entry": ENTRY,
    "note about somebody": NOTE_ABOUT_SOMEBODY,
}
_DONE: Mapping[str, Phrase] = {
    "added": ADDED,
    "added to": ADDED,
    "changed": ALTERED,
    "done": FINISHED,
    "dismissed": DISMISSED,
    "deleted": DELETED,
    "created": CREATED,
    "replaced": REPLACED,
    "written": WRITTEN,
    "stored": STORED,
}
"""What tools call a change (`Undoable`); a plug-in's own word stands as it is."""


def change_in_words(noun: str, done: str, language: Language) -> str:
    """One change: `todo added`."""
    return _done(NOUNS[noun].said(language, 1) if noun in NOUNS else noun, done, language)


def changed(changes: Sequence[tuple[str, str, int]], language: Language) -> str:
    """What a turn changed beside text from outside: (noun, what was done, how many)."""
    if not changes:
        return ""
    parts = [_done(_many(noun, count, language), done, language) for noun, done, count in changes]
    return CHANGED.said(language, what=", ".join(parts))


def _many(noun: str, count: int, language: Language) -> str:
    if count > 1 and noun in NOUNS:
        return NOUNS[noun].said(language, count)
    return f"{count} {NOUNS[noun].said(language, 1) if noun in NOUNS else noun}"


def _done(what: str, done: str, language: Language) -> str:
    return _DONE[done].said(language, what=what) if done in _DONE else f"{what} {done}"
