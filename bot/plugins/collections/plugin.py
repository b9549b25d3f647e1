"""Collections of documents: what a team keeps, found by words and by meaning."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.plugin.clock import parse_utc
from bot.plugin.command_line import Answer
from bot.plugin.files import MOST_BYTES, DocumentError, RawDocument
from bot.plugin.folders import open_regular_file
from bot.plugin.meaning import EmbedderError
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tables import Recollection, Unit
from bot.plugin.tools import JsonObject, NativeConnector, Needs, Role, ToolRegistration, ToolScope
from bot.plugins.collections.command import KNOWLEDGE
from bot.plugins.collections.documents import AddedDocument, DocumentCollections
from bot.plugins.collections.keeping import KeepDocument
from bot.plugins.collections.log_search import LogSearch
from bot.plugins.collections.searching import SearchDocuments
from bot.plugins.collections.store import CollectedDocument, remove_document_unit
from bot.plugins.collections.vectors import DocumentVectors


def answers_of(documents: DocumentCollections) -> Mapping[str, Answer]:
    """By name; each raises DocumentError."""

    async def collections(_params: JsonObject) -> JsonObject:
        return {
            "rows": [
                {
                    "name": one.name,
                    "documents": one.documents,
                    "parts": one.parts,
                    "roles": one.roles,
                }
                for one in await documents.rows.collections()
            ]
        }

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
