"""What connectors inherit whose tools are Python functions over our own database."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from bot.domain.files import FileSource
from bot.domain.tool_context import NativeTool, ToolScope
from bot.tools.native.registry import ALWAYS, Needs, ToolRegistration


class ToolArguments(BaseModel):
    """What a native tool takes: nothing but its fields, and texts without space around them."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)


class NativeConnector:
    """Native tools; unless `needs` says otherwise, they exist for everybody and in every run."""

    id: str
    section: str | None = None
    """A line for the model on what belongs here; None if the tools' one-liners suffice."""
    skills: Path | None = None
    needs: Needs = ALWAYS

    def __init__(self, *tools: NativeTool[Any]) -> None:
        self._tools = tools

    def registrations(self) -> Sequence[ToolRegistration]:
        return (ToolRegistration(self._tools, self.needs),)

    def file_sources(self) -> Sequence[FileSource]:
        return ()

    def prompt_section(self, scope: ToolScope) -> str | None:
        return self.section if scope.depth == 0 else None
