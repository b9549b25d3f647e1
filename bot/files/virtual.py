"""The virtual filesystem: one tree put together from the sources that own its prefixes.

What a write makes that outlasts its conversation: see docs/rules.md#trust.
"""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from bot.domain.database import Unit
from bot.domain.files import (
    Aliases,
    BeginsWork,
    FileEntry,
    FileSource,
    FileText,
    HoldsBytes,
    MakesLasting,
    Reschedules,
    TakesBack,
    Verbatim,
)
from bot.domain.lasting import Kept, Lasting, Makes
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import Effect, Rescheduled
from bot.errors import ToolError
from bot.files.paths import is_below, normalise
from bot.files.versions import VersionedFiles

_PREFERENCES = "/preferences"


def _made_by_text(path: str, before: FileText | None, text: str | None) -> Sequence[Makes]:
    """What it makes to give a file this text; None deletes it. `path` is normalised.

    Preferences are instructions, so their new lines have to be the person's. Another text only adds
    to a file if the whole earlier one is still in it. A file of which all was written while text
    from outside was there holds nothing that the person wrote, so it may be replaced.
    """
    if is_below(path.casefold(), _PREFERENCES):
        return _instructions(path, before, text)
    if before is None or before.outsiders or (text is not None and before.text in text):
        return ()
    return (Makes(Lasting.REPLACES, replaced=kept_file(path)),)


def _instructions(path: str, before: FileText | None, text: str | None) -> Sequence[Makes]:
    old = before.text.splitlines() if before is not None else []
    new = text.splitlines() if text is not None else []
    makes: list[Makes] = []
    if added := tuple(line for line in new if line.strip() and line not in old):
        makes.append(Makes(Lasting.INSTRUCTIONS, added))
    if any(line.strip() and line not in new for line in old):
        makes.append(Makes(Lasting.REPLACES, replaced=kept_file(path)))
    return makes


def _require_folder(path: str) -> None:
    """Raises ToolError for a source of one file, whose reader is not among those who may."""
    if path.endswith(".md"):
        raise ToolError(f"{path} is there, but this person may not read it")


def kept_file(path: str) -> Kept:
    """A file, known by its path or its name with the ending."""
    return Kept(path, (PurePosixPath(path).name,), exact=True)


class VirtualFiles:
    """Routes each path to the source with the longest matching prefix.

    All methods take paths as the model wrote them.

    Raises ToolError for a path that no source owns (naming the roots), that doesn't exist, or that
    can't be written; ValueError at construction when two sources claim the same prefix.
    """

    def __init__(self, sources: Iterable[FileSource]) -> None:
        self._sources: dict[str, FileSource] = {}
        for source in sources:
            prefix = normalise(source.prefix)
            if prefix in self._sources:
                raise ValueError(f"two file sources claim {prefix}")
            self._sources[prefix] = source

    @property
    def roots(self) -> tuple[str, ...]:
        return tuple(sorted(self._sources))

    async def find(self, context: ToolContext, path: str) -> FileText | None:
        """The file at a path, or None when its owner has no file there."""
        path = normalise(path)
        return await self._owner(path).read(context, path)

    async def read(self, context: ToolContext, path: str) -> FileText:
        path = normalise(path)
        file = (
            await self._owner(path).read(context, path) if not self._is_mount_folder(path) else None
        )
        if file is not None:
            return file
        if await self.list_or_none(context, path) is not None:
            _require_folder(path)
            raise ToolError(f"{path} is a folder; list_directory shows what is in it")
        raise ToolError(
            f"there is no file {path}; write_file makes it, list_directory shows others"
        )

    async def data(self, context: ToolContext, path: str) -> bytes | None:
        """The bytes of a file that need not be text; None where `read` gives all there is."""
        path = normalise(path)
        source = self._find_owner(path)
        return await source.data(context, path) if isinstance(source, HoldsBytes) else None

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        """Create (`version` None) or replace the file that was read with that version."""
        path = normalise(path)
        return await self._writable(path).write(context, path, text, version)

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        path = normalise(path)
        return await self._writable(path).delete(context, path, version)

    def versioned(self, path: str) -> VersionedFiles | None:
        """The source of a path, if it keeps earlier texts."""
        source = self._find_owner(normalise(path))
        return source if isinstance(source, VersionedFiles) else None

    def verbatim(self, path: str) -> bool:
        """Whether a file there reads back exactly as it was written."""
        source = self._find_owner(normalise(path))
        return isinstance(source, Verbatim) and source.verbatim

    def resolved(self, context: ToolContext, path: str) -> str:
        """The path under which a file is kept, for one of its names."""
        path = normalise(path)
        source = self._find_owner(path)
        return source.resolved(context, path) if isinstance(source, Aliases) else path

    def makes(self, path: str, before: FileText | None, text: str | None) -> Sequence[Makes]:
        """What it makes that lasts to give a file this text (None deletes it)."""
        path = normalise(path)
        source = self._find_owner(path)
        own = source.makes(path, text) if isinstance(source, MakesLasting) else ()
        return (*own, *_made_by_text(path, before, text))

    async def take_back(self, context: ToolContext, path: str, text: str | None) -> Unit | None:
        """The writes that undo giving a file this text (None deletes it); None: nobody can."""
        path = normalise(path)
        source = self._find_owner(path)
        if not isinstance(source, TakesBack):
            return None
        return await source.take_back(context, path, text)

    def begins(self, path: str) -> BeginsWork | None:
        """The source of a path, if its files begin to work."""
        source = self._find_owner(normalise(path))
        return source if isinstance(source, BeginsWork) else None

    def effects(self, path: str) -> tuple[Effect, ...]:
        """What a change of a file has to set off beside its unit."""
        source = self._find_owner(normalise(path))
        return (Rescheduled(),) if isinstance(source, Reschedules) and source.reschedules else ()

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...]:
        """Children of a folder by name; `/` lists the roots."""
        path = normalise(path)
        entries = await self.list_or_none(context, path)
        if entries is None:
            owner = self._owner(path)
            if await owner.read(context, path) is not None:
                raise ToolError(f"{path} is a file; read_file reads it")
            raise ToolError(
                f"there is no folder {path}; list_directory of {owner.prefix} shows what there is"
            )
        if not entries:
            _require_folder(path)
        return entries

    async def list_or_none(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        """As `list`, for a normalised path, but None when there is no such folder."""
        source = self._find_owner(path)
        own = await source.list(context, path) if source is not None else None
        found = [await self._mount(context, step) for step in self._mounts_in(path)]
        mounted = [one for one in found if one is not None]
        if own is None and not mounted:
            if (
                source is None
                or path not in self._sources
                or await source.read(context, path) is not None
            ):
                return None
            return ()
        entries = {entry.path: entry for entry in (*(own or ()), *mounted)}
        return tuple(entries[key] for key in sorted(entries))

    # --- routing ---

    def _owner(self, path: str) -> FileSource:
        source = self._find_owner(path)
        if source is None:
            raise ToolError(
                f"nothing can be at {path}; the roots here are {', '.join(self.roots) or 'none'}"
            )
        return source

    def _find_owner(self, path: str) -> FileSource | None:
        owning = [prefix for prefix in self._sources if is_below(path, prefix)]
        return self._sources[max(owning, key=len)] if owning else None

    def _writable(self, path: str) -> FileSource:
        source = self._owner(path)
        if not source.writable:
            raise ToolError(f"{source.prefix} is read-only; nothing was changed")
        return source

    def _is_mount_folder(self, path: str) -> bool:
        return self._find_owner(path) is None and bool(self._mounts_in(path))

    def _mounts_in(self, folder: str) -> tuple[str, ...]:
        """The next steps of mounted prefixes strictly below a folder."""
        depth = 1 if folder == "/" else folder.count("/") + 1
        inside = [root for root in self._sources if root != folder and is_below(root, folder)]
        return tuple({"/".join(root.split("/")[: depth + 1]): None for root in sorted(inside)})

    async def _mount(self, context: ToolContext, step: str) -> FileEntry | None:
        """A mount point in a listing; a source may be one file (`/preferences/permissions.md`).

        None for such a file that this person can't read.
        """
        below = [source for root, source in self._sources.items() if is_below(root, step)]
        note = "" if any(source.writable for source in below) else "read-only"
        if (source := self._sources.get(step)) is not None and len(below) == 1:
            file = await source.read(context, step)
            if file is not None:
                return FileEntry(step, size=len(file.text.encode()), note=note, origin=file.origin)
            if step.endswith(".md"):
                return None
        return FileEntry(step, directory=True, note=note)
