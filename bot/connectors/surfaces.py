"""Connectors that are files: standing preferences, documents, skills (seed 0, requirements 1.4)."""

from collections.abc import Sequence
from pathlib import Path

from bot.domain.files import FileSource
from bot.domain.runs import RunShape
from bot.domain.tools import ToolScope
from bot.tools.connector import Registration


class _Surface:
    """One file source, and the line that tells the model what belongs there; research runs have no file tools."""

    id: str
    section: str | None = None
    skills: Path | None = None

    def __init__(self, files: FileSource) -> None:
        self._files = files

    def available(self, scope: ToolScope) -> bool:
        return scope.run.shape is not RunShape.RESEARCH

    def registrations(self) -> Sequence[Registration]:
        """None: the file tools serve every surface."""
        return ()

    def file_sources(self) -> Sequence[FileSource]:
        return (self._files,)

    def prompt_section(self, scope: ToolScope) -> str | None:
        return self.section if self.available(scope) and scope.depth == 0 else None


class PreferencesConnector(_Surface):
    """/preferences, per person: what the assistant is to keep to from now on (ruling 11)."""

    id = "preferences"
    section = (
        "- how to behave (always, never, remember to): a short line in /preferences/global.md (for DMs only:"
        " private.md). Read it first, keep the rest, replace what it contradicts; only their own wishes. Keep to it at"
        " once."
    )


class DocumentsConnector(_Surface):
    """/documents, per person: free-form texts in folders."""

    id = "documents"
    section = "- a text: /documents, named by topic. List first, extend what fits."


class CustomSkillsConnector(_Surface):
    """/custom-skills: instructions that people write for the assistant; prose, never tools (seed 0)."""

    id = "custom-skills"
    section = (
        "- a way of working: /custom-skills/<name>.md (for all here: /custom-skills/shared/). Show the text before"
        " you save it."
    )


class SkillsConnector(_Surface):
    """/skills: the prose skills of the house, read on demand; the prompt lists them by name and description."""

    id = "skills"


class AutomationsConnector(_Surface):
    """/automations: what starts runs when nobody asks. schedule_task's text names it, so it needs no line here."""

    id = "automations"
