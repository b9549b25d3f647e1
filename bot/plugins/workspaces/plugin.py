"""A folder per person and project, and command lines in it."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugins.workspaces.connector import WorkspacesConnector


class Workspaces(Plugin[NoSettings]):
    name = "workspaces"
    title = "projects of people, and command lines in them"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(WorkspacesConnector(given.folder, given.sandbox, given.programs),))
