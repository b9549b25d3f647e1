"""Other spellings of an argument's value, which restricting rules also check.

`Eve <eve@attack.example.>`, `mailto:eve@attack.example` and `(x) EVE@attack.example` reach the same
mailbox. So a denial of `*@attack.example` has to fit them all.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

from bot.tools.definitions.targets import read_email, read_host, read_url

_APART = re.compile(r"[\s,;<>()\[\]{}\"'`|\\]+")
_COMMENT = re.compile(r"\([^()]*\)")
_SCHEME = re.compile(r"(?:mailto|tel|sip|sips|xmpp):(?://)?", re.IGNORECASE)
_LITERAL = re.compile(r"@\[([^\[\]]*)\]")
MOST_CHARS = 20_000
"""Longer values are checked as they are, and by this many first characters."""


@lru_cache(maxsize=256)
def spellings(value: str) -> tuple[str, ...]:
    """Other readings of a value: its parts, decoded, undecorated, normalised by kind."""
    plain = _plain(value[:MOST_CHARS])
    found: dict[str, None] = {}
    for text in (plain, _plain(unquote(plain)), _LITERAL.sub(r"@\1", plain)):
        for whole in (
            text,
            _COMMENT.sub("", text),
            re.sub(r"\s*([@.])\s*", r"\1", _COMMENT.sub("", text)),
        ):
            found |= dict.fromkeys((whole.strip(), *_parts(whole)))
    found.pop(value, None)
    return tuple(one for one in found if one)


def _parts(text: str) -> Iterator[str]:
    for piece in _APART.split(text):
        bare = _SCHEME.sub("", piece).rstrip(".:!?").lstrip(".:")
        for one in dict.fromkeys((piece, bare, bare.partition("?")[0].rstrip("."))):
            yield one
            yield one.lower()
            yield from (read for read in (read_email(one), read_url(one)) if read)
            if "@" in one:
                local, _, domain = one.rpartition("@")
                for host in (read_host(domain), _unicode_host(domain)):
                    yield f"{local}@{host}" if host else ""
            elif "." in one:
                yield read_host(one) or ""
                yield _unicode_host(one)


def _plain(text: str) -> str:
    """Without characters that can't be seen, letters of other widths as the usual ones."""
    folded = unicodedata.normalize("NFKC", text)
    return "".join(
        char
        for char in folded
        if unicodedata.category(char) not in {"Cf", "Cc"} or char in "\t\n\r"
    )


def _unicode_host(domain: str) -> str:
    """A host in the letters that people write it in; empty when it has no such form."""
    labels: list[str] = []
    for label in domain.rstrip(".").lower().split("."):
        try:
            labels.append(
                label[4:].encode("ascii").decode("punycode") if label.startswith("xn--") else label
            )
        except (UnicodeError, ValueError):
            return ""
    return ".".join(labels)
