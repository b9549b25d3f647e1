"""A stand-in for the cheap model: it picks elements by the words of an instruction, nothing else.

It sees what a model would see, and knows no site. Clauses in ", then " are done one by one.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.domain.models import (
    ModelCapabilities,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
    Unlock,
    Usage,
)

_ELEMENT = re.compile(r"\{((?:f\d+)?e\d+|x\d+_\d+)((?: [^{}]*)?)\}")
_KINDS = frozenset(
    {
        *("button", "tab", "menuitem", "treeitem", "summary", "option", "checkbox", "radio"),
        *("switch", "textbox", "searchbox", "spinbutton", "combobox", "listbox", "slider"),
        *("element", "draggable", "file", "focusable"),
    }
)
_CLAUSE = re.compile(
    r"(?P<verb>click|check|hover|drag|type|select|press|upload|open|choose)"
    r"(?: \"(?P<value>[^\"]*)\" (?:into|in))?"
    r" (?:the )?(?P<name>.+?)(?: onto (?P<to>.+?))?(?: until (?P<until>.+))?"
)
_STATES = re.compile(r" ?\((?:checked|selected|disabled|expanded|pressed|= |options: ).*\)$")
_METHODS = {"open": "click", "choose": "click"}


@dataclass(frozen=True)
class _Seen:
    ref: str
    kind: str
    label: str
    near: str
    """The text from the last heading, dialog or frame to its line."""


@dataclass
class StandIn:
    """Implements `Model`. Extraction gives the whole text of the page back."""

    asked: list[ModelRequest] = field(default_factory=list[ModelRequest])
    _instruction: str = ""
    _at: int = 0

    @property
    def capabilities(self) -> ModelCapabilities:
        return ModelCapabilities(Unlock.INLINE, system_notes=True, context_tokens=200_000)

    def name(self, size: ModelSize) -> str:
        return "stand-in"

    async def close(self) -> None:
        return None

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        self.asked.append(request)
        data = json.loads(request.messages[-1]["content"][0]["text"])
        told = json.dumps(self._choice(data)) if request.answer_schema else _read(data)
        content = ({"type": "text", "text": told},)
        return ModelReply(content, "end_turn", Usage(len(told) // 4, 0, 0, 5), "stand-in")

    def _choice(self, data: dict[str, Any]) -> dict[str, Any]:
        if data["instruction"] != self._instruction or not data.get("moves"):
            self._instruction, self._at = data["instruction"], 0
        clauses = self._instruction.split(", then ")
        while self._at < len(clauses):
            last = self._at == len(clauses) - 1
            match = _CLAUSE.fullmatch(clauses[self._at].rstrip("."))
            if match is None:
                return _move("none", value="these words have no form that is known")
            if match["until"] and match["until"] in data["page"]:
                self._at += 1
                continue
            move = _chosen(match, data)
            if move["method"] not in {"find", "wait"} and not match["until"]:
                self._at += 1
                move["done"] = last
            return move
        return _move("finish")


@dataclass
class Obeying(StandIn):
    """A model that was taken over: whatever it is told, it uses one element, and types one text."""

    wanted: str = ""
    text: str = ""

    def __init__(self, wanted: str, text: str) -> None:
        super().__init__()
        self.wanted, self.text = wanted, text

    def _choice(self, data: dict[str, Any]) -> dict[str, Any]:
        found = next(one for one in _seen(data["page"]) if one.label == self.wanted)
        if found.kind == "textbox":
            return _move("type", found.ref, self.text)
        return _move("click", found.ref)


def _chosen(match: re.Match[str], data: dict[str, Any]) -> dict[str, Any]:
    seen = [*_seen(data["page"]), *_others(data)]
    method = _METHODS.get(match["verb"], match["verb"])
    found = _best(seen, match["name"])
    if found is None:
        return _move("find", value=match["name"]) if data["more_below"] else _move("none")
    target = _best(seen, match["to"]) if match["to"] else None
    return {
        **_move(method, found.ref, match["value"] or ""),
        "to": target.ref if target else "",
    }


def _move(method: str, ref: str = "", value: str = "") -> dict[str, Any]:
    return {"id": ref, "method": method, "value": value, "to": "", "done": False}


def _seen(page: str) -> list[_Seen]:
    found: list[_Seen] = []
    lines = page.splitlines()
    for number, line in enumerate(lines):
        for match in _ELEMENT.finditer(line):
            words = match[2].strip().split(" ")
            kind = words.pop(0) if words[0] in _KINDS else "link"
            label = _STATES.sub("", " ".join(words)).strip()
            begins = [at for at in range(number) if lines[at].startswith(("#", "["))]
            near = " ".join(lines[begins[-1] if begins else 0 : number + 1])
            found.append(_Seen(match[1], kind, label, near))
    return found


def _others(data: dict[str, Any]) -> list[_Seen]:
    return [_Seen(one["id"], "element", one["text"], "") for one in data.get("others", ())]


def _best(seen: Sequence[_Seen], name: str) -> _Seen | None:
    """The element with this name; "X of Y": the one called X near the text Y."""
    label, _, near = name.partition(" of ")
    for wanted, beside in ((name, ""), (label, near)):
        scored = [(_score(one, wanted, beside), one) for one in seen]
        best = max((score for score, _ in scored), default=0)
        if best:
            return next(one for score, one in scored if score == best)
    return None


def _score(one: _Seen, wanted: str, near: str) -> int:
    if near and near.casefold() not in one.near.casefold():
        return 0
    words, names = _words(wanted), _words(f"{one.label} {one.kind}")
    if not words or (wanted.isdigit() and wanted != one.label):
        return int(bool(wanted) and wanted == one.label) * 100
    if wanted.casefold() == one.label.casefold():
        return 100
    return 50 - len(names - words) if words <= names else 0


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _read(data: dict[str, Any]) -> str:
    return "SCROLL" if data["more_below"] and not data["scrolled"] else str(data["page"])
