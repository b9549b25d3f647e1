"""A question that a page asks in a dialog, and how an action answers it."""

import hashlib
import json
import re
from dataclasses import dataclass

_SAID_CHARS = 300
_TEXT = r'"(?:[^"\\]|\\.)*"'
_ACCEPT = re.compile(
    rf"(?:accept|confirm)(?: the)? dialog(?: with (?P<text>{_TEXT}))?(?: on (?P<host>[^\s\"]+))?"
)
_DISMISS = re.compile(r"(?:dismiss|cancel)(?: the)? dialog(?: on (?P<host>[^\s\"]+))?")


@dataclass(frozen=True)
class PageQuestion:
    """An open confirm or prompt dialog. Its page is frozen until somebody answers."""

    kind: str
    message: str
    url: str
    """Of the page."""

    @property
    def text(self) -> str:
        """For the model: what is asked, and how to answer."""
        text = ', or with text: accept the dialog with "…"' if self.kind == "prompt" else ""
        return (
            f"the page waits in a {self.kind} dialog: “{self.message}”. Answer with browser_act: "
            f"accept the dialog{text}, or: dismiss the dialog"
        )

    @property
    def fingerprint(self) -> str:
        """The facts that must not change before a yes."""
        same = json.dumps([self.kind, self.message, self.url])
        return hashlib.sha256(same.encode()).hexdigest()


def question_of(kind: str, message: str, url: str) -> PageQuestion:
    return PageQuestion(kind, " ".join(message.split())[:_SAID_CHARS], url)


@dataclass(frozen=True)
class DialogAnswer:
    """The answer to a dialog. `text` is for a prompt; None keeps the page's own default."""

    accept: bool
    text: str | None = None
    host: str = ""

    @property
    def line(self) -> str:
        """The answer in words that `read_answer` reads back as the same answer."""
        given = "" if self.text is None else f" with {json.dumps(self.text, ensure_ascii=False)}"
        return f"{'accept' if self.accept else 'dismiss'} dialog{given} on {self.host}"


def read_answer(action: str, host: str) -> DialogAnswer | None:
    """The answer that an action gives on the page of this host; None for other words."""
    words = action.strip().rstrip(".")
    if match := _DISMISS.fullmatch(words):
        return DialogAnswer(accept=False, host=match["host"] or host)
    match = _ACCEPT.fullmatch(words)
    if match is None:
        return None
    try:
        text = None if match["text"] is None else str(json.loads(match["text"]))
    except ValueError:
        return None
    return DialogAnswer(accept=True, text=text, host=match["host"] or host)
