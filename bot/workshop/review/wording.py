"""Imports in words, for a terminal and for a chat."""

from collections.abc import Iterator, Sequence

from bot.domain.languages import Language
from bot.skills.names import command_name
from bot.skills.playbooks import Playbook
from bot.workshop.review import desk_words as words
from bot.workshop.review.finding_words import finding_text
from bot.workshop.review.findings import Finding, Severity, shown
from bot.workshop.review.provenance import ImportProvenance
from bot.workshop.review.report import ImportedItem, ImportReport

_ORDER = (Severity.BLOCK, Severity.WARN, Severity.INFO)


def report_text(
    report: ImportReport, *, most: int = 1_000, language: Language = Language.EN
) -> str:
    """What was found and done, one skill after the other; at most `most` findings of each."""
    where = shown(report.source, 300)
    if report.commit:
        where = words.AT_COMMIT.said(language, source=where, commit=report.commit)
    then = words.NOTHING_WRITTEN.said(language) if report.dry_run else ""
    lines = [words.FOUND.said(language, len(report.items), source=where, then=then)]
    for item in report.items:
        lines += ["", *_item(item, language), *finding_lines(item.findings, most, language)]
    told = {finding for item in report.items for finding in item.findings}
    if rest := [finding for finding in report.findings if finding not in told]:
        whole = words.OF_THE_WHOLE.said(language)
        lines += ["", whole, *finding_lines(rest, most, language)]
    return "\n".join(lines)


def _item(item: ImportedItem, language: Language) -> Iterator[str]:
    other = item.given_name != item.name
    given = words.GIVEN_AS.said(language, name=repr(item.given_name)) if other else ""
    yield words.ITEM.said(
        language,
        item.files,
        name=item.name,
        given=given,
        status=words.STATUS[item.status].said(language),
        file=item.file,
        format=item.format,
    )
    if item.tools:
        yield f"  {words.TOOLS_WAIT.said(language, tools=', '.join(item.tools))}"
    if item.roles:
        yield f"  {words.FOR_ROLES.said(language, roles=item.roles)}"
    if item.updates_live and item.status != "unchanged":
        yield f"  {words.LIVE_STAYS.said(language)}"


def finding_lines(
    findings: Sequence[Finding], most: int = 1_000, language: Language = Language.EN
) -> list[str]:
    """Findings, the gravest first; what is beyond `most` is counted."""
    ordered = sorted(findings, key=lambda finding: _ORDER.index(finding.severity))
    lines = [f"  {finding_text(finding, language)}" for finding in ordered[:most]]
    rest = len(ordered) - most
    return [*lines, f"  {words.AND_MORE.said(language, rest)}"] if rest > 0 else lines


def staged_text(staged: Sequence[ImportProvenance], language: Language = Language.EN) -> str:
    """What waits for a decision, a line each."""
    if not staged:
        return words.NOTHING_STAGED.said(language)
    return "\n".join(staged_line(one, language) for one in staged)


def staged_line(one: ImportProvenance, language: Language = Language.EN) -> str:
    counts = ", ".join(
        f"{count} {words.SEVERITY[severity].said(language)}"
        for severity in _ORDER
        if (count := sum(finding.severity is severity for finding in one.findings))
    )
    said = words.STAGED.said(
        language,
        name=one.name,
        format=one.format,
        roles=one.roles,
        source=shown(one.source, 120),
        counts=counts or words.NO_FINDINGS.said(language),
    )
    content = words.CONTENT.said(language, content=one.content)
    return f"{said}\n  {content}" if one.made else said


def approved_text(one: ImportProvenance, language: Language = Language.EN) -> str:
    """The result of an approval."""
    live = words.LIVE.said(language, name=one.name, roles=one.roles)
    if one.made and (one.tools or one.manifest):
        where = f"prompts/tools/{one.folder}" if one.tools else "skills"
        return words.LIVE_IN.said(language, name=one.name, roles=one.roles, where=where)
    approved = words.APPROVED.said(language, name=one.name)
    parts = [live if "SKILL.md" in one.files else approved]
    if one.command:
        parts.append(words.ITS_COMMAND.said(language, command=one.command))
    if one.tools:
        parts.append(words.TOOLS_IN.said(language, names=", ".join(one.tools)))
    return " ".join(parts)


def promoted_text(playbook: Playbook, done: bool, language: Language = Language.EN) -> str:
    """The result of a promotion."""
    if not done:
        return words.PROMOTED_ALREADY.said(language, name=playbook.slug)
    return words.PROMOTED.said(
        language,
        name=playbook.slug,
        command=command_name(playbook.slug),
        tools=", ".join(playbook.tools),
    )
