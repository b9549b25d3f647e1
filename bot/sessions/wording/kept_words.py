"""Names of what is kept of a person, for lists that count it."""

from collections.abc import Mapping
from types import MappingProxyType

from bot.domain.languages import Language, Phrase

_KEPT = (
    Phrase("approvals"),
    Phrase(
        "attached files"),
    Phrase("automations"),
    Phrase("cards"),
    Phrase(
        "changes that can be taken back"),
    Phrase("conversations"),
    Phrase("documents"),
    Phrase(
        "earlier wishes to forget"),
    Phrase(
        "entries of memory"),
    Phrase(
        "entries of everybody's memory"),
    Phrase(
        "facts of conversations"),
    Phrase("files"),
    Phrase(
        "files of projects"),
    Phrase(
        "files that conversations saw"),
    Phrase("grants"),
    Phrase(
        "lines of conversations.jsonl"),
    Phrase(
        "lines of the audit"),
    Phrase(
        "lines of the log"),
    Phrase(
        "memory files"),
    Phrase("messages", context="counted"),
    Phrase(
        "posts on their way"),
    Phrase("requests"),
    Phrase(
        "requests in the log"),
    Phrase(
        "requests that tools served"),
    Phrase(
        "requests that wait for an account"),
    Phrase("schedules"),
    Phrase(
        "snapshots of projects"),
    Phrase("summaries"),
    Phrase(
        "things about to be learned"),
    Phrase("todos"),
    Phrase(
        "versions of files"),
)  # fmt: skip
KEPT: Mapping[str, Phrase] = {phrase.en: phrase for phrase in _KEPT}


def kept_counted(
    kind: str, count: int, language: Language, more: Mapping[str, Phrase] = MappingProxyType({})
) -> str:
    """`notes: 3`, behind a heading or between commas. `more`: the names of plug-ins."""
    phrase = KEPT.get(kind) or more.get(kind)
    name = phrase.said(language) if phrase else kind
    return f"{name} : {count}" if language is Language.FR else f"{name}: {count}"
