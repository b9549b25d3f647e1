"""The catalogue of a system prompt: a line for each tool and agent, one for a whole server."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.domain.tools import ONE_LINER_CHARS, McpImplementation, ToolDefinition
from bot.tools.schemas.calls import call_of

_CHARS_PER_TOKEN = 4


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
            yield f"- {call_of(tool)}: {tool.one_liner}", 1
        else:
            together.setdefault(prefix, []).append(tool.name.removeprefix(prefix))
    for prefix, names in together.items():
        yield f"- {prefix}* ({len(names)}): {_first_of(names)}", len(names)


def _first_of(names: Sequence[str]) -> str:
    """As many names as a line of a catalogue holds."""
    shown: list[str] = []
    for name in names:
        if shown and len(", ".join((*shown, name))) > ONE_LINER_CHARS:
            return f"{', '.join(shown)} …"
        shown.append(name)
    return ", ".join(shown)
