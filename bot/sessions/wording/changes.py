"""What was changed for somebody, counted: `/undo`, and the line below an answer."""

from collections.abc import Mapping, Sequence

from bot.domain.languages import CountedPhrase, Language, Phrase

ADDED = Phrase("{what} added")
NOUNS: Mapping[str, CountedPhrase] = {
    "todo": CountedPhrase(Phrase("todo"), Phrase("{count} todos")),
    "note": CountedPhrase(Phrase("note"), Phrase("{count} notes")),
    "file": CountedPhrase(Phrase("file"), Phrase("{count} files", context="documents")),
    "meeting": CountedPhrase(Phrase("meeting"), Phrase("{count} meetings")),
    "summary": CountedPhrase(Phrase("summary"), Phrase("{count} summaries")),
    "entry": CountedPhrase(Phrase("entry"), Phrase("{count} entries")),
    "note about somebody": CountedPhrase(
        Phrase("note about somebody"), Phrase("{count} notes about somebody")
    ),
}
_DONE: Mapping[str, Phrase] = {
    "added": ADDED,
    "added to": ADDED,
    "changed": Phrase("{what} changed"),
    "done": Phrase("{what} done"),
    "dismissed": Phrase("{what} dismissed"),
    "deleted": Phrase("{what} deleted"),
    "created": Phrase("{what} created"),
    "replaced": Phrase("{what} replaced"),
    "written": Phrase("{what} written"),
    "stored": Phrase("{what} stored"),
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
    return Phrase("Changed: {what}. `/undo` within an hour takes it back.").said(
        language, what=", ".join(parts)
    )


def _many(noun: str, count: int, language: Language) -> str:
    if count > 1 and noun in NOUNS:
        return NOUNS[noun].said(language, count)
    return f"{count} {NOUNS[noun].said(language, 1) if noun in NOUNS else noun}"


def _done(what: str, done: str, language: Language) -> str:
    return _DONE[done].said(language, what=what) if done in _DONE else f"{what} {done}"
