"""Reads what is drafted as it would be read when it is live."""

from collections.abc import Callable, Iterator
from pathlib import Path

from bot.domain.access import Access, Person, Role
from bot.domain.tools import HttpImplementation, ShellImplementation, ToolDefinition
from bot.errors import DefinitionError, ToolError
from bot.skills.manifests import parse_manifest
from bot.skills.play_file import PLAY_FILE, Play, parse_play
from bot.skills.skill_file import FILE_BYTES, SKILL_FILE, parse_skill_file
from bot.tools.definitions.definition import parse_tool_file
from bot.workshop.drafts.draft import Draft, DraftKind

_SCRIPT_BYTES = 64 * 1024


def roles_of(text: str, person: Person) -> Access:
    """Roles that were named one by one.

    Raises ToolError for all, for Banned, and for more than the person has.
    """
    try:
        access = Access.parse(text)
    except ValueError as error:
        raise ToolError(f"access: {error}") from None
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
    try:
        definition = parse_tool_file(draft.files[draft.main_file], path=path, folder=draft.folder)
    except DefinitionError as error:
        raise ToolError(f"the draft can't be a tool: {error}") from None
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
    try:
        match draft.kind:
            case DraftKind.TOOL:
                read_tool(draft)
            case DraftKind.SKILL:
                parse_skill_file(draft.files[main].encode(), Path(draft.name) / SKILL_FILE)
            case DraftKind.MANIFEST:
                parse_manifest(Path(main), draft.files[main])
    except DefinitionError as error:
        raise ToolError(f"the draft can't be a {draft.kind}: {error}") from None


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
