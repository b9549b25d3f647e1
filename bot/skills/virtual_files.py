"""Skills as virtual files: /skills for each role, and /custom-skills, checked when written."""

from dataclasses import replace

from bot.domain.database import Unit
from bot.domain.files import FileEntry, FileSource, FileText
from bot.domain.tool_context import ToolContext
from bot.errors import DefinitionError, NeedsYes, ToolError
from bot.files.paths import is_below
from bot.skills.custom import SHARING_RANK, CustomSkills
from bot.skills.custom_file import CUSTOM, SHARED, parse_custom_skill, skill_path
from bot.skills.library import SkillLibrary
from bot.skills.play_file import PLAY_FILE
from bot.skills.skill_file import SKILL_FILE


class CustomSkillFiles:
    """A `FileSource` over two: the person's files at CUSTOM, the workspace's at SHARED."""

    writable = True

    def __init__(self, own: FileSource, shared: FileSource, skills: CustomSkills) -> None:
        self.prefix = own.prefix
        self._own = own
        self._workspace = shared
        self._skills = skills

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        if path in {CUSTOM, SHARED} or not await self._open(context, path):
            return None
        file = await self._files(path).read(context, path)
        file = None if file is None else _with_limits(file)
        if file is None or not _is_shared(path):
            return file
        skills = await self._skills.shared(context.conversation, context.person.id)
        origin = next((skill.origin for skill in skills if skill.path == path), file.origin)
        return replace(file, origin=max(origin, file.origin, key=lambda one: one.trust))

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        self._require_rank(context, path)
        try:
            named = skill_path(path)
            if named.is_skill:
                parse_custom_skill(text, path)
        except DefinitionError as error:
            raise ToolError(
                f"{error}. Nothing was saved: correct that and write it again"
            ) from None
        if named.is_skill and version is None:
            await self._require_one_form(context, path, named.slug)
        if not await self._open(context, path):
            raise ToolError(f"{path} is taken; choose another name")
        if _is_shared(path) and context.learned.private and not context.confirmed:
            raise NeedsYes("it shows the whole workspace a text that was written in private")
        return await self._files(path).write(context, path, text, version)

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        self._require_rank(context, path)
        return await self._files(path).delete(context, path, version)

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        if path not in {CUSTOM, SHARED} and not await self._open(context, path):
            return None
        entries = await self._files(path).list(context, path)
        if entries is None or path not in {CUSTOM, SHARED}:
            return entries
        if path == CUSTOM:
            return (*entries, FileEntry(SHARED, directory=True, note="the workspace's"))
        hidden = await self._hidden(context)
        return tuple(entry for entry in entries if _slug(entry.path) not in hidden)

    def _files(self, path: str) -> FileSource:
        return self._workspace if _is_shared(path) else self._own

    # --- who may ---

    def _require_rank(self, context: ToolContext, path: str) -> None:
        if _is_shared(path) and context.person.role.rank < SHARING_RANK:
            raise ToolError(
                f"{SHARED} belongs to the whole workspace: only a Partner or MasterAdmin changes "
                "it. Nothing was changed; the person's own skills are right under /custom-skills"
            )

    async def _require_one_form(self, context: ToolContext, path: str, slug: str) -> None:
        root = SHARED if _is_shared(path) else CUSTOM
        other = f"{root}/{slug}.md"
        if other == path:
            other = f"{root}/{slug}/{SKILL_FILE}"
        if await self._files(path).read(context, other) is not None:
            raise ToolError(
                f"the skill {slug} is at {other} already; change it there, or choose another name"
            )

    async def _open(self, context: ToolContext, path: str) -> bool:
        return not _is_shared(path) or _slug(path) not in await self._hidden(context)

    async def _hidden(self, context: ToolContext) -> set[str]:
        """Names of the workspace's skills that the person's role has no part in."""
        skills = await self._skills.shared(context.conversation, context.person.id)
        return {skill.slug for skill in skills if not skill.text.access.allows(context.person.role)}


def _is_shared(path: str) -> bool:
    return is_below(path, SHARED)


def _slug(path: str) -> str:
    """The name of the skill that a path belongs to, whatever the path names."""
    below = path.removeprefix(f"{SHARED}/").partition("/")
    return below[0] if below[1] else below[0].removesuffix(".md")


def _with_limits(file: FileText) -> FileText:
    """A skill's text with its limits; other files, and broken skills, as they are."""
    try:
        if skill_path(file.path).is_skill and (
            limits := parse_custom_skill(file.text, file.path).confinement
        ):
            return replace(file, confinement=limits)
    except DefinitionError:
        pass
    return file


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
        if entries is None:
            return None
        if path != self.prefix:  # a play is for whoever tries the skill
            return tuple(one for one in entries if not one.path.endswith(f"/{PLAY_FILE}"))
        return tuple(entry for entry in entries if self._open(context, entry.path))

    def _name(self, path: str) -> str:
        return path.removeprefix(f"{self.prefix}/").partition("/")[0]

    def _open(self, context: ToolContext, path: str) -> bool:
        skill = self._library.get(self._name(path))
        return skill is not None and skill.is_open(context.person.role, context.connected)
