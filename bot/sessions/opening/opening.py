"""The opening of a turn: quoted context, the person's words, and the operator's note.

See docs/rules.md#conversations-and-sessions.
"""

import base64
import codecs
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.agents.prompt.notes import quote
from bot.domain.access import Person
from bot.domain.characters import one_entry, plain_name
from bot.domain.facts import Fact
from bot.domain.messages import IncomingMessage, PlatformPerson, QuotedMessage
from bot.domain.origins import ANSWERED_CONVERSATION, CONVERSATION, Origin, Trust
from bot.domain.sessions import StoredBlock, text_block
from bot.memory.facts import render_facts
from bot.sessions.records.conversation_store import VisibleMessage, author_trust

FILE_CHARS = 64_000
_END_CHARS = 16_000
"""The length of a longer file's quoted end: totals, signatures and new log lines are there."""
QUOTED_CHARS = 2_000
"""Characters of a message that is replied to."""
IMAGE_BYTES = 4_000_000
KEPT_BYTES = 8 * 1024 * 1024
"""A larger text is not stored whole."""
TEXT_ENDINGS = (".txt", ".md", ".csv", ".vtt", ".srt", ".log")
IMAGE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


@dataclass(frozen=True)
class FetchedFile:
    """A fetched attachment (the first of `size` bytes if large), or the reason for none."""

    name: str
    mime: str
    data: bytes | None
    problem: str = ""
    size: int = 0
    blob: str = ""
    kept: str = ""
    """The document with the whole text of a cut file or of a transcript."""
    unkept: str = ""
    """The reason why such a document is missing."""


@dataclass(frozen=True)
class ContextLimits:
    """How much of the conversation around a session is shown to it.

    See docs/rules.md#conversations-and-sessions.
    """

    messages: int = 20
    chars: int = 8000


def visible_block(
    messages: Sequence[VisibleMessage], person: Person, private: bool, limits: ContextLimits
) -> StoredBlock | None:
    """Others' messages and the assistant's answers to them, newest kept, as one quoted block."""
    lines: list[str] = []
    used = 0
    worst, source = Trust.PERSON, CONVERSATION
    for message in reversed(
        messages[len(messages) - limits.messages :] if limits.messages < len(messages) else messages
    ):
        line = _line(message, person)
        if used + len(line) > limits.chars:
            break
        used += len(line)
        lines.append(line)
        if message.author != person.id:
            worst = max(worst, message.origin.trust)
        if message.author.startswith("agent:") and message.origin.untrusted:
            source = ANSWERED_CONVERSATION
    if not lines:
        return None
    text = "\n".join(reversed(lines))
    return quote("messages in this conversation", text, Origin(worst, source), private=private)


def _line(message: VisibleMessage, person: Person) -> str:
    text = message.text if len(message.text) <= 2000 else message.text[:2000] + " …"
    if message.author.startswith("agent:"):
        to = "them" if message.addressee == person.id else message.addressee
        return f"[you, to {to or 'all'}] {one_entry(text)}"
    return f"[{plain_name(message.author_name)} ({message.author})] {one_entry(text)}"


def facts_block(facts: Sequence[Fact]) -> StoredBlock | None:
    """Facts that delegated agents found and that are new to this agent."""
    if not facts:
        return None
    worst = max((fact.origin for fact in facts), key=lambda origin: origin.trust)
    return quote(
        "new known facts", render_facts(facts), worst, private=any(fact.private for fact in facts)
    )


_CHANNEL = re.compile(r"<#(\w+)>")
"""The form in which adapters write a channel into typed text."""


def said_blocks(
    message: IncomingMessage, person: Person, resolve: Callable[[PlatformPerson], Person]
) -> list[StoredBlock]:
    """A message's content: the messages it refers to, quoted, then the person's own words."""
    quoted = [
        _quoted_block(one, person, resolve(one.author), message.private) for one in message.quoted
    ]
    if not message.text.strip():
        return quoted
    return [*quoted, *_named_channels(message, person), words_block(message, person)]


def _named_channels(message: IncomingMessage, person: Person) -> list[StoredBlock]:
    """Ids of mentioned channels: the text shows names, which others chose."""
    ids = list(dict.fromkeys(_CHANNEL.findall(message.typed or "")))
    if not ids:
        return []
    origin = Origin(Trust.PERSON, f"person:{person.id}")
    return [
        quote(
            "ids of the channels named below, in order",
            ", ".join(ids),
            origin,
            private=message.private,
        )
    ]


def _quoted_block(
    quoted: QuotedMessage, person: Person, author: Person, private: bool
) -> StoredBlock:
    """A quote, even if the person wrote it: a reference is no request."""
    origin = Origin(author_trust(author, is_bot=quoted.author.is_bot), f"person:{author.id}")
    if author.id == person.id:
        origin = Origin(Trust.PERSON, CONVERSATION)
    text = quoted.text if len(quoted.text) <= QUOTED_CHARS else quoted.text[:QUOTED_CHARS] + " …"
    said = f"[{plain_name(author.name)} ({author.id})] {one_entry(text)}"
    if quoted.files:
        names = ", ".join(" ".join(name.split()) for name in quoted.files)
        said += f"\n    (attached, not read: {names})"
    return quote("message that they refer to", said, origin, private=private)


def words_block(message: IncomingMessage, person: Person) -> StoredBlock:
    """The person's own words, unchanged."""
    origin = Origin(Trust.PERSON, f"person:{person.id}")
    return StoredBlock(text_block(message.text), origin, message.private, message.own_words)


def file_blocks(files: Sequence[FetchedFile], private: bool) -> list[StoredBlock]:
    """Images as images, text as quoted text, other files by name. Files count as external."""
    return [block for file in files for block in _file_blocks(file, private)]


def _file_blocks(file: FetchedFile, private: bool) -> list[StoredBlock]:
    file = replace(file, name=" ".join(file.name.split()))
    origin = Origin(Trust.EXTERNAL, f"file:{file.name}")
    if file.data is None:
        told = f"{file.name} could not be read: {file.problem}\n[it was not kept]"
        return [quote("file", told, origin, private=private)]
    if file.mime in IMAGE_TYPES and file.size <= len(file.data):
        source = {
            "type": "base64",
            "media_type": file.mime,
            "data": base64.b64encode(file.data).decode(),
        }
        name = quote("file", f"The next image is {file.name}.", origin, private=private)
        return [name, StoredBlock({"type": "image", "source": source}, origin, private)]
    whole = file.size <= len(file.data)
    text = text_of(file.data, whole=whole)
    if text is None:
        described = (
            f"{file.name} ({file.mime}, {max(file.size, len(file.data))} bytes): {_no_text(file)}"
        )
        return [quote("file", described, origin, private=private)]
    if whole and not text.strip():
        return [quote("file", f"{file.name} is empty.", origin, private=private)]
    head = text[: FILE_CHARS - _END_CHARS if whole else FILE_CHARS]
    shown = _shown(text) if whole else f"{head}\n[cut: the file has {file.size} bytes]"
    return [quote("file", f"{file.name}:\n{shown}{_goes_on(file, head)}", origin, private=private)]


def _shown(text: str) -> str:
    """The text, or its beginning and its end with the size of the gap between them."""
    missing = len(text) - FILE_CHARS
    if missing <= 0:
        return text
    head = FILE_CHARS - _END_CHARS
    return (
        f"{text[:head]}\n[cut: {missing} characters of the middle are missing "
        f"here]\n{text[-_END_CHARS:]}"
    )


def _no_text(file: FetchedFile) -> str:
    """Why the content is not shown; people can fix the encoding of a text."""
    if file.mime.startswith("text/") or file.name.casefold().endswith(TEXT_ENDINGS):
        return "its characters can't be read. They can save it as UTF-8 and send it again."
    return "its content can't be shown as text."


def _goes_on(file: FetchedFile, head: str) -> str:
    """How to continue reading a stored file, from the first character after its `head`."""
    if not file.kept:
        why = f"the most is {KEPT_BYTES // 1024**2} MB" if file.size > KEPT_BYTES else file.unkept
        return f"\n[its rest was not kept: {why}]" if why else ""
    if not is_cut(file):
        return f"\n[a transcript, kept as {file.kept}]"
    skip = len(head) - head.rfind("\n") - 1
    where = f"offset {head.count(chr(10)) + 1}" + (f", skip {skip}" if skip else "")
    return f"\n[cut: read_file with {where} goes on in {file.kept}]"


def is_cut(file: FetchedFile) -> bool:
    """Whether a request holds only a part of a file's text."""
    if file.data is None or file.mime in IMAGE_TYPES:
        return False
    whole = file.size <= len(file.data)
    text = text_of(file.data, whole=whole)
    return text is not None and (not whole or len(text) > FILE_CHARS)


def text_of(data: bytes, *, whole: bool) -> str | None:
    """The text of a file's first bytes; None if they are not text.

    The last character may be cut off.
    """
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if b"\0" in data and not wide:
        return None
    try:
        text = codecs.getincrementaldecoder("utf-16" if wide else "utf-8-sig")().decode(
            data, final=whole
        )
        return None if "\0" in text else text
    except UnicodeDecodeError:
        return None


def moment_note(
    now: datetime, person: Person, message: IncomingMessage, zone: str, formatting: str
) -> str:
    """The operator's note of a message: local time, who speaks with which role, and where.

    `formatting` says what the platform can show.
    """
    conversation = message.conversation
    local = now.astimezone(zone_of(zone))
    seen = "only they see your answer" if message.private else "everybody here sees your answer"
    return (
        f"Local time {local:%Y-%m-%d %H:%M} {local:%z} ({zone}, {local:%A})."
        f" Speaker: {person.id}, role {person.role}. Place: {conversation.place}; {seen}."
        f"{_surface(message, formatting)}"
    )


def _surface(message: IncomingMessage, about: str) -> str:
    return f"{about[:-1]}, {message.columns} columns wide." if about and message.columns else about


def zone_of(name: str) -> ZoneInfo:
    """The time zone, or UTC for an unknown name (settings and contacts report those)."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
