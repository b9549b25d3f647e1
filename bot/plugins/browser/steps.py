"""An action as one exact line: `click button "Pay" on shop.example`.

Only this module reads and writes that line.

A card shows the line, and a yes to it lets exactly this step run.
"""

import json
import re
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.plugins.browser.snapshot import PageNode, PageSnapshot


class Verb(StrEnum):
    CLICK = "click"
    TYPE = "type"
    CHOOSE = "select"
    CHECK = "check"
    UNCHECK = "uncheck"
    PRESS = "press"
    HOVER = "hover"
    DRAG = "drag"
    UPLOAD = "upload"
    SCROLL = "scroll"
    BACK = "back"


KEYS = frozenset(
    {
        *("Enter", "Escape", "Tab", "Space", "Backspace", "Delete", "Home", "End"),
        *("ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "PageDown", "PageUp"),
    }
)
_MOST_KEYS = 50
VALUED = frozenset({Verb.TYPE, Verb.CHOOSE, Verb.PRESS, Verb.UPLOAD})
_TEXT = r'"(?:[^"\\]|\\.)*"'
_EXACT = re.compile(
    r"(?P<verb>click|check|uncheck|hover|drag"
    rf"|(?P<given>type|select|press|upload) (?P<value>{_TEXT}) in)"
    rf" (?P<role>[a-z]+) (?P<name>{_TEXT})(?: #(?P<nth>\d{{1,4}}))?"
    rf"(?: onto (?P<to_role>[a-z]+) (?P<to_name>{_TEXT})(?: #(?P<to_nth>\d{{1,4}}))?)?"
    r" on (?P<host>[^\s\"]+)"
)
_REF = r"(?:(?:f\d+)?e\d+|x\d+_\d+)"
_BY_REF = re.compile(
    rf"(?P<verb>click|check|uncheck|hover|drag|(?P<given>type|select|press|upload) "
    rf"(?P<value>{_TEXT}) (?:in|into|on|to)) (?P<ref>{_REF})(?: (?:onto|to) (?P<onto>{_REF}))?"
)
_PAGE = re.compile(r"(?:scroll (?P<way>up|down)|(?:go )?(?P<back>back))", re.IGNORECASE)


@dataclass(frozen=True)
class BrowserStep:
    """One thing to do with one element; without an element for `scroll` and `back`."""

    verb: Verb
    value: str = ""
    """The text to type, the option to select, the key to press, or the scroll direction."""
    role: str = ""
    name: str = ""
    nth: int = 1
    """Its number among the elements with this role and name."""
    host: str = ""
    ref: str = ""
    to_role: str = ""
    """The element onto which another is dragged, with `to_name`, `to_nth` and `to_ref`."""
    to_name: str = ""
    to_nth: int = 1
    to_ref: str = ""

    @property
    def line(self) -> str:
        """The step in words that `read_exact` reads back as the same step."""
        if self.verb in {Verb.SCROLL, Verb.BACK}:
            return f"{self.verb} {self.value}".strip()
        value = f" {_quoted(self.value)} in" if self.verb in VALUED else ""
        onto = f" onto {_which(self.to_role, self.to_name, self.to_nth)}" if self.to_role else ""
        return f"{self.verb}{value} {_which(self.role, self.name, self.nth)}{onto} on {self.host}"


def read_exact(action: str) -> BrowserStep | None:
    """The step that an exact line names, or None for other words."""
    match = _EXACT.fullmatch(action.strip())
    if match is None:
        return None
    value, name, to_name = _plain(match["value"]), _plain(match["name"]), _plain(match["to_name"])
    verb = Verb(match["given"] or match["verb"])
    if value is None or name is None or to_name is None:
        return None
    if (verb is Verb.DRAG) != bool(match["to_role"]):
        return None
    return BrowserStep(
        verb,
        value,
        match["role"],
        name,
        int(match["nth"] or 1),
        match["host"],
        to_role=match["to_role"] or "",
        to_name=to_name,
        to_nth=int(match["to_nth"] or 1),
    )


def read_simple(action: str, page: PageSnapshot, host: str) -> BrowserStep | None:
    """A step that needs no model: an id of the page (`click e12`), `scroll down`, `back`."""
    words = action.strip().rstrip(".")
    if match := _PAGE.fullmatch(words):
        return (
            BrowserStep(Verb.BACK)
            if match["back"]
            else BrowserStep(Verb.SCROLL, match["way"].lower())
        )
    match = _BY_REF.fullmatch(words)
    node = page.find(match["ref"]) if match else None
    if match is None or node is None or (value := _plain(match["value"])) is None:
        return None
    verb = Verb(match["given"] or match["verb"])
    onto = page.find(match["onto"]) if match["onto"] else None
    if (verb is Verb.DRAG) != (onto is not None):
        return None
    return step_on(node, verb, value, page, host, onto)


def step_on(
    node: PageNode,
    verb: Verb,
    value: str,
    page: PageSnapshot,
    host: str,
    onto: PageNode | None = None,
) -> BrowserStep:
    """The step on an element of the page; `onto` is for dragging."""
    step = BrowserStep(verb, value, node.kind, node.label, _number(node, page), host, node.ref)
    if onto is None:
        return step
    number = _number(onto, page)
    return replace(step, to_role=onto.kind, to_name=onto.label, to_nth=number, to_ref=onto.ref)


def element_of(page: PageSnapshot, role: str, name: str, nth: int) -> PageNode | None:
    """The element with this role, name and number, if the page has it."""
    same = _same(page, role, name)
    return same[nth - 1] if 0 < nth <= len(same) else None


def read_keys(value: str) -> tuple[str, int]:
    """A key and how often it is pressed: `ArrowDown*3`. An unknown key is empty."""
    key, _, times = value.partition("*")
    count = int(times) if times.isdecimal() and len(times) < 3 else 1 if not times else 0
    return (key, count) if key in KEYS and 0 < count <= _MOST_KEYS else ("", 0)


def _number(node: PageNode, page: PageSnapshot) -> int:
    same = _same(page, node.kind, node.label)
    return next((number for number, one in enumerate(same, 1) if one.ref == node.ref), 1)


def _same(page: PageSnapshot, role: str, name: str) -> list[PageNode]:
    return [one for one in page.usable() if (one.kind, one.label) == (role, name)]


def _which(role: str, name: str, nth: int) -> str:
    return f"{role} {_quoted(name)}{f' #{nth}' if nth > 1 else ''}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _plain(quoted: str | None) -> str | None:
    if quoted is None:
        return ""
    try:
        return str(json.loads(quoted))
    except ValueError:
        return None
