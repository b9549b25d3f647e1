"""The catalogue of a system prompt: a line for each tool and agent, one for a whole server."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.domain.json_types import JsonObject
from bot.domain.tools import ONE_LINER_CHARS, McpImplementation, ToolDefinition
from bot.llm.blocks import as_object, as_values

_CHARS_PER_TOKEN = 4
_ARGUMENTS_CHARS = 60
_VALUES_CHARS = 25
_OPTIONAL_SHOWN = 3


@dataclass(frozen=True)
class Catalogue:
    """One-liners for the system prompt, and how many tools only a search finds."""

    text: str
    shown: int
    hidden: int


def catalogue_of(listed: Sequence[ToolDefinition], tokens: int) -> Catalogue:
    """As many lines as fit (characters / 4)."""
    left = tokens * _CHARS_PER_TOKEN
    lines: list[str] = []
    shown = 0
    for line, count in _catalogue_lines(listed):
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
        shown += count
    return Catalogue("\n".join(lines), shown, len(listed) - shown)


def prefix_of(tool: ToolDefinition) -> str | None:
    """The prefix of a server's tool names; None for a tool with a file."""
    match tool.implementation:
        case McpImplementation(server) if tool.name.startswith(prefix := f"mcp__{server}__"):
            return prefix
        case _:
            return None


def _catalogue_lines(tools: Iterable[ToolDefinition]) -> Iterator[tuple[str, int]]:
    """Catalogue lines, each with its number of tools; each server is one line."""
    together: dict[str, list[str]] = {}
    for tool in tools:
        prefix = prefix_of(tool)
        if prefix is None:
            yield f"- {tool.name}{_arguments(tool)}: {tool.one_liner}", 1
        else:
            together.setdefault(prefix, []).append(tool.name.removeprefix(prefix))
    for prefix, names in together.items():
        yield f"- {prefix}* ({len(names)}): {_first_of(names)}", len(names)


def _arguments(tool: ToolDefinition) -> str:
    """What a call needs, so that it can be made at once; the first few where nothing is required.

    Nothing for a tool that takes nothing, and for a schema that isn't made of properties.
    """
    properties = as_object(tool.parameters.get("properties"))
    required = [str(name) for name in as_values(tool.parameters.get("required"))]
    optional = [name for name, one in properties.items() if "default" not in as_object(one)]
    named = required or optional[:_OPTIONAL_SHOWN]
    text = ", ".join(_argument(name, as_object(properties.get(name))) for name in named)
    if len(text) > _ARGUMENTS_CHARS:
        text = ", ".join(named)
    return f"({text})" if 0 < len(text) <= _ARGUMENTS_CHARS else ""


def _argument(name: str, schema: JsonObject) -> str:
    """Its name, with the few words that it may be."""
    words = "|".join(str(value) for value in as_values(schema.get("enum")))
    return f"{name}: {words}" if words and len(words) <= _VALUES_CHARS else name


def _first_of(names: Sequence[str]) -> str:
    """As many names as a line of a catalogue holds."""
    shown: list[str] = []
    for name in names:
        if shown and len(", ".join((*shown, name))) > ONE_LINER_CHARS:
            return f"{', '.join(shown)} …"
        shown.append(name)
    return ", ".join(shown)
