"""The parsed source: skills and tools as their authors wrote them, before renaming."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.domain.confinement import Confinement
from bot.domain.json_types import JsonObject
from bot.workshop.importing.audit import AuditedText
from bot.workshop.importing.findings import Finding


class Format(StrEnum):
    """`--format`; `auto` looks at the files."""

    AUTO = "auto"
    OPENCLAW = "openclaw"
    HERMES = "hermes"
    GITHUB = "github"
    GEMINI = "gemini"


@dataclass(frozen=True)
class ForeignTool:
    """A declared function."""

    name: str
    description: str
    parameters: JsonObject
    file: str
    line: int


@dataclass(frozen=True)
class ForeignSkill:
    """A skill, a set of tools, or both. Without `body` it is tools only."""

    name: str
    description: str
    body: str
    format: Format
    file: str
    """Path in the bundle of the file that says all this."""
    line: int = 1
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """Files beside it, by their path in the skill's folder."""
    tools: tuple[ForeignTool, ...] = ()
    command: str | None = None
    auto_invoke: bool = True
    x_source: JsonObject = field(default_factory=dict[str, object])
    """Keys that mean nothing here, kept as provenance."""
    findings: tuple[Finding, ...] = ()
    texts: tuple[AuditedText, ...] = ()
    """What the audit reads."""
    words: tuple[str, ...] = ()
    """Phrases of people who want it, for searches alone."""
    limits: Confinement | None = None
    """The limits of tools, hosts and paths that it sets itself, in Bellhop's names.

    They are adopted because they only restrict.
    """
