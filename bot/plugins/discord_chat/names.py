"""Bellhop's own ids in Discord's fields: nonces, refs, interaction tokens."""

import hashlib
from dataclasses import dataclass

from bot.plugin.chat import draft_key

NONCE_CHARS = 25
"""Discord's limit."""
DRAFTS = 16
"""The number of drafts of a turn with names: a question and a message on the way begin new ones."""


def nonce(key: str) -> str:
    """Always the same for a key: Discord returns the first message if a nonce repeats."""
    return hashlib.sha256(key.encode()).hexdigest()[:NONCE_CHARS]


def draft_nonce(key: str, number: int = 0) -> str:
    """The nonce of a draft; `key` is that of the send that replaces the draft, or its turn's."""
    return nonce(f"draft:{draft_key(key)}:{number}")


@dataclass(frozen=True)
class Root:
    """A message that a thread can be started from: the form of `ReplyTarget.start_thread_from`."""

    channel: str
    message: str

    def __str__(self) -> str:
        return f"{self.channel}/{self.message}"

    @staticmethod
    def parse(text: str) -> "Root":
        channel, _, message = text.partition("/")
        return Root(channel, message)


FORM_FILES = "form:"
"""Begins what stands in the place of a message for files that a form took: no message has them."""


@dataclass(frozen=True)
class FileRef:
    """The position of a file: the form of `Attachment.ref`."""

    channel: str
    message: str
    file: str

    def __str__(self) -> str:
        return f"{self.channel}/{self.message}/{self.file}"

    @staticmethod
    def parse(text: str) -> "FileRef":
        """Raises ValueError for a target outside Discord."""
        parts = text.split("/")
        if len(parts) != 3:
            raise ValueError(f"{text!r} is no file of Discord")
        return FileRef(*parts)


@dataclass(frozen=True)
class ReplyToken:
    """An interaction's token; `own_response` means that a deferred answer has to be filled in."""

    token: str
    own_response: bool

    def __str__(self) -> str:
        return f"{'response' if self.own_response else 'follow-up'}|{self.token}"

    @staticmethod
    def parse(text: str) -> "ReplyToken":
        kind, _, token = text.partition("|")
        return ReplyToken(token, kind == "response")
