"""Files in the database: a namespace per person, or one shared by a workspace."""

import hashlib
import json
from pathlib import PurePosixPath

from bot.clock import format_utc, parse_utc
from bot.domain.access import INNER_RANK
from bot.domain.clock import Clock
from bot.domain.database import Database, Row, Unit, made_of
from bot.domain.files import FileEntry, FileText
from bot.domain.lasting import Lasting
from bot.domain.messages import Conversation
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, PUBLICLY, Learned
from bot.domain.tool_context import ToolContext
from bot.errors import ToolError
from bot.files import store
from bot.files.paths import normalise
from bot.files.store import FileRows, Owner, OwnerKind, StoredText

PERMISSIONS = "/preferences/permissions.md"
"""A view of policy.yaml (docs/rules.md#approvals); never a row of this table."""


GLOBAL_PREFERENCES = "/preferences/global.md"
"""A person's standing instructions, which apply in every place."""
PRIVATE_PREFERENCES = "/preferences/private.md"
"""Those that apply only in direct messages."""


_OVER = "over"
"""In a stored origin: the text grew out of one that its person wrote."""


class DatabaseFiles:
    """Implements `FileSource` over the table virtual_files.

    The owner comes from the context alone: a person's namespace is `context.person.id`, a
    workspace's is that of `context.conversation`, open to people of `least_rank` (2) and above. A
    stored text is never trusted more than the context that wrote it, nor more than the text that it
    replaces. If it is `confirmable`, a whole text that its person approved on a card is the
    person's own. If it is `standing`, so are changes that they approved or typed in this turn.
    """

    writable = True
    verbatim = True

    def __init__(
        self,
        database: Database,
        clock: Clock,
        prefix: str,
        owner: OwnerKind,
        *,
        least_rank: int = INNER_RANK,
        confirmable: bool = False,
        standing: bool = False,
    ) -> None:
        self.prefix = normalise(prefix)
        self._kind: OwnerKind = owner
        self._least_rank = least_rank
        self._confirmable = confirmable or standing
        self._standing = standing
        self._clock = clock
        self._rows = FileRows(database)

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        row = await self._rows.read(self.owner(context), path)
        if row is None:
            return None
        self._require_seen(context, row)
        return FileText(
            path=path,
            text=row["text"],
            version=row["version"],
            origin=self.origin(context, row),
            private=Learned.of(row).private,
            updated=parse_utc(row["updated_at"]),
            outsiders=self.origin(context, row).untrusted and not _holds_own(row),
        )

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        _refuse_permissions(path)
        owner = self.owner(context)
        row = await self._rows.read(owner, path)
        if row is not None:
            self._require_seen(context, row)
        found = row["version"] if row else None
        if found != version:
            raise ToolError(_changed(path, found))
        if row is None:
            await self._require_free(owner, path)
            return store.put_new(owner, path, self._stored(context, path, text, row))
        return store.replace(owner, path, self._stored(context, path, text, row), row["version"])

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        _refuse_permissions(path)
        owner = self.owner(context)
        row = await self._rows.read(owner, path)
        if row is None or row["version"] != version:
            raise ToolError(_changed(path, row["version"] if row else None))
        self._require_seen(context, row)
        return store.delete(owner, path, version)

    async def take_back(self, context: ToolContext, path: str, text: str | None) -> Unit:
        owner = self.owner(context)
        row = await self._rows.read(owner, path)
        if row is None:
            return store.delete(owner, path, version_of(text or ""))
        stored = made_of(StoredText, row, learned=Learned.of(row))
        if text is None:
            return store.put_new(owner, path, stored)
        return store.replace(owner, path, stored, version_of(text))

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        rows = await self._rows.below(self.owner(context), path)
        if not rows and path != self.prefix:
            return None
        entries: dict[str, FileEntry] = {}
        for row in rows:
            child = PurePosixPath(
                path, PurePosixPath(row["path"]).relative_to(path).parts[0]
            ).as_posix()
            origin = self.origin(context, row)
            seen = self.sees(context, row)
            if child == row["path"]:
                entries[child] = FileEntry(child, size=row["size"], origin=origin, private=not seen)
            elif seen or child not in entries:
                entries[child] = _folder(child, entries.get(child), origin, private=not seen)
        return tuple(entries[key] for key in sorted(entries))

    # --- whose, how private, and how far to be trusted ---

    def sees(self, context: ToolContext, row: Row) -> bool:
        """Whether the reader sees a file. Files of a workspace are for everybody in it."""
        return self._kind == "workspace" or context.viewer.sees(context.person.id, Learned.of(row))

    def _require_seen(self, context: ToolContext, row: Row) -> None:
        if not self.sees(context, row):
            raise ToolError(
                f"{row['path']} is private and not shown here; the person can ask for it in a DM"
            )

    def _learned(self, context: ToolContext, path: str, before: Row | None) -> Learned:
        if self._kind == "workspace" or path == GLOBAL_PREFERENCES:
            return PUBLICLY
        if path == PRIVATE_PREFERENCES:
            return IN_DM
        return context.learned if before is None else Learned.of(before).narrowed(context.learned)

    def owner(self, context: ToolContext) -> Owner:
        """The owner of the rows that a call reads and writes.

        Raises ToolError for a guest in a workspace's namespace.
        """
        if self._kind == "person":
            return Owner("person", context.person.id)
        if context.person.role.rank < self._least_rank:
            raise ToolError(f"{self.prefix} belongs to the workspace and is not open to guests")
        return workspace_owner(context.conversation)

    def origin(self, context: ToolContext, row: Row) -> Origin:
        """The stored origin as the reader sees it: another person's own words are a member's."""
        origin = Origin.parse(row["origin"])
        if origin.trust <= Trust.PERSON and row["updated_by"] != context.person.id:
            return Origin(Trust.MEMBER, f"person:{row['updated_by']}")
        return origin

    def _stored(self, context: ToolContext, path: str, text: str, before: Row | None) -> StoredText:
        person = Origin(Trust.PERSON, f"person:{context.person.id}")
        origins = [person, context.origin]
        if (
            self._confirmable
            and context.confirmed
            and context.call.arguments.get("content") == text
        ):
            origins = [person]
        elif before is not None:
            own = self._standing and _is_own_change(context, before["text"], text)
            origins = [person] if own else origins
            origins.append(self.origin(context, before))
        elif self._standing and _is_own_change(context, "", text):
            origins = [person]
        worst = max(origins, key=lambda origin: origin.trust)
        return StoredText(
            text=text,
            version=version_of(text),
            updated_at=format_utc(self._clock.now()),
            updated_by=context.person.id,
            learned=self._learned(context, path, before),
            origin=json.dumps(
                worst.to_json() | ({_OVER: True} if self._over_own(context, before) else {}),
                sort_keys=True,
            ),
        )

    def _over_own(self, context: ToolContext, before: Row | None) -> bool:
        """Whether a text grows out of one that its person wrote."""
        return before is not None and (
            not self.origin(context, before).untrusted or _holds_own(before)
        )

    async def _require_free(self, owner: Owner, path: str) -> None:
        """A new file must not replace a folder or lie below another file."""
        if path == self.prefix or await self._rows.below(owner, path):
            raise ToolError(f"{path} is a folder; name a file in it, such as {path}/notes.md")
        if (above := await self._rows.file_above(owner, path)) is not None:
            raise ToolError(f"{above} is a file, so nothing can be below it; choose another folder")


def _holds_own(row: Row) -> bool:
    return bool(json.loads(row["origin"]).get(_OVER))


def _is_own_change(context: ToolContext, before: str, text: str) -> bool:
    """Whether the person approved the change, or typed each new line in this turn."""
    new = [line for line in text.splitlines() if line.strip() and line not in before.splitlines()]
    own = context.own_words
    asked = own is not None and bool(new) and own.asks_for(Lasting.INSTRUCTIONS, new)
    return context.confirmed or asked


def workspace_owner(conversation: Conversation) -> Owner:
    """The owner of a workspace's shared files; without a workspace it is the conversation."""
    if not conversation.has_workspace:
        return Owner(
            "workspace", f"{conversation.platform}:{conversation.workspace}:{conversation.id}"
        )
    return Owner("workspace", f"{conversation.platform}:{conversation.workspace}")


def _folder(path: str, before: FileEntry | None, origin: Origin, *, private: bool) -> FileEntry:
    """A folder with one more file: only visible files count, and the least trusted name."""
    if before is not None and not before.private:
        origin = max(before.origin, origin, key=lambda one: one.trust)
    return FileEntry(path, directory=True, origin=origin, private=private)


def version_of(text: str) -> str:
    """The version of a stored text."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _refuse_permissions(path: str) -> None:
    if path.casefold() == PERMISSIONS:
        raise ToolError(
            f"{PERMISSIONS} is a view of the operator's policy.yaml and can't be changed with the "
            "file tools; nothing was changed"
        )


def _changed(path: str, found: str | None) -> str:
    if found is None:
        return f"{path} is not there any more; nothing was changed"
    return f"{path} was changed meanwhile; read it again and repeat the change on its present text"
