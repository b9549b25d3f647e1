"""The connector "knowledge"."""

from collections.abc import Sequence

from bot.connectors.knowledge.store import KnowledgeRows
from bot.connectors.knowledge.tools import knowledge_search, knowledge_store, recalled
from bot.connectors.native import NativeConnector
from bot.domain.database import Database
from bot.domain.memory import Recollection
from bot.domain.tools import ToolContext


class KnowledgeConnector(NativeConnector):
    """knowledge_search and knowledge_store over the entries of one person at a time."""

    id = "knowledge"
    section = "- a fact about the person or their world: knowledge_store"

    recalled_by = "knowledge_search"

    def __init__(self, database: Database) -> None:
        self._rows = KnowledgeRows(database)
        super().__init__(knowledge_search(self._rows), knowledge_store(self._rows))

    async def recall(self, context: ToolContext, query: str) -> Sequence[Recollection]:
        return await recalled(self._rows, context, query)
