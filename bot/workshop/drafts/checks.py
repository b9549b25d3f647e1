"""What a draft has to pass: it is read as it would be when it is live, and audited."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from bot.domain.access import Access, Person, Role
from bot.domain.tools import HttpImplementation, ShellImplementation, ToolDefinition
from bot.errors import DefinitionError, ToolError, raised_as
from bot.skills.manifests import parse_manifest
from bot.skills.play_file import PLAY_FILE, Play, parse_play
from bot.skills.skill_file import FILE_BYTES, SKILL_FILE, parse_skill_file
from bot.tools.definitions.definition import parse_tool_file
from bot.workshop.drafts.draft import Draft, DraftKind
from bot.workshop.review.audit import AuditedText, audit_texts
from bot.workshop.review.findings import Finding, Severity, blocking

_SCRIPT_BYTES = 64 * 1024
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


def roles_of(text: str, person: Person) -> Access:
    """Roles that were named one by one.

    Raises ToolError for all, for Banned, and for more than the person has.
    """
    with raised_as(ToolError, ValueError, about="access"):
        access = Access.parse(text)
    if not access.roles:
        raise ToolError(
            "access: name the roles that need it, such as MasterAdmin or Partner+; `all` is no "
            "answer here"
        )
    if Role.BANNED in access.roles:
        raise ToolError("access: Banned can't be given anything; name other roles")
    beyond = sorted(role for role in access.roles if role.rank > person.role.rank)
    if beyond or not access.allows(person.role):
        raise ToolError(
            f"access: {text[:80]!r} is not what a {person.role} can give; name {person.role} "
            f"or {person.role}+"
        )
    return access


def read_tool(draft: Draft, where: Path | None = None) -> ToolDefinition:
    """The definition in a draft; `where`: folder of its script.

    Raises ToolError when it is not what it should be.
    """
    path = (where or Path("drafts")) / draft.main_file
    with raised_as(ToolError, DefinitionError, about="the draft can't be a tool"):
        definition = parse_tool_file(draft.files[draft.main_file], path=path, folder=draft.folder)
    if (
        definition.name != draft.name
        or definition.access.describe() != draft.roles
        or definition.aliases
    ):
        raise ToolError(
            "the draft would be read as something else than it says; leave headings out of its "
            "texts"
        )
    match definition.implementation:
        case ShellImplementation(script):
            if draft.script is None or script.name != draft.script:
                raise ToolError(
                    f"implementation: a script is `shell: {draft.name}.sh`, and `script` holds its "
                    "text"
                )
        case HttpImplementation():
            if draft.script is not None:
                raise ToolError("script: a tool that is a request has none; leave it out")
        case _:
            raise ToolError(
                f"implementation: use `shell: {draft.name}.sh` or `http: METHOD url`; nothing else"
            )
    return definition


def check_readable(draft: Draft) -> None:
    """Parse the draft as it would be parsed when live. Raises ToolError, naming the line."""
    for name, text in draft.files.items():
        try:
            size = len(text.encode())
        except UnicodeEncodeError:
            raise ToolError(
                f"{name} holds characters that are not valid Unicode; remove them"
            ) from None
        if size > (_SCRIPT_BYTES if name.endswith(".sh") else FILE_BYTES):
            raise ToolError(f"{name} has {size:,} bytes, which is too much; make it smaller")
    main = draft.main_file
    with raised_as(ToolError, DefinitionError, about=f"the draft can't be a {draft.kind}"):
        match draft.kind:
            case DraftKind.TOOL:
                read_tool(draft)
            case DraftKind.SKILL:
                parse_skill_file(draft.files[main].encode(), Path(draft.name) / SKILL_FILE)
            case DraftKind.MANIFEST:
                parse_manifest(Path(main), draft.files[main])


def play_problems(draft: Draft, is_tool: Callable[[str], bool]) -> Iterator[str]:
    """What speaks against the play of a draft; nothing where it has none."""
    if (text := draft.files.get(PLAY_FILE)) is None:
        return
    try:
        play = parse_play(text, PLAY_FILE)
    except DefinitionError as error:
        yield f"play: {error}"
        return
    for name in _called(play):
        if not is_tool(name):
            yield f"play: there is no tool {name}; name the calls that were really made"
    answer = "\n".join(reply.say for reply in play.replies).casefold()
    for wanted in play.result.has:
        if wanted.casefold() not in answer:
            yield f"play: {wanted!r} is not in the answer; `has` names what every good one holds"
    if not play.result.has:
        yield "play: say in `has` what every good answer holds"


def _called(play: Play) -> list[str]:
    calls = [one.call for reply in play.replies for one in reply.all_calls]
    return list(dict.fromkeys(calls))


# --- the audit ---


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
