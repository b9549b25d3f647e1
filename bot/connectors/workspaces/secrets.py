"""Finds secrets in a project's files: known tokens, private keys, passwords in settings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SHAPES = (
    ("private key", re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----")),
    ("access key of a cloud", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    (
        "token of a code host",
        re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,}|glpat-[\w-]{20,})"),
    ),
    (
        "token of a chat platform",
        re.compile(r"\bxox[abeprs]-[\w-]{10,}|\b[MN][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}"),
    ),
    ("key of a model provider", re.compile(r"\bsk-[\w-]{20,}")),
    ("payment key", re.compile(r"\b[rs]k_live_\w{16,}")),
    ("signed web token", re.compile(r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}")),
    (
        "password in an address",
        re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@\"'<>]{1,64}:([^\s/@\"'<>{}$]{4,128})@"),
    ),
    (
        "password in settings",
        re.compile(
            r"(?i)\b[\w.-]{0,40}(?:password|passwd|secret|token|api[_-]?key)"
            r"[\"']?\s{0,4}[:=]\s{0,4}"
            r"[\"']?([^\s\"'#,;{}$<>]{8,200})"
        ),
    ),
)
_PLACEHOLDER = re.compile(
    r"(?i)^(?:x+|\*+|\.+|change.?me.*|your.*|example.*|placeholder.*|none|null|true|false|todo.*"
    r"|os\.|process\.|env\b.*)"
)
_LINE_CHARS = 4_000


@dataclass(frozen=True)
class SecretFinding:
    """The position of a secret; never the secret itself."""

    path: str
    line: int
    kind: str


def secrets_in(path: str, text: str) -> Iterator[SecretFinding]:
    """One finding per line and kind; the first matching kind counts."""
    for number, line in enumerate(text.split("\n"), 1):
        part = line[:_LINE_CHARS]
        for kind, pattern in _SHAPES:
            match = pattern.search(part)
            if match and not (match.groups() and _PLACEHOLDER.match(match[1])):
                yield SecretFinding(path, number, kind)
                break
