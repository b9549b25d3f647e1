"""Targets in a person's typed words: addresses, links, channels, accounts, paths, ids.

A typed target is recognised as a whole thing of its kind, not found as a piece of other text. "13"
is no id in "June 13", but it is one in "ticket 13".
"""

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from bot.domain.targets import Target, TargetKind
from bot.tools.definitions.targets import (
    read_account,
    read_channel,
    read_email,
    read_path,
    read_url,
)
from bot.tools.permission.naming import Naming, naming_of
from bot.tools.permission.plain_words import word_set

LONG_CHARS = 2000
"""A longer message is mostly pasted: only its first paragraph counts as the person's own words."""

_QUOTE_LINE = re.compile(r"\s*(>|&gt;|\|)")
_FENCED = re.compile(r"```.*?(```|\Z)|~~~.*?(~~~|\Z)", re.DOTALL)
_REST_IS_QUOTED = re.compile(
    r"^(?:"
    r"-{2,}.{0,30}\b(?:forwarded|original|weitergeleitete|urspr\w+|message|nachricht)\b.*"
    r"|begin forwarded message:?.*|_{8,}\s*"
    r"|(?:on|am|le|el)\b.{4,200}\b(?:wrote|schrieb|crit|escribi\w+)\b.{0,80}:\s*"
    r"|(?:from|von):\s.+\n(?:.*\n){0,3}?(?:to|sent|date|subject|an|gesendet|datum|betreff):.*"
    r"|.{0,200}\b(?:summari[sz]e|translate|proofread|explain|read|rewrite|review|check|analy[sz]e"
    r"|got|received"
    r"|answer|reply|here is|here's|this is|says?|said|wrote)\b.{0,200}:\s*(?=\n)"
    r")$",
    re.IGNORECASE | re.MULTILINE,
)
_EDGE = "".join(set(string.punctuation) - set("#@/+~_")) + "…“”„\u2018\u2019«»"
_LINK = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s<>\"'`|\\^{}\[\]]+")
_BARE_LINK = re.compile(
    r"(?<![\w@./:-])((?:[\w-]+\.)+[^\W\d_]{2,24}(?:/[^\s<>\"'`|\\^{}\[\]]*)?)(?![\w@])"
)
_ADDRESS = re.compile(
    r"(?<![^\s<>()\[\],;:\"'`|*])[^\s@<>()\[\],;:\\\"'`|{}*]+@[^\s@<>()\[\],;:\\\"'`|{}*/?#]+"
)
_CHANNELS = (
    re.compile(r"(?<![\w&/])#([\w-][\w.-]*)"),
    re.compile(
        r"\b(?!(?:the|this|that|a|an|our|my|your|same|each|every|any|which|slack|discord|other|"
        r"in|to|into|on|for) )"
        r"([\w-]+) channel\b",
        re.IGNORECASE,
    ),
    re.compile(r"\bchannel[ :]+[\"'`]?([\w-]+)", re.IGNORECASE),
    re.compile(r"<#(\w+)"),
)
_MENTION = re.compile(r"<[@#]&?(\w+)>")
"""The id of a person, role or channel, as adapters write it."""
_HANDLE = re.compile(r"(?<![\w.@])@([\w][\w.-]*)")
_NUMBER = re.compile(r"(?<![\w+])(?:\+|[A-Z]{2}(?=\d))?\d[\dA-Z]*(?:[ ./-][\dA-Z]+)*(?!\w)")
_QUOTED = re.compile(
    r"`([^`\n]{1,200})`|\"([^\"\n]{1,200})\"|“([^”\n]{1,200})”"
    r"|(?<!\w)'([^'\n]{1,200})'(?!\w)|(?<!\w)\u2018([^\u2019\n]{1,200})\u2019(?!\w)"
)
_PAIR = re.compile(
    r"([^\W\d_]+)(?:\s+(?:id|no\.?|nr\.?|number|named|called))?\s*[#:=]?\s*[\"'`“]?#?([\w.@/-]*\w)",
    re.UNICODE,
)
_MORE = re.compile(r"\s*(?:,|and|or|und|oder|&|\+|,\s*and)\s+[\"'`“]?#?([\w.@/-]*\w)")
_PREPOSITIONS = word_set("to on at in of for by")
_ANY_NOUN = frozenset({"#", "id", "number", "no", "nr", "key", "record"})
"""What stands before an id of any kind."""
NOUNS = _ANY_NOUN | word_set(
    "ticket issue item file page document doc event task todo note "
    "invoice order case account"
    " entry project board card list repo repository branch folder calendar database thread "
    "message mail draft reminder meeting post"
)
"""What stands before an id of some kind: `ticket 13`."""
_SAME = (
    {"ticket", "issue", "case"},
    {"page", "document", "doc", "file"},
    {"todo", "task"},
    {"event", "meeting"},
    {"mail", "message", "draft", "email"},
    {"repo", "repository"},
)
"""Nouns for things of one kind."""


@dataclass(frozen=True)
class NamedWords:
    """The targets and words in a person's text."""

    targets: frozenset[tuple[TargetKind, str]]
    labelled: frozenset[tuple[str, str]]
    """(noun before it, token): `ticket 13`."""
    naming: Naming
    """The parts that can name a record."""
    text: str = ""
    """The words themselves, in one line."""

    def name(self, target: Target) -> bool:
        """Whether the text names exactly this target."""
        if not target.sound:
            return False
        if (target.kind, target.value) in self.targets:
            return True
        if target.kind is TargetKind.HOST:
            return (TargetKind.ID, target.value) in self.targets or target.value in self._hosts()
        if target.kind is TargetKind.URL and target.value.startswith(("http://", "https://")):
            return (TargetKind.URL, target.value.split("://", 1)[1]) in self.targets
        return target.kind in {TargetKind.ID, TargetKind.ACCOUNT} and any(
            (noun, target.value) in self.labelled for noun in _nouns_of(target)
        )

    def say(self, text: str) -> bool:
        """Whether the text contains these whole words. Case matters: it may be a password."""
        folded = " ".join(text.split())
        return (
            bool(folded) and re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", self.text) is not None
        )

    def _hosts(self) -> set[str]:
        """The hosts of all links, with or without scheme, and of all mail addresses."""
        links = [value for kind, value in self.targets if kind is TargetKind.URL]
        hosts = {
            urlsplit(link if "://" in link else f"https://{link}").hostname or "" for link in links
        }
        return hosts | {
            value.rpartition("@")[2] for kind, value in self.targets if kind is TargetKind.EMAIL
        }


def own_words(text: str) -> str:
    """A message without quotations: quoted lines, code blocks, forwarded mail, pasted text."""
    if "\n" in text or len(text) > LONG_CHARS:
        text = _FENCED.sub(" ", text)
        text = "\n".join(line for line in text.split("\n") if not _QUOTE_LINE.match(line))
        if pasted := _REST_IS_QUOTED.search(text):
            text = text[: pasted.start()] + _last_line_of(pasted[0])
        if len(text) > LONG_CHARS:
            text = re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0][:LONG_CHARS]
    return text


def _last_line_of(found: str) -> str:
    """Find the last own line: an introduction is the person's own, a forwarded header isn't."""
    introduces = not re.match(
        r"-{2,}|_{8,}|begin |on |am |le |el |from:|von:", found, re.IGNORECASE
    )
    return found if introduces else ""


@lru_cache(maxsize=512)
def words_of(text: str) -> NamedWords:
    """The targets that a person's own words name.

    The result is cached, so that each message is parsed once and not once per call.
    """
    return NamedWords(
        frozenset(_targets(text)),
        frozenset(_labelled(text)),
        naming_of(text, _quoted(text)),
        " ".join(text.split()),
    )


def links_in(text: str) -> Iterator[str]:
    """Every whole link in a text, normalised."""
    for match in _LINK.finditer(text):
        if (link := read_url(_trimmed(match[0]))) is not None:
            yield link


def _targets(text: str) -> Iterator[tuple[TargetKind, str]]:
    for link in links_in(text):
        yield TargetKind.URL, link
    rest = _LINK.sub(" ", text)
    for match in _ADDRESS.finditer(rest):
        if (
            address := read_email(match[0].removeprefix("mailto:").rstrip("." + _EDGE))
        ) is not None:
            yield TargetKind.EMAIL, address
    for match in _BARE_LINK.finditer(rest):
        if (link := read_url(f"https://{_trimmed(match[1])}")) is not None:
            yield TargetKind.URL, link.removeprefix("https://")
    for match in (found for pattern in _CHANNELS for found in pattern.finditer(text)):
        if (channel := read_channel(match[1].rstrip("."))) is not None:
            yield TargetKind.CHANNEL, channel
    for match in _MENTION.finditer(text):
        yield TargetKind.ID, match[1]
    yield from _accounts(rest)
    yield from _tokens(rest)


def _accounts(text: str) -> Iterator[tuple[TargetKind, str]]:
    for match in _HANDLE.finditer(text):
        yield TargetKind.ACCOUNT, match[1].rstrip(".-")
    for match in _NUMBER.finditer(text):
        if sum(char.isdigit() for char in match[0]) >= 6 and (account := read_account(match[0])):
            yield TargetKind.ACCOUNT, account


def _tokens(text: str) -> Iterator[tuple[TargetKind, str]]:
    quoted = _quoted(text)
    for token in quoted:
        yield TargetKind.ID, token.strip()
    for token in (*quoted, *(piece.strip(_EDGE) for piece in text.split())):
        if ("/" in token or re.search(r"\w\.\w{1,8}$", token)) and (
            path := read_path(token)
        ) is not None:
            yield TargetKind.PATH, path
        if _is_identifier(token):
            yield TargetKind.ID, token
            yield TargetKind.ACCOUNT, token
            yield TargetKind.CHANNEL, token


def _quoted(text: str) -> list[str]:
    return [next(group for group in match.groups() if group) for match in _QUOTED.finditer(text)]


def _is_identifier(token: str) -> bool:
    """Whether a token is surely a machine's name: `PROJ-42`, `a81f3c`, six digits."""
    if len(token) < 3:
        return False
    digits = sum(char.isdigit() for char in token)
    letters = sum(char.isalpha() for char in token)
    return digits >= 6 or (digits > 0 and letters > 1) or "_" in token or "@" in token[1:]


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(r"(?<![\w&/])#(\w[\w.-]*)", text):
        yield "#", match[1].rstrip(".-")
    words = [(match, match[1].lower()) for match in re.finditer(r"([^\W\d_]+)", text)]
    for word, label in words:
        match = _PAIR.match(text, word.start())
        if match is None:
            continue
        noun = label[:-1] if label.endswith("s") and len(label) > 3 else label
        token, end = match[2], match.end()
        yield noun, token
        while more := _MORE.match(text, end):
            yield noun, more[1]
            end = more.end()


def _field_nouns(field: str) -> set[str]:
    """`ticket_id` and `pageId` say what their value is: "ticket 13" names it."""
    last = re.sub(r"\[\d+\]", "", field).rsplit(".", 1)[-1]
    parts = re.findall(r"[A-Z]?[a-z]+", last)
    return {part.lower().removesuffix("s") for part in parts} - _PREPOSITIONS


def _nouns_of(target: Target) -> frozenset[str]:
    """The nouns before its id: those of its kind and field, or any if these say nothing."""
    own = {*_field_nouns(target.field), *target.record.split("_")}
    telling = own & NOUNS - _ANY_NOUN
    if not telling:
        return NOUNS | own
    return _ANY_NOUN | own.union(*(same for same in _SAME if same & telling))


def spans_of(text: str, kind: TargetKind) -> Iterator[tuple[int, int]]:
    """Where things of a kind stand in a text."""
    for pattern in _SPANS.get(kind, (_TOKEN,)):
        for match in pattern.finditer(text):
            if kind is not TargetKind.ACCOUNT or _is_account(match[0]):
                yield match.span()


def _is_account(found: str) -> bool:
    return not found[0].isdigit() or sum(char.isdigit() for char in found) >= 6


_TOKEN = re.compile(r"#?[\w~./@-]*\w")
_SPANS = {
    TargetKind.EMAIL: (_ADDRESS,),
    TargetKind.URL: (_LINK, _BARE_LINK),
    TargetKind.HOST: (_LINK, _BARE_LINK, _ADDRESS),
    TargetKind.CHANNEL: (*_CHANNELS, _MENTION),
    TargetKind.ACCOUNT: (_MENTION, _HANDLE, _NUMBER),
}


def _trimmed(link: str) -> str:
    """A link without the punctuation of the sentence around it."""
    while link and (
        link[-1] in ".,;:!?*_'\"…”»" or (link[-1] == ")" and link.count("(") < link.count(")"))
    ):
        link = link[:-1]
    return link
