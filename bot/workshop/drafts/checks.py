"""The audit of what is drafted: what would block it, and what its tool has to declare."""

import re
from collections.abc import Iterator

from bot.domain.tools import HttpImplementation, ShellImplementation, ToolDefinition
from bot.workshop.drafts.draft import Draft
from bot.workshop.review.audit import AuditedText, audit_texts
from bot.workshop.review.findings import Finding, Severity, blocking

_READING = frozenset({"GET", "HEAD"})
_DESTRUCTIVE = tuple(
    (re.compile(pattern, re.IGNORECASE), text)
    for pattern, text in (
        (
            r"\brm\s+(?:-{1,2}[\w-]+\s+)*-{1,2}(?:[a-z]*r|recursive)"
            r"[\w-]*\s+(?:-{1,2}[\w-]*\s+)*[\"']?(?:/|~|\$\{?HOME|\*|\.\.)",
            "deletes whole folders",
        ),
        (r"--no-preserve-root|\bfind\s+/\S*\s[^\n]{0,200}-delete\b", "deletes whole folders"),
        (r"\bmkfs(?:\.\w+)?\b|\bwipefs\b|\b(?:fdisk|parted|sfdisk)\s", "formats or divides disks"),
        (
            r"\bdd\b[^\n]{0,200}\bof=/dev/|>\s*/dev/(?:sd|nvme|vd|hd|disk)|\bshred\b",
            "overwrites disks",
        ),
        (
            r"(?:^|[;&|`(\s])(?:shutdown|reboot|halt|poweroff|init\s+[06])\b",
            "turns the machine off",
        ),
        (r":\s*\(\s*\)\s*\{[^\n]{0,40}:\s*\|\s*:", "starts processes without end"),
        (
            r"\bchmod\s+(?:-\w+\s+)*(?:a\+rwx|0?777)\s+/|\bchown\s+-R\s+\S+\s+/",
            "opens the whole machine",
        ),
        (r"(?:^|[;&|`(\s])(?:sudo|doas|pkexec|su\s+-)\b", "asks for another user's rights"),
        (r"\bkill(?:all)?\s+(?:-\w+\s+)*-1\b|\bkillall\b", "ends other programs"),
    )
)


def findings_of(draft: Draft) -> tuple[Finding, ...]:
    """The static audit of every file, and of its lines joined as a shell would join them."""
    texts = [(name, 1, text) for name, text in sorted(draft.files.items())]
    joined = [
        (name, 1, folded) for name, _, text in texts if (folded := text.replace("\\\n", "")) != text
    ]
    found = [
        found
        for some in (texts, joined)
        for found in audit_texts([AuditedText(*one) for one in some])
    ]
    for name, first, text in (*texts, *joined):
        if name.endswith(".sh"):
            found.extend(_destructive(name, first, text))
    return tuple(dict.fromkeys(found))


def _destructive(name: str, first: int, text: str) -> Iterator[Finding]:
    for number, line in enumerate(text.split("\n"), first):
        for pattern, says in _DESTRUCTIVE:
            if pattern.search(line[:4_000]):
                yield Finding(Severity.BLOCK, "destructive", name, number, says, line.strip()[:120])


def forbidden(draft: Draft) -> list[str]:
    """Findings that the audit would block, a sentence each."""
    return [
        f"{finding.file}, line {finding.line}: {finding.text}; leave it out"
        for finding in blocking(findings_of(draft))
    ]


def risky(definition: ToolDefinition) -> str | None:
    """The problem of a tool that writes outside without declaring it."""
    if definition.risk is not None:
        return None
    match definition.implementation:
        case HttpImplementation(method, free=False) if method.upper() not in _READING:
            return f"risk: {method} changes something elsewhere; say external-write or destructive"
        case ShellImplementation(network=True):
            return (
                "risk: a script with the network can send anything out; say external-write or "
                "destructive"
            )
        case _:
            return None
