"""Imports in words, for a terminal and for a chat."""

from collections.abc import Sequence

from bot.skills.names import command_name
from bot.skills.playbooks import Playbook
from bot.workshop.importing.findings import Finding, Severity, shown
from bot.workshop.importing.provenance import ImportProvenance
from bot.workshop.importing.report import ImportedItem, ImportReport

_ORDER = (Severity.BLOCK, Severity.WARN, Severity.INFO)


def report_text(report: ImportReport, *, most: int = 1_000) -> str:
    """What was found and done, one skill after the other; at most `most` findings of each."""
    where = (
        f"{shown(report.source, 300)} at commit {report.commit}"
        if report.commit
        else shown(report.source, 300)
    )
    lines = [
        (
            f"{where}: {_count(len(report.items), 'skill')} "
            f"found{'; nothing was written' if report.dry_run else ''}."
        )
    ]
    for item in report.items:
        lines += ["", *_item(item), *finding_lines(item.findings, most)]
    told = {finding for item in report.items for finding in item.findings}
    if rest := [finding for finding in report.findings if finding not in told]:
        lines += ["", "Of the source as a whole:", *finding_lines(rest, most)]
    return "\n".join(lines)


def _item(item: ImportedItem) -> list[str]:
    named = "" if item.given_name == item.name else f" (given as {item.given_name!r})"
    lines = [
        (
            f"{item.name}{named}: {item.status}, from {item.file} ({item.format}), "
            f"{_count(item.files, 'file')}"
        )
    ]
    if item.tools:
        lines.append(
            f"  tools: {', '.join(item.tools)} (they wait with it; nothing runs them until you "
            "write how)"
        )
    if item.roles:
        lines.append(f"  for: {item.roles}")
    if item.updates_live and item.status != "unchanged":
        lines.append("  the version that is live stays until this one is approved")
    return lines


def finding_lines(findings: Sequence[Finding], most: int = 1_000) -> list[str]:
    """Findings, the gravest first; what is beyond `most` is counted."""
    ordered = sorted(findings, key=lambda finding: _ORDER.index(finding.severity))
    lines = [f"  {finding}" for finding in ordered[:most]]
    return [*lines, f"  … and {len(ordered) - most} more"] if len(ordered) > most else lines


def staged_text(staged: Sequence[ImportProvenance]) -> str:
    """What waits for a decision, a line each."""
    if not staged:
        return "Nothing is staged."
    return "\n".join(staged_line(one) for one in staged)


def staged_line(one: ImportProvenance) -> str:
    counts = ", ".join(
        f"{count} {severity}"
        for severity in _ORDER
        if (count := sum(finding.severity is severity for finding in one.findings))
    )
    said = (
        f"{one.name} ({one.format}, for {one.roles}) from {shown(one.source, 120)}: "
        f"{counts or 'no findings'}"
    )
    return f"{said}\n  content {one.content}" if one.made else said


def approved_text(one: ImportProvenance) -> str:
    """The result of an approval."""
    if one.made and (one.tools or one.manifest):
        where = f"prompts/tools/{one.folder}" if one.tools else "skills"
        return f"{one.name} is live for {one.roles}, in {where}."
    parts = [
        f"{one.name} is live for {one.roles}."
        if "SKILL.md" in one.files
        else f"{one.name} was approved."
    ]
    if one.command:
        parts.append(f"Its slash command is /{one.command}.")
    if one.tools:
        names = ", ".join(one.tools)
        parts.append(
            f"Tools in prompts/tools/shared: {names}; write ## Implementation or a script beside "
            "each to run it."
        )
    return " ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def promoted_text(playbook: Playbook, done: bool) -> str:
    """The result of a promotion."""
    if not done:
        return f"{playbook.slug} was promoted already; nothing was changed."
    command = command_name(playbook.slug)
    return (
        f"{playbook.slug} is live: /{command} runs it, with {', '.join(playbook.tools)} and no "
        "other tool."
    )
