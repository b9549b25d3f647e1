"""Connectors that are files: standing preferences, documents, skills."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.domain.files import FileSource
from bot.domain.runs import RunShape
from bot.domain.tool_context import ToolScope
from bot.files.daily_notes import TODAY
from bot.files.versions import VersionedFiles
from bot.files.versions_tool import document_versions
from bot.tools.native.registry import EVERY_RUN, Needs, ToolRegistration

SURFACES: Mapping[str, str | None] = {
    "preferences": (
        "- how to behave (always, never, remember to): a line in /preferences/global.md (DMs only: "
        "private.md), added with edit_file or put in place of the quoted one that it "
        "contradicts; only their own wishes."
    ),
    "documents": "- a text: /documents/<topic>/<name>.md; list only to extend one.",
    "daily-notes": f"- today: {TODAY}",
    "custom-skills": (
        "- a way of working: /custom-skills/<name>.md (for all here: shared/<name>.md). Show it "
        "before you save it."
    ),
    "skills": None,
    "automations": "- to act when something happens: read /automations/README.md",
}
"""Each with its line for the model; the prompt lists skills itself."""
_BUT_RESEARCH = Needs(runs=EVERY_RUN - {RunShape.RESEARCH})


@dataclass(frozen=True)
class Surface:
    """A file source and its line for the model; research runs have no file tools."""

    id: str
    files: FileSource
    skills: Path | None = None
    needs: Needs = _BUT_RESEARCH

    def registrations(self) -> Sequence[ToolRegistration]:
        """The file tools serve every surface; documents have earlier versions, too."""
        if self.id == "documents" and isinstance(self.files, VersionedFiles):
            return (ToolRegistration((document_versions(self.files),)),)
        return ()

    def file_sources(self) -> Sequence[FileSource]:
        return (self.files,)

    def prompt_section(self, scope: ToolScope) -> str | None:
        return SURFACES[self.id] if self.needs.met(scope) and scope.depth == 0 else None
