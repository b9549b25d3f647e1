"""Skills and tools from elsewhere, as their authors wrote them, and the plug-ins that read them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module

from bot.domain.confinement import Confinement
from bot.domain.json_types import JsonObject
from bot.workshop.review.audit import AuditedText
from bot.workshop.review.findings import Finding, ImportRefused, shown


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
    format: str
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


AUTO = "auto"
"""The format of a source whose reader looks at the files."""


@dataclass(frozen=True)
class SkillSource:
    """What is to be read."""

    name: str
    """As its person wrote it, such as a path or an address; of an attachment its name."""
    data: bytes | None
    """The bytes of an attachment."""
    format: str = AUTO


@dataclass(frozen=True)
class FoundSkills:
    """What a source holds. Nothing of it is trusted."""

    source: str
    """As its person wrote it, without a pinned commit."""
    kind: str
    """`folder`, `file`, `zip`, `git` or `attachment`, or another word for where it comes from."""
    skills: tuple[ForeignSkill, ...]
    findings: tuple[Finding, ...] = ()
    """About the whole, and about files that belong to no skill."""
    executable: frozenset[str] = frozenset()
    """Paths of files that could be run."""
    commit: str | None = None


@dataclass(frozen=True)
class SkillImporter:
    """Reads skills from elsewhere.

    `read` names a function as `package.module:function`, which is imported when it is needed. It
    is async, takes a `SkillSource` and returns `FoundSkills`, or raises ImportRefused with a
    sentence. It writes nothing: what it found is audited, renamed and staged.
    """

    formats: tuple[str, ...]
    """What `--format` may say. Without it the first importer of a home looks at the files."""
    read: str


async def read_skills(importers: Sequence[SkillImporter], source: SkillSource) -> FoundSkills:
    """What a source holds. Raises ImportRefused."""
    for one in importers:
        if source.format in {AUTO, *one.formats}:
            module, _, function = one.read.partition(":")
            return await getattr(import_module(module), function)(source)
    raise ImportRefused(
        f"{shown(source.name, 200)}: no plug-in of this home reads skills from elsewhere; switch "
        "one on"
    )
