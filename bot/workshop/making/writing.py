"""Writes a draft's files from the agent's words, and reads them back to compare.

The play of a drafted skill is written from the conversation that the skill comes from, and read
like any other play. `bellhop skills check` plays it once the skill is live.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import yaml

from bot.domain.access import Access, Person, Role
from bot.domain.json_types import JsonObject
from bot.domain.tools import HttpImplementation, ShellImplementation, ToolDefinition
from bot.errors import DefinitionError, ToolError
from bot.skills.front_matter import EXAMPLE_CHARS
from bot.skills.manifests import parse_manifest
from bot.skills.play_file import PLAY_FILE, Play, parse_play
from bot.skills.skill_file import DESCRIPTION_CHARS, FILE_BYTES, SKILL_FILE, parse_skill_file
from bot.tools.definitions.definition import parse_tool_file
from bot.workshop.importing.rendering import one_line, plain_line
from bot.workshop.making.draft import Draft, Kind, main_file

SCRIPT_BYTES = 64 * 1024


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


def tool_text(
    name: str,
    description: str,
    parameters: JsonObject,
    access: Access,
    risk: str | None,
    implementation: str,
) -> str:
    """A tool file: who may use it comes first, so that no text below can hide it."""
    described = "\n".join(plain_line(line) for line in description.splitlines()).strip()
    parts = [
        f"# {name}",
        f"## Access\n{access.describe()}",
        *([f"## Risk\n{risk}"] if risk else []),
        f"## Description\n{described}",
        f"## Parameters\n{json.dumps(parameters, indent=2)}",
        f"## Implementation\n{implementation.strip()}",
    ]
    return "\n\n".join(parts) + "\n"


def read_tool(draft: Draft, where: Path | None = None) -> ToolDefinition:
    """The definition in a draft; `where`: folder of its script.

    Raises ToolError when it is not what it should be.
    """
    path = (where or Path("drafts")) / draft.tool_file
    try:
        definition = parse_tool_file(draft.files[draft.tool_file], path=path, folder=draft.folder)
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


def skill_text(  # noqa: PLR0913 - the keys of its front matter
    name: str,
    description: str,
    body: str,
    access: Access,
    command: str | None,
    *,
    auto: bool,
    words: Sequence[str] = (),
    example: str = "",
) -> str:
    """A SKILL.md."""
    told = one_line(example, EXAMPLE_CHARS)
    front = [
        f"name: {name}",
        f"description: {json.dumps(one_line(description, DESCRIPTION_CHARS), ensure_ascii=False)}",
        f"roles: {access.describe()}",
        *([f"command: {command}"] if command else []),
        *([] if auto else ["auto_invoke: false"]),
        *([f"example: {json.dumps(told, ensure_ascii=False)}"] if told else []),
        *([f"words: {json.dumps(list(words), ensure_ascii=False)}"] if words else []),
    ]
    return "\n".join(["---", *front, "---", "", body.strip(), ""])


def manifest_text(name: str, description: str, given: JsonObject, access: Access) -> str:
    """A manifest with the id, description and roles that were given beside it."""
    value = {
        **given,
        "skill_id": name,
        "description": one_line(description, 500),
        "access": access.describe(),
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def check_readable(draft: Draft) -> None:
    """Parse the draft as it would be parsed when live. Raises ToolError, naming the line."""
    for name, text in draft.files.items():
        try:
            size = len(text.encode())
        except UnicodeEncodeError:
            raise ToolError(
                f"{name} holds characters that are not valid Unicode; remove them"
            ) from None
        if size > (SCRIPT_BYTES if name.endswith(".sh") else FILE_BYTES):
            raise ToolError(f"{name} has {size:,} bytes, which is too much; make it smaller")
    main = main_file(draft.kind, draft.name)
    try:
        match draft.kind:
            case Kind.TOOL:
                read_tool(draft)
            case Kind.SKILL:
                parse_skill_file(draft.files[main].encode(), Path(draft.name) / SKILL_FILE)
            case Kind.MANIFEST:
                parse_manifest(Path(main), draft.files[main])
    except DefinitionError as error:
        raise ToolError(f"the draft can't be a {draft.kind}: {error}") from None


def play_text(
    asked: str, calls: Sequence[tuple[str, JsonObject]], answer: str, has: Sequence[str]
) -> str:
    """A play of one request: the calls that were made for it, and the answer that was liked."""
    replies: list[JsonObject] = [{"call": name, "with": given} for name, given in calls]
    play = {
        "asked": asked,
        "replies": [*replies, {"say": answer}],
        "result": {"has": list(has), "calls": list(dict.fromkeys(name for name, _ in calls))},
    }
    return yaml.safe_dump(play, allow_unicode=True, sort_keys=False, width=100)


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
