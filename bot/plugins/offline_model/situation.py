"""Reads a request: what the person wants now, the tools, and the calls made so far."""

import json
import re
from dataclasses import dataclass
from typing import Any

from bot.plugin.models import (
    CALL_TOOL,
    JsonObject,
    ModelRequest,
    added_tool,
    as_object,
    as_values,
    blocks_of,
    dispatched,
    referenced_tools,
    removed_tool,
)

_FENCED = re.compile(r"<(quoted|system-note)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
_SKILL = re.compile(
    r'\A<quoted kind="skill (?P<name>[^"\n]+)"[^>\n]*>\n(?P<body>.*)\n</quoted>\Z', re.DOTALL
)
"""A skill that the person runs, behind their words (docs/rules.md#skills)."""
_FILE = re.compile(r'\A<quoted kind="file"[^>\n]*>\n(?P<body>.*)\n</quoted>\Z', re.DOTALL)
_DECIDED = re.compile(
    r'\A<quoted kind="approval outcome"[^>\n]*>\n(?P<body>.*)\n</quoted>\Z', re.DOTALL
)
"""What came of a call that waited for a yes."""
_CUT = re.compile(r"\n\[cut: [^\n]*\]$", re.MULTILINE)
_KEPT = re.compile(r"/documents/incoming/[^\s\]]+")
_FILE_NAME = re.compile(r" \(| could| can't be read: | is empty\.")
"""What follows the name in a sentence about a file."""
_NOT_KEPT = re.compile(r"\n\[its rest was not kept: ([^\n\]]*)\]\Z")
_TRANSCRIPT = re.compile(r"\n\[a transcript, kept as [^\n\]]*\]\Z")
_LOCKED = re.compile(r"^# More tools \(call them, too\)\n((?:- .*\n?)+)", re.MULTILINE)
_LISTED = re.compile(r"^- (\w+)(?:\([^)\n]*\))?:", re.MULTILINE)
MOST_EARLIER = 8
_SKIPPED = "skipped:"
"""Begins the result of a call that was skipped because the person wrote more; it is repeated."""
_DOUBT = "its text is not vouched for"
"""Part of the note behind a skill whose steps must not be carried out."""
_BRIEF = re.compile(r"\AContext:.*?\n\nInstruction:\s*", re.DOTALL)
"""How a delegated brief with context begins."""


@dataclass(frozen=True)
class CallOutcome:
    """The result of a call. `missing`: there is no such tool, and a search found none."""

    text: str
    is_error: bool = False
    missing: bool = False

    @property
    def data(self) -> Any:
        """The result as JSON, or None when it isn't JSON."""
        try:
            return json.loads(self.text)
        except ValueError:
            return None

    @property
    def object(self) -> JsonObject:
        return as_object(self.data)

    @property
    def first(self) -> JsonObject:
        """The object in its first line, whatever follows; empty when there is none."""
        return CallOutcome(self.text.partition("\n")[0]).object


@dataclass(frozen=True)
class PastCall:
    name: str
    input: JsonObject
    outcome: CallOutcome


@dataclass(frozen=True)
class RunSkill:
    """A skill that the person runs with their last words."""

    name: str
    body: str
    vouched: bool = True
    """Whether its text comes from somebody who may instruct; else it is shown and nothing more."""


@dataclass(frozen=True)
class ReceivedFile:
    """A file that came with the person's words."""

    name: str
    text: str = ""
    """The whole text; empty if it was cut, or if the file isn't text."""
    kept_at: str = ""
    """The path of the file if it is stored already; else empty."""
    transcript: bool = False
    """Whether the file can become a meeting."""
    problem: str = ""
    """The stated reason why the whole text is missing; empty if there is none."""


@dataclass(frozen=True)
class Situation:
    task: str
    """The person's last words, without quoted data and notes."""
    rounds: tuple[tuple[PastCall, ...], ...]
    """Tool rounds since those words, each with its calls in order."""
    tools: frozenset[str]
    calls_before: int
    """Calls of the whole conversation so far; ids are made from it."""
    skill: RunSkill | None = None
    """The skill that those words run."""
    files: tuple[ReceivedFile, ...] = ()
    """The files that came with those words."""
    listed: frozenset[str] = frozenset()
    """`tools`, and those that the prompt lists for unlocking."""
    earlier: tuple[str, ...] = ()
    """Unanswered lines that the person wrote before `task`, oldest first: one request together."""
    decided: str = ""
    """What came of an approval, where the newest message tells that and nothing else."""

    @classmethod
    def read(cls, request: ModelRequest) -> "Situation":
        messages = list(request.messages)
        start, task = _task(messages)
        open_from, earlier = _unanswered(messages, start)
        tools = _tools(request)
        return cls(
            task=task,
            rounds=_rounds(messages[open_from:]),
            tools=tools,
            calls_before=sum(len(_uses(message)) for message in messages),
            skill=_skill(messages[start - 1]) if start else None,
            files=_files(messages[start - 1]) if start else (),
            listed=tools | _catalogue(request),
            earlier=earlier,
            decided=_decided(messages[-1]) if messages else "",
        )


def _task(messages: list[JsonObject]) -> tuple[int, str]:
    """The position and the text of the person's last words."""
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].get("role") != "user":
            continue
        if words := _words(messages[index]):
            return index + 1, _BRIEF.sub("", words[-1])
    return len(messages), ""


def _words(message: JsonObject) -> list[str]:
    texts = [
        str(block.get("text") or "") for block in blocks_of(message) if block.get("type") == "text"
    ]
    return [stripped for text in texts if (stripped := _FENCED.sub("", text).strip())]


def _unanswered(messages: list[JsonObject], start: int) -> tuple[int, tuple[str, ...]]:
    """The start of the request that the last words (before `start`) belong to, and its lines."""
    first = start - 1
    while first > 0 and (
        messages[first - 1].get("role") != "assistant" or _uses(messages[first - 1])
    ):
        first -= 1
    asked = [
        message for message in messages[max(first, 0) : start] if message.get("role") == "user"
    ]
    said = [words for message in asked for words in _words(message)]
    return max(first, 0), tuple(said[:-1][-MOST_EARLIER:])


def _skill(message: JsonObject) -> RunSkill | None:
    texts = [str(block.get("text") or "") for block in blocks_of(message)]
    for text in texts:
        if found := _SKILL.match(text):
            vouched = not any(_DOUBT in other for other in texts)
            return RunSkill(found["name"], found["body"].replace("&lt;", "<"), vouched)
    return None


def _decided(message: JsonObject) -> str:
    """What the newest message tells of approvals; empty where a person wrote something."""
    if message.get("role") != "user" or _words(message):
        return ""
    texts = [str(block.get("text") or "") for block in blocks_of(message)]
    told = [found["body"].replace("&lt;", "<") for text in texts if (found := _DECIDED.match(text))]
    return "\n\n".join(told)


def _files(message: JsonObject) -> tuple[ReceivedFile, ...]:
    matches = (_FILE.match(str(block.get("text") or "")) for block in blocks_of(message))
    return tuple(_received(found["body"].replace("&lt;", "<")) for found in matches if found)


def _received(told: str) -> ReceivedFile:
    """A file as `sessions.opening.file_blocks` writes it: its name and text, or one sentence."""
    kept = _KEPT.search(told, max(0, told.rfind("\n[")))
    name, colon, text = told.partition(":\n")
    if not colon or "\n" in name:
        name = _FILE_NAME.split(told, maxsplit=1)[0]
        return ReceivedFile(name, kept_at=kept[0] if kept else "", problem=" ".join(told.split()))
    if _TRANSCRIPT.search(text) and kept:
        return ReceivedFile(name, _TRANSCRIPT.sub("", text), kept[0], transcript=True)
    cut = _CUT.search(text) is not None
    too_large = _NOT_KEPT.search(text)
    problem = f"{too_large[1]}." if too_large else ""
    return ReceivedFile(name, "" if cut else text, kept[0] if kept and cut else "", problem=problem)


def _catalogue(request: ModelRequest) -> frozenset[str]:
    """Names in the list of locked tools, which holds only what the person's role has."""
    texts = (str(block.get("text") or "") for block in request.system)
    lists = (found[1] for text in texts if (found := _LOCKED.search(text)))
    return frozenset(name for listed in lists for name in _LISTED.findall(listed))


def _rounds(messages: list[JsonObject]) -> tuple[tuple[PastCall, ...], ...]:
    results = {
        str(block.get("tool_use_id")): _outcome(block)
        for message in messages
        for block in blocks_of(message)
        if block.get("type") == "tool_result"
    }
    unknown = CallOutcome("the call has no result", is_error=True)
    made = (
        tuple(
            PastCall(
                *dispatched(str(use["name"]), as_object(use.get("input"))),
                results.get(str(use["id"]), unknown),
            )
            for use in _uses(message)
        )
        for message in messages
    )
    rounds = (
        tuple(call for call in calls if not call.outcome.text.startswith(_SKIPPED))
        for calls in made
    )
    return tuple(calls for calls in rounds if calls)


def _uses(message: JsonObject) -> list[JsonObject]:
    if message.get("role") != "assistant":
        return []
    return [block for block in blocks_of(message) if block.get("type") == "tool_use"]


def _outcome(block: JsonObject) -> CallOutcome:
    texts = [str(part.get("text") or "") for part in blocks_of(block) if part.get("type") == "text"]
    text = "\n".join(texts).strip()
    failed = bool(block.get("is_error")) or text.startswith("ERROR: ")
    return CallOutcome(text.removeprefix("ERROR: "), failed)


def _tools(request: ModelRequest) -> frozenset[str]:
    names = {str(tool.get("name")) for tool in request.tools if not tool.get("defer_loading")}
    results = [
        block
        for message in request.messages
        for block in blocks_of(message)
        if block.get("type") == "tool_result"
    ]
    for result in results:
        names.update(referenced_tools(result))
        if CALL_TOOL in names:
            names.update(_unlocked(result))
    for message in request.messages:
        if message.get("role") != "system":
            continue
        for block in blocks_of(message):
            if added := added_tool(block):
                names.add(str(added.get("name")))
            if removed := removed_tool(block):
                names.discard(removed)
    return frozenset(names)


def _unlocked(result: JsonObject) -> list[str]:
    """Names that a search unlocked; with a dispatcher only its text declares them."""
    names = _outcome(result).first.get("unlocked")
    return [str(name) for name in as_values(names)]
