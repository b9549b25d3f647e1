"""The connector "knowledge"."""

from collections.abc import Sequence

from bot.connectors.knowledge.store import KnowledgeRows, delete
from bot.connectors.knowledge.tools import knowledge_search, knowledge_store, recalled, recollection
from bot.connectors.native import NativeConnector
from bot.domain.database import Database, Unit
from bot.domain.memory import RecallQuery, Recollection
from bot.domain.tool_context import ToolContext
from bot.memory.embedding import Similarity


class KnowledgeConnector(NativeConnector):
    """knowledge_search and knowledge_store over the entries of one person at a time."""

    id = "knowledge"
    section = "- a fact about the person or their world: knowledge_store"

    recalled_by = "knowledge_search"

    def __init__(self, database: Database, similarity: Similarity | None = None) -> None:
        """`similarity` compares meanings, if an embedder is set."""
        self._rows = KnowledgeRows(database)
        super().__init__(knowledge_search(self._rows, similarity), knowledge_store(self._rows))

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> Sequence[Recollection]:
        return await recalled(self._rows, context, wanted)

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        entry = await self._rows.find(context.person.id, id_.removeprefix(f"{self.id}:"))
        return None if entry is None else recollection(entry)

    def removal(self, context: ToolContext, id_: str) -> Unit:
        return self.forgetting(context.person.id, id_)

    async def kept_of(self, person: str) -> Sequence[Recollection]:
        return [recollection(one) for one in await self._rows.owned(person)]

    def forgetting(self, person: str, id_: str) -> Unit:
        return delete(person, id_.removeprefix(f"{self.id}:"))
