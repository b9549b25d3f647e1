"""The tool over the mailboxes that people connected."""

from bot.plugin.files import DocumentReader
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.services import Pages
from bot.plugins.mailboxes.connector import MailboxesConnector


class MailboxesPlugin(Plugin[NoSettings]):
    name = "mailboxes"
    title = "reading people's own mail"

    def build(self, given: Given[NoSettings]) -> Parts:
        # A mail waits for no large document of somebody else.
        reader = DocumentReader(readers=given.reader.readers)
        return Parts(connectors=(MailboxesConnector(given.mailboxes, Pages(given.web), reader),))
