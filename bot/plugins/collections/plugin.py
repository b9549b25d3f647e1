"""Collections of documents: what a team keeps, found by words and by meaning."""

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import Field

from bot.plugin.clock import format_utc, parse_utc
from bot.plugin.command_line import Answer
from bot.plugin.files import MOST_BYTES, AttachedFile, AttachedFiles, DocumentError, RawDocument
from bot.plugin.folders import open_regular_file
from bot.plugin.meaning import EmbedderError
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tables import Recollection, Unit
from bot.plugin.tools import (
    JsonObject,
    NativeConnector,
    NativeTool,
    Needs,
    Noun,
    Origin,
    Phrase,
    Reach,
    Role,
    ToolArguments,
    ToolContext,
    ToolDeed,
    ToolError,
    ToolRegistration,
    ToolResult,
    ToolScope,
    Translations,
    Trust,
    as_read_by,
    elsewhere,
    left_out,
    new_id,
    one_line,
    raised_as,
    titled,
)
from bot.plugins.collections import store
from bot.plugins.collections.command import KNOWLEDGE
from bot.plugins.collections.documents import (
    INNER_ROLES,
    TEAM,
    AddedDocument,
    DocumentCollections,
    require_name,
    stored,
)
from bot.plugins.collections.search import LOGS, LogSearch, ScoredPart
from bot.plugins.collections.store import CollectedDocument, remove_document_unit
from bot.plugins.collections.vectors import DocumentVectors

NAME_CHARS = 200
_FOUND_BY = {
    Reach.DM: Phrase(
        "this person alone, in direct messages; for others, send the file in a channel"
    ),
    Reach.PRIVATE: Phrase("who reads this private channel"),
    Reach.PUBLIC: Phrase("everybody whom the roles of the collection let in"),
}
_KEEP = Phrase("keep the file {file} in {collection}, found by {who}")
_KEEPING = Phrase("Making a note of it")


class KeepDocumentArguments(ToolArguments):
    file: str = Field(description="Name of the attached file.")
    collection: str = Field(default=TEAM, description="One that exists.")


class KeepDocument:
    """Reads the file in a process with limits.

    It is visible where it was sent, to those who may read the collection.
    """

    def __init__(self, documents: DocumentCollections, attached: AttachedFiles) -> None:
        self._documents = documents
        self._attached = attached

    def tool(self) -> NativeTool[KeepDocumentArguments]:
        return NativeTool(
            "keep_document",
            KeepDocumentArguments,
            self.run,
            check=self._check,
            tells=self._tell,
            doing=_KEEPING,
            deed=ToolDeed(Noun.FILE, "name"),
            listed=False,
        )

    async def _check(self, context: ToolContext, arguments: KeepDocumentArguments) -> None:
        await self._file(context, arguments)

    async def _tell(self, context: ToolContext, arguments: KeepDocumentArguments) -> Translations:
        found_by = _FOUND_BY[context.learned.reach]
        name, collection = titled(arguments.file), titled(arguments.collection)
        return Translations.by(
            lambda language: _KEEP.said(
                language, file=name, collection=collection, who=found_by.said(language)
            )
        )

    async def _file(self, context: ToolContext, arguments: KeepDocumentArguments) -> AttachedFile:
        """Raises ToolError for a collection or a file that is not there."""
        name, collection = one_line(arguments.file, "file", NAME_CHARS), arguments.collection
        if not self._documents.may_add(context.person, collection):
            names = ", ".join(self._documents.open_names(context.person.role)) or TEAM
            raise ToolError(f"there is no collection {collection!r}; there are {names}")
        file = await self._attached.of(context, name)
        if file is None:
            names = ", ".join(await self._attached.names(context)) or "none"
            raise ToolError(
                f"no file {name!r} was attached here lately (there are: {names}); ask them to send "
                "it here again"
            )
        return file

    async def run(self, context: ToolContext, arguments: KeepDocumentArguments) -> ToolResult:
        name, collection = one_line(arguments.file, "file", NAME_CHARS), arguments.collection
        file = await self._file(context, arguments)
        digest = hashlib.sha256(file.data).hexdigest()
        known = await self._documents.rows.same(
            collection, context.person.id, digest, context.learned
        )
        if known is not None:
            return ToolResult(
                json.dumps({"id": known.id, "kept": True, "known_before": True}),
                summary="known already",
            )
        with raised_as(ToolError, DocumentError):
            require_name(collection)
            read = await self._documents.reader.read(RawDocument(name, file.data, file.media_type))
        document = CollectedDocument(
            id=await new_id(context, self._documents.rows.taken),
            collection=collection,
            owner=context.person.id,
            name=name,
            source="",
            digest=digest,
            added_at=format_utc(context.now),
            learned=context.learned,
            origin=_origin(context, name),
        )
        made: Unit = store.collection_unit(collection, INNER_ROLES, document.added_at)
        self._documents.expect(collection)
        answer: JsonObject = {
            "id": document.id,
            "kept": True,
            "collection": collection,
            "parts": len(read.parts),
        }
        answer["found_by"] = _FOUND_BY[context.learned.reach].en
        if read.note:
            answer["note"] = read.note
        unit = made + await stored(document, read)
        return ToolResult(json.dumps(answer), unit=unit, summary=f"kept {name} for {collection}")


def _origin(context: ToolContext, name: str) -> Origin:
    """A Partner's yes to this very call vouches for the file; else it is somebody's upload."""
    vouched = context.confirmed and context.person.role.rank >= Role.PARTNER.rank
    return Origin(Trust.MEMBER if vouched else Trust.EXTERNAL, f"document:{name}")


QUERY_CHARS = 500
MOST = 20
_TOOL = "tool:search_documents"
_SEARCHING = Phrase("Searching what was said and kept here")


class SearchDocumentsArguments(ToolArguments):
    query: str = Field(
        max_length=QUERY_CHARS, description="Words that the text probably holds, synonyms included."
    )
    collection: str | None = Field(default=None, description="Only in this one.")
    limit: int = Field(default=5, ge=1, le=MOST)


class SearchDocuments:
    """Shows what the asking person's role and place allow.

    Only a MasterAdmin sees the logs, and only in direct messages.
    """

    def __init__(self, documents: DocumentCollections, logs: LogSearch) -> None:
        self._documents = documents
        self._logs = logs

    def tool(self) -> NativeTool[SearchDocumentsArguments]:
        return NativeTool(
            "search_documents", SearchDocumentsArguments, self.run, pure=True, doing=_SEARCHING
        )

    async def run(self, context: ToolContext, arguments: SearchDocumentsArguments) -> ToolResult:
        if not arguments.query:
            raise ToolError("query: give words that the text probably holds")
        names = self._names(context)
        if arguments.collection is not None and arguments.collection not in names:
            raise ToolError(
                f"there is no collection {arguments.collection!r}; there are "
                f"{', '.join(names) or 'none'}"
            )
        if arguments.collection == LOGS:
            return await self._in_logs(context, arguments)
        found = await self._documents.finder.find(
            context.person, context.viewer, arguments.query, arguments.limit, arguments.collection
        )
        answer: JsonObject = {"search": found.how, "results": [_shown(one) for one in found.parts]}
        if found.left_out:
            answer["left_out"] = left_out(found.left_out)
        if not found.parts:
            answer["collections"] = names
            more = elsewhere(context, search="the person's own files, and messages")
            answer["hint"] = f"no part of these collections fits{more}"
        origins = [as_read_by(context.person.id, one.part.document.origin) for one in found.parts]
        return ToolResult(
            json.dumps(answer, ensure_ascii=False),
            origin=Origin(max((one.trust for one in origins), default=Trust.OPERATOR), _TOOL),
            private=any(one.part.document.learned.private for one in found.parts),
            summary=f"found {len(found.parts)}",
        )

    def _names(self, context: ToolContext) -> list[str]:
        role = context.person.role
        logs = [LOGS] if role is Role.MASTER_ADMIN and self._logs.exists() else []
        return [*self._documents.open_names(role), *logs]

    async def _in_logs(
        self, context: ToolContext, arguments: SearchDocumentsArguments
    ) -> ToolResult:
        if context.viewer.place.reach is not Reach.DM:
            raise ToolError(
                "logs tell of many people, so they are shown in direct messages and at the "
                "terminal only"
            )
        found = await self._logs.find(arguments.query, arguments.limit)
        results = [
            {"document": LOGS, "place": one.place, "score": one.score, "text": one.text}
            for one in found
        ]
        return ToolResult(
            json.dumps({"search": "log lines by words", "results": results}, ensure_ascii=False),
            origin=Origin(Trust.EXTERNAL, _TOOL),  # log lines repeat what strangers sent
            private=True,
            summary=f"found {len(found)}",
        )


def _shown(one: ScoredPart) -> JsonObject:
    document = one.part.document
    shown: JsonObject = {
        "document": document.name,
        "place": one.part.place,
        "collection": document.collection,
        "url": document.source if document.source.startswith(("http://", "https://")) else "",
        "score": one.score,
        "text": one.part.text,
    }
    return {key: value for key, value in shown.items() if value != ""}


def answers_of(documents: DocumentCollections) -> Mapping[str, Answer]:
    """By name; each raises DocumentError."""

    async def collections(_params: JsonObject) -> JsonObject:
        return {"rows": [vars(one) for one in await documents.rows.collections()]}

    async def documents_of(params: JsonObject) -> JsonObject:
        return {"rows": await _documents(documents, str(params["collection"]))}

    async def add(params: JsonObject) -> JsonObject:
        source = str(params["source"])
        if source.startswith(("http://", "https://")):
            raw = await documents.fetch(source)
        else:
            raw = RawDocument(Path(source).name, await asyncio.to_thread(_bytes, Path(source)))
        added = await documents.add(raw, source, str(params["collection"]), str(params["roles"]))
        return {"text": _in_words(added)}

    async def remove(params: JsonObject) -> JsonObject:
        return {"text": await documents.remove(str(params["what"]))}

    async def embed(_params: JsonObject) -> JsonObject:
        return await _embed(documents)

    return {
        "collections": collections,
        "documents": documents_of,
        "add": add,
        "remove": remove,
        "embed": embed,
    }


async def _documents(documents: DocumentCollections, collection: str) -> list[JsonObject]:
    if all(one.name != collection for one in await documents.rows.collections()):
        raise DocumentError(
            f"there is no collection {collection!r}; `bellhop knowledge list` names them"
        )
    return [
        {
            "id": one.id,
            "name": one.name,
            "source": one.source,
            "owner": one.owner,
            "seen": str(one.learned.reach),
            "parts": one.parts,
            "added_at": one.added_at,
        }
        for one in await documents.rows.documents(collection)
    ]


async def _embed(documents: DocumentCollections) -> JsonObject:
    """Make the vectors of some parts more; says how many then wait."""
    vectors = documents.vectors
    if vectors is None:
        return {"done": 0, "pending": 0, "set": False}
    try:
        done = await vectors.embed_some()
    except EmbedderError as error:
        return {"done": 0, "pending": await vectors.pending(), "set": True, "problem": str(error)}
    return {"done": done, "pending": await vectors.pending(), "set": True}


def _bytes(path: Path) -> bytes:
    """Read at most one byte beyond the limit, so that a larger file is refused as too large."""
    try:
        with open_regular_file(path) as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise DocumentError(f"{path} can't be read: {error.strerror or error}") from error


def _in_words(added: AddedDocument) -> str:
    if added.known:
        return f"{added.name} is in {added.collection} already, unchanged"
    parts = f"{added.parts:,} part{'' if added.parts == 1 else 's'}"
    return (
        f"{added.name} added to {added.collection}: "
        f"{parts}{f'; {added.note}' if added.note else ''}"
    )


class CollectionsConnector(NativeConnector):
    """search_documents if the role may search anything."""

    id = "collections"
    section = (
        "- documents that the team shares: search_documents; keep_document adds an attached file"
    )

    def __init__(self, documents: DocumentCollections, logs: LogSearch) -> None:
        super().__init__()
        self._documents = documents
        some = Needs(
            also=lambda scope: (
                scope.person.role in documents.open_to
                or (scope.person.role is Role.MASTER_ADMIN and logs.exists())
            )
        )
        self._registration = ToolRegistration([SearchDocuments(documents, logs).tool()], some)

    def registrations(self) -> Sequence[ToolRegistration]:
        return (self._registration,)

    def prompt_section(self, scope: ToolScope) -> str | None:
        there = scope.person.role in self._documents.open_to
        return super().prompt_section(scope) if there else None

    # --- what one person added ---

    async def kept_of(self, person: str) -> Sequence[Recollection]:
        return [_recollection(one) for one in await self._documents.rows.owned(person)]

    def forgetting(self, person: str, id_: str) -> Unit:
        return remove_document_unit(id_.removeprefix(f"{self.id}:"), person)


def _recollection(one: CollectedDocument) -> Recollection:
    text = f"{one.name} (in the collection {one.collection}, {one.parts} parts)"
    return Recollection(
        f"collections:{one.id}",
        "document",
        text,
        one.origin,
        parse_utc(one.added_at),
        learned=one.learned,
    )


class Collections(Plugin[NoSettings]):
    name = "collections"
    title = "documents that the team searches"
    commands = (KNOWLEDGE,)

    def build(self, given: Given[NoSettings]) -> Parts:
        vectors = DocumentVectors(given.database, given.vectors) if given.vectors else None
        documents = DocumentCollections(
            given.database, given.clock, given.web, vectors, given.reader
        )
        logs = LogSearch(given.home / "data")
        return Parts(
            connectors=(CollectionsConnector(documents, logs),),
            attached_tools=lambda attached: (KeepDocument(documents, attached).tool(),),
            load=documents.load,
            tasks=(documents.run,),
            answers=answers_of(documents),
        )
