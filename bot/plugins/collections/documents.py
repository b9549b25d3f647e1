"""The collections of a home: adds, removes and searches documents, and decides who sees them."""

import asyncio
import hashlib
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from bot.plugin.clock import Clock, format_utc
from bot.plugin.files import (
    MOST_BYTES,
    DocumentError,
    DocumentReader,
    RawDocument,
    ReadDocument,
)
from bot.plugin.meaning import EmbedderError
from bot.plugin.services import WebClient, WebError, WebRequest
from bot.plugin.tables import Database, Unit
from bot.plugin.tools import PUBLICLY, Access, Origin, Person, Role, Trust, raised_as
from bot.plugins.collections import store
from bot.plugins.collections.search import LOGS, DocumentFinder
from bot.plugins.collections.store import CollectedDocument, Collection, DocumentRows
from bot.plugins.collections.vectors import DocumentVectors

log = logging.getLogger(__name__)

TEAM = "team"
"""The default collection."""
INNER_ROLES = "Friend+"
"""Who may search a collection made without roles: rank 2 and above, including Business."""
EVERY_S = 30.0
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_FETCH_S = 60.0


@dataclass(frozen=True)
class AddedDocument:
    """The result of adding a document.

    `known`: the very same is there already; `note`: what of it was left out.
    """

    id: str
    name: str
    collection: str
    parts: int
    known: bool = False
    note: str = ""


class DocumentCollections:
    """Adds and removes documents, and makes their vectors where an embedder is set.

    It holds in memory which collections have documents, because listing a tool must not wait for
    the database.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        web: WebClient,
        vectors: DocumentVectors | None = None,
        reader: DocumentReader | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._web = web
        self.vectors = vectors
        self.reader = reader or DocumentReader()
        self.rows = DocumentRows(database)
        self.finder = DocumentFinder(self.rows, vectors)
        self._collections: Sequence[Collection] = ()
        self.open_to: frozenset[Role] = frozenset()
        """The roles to which a collection with documents is open."""

    async def load(self) -> None:
        """Load the list of collections. Raises StorageError."""
        self._know(await self.rows.collections())

    def _know(self, collections: Sequence[Collection]) -> None:
        self._collections = collections
        accesses = [one.access for one in collections if one.documents]
        self.open_to = frozenset(
            role for role in Role if any(access.allows(role) for access in accesses)
        )

    def open_names(self, role: Role) -> list[str]:
        """The collections that this role may search."""
        return [one.name for one in self._collections if one.access.allows(role)]

    async def run(self) -> None:
        """Make the vectors of new parts, until cancelled. Raises StorageError."""
        while True:
            await self.load()
            await self._clock.sleep(0 if await self._embedded_some() else EVERY_S)

    async def _embedded_some(self) -> bool:
        try:
            return self.vectors is not None and bool(await self.vectors.embed_some())
        except EmbedderError as error:
            log.warning(
                "reason=<%s> | documents are searched by words alone until it answers", error
            )
            return False

    # --- the operator's documents ---

    async def fetch(self, url: str) -> RawDocument:
        """A document of the web. Raises DocumentError."""
        request = WebRequest(
            "GET", url, {"Accept": "*/*"}, timeout_s=_FETCH_S, max_bytes=MOST_BYTES
        )
        with raised_as(DocumentError, WebError, about=f"{url} could not be fetched"):
            answer = await self._web.fetch(request)
        if answer.status != 200:
            raise DocumentError(f"{url} answers with HTTP {answer.status}; check the address")
        if answer.cut:
            raise DocumentError(f"{url} has more than {MOST_BYTES // 1024**2} MB; add it in pieces")
        charset = (
            answer.headers.get("content-type", "")
            .lower()
            .partition("charset=")[2]
            .partition(";")[0]
        )
        name = PurePosixPath(urlsplit(answer.url).path).name or urlsplit(answer.url).hostname or url
        return RawDocument(name, answer.body, answer.media_type, answer.url, charset.strip(" \"'"))

    async def add(
        self, raw: RawDocument, source: str, collection: str = TEAM, roles: str = ""
    ) -> AddedDocument:
        """Add an operator's document; it replaces an older one from the same source.

        Raises DocumentError.

        `roles` changes who may search the collection. A URL's words are external, a file's those of
        a member.
        """
        name = require_name(collection)
        access = _require_roles(roles)
        trust = Trust.EXTERNAL if raw.url else Trust.MEMBER
        document = CollectedDocument(
            id=hashlib.sha256(f"{name}\0{source}".encode("utf-8", "replace")).hexdigest()[:10],
            collection=name,
            owner="",
            name=raw.name,
            source=source,
            digest=hashlib.sha256(raw.data).hexdigest(),
            added_at=format_utc(self._clock.now()),
            learned=PUBLICLY,
            origin=Origin(trust, f"document:{source}"),
        )
        made = store.collection_unit(name, access or INNER_ROLES, document.added_at)
        if access:
            made += store.roles_unit(name, access)
        known = await self.rows.same(name, "", document.digest, PUBLICLY)
        if known is not None and known.source == source:
            await self._write(made)
            return AddedDocument(known.id, known.name, name, known.parts, known=True)
        read = await self.reader.read(raw)
        unit = made + store.replaced_unit(document) + await stored(document, read)
        await self._write(unit)
        return AddedDocument(document.id, raw.name, name, len(read.parts), note=read.note)

    async def remove(self, what: str) -> str:
        """Remove a document by id or source, or a collection by name; returns what was removed.

        Raises DocumentError.
        """
        if any(one.name == what for one in await self.rows.collections()):
            gone = await self.rows.documents(what)
            await self._write(store.remove_collection_unit(what))
            return f"removed the collection {what} with {_counted(len(gone), 'document')}"
        found = [
            one for one in await self.rows.documents() if what in {one.id, one.source, one.name}
        ]
        if not found:
            raise DocumentError(
                f"there is no collection and no document {what!r}; `bellhop knowledge list` names "
                "them"
            )
        if len(found) > 1:
            ids = ", ".join(one.id for one in found)
            raise DocumentError(
                f"{len(found)} documents are called {what!r}; name one by its id: {ids}"
            )
        await self._write(store.remove_document_unit(found[0].id))
        return f"removed {found[0].name} from {found[0].collection}"

    async def pending(self) -> int:
        """Parts without a vector of the embedder that is set; 0 where none is."""
        return await self.vectors.pending() if self.vectors is not None else 0

    async def _write(self, unit: Unit) -> None:
        await self._database.write(unit)
        await self.load()

    def expect(self, collection: str) -> None:
        """A document will be stored here: the collection's tools exist from the next request."""
        others = [one for one in self._collections if one.name != collection]
        known = next(
            (one for one in self._collections if one.name == collection),
            Collection(collection, INNER_ROLES),
        )
        self._know([*others, Collection(known.name, known.roles, known.documents + 1, known.parts)])

    def access_of(self, collection: str) -> Access | None:
        """Who may search a collection; None when there is none of that name."""
        return next((one.access for one in self._collections if one.name == collection), None)

    def may_add(self, person: Person, collection: str) -> bool:
        """Whether the role lets this person add to a collection that there is, or to the team's."""
        access = self.access_of(collection)
        return access.allows(person.role) if access is not None else collection == TEAM


async def stored(document: CollectedDocument, read: ReadDocument) -> Unit:
    """The unit that keeps a document."""
    return await asyncio.to_thread(store.document_unit, document, read.parts)


def require_name(name: str) -> str:
    """The name of a collection. Raises DocumentError."""
    if not _NAME.fullmatch(name) or name == LOGS:
        taken = f"; {LOGS!r} is Bellhop's own" if name == LOGS else ""
        raise DocumentError(
            f"{name!r} can't name a collection: use a-z, 0-9 and -, at most 40{taken}"
        )
    return name


def _require_roles(roles: str) -> str:
    if roles:
        with raised_as(DocumentError, ValueError, about="--roles"):
            Access.parse(roles)
    return roles


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
