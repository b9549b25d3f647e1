"""The connector "knowledge"."""

from bot.connectors.knowledge.store import KnowledgeRows
from bot.connectors.knowledge.tools import knowledge_search, knowledge_store
from bot.connectors.native import NativeConnector
from bot.domain.database import Database


class KnowledgeConnector(NativeConnector):
    """knowledge_search and knowledge_store over the entries of one person at a time."""

    id = "knowledge"

    def __init__(self, database: Database) -> None:
        rows = KnowledgeRows(database)
        super().__init__(knowledge_search(rows), knowledge_store(rows))
