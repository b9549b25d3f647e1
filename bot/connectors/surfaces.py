"""Connectors that are files: standing preferences, documents, skills."""

from collections.abc import Sequence
from pathlib import Path

from bot.domain.files import FileSource
from bot.domain.runs import RunShape
from bot.domain.tool_context import ToolScope
from bot.files.daily_notes import TODAY
from bot.files.versions import VersionedFiles
from bot.files.versions_tool import document_versions
from bot.tools.native.registry import EVERY_RUN, Needs, ToolRegistration


class _Surface:
    """A file source and its line for the model; research runs have no file tools."""

    id: str
    section: str | None = None
    skills: Path | None = None
    needs = Needs(runs=EVERY_RUN - {RunShape.RESEARCH})

    def __init__(self, files: FileSource) -> None:
        self._files = files

    def registrations(self) -> Sequence[ToolRegistration]:
        """None: the file tools serve every surface."""
        return ()

    def file_sources(self) -> Sequence[FileSource]:
        return (self._files,)

    def prompt_section(self, scope: ToolScope) -> str | None:
        return self.section if self.needs.met(scope) and scope.depth == 0 else None


class PreferencesConnector(_Surface):
    """/preferences, per person: standing instructions for the assistant.

    See docs/rules.md#memory.
    """

    id = "preferences"
    section = (
        "- how to behave (always, never, remember to): a line in /preferences/global.md (DMs only: "
        "private.md), added with edit_file or put in place of the quoted one that it "
        "contradicts; only their own wishes."
    )


class DocumentsConnector(_Surface):
    """/documents, per person: free-form texts in folders, with their earlier versions."""

    id = "documents"
    section = "- a text: /documents/<topic>/<name>.md; list only to extend one."

    def registrations(self) -> Sequence[ToolRegistration]:
        if not isinstance(self._files, VersionedFiles):
            return ()
        return (ToolRegistration((document_versions(self._files),)),)


class DailyNotesConnector(_Surface):
    """/daily-notes, per person and day; every run is shown today's note."""

    id = "daily-notes"
    section = f"- today: {TODAY}"


class CustomSkillsConnector(_Surface):
    """/custom-skills: instructions that people write for the assistant; prose, never tools."""

    id = "custom-skills"
    section = (
        "- a way of working: /custom-skills/<name>.md (for all here: shared/<name>.md). Show it "
        "before you save it."
    )


class SkillsConnector(_Surface):
    """/skills: the home's prose skills, read on demand; the prompt has name and description."""

    id = "skills"


class AutomationsConnector(_Surface):
    """/automations: definitions that start runs."""

    id = "automations"
    section = "- to act when something happens: read /automations/README.md"
