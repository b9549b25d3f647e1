"""What people told about themselves and their world, found again by words and meaning."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugins.knowledge.connector import KnowledgeConnector


class Knowledge(Plugin[NoSettings]):
    name = "knowledge"
    title = "what people told about themselves and their world"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(KnowledgeConnector(given.database, given.similarity),))
