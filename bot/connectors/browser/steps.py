"""An action as one exact line: `click button "Pay" on shop.example`.

Only this module reads and writes that line.

A card shows the line, and a yes to it lets exactly this step run.
"""

import json
import re
from dataclasses import dataclass
from enum import StrEnum

from bot.connectors.browser.snapshot import PageNode, PageSnapshot


class Verb(StrEnum):
    CLICK = "click"
    TYPE = "type"
    CHOOSE = "select"
    CHECK = "check"
    UNCHECK = "uncheck"
    PRESS = "press"
    HOVER = "hover"
    SCROLL = "scroll"
    BACK = "back"


KEYS = frozenset({"Enter", "Escape", "Tab", "ArrowDown", "ArrowUp", "PageDown", "PageUp", "Space"})
_TEXT = r'"(?:[^"\\]|\\.)*"'
_EXACT = re.compile(
    rf"(?P<verb>click|check|uncheck|hover|(?P<given>type|select|press) (?P<value>{_TEXT}) in)"
    rf" (?P<role>[a-z]+) (?P<name>{_TEXT})(?: #(?P<nth>\d{{1,4}}))? on (?P<host>[^\s\"]+)"
)
_BY_REF = re.compile(
    rf"(?P<verb>click|check|uncheck|hover|(?P<given>type|select|press) (?P<value>{_TEXT}) "
    rf"(?:in|into|on))"
    r" (?P<ref>(?:f\d+)?e\d+)"
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

    @property
    def line(self) -> str:
        """The step in words that `read_exact` reads back as the same step."""
        if self.verb in {Verb.SCROLL, Verb.BACK}:
            return f"{self.verb} {self.value}".strip()
        value = (
            f" {_quoted(self.value)} in"
            if self.verb in {Verb.TYPE, Verb.CHOOSE, Verb.PRESS}
            else ""
        )
        which = f" #{self.nth}" if self.nth > 1 else ""
        return f"{self.verb}{value} {self.role} {_quoted(self.name)}{which} on {self.host}"


def read_exact(action: str) -> BrowserStep | None:
    """The step that an exact line names, or None for other words."""
    match = _EXACT.fullmatch(action.strip())
    if match is None:
        return None
    value, name = _plain(match["value"]), _plain(match["name"])
    if value is None or name is None:
        return None
    verb = Verb(match["given"] or match["verb"])
    return BrowserStep(verb, value, match["role"], name, int(match["nth"] or 1), match["host"])


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
    return step_on(node, Verb(match["given"] or match["verb"]), value, page, host)


def step_on(node: PageNode, verb: Verb, value: str, page: PageSnapshot, host: str) -> BrowserStep:
    """The step on an element of the page."""
    same = [one for one in page.elements() if (one.kind, one.label) == (node.kind, node.label)]
    nth = next((number for number, one in enumerate(same, 1) if one.ref == node.ref), 1)
    return BrowserStep(verb, value, node.kind, node.label, nth, host, node.ref)


def element_of(step: BrowserStep, page: PageSnapshot) -> PageNode | None:
    """The element that a step names by role, name and number, if the page has it."""
    same = [one for one in page.elements() if (one.kind, one.label) == (step.role, step.name)]
    return same[step.nth - 1] if 0 < step.nth <= len(same) else None


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _plain(quoted: str | None) -> str | None:
    if quoted is None:
        return ""
    try:
        return str(json.loads(quoted))
    except ValueError:
        return None
