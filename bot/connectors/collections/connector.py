"""The connector "collections"."""

from collections.abc import Sequence

from bot.clock import parse_utc
from bot.connectors.collections.attached import AttachedSource
from bot.connectors.collections.keeping import KeepDocument
from bot.connectors.collections.searching import SearchDocuments
from bot.connectors.native import NativeConnector
from bot.domain.access import Role
from bot.domain.database import Unit
from bot.domain.files import AttachedFiles, FileSource
from bot.domain.memory import Recollection
from bot.domain.tool_context import ToolScope
from bot.knowledge.documents import DocumentCollections
from bot.knowledge.log_search import LogSearch
from bot.knowledge.store import CollectedDocument, remove_document_unit
from bot.tools.native.registry import Needs, ToolRegistration


class CollectionsConnector(NativeConnector):
    """search_documents if the role may search anything; keep_document if files can come."""

    id = "collections"
    section = (
        "- documents that the team shares: search_documents; keep_document adds an attached file"
    )

    def __init__(
        self, documents: DocumentCollections, logs: LogSearch, attached: AttachedFiles
    ) -> None:
        self._documents = documents
        search, keep = SearchDocuments(documents, logs), KeepDocument(documents, attached)
        self._files = (AttachedSource(attached, documents.reader),)
        super().__init__()
        some = Needs(
            also=lambda scope: (
                scope.person.role in documents.open_to
                or (scope.person.role is Role.MASTER_ADMIN and logs.exists())
            )
        )
        self._registrations = (
            ToolRegistration([search.tool()], some),
            ToolRegistration([keep.tool()]),
        )

    def registrations(self) -> Sequence[ToolRegistration]:
        return self._registrations

    def file_sources(self) -> Sequence[FileSource]:
        return self._files

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
