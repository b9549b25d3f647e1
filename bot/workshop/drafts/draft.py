"""A tool or skill in its files, as it is to become live."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.skills.skill_file import SKILL_FILE
from bot.workshop.review.provenance import content_digest, digest


class DraftKind(StrEnum):
    """The kind of thing that a draft becomes."""

    TOOL = "tool"
    SKILL = "skill"
    MANIFEST = "manifest"


@dataclass(frozen=True)
class Draft:
    """Nobody can use it before a MasterAdmin's yes."""

    name: str
    kind: DraftKind
    files: Mapping[str, str]
    """Texts by the names of the later files. A tool's script is called as the tool, with `.sh`."""
    roles: str
    """Who may use it, as `Access.describe` says it; the main file has to say the same."""
    folder: str = "shared"
    """Whose tool it is, as a folder below prompts/tools."""
    command: str | None = None
    """The slash command of a skill."""
    live: Mapping[str, str] = field(default_factory=dict[str, str])
    """SHA-256 by name of the files that it would replace; empty for a new one."""

    @property
    def main_file(self) -> str:
        return main_file(self.kind, self.name)

    @property
    def script(self) -> str | None:
        """The name of its script, when it has one."""
        name = f"{self.name}.sh"
        return name if name in self.files else None

    def digests(self, *names: str) -> dict[str, str]:
        return {name: digest(self.files[name].encode()) for name in names}

    @property
    def content(self) -> str:
        """One hash over everything that would become live."""
        return content_digest(self.digests(*self.files), {"folder": self.folder})


def main_file(kind: DraftKind, name: str) -> str:
    """The file that says what a draft is."""
    match kind:
        case DraftKind.TOOL:
            return f"{name}.md"
        case DraftKind.SKILL:
            return SKILL_FILE
        case DraftKind.MANIFEST:
            return f"{name}.json"
