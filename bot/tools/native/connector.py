"""The Connector protocol: one module or package per service or surface.

See docs/rules.md#tool-files.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from bot.domain.files import FileSource
from bot.domain.tool_context import ToolScope
from bot.tools.native.registry import Needs, ToolRegistration


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

    @property
    def needs(self) -> Needs:
        """The scopes in which its tools, files and skills exist."""
        ...

    def registrations(self) -> Sequence[ToolRegistration]: ...

    def file_sources(self) -> Sequence[FileSource]: ...

    def prompt_section(self, scope: ToolScope) -> str | None:
        """A few lines of orientation for the system prompt of runs where it is available."""
        ...
