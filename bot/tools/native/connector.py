"""The Connector protocol: one module or package per service or surface.

See docs/rules.md#tool-files.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bot.domain.files import FileSource
from bot.domain.tool_context import NativeTool, ToolScope


@dataclass(frozen=True)
class ToolRegistration:
    """Native tools, and the scopes in which they exist."""

    tools: Sequence[NativeTool[Any]]
    condition: Callable[[ToolScope], bool] | None = None
    """Asked for each request; None for tools that need nothing but their role."""


class Connector(Protocol):
    """An independent slice: tools, virtual files, skills and a line of the prompt."""

    @property
    def id(self) -> str:
        """Named by `## Requires` in tool files."""
        ...

    @property
    def skills(self) -> Path | None:
        """The folder of its skills; they are listed and readable only while it is available."""
        ...

    def available(self, scope: ToolScope) -> bool:
        """Whether its tools and files exist for this person in this run."""
        ...

    def registrations(self) -> Sequence[ToolRegistration]: ...

    def file_sources(self) -> Sequence[FileSource]: ...

    def prompt_section(self, scope: ToolScope) -> str | None:
        """A few lines of orientation for the system prompt of runs where it is available."""
        ...
