"""/skills as virtual files: the folders of enabled skills, for the roles of each."""

from dataclasses import replace

from bot.domain.database import Unit
from bot.domain.files import FileEntry, FileSource, FileText
from bot.domain.tool_context import ToolContext
from bot.skills.library import SkillLibrary


class LibraryFiles:
    """A `FileSource` over the folders of skills/; has only what `SkillLibrary` knows."""

    writable = False

    def __init__(self, files: FileSource, library: SkillLibrary) -> None:
        self.prefix = files.prefix
        self._files = files
        self._library = library

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        file = await self._files.read(context, path) if self._open(context, path) else None
        if file is None:
            return None
        skill = self._library.get(self._name(path))
        if skill is None:
            return file
        if path == skill.path and (body := self._library.body(skill.name)) is not None:
            # What its front matter says is for the program: phrases for searches, above all.
            file = replace(file, text=body)
        return file if skill.confinement is None else replace(file, confinement=skill.confinement)

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        return await self._files.write(context, path, text, version)

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        return await self._files.delete(context, path, version)

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        if path != self.prefix and not self._open(context, path):
            return None
        entries = await self._files.list(context, path)
        if entries is None or path != self.prefix:
            return entries
        return tuple(entry for entry in entries if self._open(context, entry.path))

    def _name(self, path: str) -> str:
        return path.removeprefix(f"{self.prefix}/").partition("/")[0]

    def _open(self, context: ToolContext, path: str) -> bool:
        skill = self._library.get(self._name(path))
        return skill is not None and skill.is_open(context.person.role, context.connected)
