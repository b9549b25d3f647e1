"""Collections of documents: what a team keeps, found by words and by meaning."""

from collections.abc import Sequence

from bot.plugin.clock import parse_utc
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tables import Recollection, Unit
from bot.plugin.tools import NativeConnector, Needs, Role, ToolRegistration, ToolScope
from bot.plugins.collections.answers import answers_of
from bot.plugins.collections.command import KNOWLEDGE
from bot.plugins.collections.documents import DocumentCollections
from bot.plugins.collections.keeping import KeepDocument
from bot.plugins.collections.log_search import LogSearch
from bot.plugins.collections.searching import SearchDocuments
from bot.plugins.collections.store import CollectedDocument, remove_document_unit
from bot.plugins.collections.vectors import DocumentVectors


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
