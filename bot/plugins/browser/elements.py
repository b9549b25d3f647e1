"""What an element is in its document, and whether a step on it writes."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from bot.plugins.browser.snapshot import PageNode
from bot.plugins.browser.steps import KEYS, BrowserStep, Verb, read_keys

_WRITES_FIRST = frozenset(
    [
        "accept",
        "agree",
        "apply",
        "approve",
        "authorize",
        "authorise",
        "book",
        "buy",
        "cancel",
        "checkout",
        "confirm",
        "delete",
        "donate",
        "order",
        "pay",
        "post",
        "publish",
        "purchase",
        "remove",
        "reserve",
        "revoke",
        "save",
        "send",
        "share",
        "submit",
        "subscribe",
        "transfer",
        "unsubscribe",
        "upload",
        "vote",
        "withdraw",
        "logout",
    ]
)
_WRITES = frozenset(
    [
        "absenden",
        "abschicken",
        "bestellen",
        "bezahlen",
        "buchen",
        "kaufen",
        "kündigen",
        "löschen",
        "senden",
        "veröffentlichen",
        "überweisen",
    ]
)
_WRITING_PATH = re.compile(
    r"(?:^|[/?&=_.-])(?:delete|remove|destroy|logout|signout|unsubscribe|checkout|purchase"
    r"|transfer|confirm|approve)"
    r"(?:$|[/?&=_.-])",
    re.IGNORECASE,
)
_SOFT = frozenset({"accept", "agree", "apply", "cancel", "remove", "save"})
"""Alone on a button outside forms, they mostly change only what is shown: the network decides."""
_QUIET_KEYS = KEYS - {"Enter", "Space"}
_NETWORK_DECIDES = frozenset(
    {
        Verb.HOVER,
        Verb.SCROLL,
        Verb.BACK,
        Verb.TYPE,
        Verb.CHECK,
        Verb.UNCHECK,
        Verb.CHOOSE,
        Verb.DRAG,
        Verb.UPLOAD,
    }
)


class ElementFacts(BaseModel):
    """The facts that the document gives about an element."""

    model_config = ConfigDict(frozen=True)

    tag: str = ""
    type: str = ""
    role: str = ""
    editable: bool = False
    boxed: bool = True
    disabled: bool = False
    host: str = ""
    """Of its frame."""
    href: str = ""
    scripted: bool = False
    submits: bool = False
    method: str = ""
    action: str = ""
    password: bool = False
    fields: list[tuple[str, str, str]] = Field(default_factory=list[tuple[str, str, str]])

    @property
    def sent(self) -> str:
        """The values that its form would send, for the deciding person; passwords are not shown."""
        told = [
            f"{name}={'(hidden)' if kind == 'password' else value[:60]}"
            for name, kind, value in self.fields
            if value
        ]
        return ", ".join(told)[:300]


@dataclass(frozen=True)
class StepEffect:
    """The effect of a step. `writes` says why it needs a yes; empty if it only reads."""

    writes: str = ""
    link: bool = False
    """Whether it follows a link."""


READS = StepEffect()


def effect_of(step: BrowserStep, node: PageNode | None, facts: ElementFacts) -> StepEffect:
    """Judge a step before it is done. The network still blocks a write that is misjudged here."""
    if node is None or step.verb in _NETWORK_DECIDES:
        return READS
    if step.verb is Verb.PRESS:
        return READS if read_keys(step.value)[0] in _QUIET_KEYS else _pressed(node, facts)
    return _clicked(node, facts)


def _pressed(node: PageNode, facts: ElementFacts) -> StepEffect:
    if node.method in {"type", "select"}:
        return READS if _only_searches(node, facts) else StepEffect("submits a form")
    return _clicked(node, facts)


def _clicked(node: PageNode, facts: ElementFacts) -> StepEffect:
    if facts.type == "file":
        return StepEffect("uploads a file")
    if facts.submits:
        return READS if _only_searches(node, facts) else StepEffect("submits a form")
    if facts.href:
        return _followed(node, facts)
    if node.method != "click" or node.role in {"tab", "treeitem"}:
        return READS
    words = node.label.casefold().split()
    if not _writing(node.label) or (len(words) == 1 and words[0] in _SOFT):
        return READS
    return StepEffect("presses a button")


def _followed(node: PageNode, facts: ElementFacts) -> StepEffect:
    parts = urlsplit(facts.href)
    if parts.scheme not in {"http", "https"}:
        return StepEffect("presses a link that runs a script")
    if facts.scripted or _writing(node.label) or asks_to_write(facts.href):
        return StepEffect("follows a link that does something")
    return StepEffect(link=True)


def _only_searches(node: PageNode, facts: ElementFacts) -> bool:
    return (
        facts.method == "get"
        and not facts.password
        and not _writing(node.label)
        and bool(facts.action)
    )


def _writing(label: str) -> bool:
    words = re.findall(r"\w+", label.casefold())
    return bool(words) and (
        words[0] in _WRITES_FIRST or bool(_WRITES & set(words)) or words[:2] == ["log", "out"]
    )


def asks_to_write(url: str) -> bool:
    """Whether the address of a GET speaks of deleting, paying, logging out and the like."""
    parts = urlsplit(url)
    return bool(_WRITING_PATH.search(f"{parts.path}?{parts.query}"))
