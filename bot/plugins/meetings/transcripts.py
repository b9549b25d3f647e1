"""Transcripts: a tolerant reader of WebVTT, SubRip and plain text of meeting programs."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.plugin.tools import ToolError

MOST_CHARS = 2_000_000
"""More than forty hours of talk."""
_CUE = re.compile(r"^\s*(?P<start>[\d:.,]+)\s*--+>\s*(?P<end>[\d:.,]+)")
_TIME = re.compile(r"(?:(?P<hours>\d{1,3}):)?(?P<minutes>\d{1,2}):(?P<seconds>\d{1,2})(?:[.,]\d+)?")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+(?P<name>[^>]+)>")
_TAG = re.compile(r"</?[a-z][^>]*>|<\d[\d:.]*>", re.IGNORECASE)
_NAME = r"[^\W\d_][^:\[\]()<>*#|\n]{0,58}?"
_SPOKEN = re.compile(rf"^(?:\*\*)?(?P<name>{_NAME})(?:\*\*)?:(?:\*\*)?\s+(?P<text>\S.*)$")
_BEFORE = re.compile(
    r"^[-*]?\s*[\[(]?(?P<time>(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d+)?)"
    r"[\])]?\s*[-\u2013\u2014]?\s*(?P<rest>\S.*)$"
)
_BEHIND = re.compile(
    rf"^(?:\*\*)?(?P<name>{_NAME})(?:\*\*)?\s*[\[(]?(?P<time>(?:\d{{1,2}}:)?\d{{1,2}}:\d{{2}})"
    r"[\])]?:?$"
)
_HEADING = re.compile(
    r"^#*\s*(?P<title>[^\[\]]{0,80}?)[\s,:(\u2013\u2014-]*(?P<day>\d{4}-\d{2}-\d{2})"
    r"(?:[\sT,]+(?P<time>\d{1,2}:\d{2}))?\)?$"
)
_ASIDE = ("NOTE", "STYLE", "REGION")
_CUED = (".vtt", ".srt")
_PLAIN = (".txt", ".md", ".text", ".markdown")
_LEAST_SPOKEN = 4


@dataclass(frozen=True)
class Utterance:
    """One person's uninterrupted words; `at` in seconds from the beginning, if known."""

    text: str
    speaker: str = ""
    at: int | None = None


@dataclass(frozen=True)
class Transcript:
    """The utterances in order, and the file's problems in words for people."""

    lines: tuple[Utterance, ...]
    remarks: tuple[str, ...] = ()
    title: str = ""
    when: str = ""
    """A day or moment in ISO 8601, from a first line such as `Garden meeting, 2026-11-20 10:00`."""

    @property
    def speakers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line.speaker for line in self.lines if line.speaker))

    @property
    def minutes(self) -> int | None:
        times = [line.at for line in self.lines if line.at is not None]
        return max(times) // 60 if times else None

    def markdown(self) -> str:
        """One line per utterance: `[00:01:05] Ann: text`."""
        return "".join(f"{_shown(line)}\n" for line in self.lines)


def read_transcript(name: str, text: str) -> Transcript:
    """Read a transcript; `name` is that of its file. Raises ToolError in words for the person."""
    shown = " ".join(name.split())[:80] or "the transcript"
    if len(text) > MOST_CHARS:
        raise ToolError(
            f"{shown} has {len(text)} characters, a transcript at most {MOST_CHARS}; divide it"
        )
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not any(line.strip() for line in lines):
        raise ToolError(f"{shown} is empty; nothing was made of it")
    if any(_CUE.match(line) for line in lines):
        read = _cues(lines)
    elif name.casefold().endswith(_CUED):
        raise ToolError(
            f"{shown} holds no line with times like 00:01:05.000 --> 00:01:09.000; is it a "
            "transcript?"
        )
    else:
        read = _headed(lines)
    if not read.lines:
        raise ToolError(f"{shown} holds times but no words; export it again with its text")
    return replace(read, lines=tuple(_joined(read.lines)))


def looks_like_transcript(name: str, text: str) -> bool:
    """Whether an attached file is a transcript: by its ending, or by how most lines begin."""
    ending = name.casefold()
    if ending.endswith(_CUED):
        return True
    if not ending.endswith(_PLAIN):
        return False
    lines = [line.strip() for line in text[:20_000].splitlines() if line.strip()]
    spoken = sum(
        1 for line in lines if _SPOKEN.match(line) or _CUE.match(line) or _BEFORE.match(line)
    )
    return spoken >= _LEAST_SPOKEN and 2 * spoken >= len(lines)


# --- WebVTT and SubRip ---


def _cues(lines: Sequence[str]) -> Transcript:
    said: list[Utterance] = []
    unreadable = silent = 0
    for head, body in _blocks(lines):
        found = _CUE.match(head)
        at = seconds_of(found["start"]) if found else None
        unreadable += at is None
        spoken = list(_voices(body, at))
        silent += not spoken
        said += spoken
    times = [line.at for line in said if line.at is not None]
    remarks: list[str] = []
    if times != sorted(times):
        remarks.append("its parts were out of order and were sorted by their times")
        said = _sorted(said)
    if unreadable:
        remarks.append(f"{_counted(unreadable, 'time')} could not be read")
    if silent:
        remarks.append(f"{_counted(silent, 'part')} had no words")
    return Transcript(tuple(said), tuple(remarks))


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each time line with the words below it, without a number or name above it."""
    head, body, aside = "", list[str](), False
    for number, line in enumerate(lines):
        if _CUE.match(line) or ("-->" in line and line.strip()[:1].isdigit()):
            if head:
                yield head, body
            head, body, aside = line, [], False
        elif not line.strip():
            aside = False
        elif line.startswith(_ASIDE) and not (number and lines[number - 1].strip()):
            aside = True
        elif head and not aside and not _names_next(lines, number):
            body.append(line.strip())
    if head:
        yield head, body


def _names_next(lines: Sequence[str], number: int) -> bool:
    """Whether a line is the number or name of the part that begins on the next line."""
    after = lines[number + 1] if number + 1 < len(lines) else ""
    alone = number == 0 or not lines[number - 1].strip() or lines[number].strip().isdigit()
    return alone and "-->" in after


def _voices(body: Sequence[str], at: int | None) -> Iterator[Utterance]:
    """The words and speaker of one part: `<v Ann>` or `Ann:`."""
    text = " ".join(body)
    parts = _VOICE.split(text)
    if before := _words(parts[0]):
        yield _spoken(before, at)
    for name, words in zip(parts[1::2], parts[2::2], strict=True):
        if said := _words(words):
            yield Utterance(said, _plain_name(name), at)


def _words(text: str) -> str:
    return " ".join(html.unescape(_TAG.sub("", text)).split())


def _sorted(said: Sequence[Utterance]) -> list[Utterance]:
    """Sort by time; an utterance without a time stays behind its predecessor."""
    last, keyed = 0, list[tuple[int, int, Utterance]]()
    for number, line in enumerate(said):
        last = line.at if line.at is not None else last
        keyed.append((last, number, line))
    return [line for _, _, line in sorted(keyed, key=lambda one: one[:2])]


# --- plain text ---


def _headed(lines: Sequence[str]) -> Transcript:
    """A first line that ends with a date is the heading, not an utterance."""
    first = next(number for number, line in enumerate(lines) if line.strip())
    found = _HEADING.match(lines[first].strip())
    when = (
        f"{found['day']}T{found['time'].zfill(5)}"
        if found and found["time"]
        else found["day"]
        if found
        else ""
    )
    try:
        datetime.fromisoformat(when)
    except ValueError:
        return Transcript(tuple(_plain(lines)))
    title = found["title"].strip() if found else ""
    return Transcript(tuple(_plain(lines[first + 1 :])), (), title, when)


def _plain(lines: Sequence[str]) -> Iterator[Utterance]:
    """`[00:01:05] Ann: text`, `Ann: text`, `Ann (00:01:05)` above the words, or only words."""
    speaker, at = "", None
    for line in (raw.strip() for raw in lines):
        if not line or set(line) <= set("-=_*#"):
            continue
        if head := _BEHIND.match(line):
            speaker, at = _plain_name(head["name"]), seconds_of(head["time"])
            continue
        timed = _BEFORE.match(line)
        rest, when = (timed["rest"], seconds_of(timed["time"])) if timed else (line, None)
        spoken = _spoken(rest, when if timed else at)
        yield spoken if spoken.speaker else replace(spoken, speaker=speaker if not timed else "")
        if spoken.speaker:
            speaker, at = "", None


def _spoken(text: str, at: int | None) -> Utterance:
    found = _SPOKEN.match(text)
    if found is None or len(found["name"].split()) > 4:
        return Utterance(text, "", at)
    return Utterance(found["text"].strip(), _plain_name(found["name"]), at)


def _plain_name(name: str) -> str:
    return " ".join(html.unescape(name).split())[:60]


# --- both ---


def _joined(lines: Sequence[Utterance]) -> Iterator[Utterance]:
    """Join consecutive lines of one person, up to some length."""
    held: Utterance | None = None
    for line in lines:
        if (
            held is not None
            and line.speaker
            and line.speaker == held.speaker
            and len(held.text) < 400
        ):
            held = replace(held, text=f"{held.text} {line.text}")
            continue
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def seconds_of(text: str) -> int | None:
    """The seconds of `01:02:03.500` or `02:03`; None for an invalid time."""
    found = _TIME.fullmatch(text.strip())
    if (
        found is None
        or (int(found["minutes"]) > 59 and found["hours"])
        or int(found["seconds"]) > 59
    ):
        return None
    return int(found["hours"] or 0) * 3600 + int(found["minutes"]) * 60 + int(found["seconds"])


def _shown(line: Utterance) -> str:
    time = (
        ""
        if line.at is None
        else f"[{line.at // 3600:02}:{line.at // 60 % 60:02}:{line.at % 60:02}] "
    )
    return f"{time}{f'{line.speaker}: ' if line.speaker else ''}{line.text}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
