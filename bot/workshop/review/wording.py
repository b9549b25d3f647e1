"""Imports in words, for a terminal and for a chat."""

from collections.abc import Iterator, Mapping, Sequence

from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.skills.names import command_name
from bot.skills.playbooks import Playbook
from bot.workshop.review.finding_words import SEVERITY, finding_text
from bot.workshop.review.findings import Finding, ImportedItem, ImportReport, Severity, shown
from bot.workshop.review.provenance import ImportProvenance

_STATUS: Mapping[str, Phrase] = {
    "staged": Phrase("staged"),
    "unchanged": Phrase("unchanged"),
    "refused": Phrase("refused"),
    "would be staged": Phrase("would be staged"),
}
TOOLS_WAIT = Phrase("tools: {tools} (they wait with it; nothing runs them until you write how)")
FOR_ROLES = Phrase("for: {roles}")
LIVE_STAYS = Phrase("the version that is live stays until this one is approved")
AND_MORE = CountedPhrase(Phrase("… and {count} more", context="one"), Phrase("… and {count} more"))

_ORDER = (Severity.BLOCK, Severity.WARN, Severity.INFO)


def report_text(
    report: ImportReport, *, most: int = 1_000, language: Language = Language.EN
) -> str:
    """What was found and done, one skill after the other; at most `most` findings of each."""
    where = shown(report.source, 300)
    if report.commit:
        where = Phrase("{source} at commit {commit}").said(
            language, source=where, commit=report.commit
        )
    then = Phrase("; nothing was written").said(language) if report.dry_run else ""
    lines = [
        CountedPhrase(
            Phrase("{source}: {count} skill found{then}."),
            Phrase("{source}: {count} skills found{then}."),
        ).said(language, len(report.items), source=where, then=then)
    ]
    for item in report.items:
        lines += ["", *_item(item, language), *finding_lines(item.findings, most, language)]
    told = {finding for item in report.items for finding in item.findings}
    if rest := [finding for finding in report.findings if finding not in told]:
        whole = Phrase("Of the source as a whole:").said(language)
        lines += ["", whole, *finding_lines(rest, most, language)]
    return "\n".join(lines)


def _item(item: ImportedItem, language: Language) -> Iterator[str]:
    other = item.given_name != item.name
    given = Phrase(" (given as {name})").said(language, name=repr(item.given_name)) if other else ""
    yield CountedPhrase(
        Phrase("{name}{given}: {status}, from {file} ({format}), {count} file"),
        Phrase("{name}{given}: {status}, from {file} ({format}), {count} files"),
    ).said(
        language,
        item.files,
        name=item.name,
        given=given,
        status=_STATUS[item.status].said(language),
        file=item.file,
        format=item.format,
    )
    if item.tools:
        yield f"  {TOOLS_WAIT.said(language, tools=', '.join(item.tools))}"
    if item.roles:
        yield f"  {FOR_ROLES.said(language, roles=item.roles)}"
    if item.updates_live and item.status != "unchanged":
        yield f"  {LIVE_STAYS.said(language)}"


def finding_lines(
    findings: Sequence[Finding], most: int = 1_000, language: Language = Language.EN
) -> list[str]:
    """Findings, the gravest first; what is beyond `most` is counted."""
    ordered = sorted(findings, key=lambda finding: _ORDER.index(finding.severity))
    lines = [f"  {finding_text(finding, language)}" for finding in ordered[:most]]
    rest = len(ordered) - most
    return [*lines, f"  {AND_MORE.said(language, rest)}"] if rest > 0 else lines


def staged_text(staged: Sequence[ImportProvenance], language: Language = Language.EN) -> str:
    """What waits for a decision, a line each."""
    if not staged:
        return Phrase("Nothing is staged.").said(language)
    return "\n".join(staged_line(one, language) for one in staged)


def staged_line(one: ImportProvenance, language: Language = Language.EN) -> str:
    counts = ", ".join(
        f"{count} {SEVERITY[severity].said(language)}"
        for severity in _ORDER
        if (count := sum(finding.severity is severity for finding in one.findings))
    )
    said = Phrase("{name} ({format}, for {roles}) from {source}: {counts}").said(
        language,
        name=one.name,
        format=one.format,
        roles=one.roles,
        source=shown(one.source, 120),
        counts=counts or Phrase("no findings").said(language),
    )
    content = Phrase("content {content}").said(language, content=one.content)
    return f"{said}\n  {content}" if one.made else said


def approved_text(one: ImportProvenance, language: Language = Language.EN) -> str:
    """The result of an approval."""
    live = Phrase("{name} is live for {roles}.").said(language, name=one.name, roles=one.roles)
    if one.made and (one.tools or one.manifest):
        where = f"prompts/tools/{one.folder}" if one.tools else "skills"
        return Phrase("{name} is live for {roles}, in {where}.").said(
            language, name=one.name, roles=one.roles, where=where
        )
    approved = Phrase("{name} was approved.").said(language, name=one.name)
    parts = [live if "SKILL.md" in one.files else approved]
    if one.command:
        parts.append(Phrase("Its slash command is /{command}.").said(language, command=one.command))
    if one.tools:
        parts.append(
            Phrase(
                "Tools in prompts/tools/shared: {names}; write ## Implementation or a script "
                "beside each to run it."
            ).said(language, names=", ".join(one.tools))
        )
    return " ".join(parts)


def promoted_text(playbook: Playbook, done: bool, language: Language = Language.EN) -> str:
    """The result of a promotion."""
    if not done:
        return Phrase("{name} was promoted already; nothing was changed.").said(
            language, name=playbook.slug
        )
    return Phrase("{name} is live: /{command} runs it, with {tools} and no other tool.").said(
        language,
        name=playbook.slug,
        command=command_name(playbook.slug),
        tools=", ".join(playbook.tools),
    )
