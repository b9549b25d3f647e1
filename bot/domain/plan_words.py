"""What people read beside the tasks of a plan, in each language."""

from collections.abc import Mapping

from bot.domain.languages import Language, Phrase
from bot.domain.plans import FailureKind, TaskActivity, TaskNote

FAILURES: Mapping[FailureKind, Phrase] = {
    FailureKind.TIMEOUT: Phrase("took too long"),
    FailureKind.RATE_LIMIT: Phrase("too many requests"),
    FailureKind.TRANSPORT: Phrase("no connection"),
    FailureKind.BAD_ARGUMENTS: Phrase("a call did not fit"),
    FailureKind.DENIED: Phrase("not allowed"),
    FailureKind.NOT_FOUND: Phrase("not found"),
    FailureKind.UNKNOWN: Phrase("failed", context="plan"),
}
NOTES: Mapping[TaskActivity, Phrase] = {
    TaskActivity.AGAIN: Phrase("trying again in a moment: {first}"),
    TaskActivity.SPLITTING: Phrase("splitting it into smaller tasks"),
    TaskActivity.SPLIT: Phrase("as {first} smaller tasks"),
    TaskActivity.INSTEAD: Phrase("with {first} instead of {second}"),
    TaskActivity.AROUND: Phrase("planning around it"),
    TaskActivity.TRY: Phrase("try {first} of {second}"),
}
STRUCK = Phrase("struck")
REPLACED = Phrase("replaced")


def note_said(note: TaskNote, language: Language) -> str:
    """The present activity of a task."""
    first = note.first
    if note.kind is TaskActivity.AGAIN:
        first = FAILURES[FailureKind(first)].said(language)
    return NOTES[note.kind].said(language, first=first, second=note.second)
