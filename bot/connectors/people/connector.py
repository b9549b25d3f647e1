"""The connector "people"."""

from collections.abc import Sequence
from pathlib import Path

from bot.connectors.native import NativeConnector
from bot.connectors.people.files import PeopleFiles
from bot.connectors.people.roster import Roster
from bot.connectors.people.search import find_people
from bot.connectors.people.store import PeopleRows
from bot.connectors.people.tool import people_tool
from bot.domain.database import Database
from bot.domain.files import FileSource
from bot.domain.people import Directory
from bot.domain.search import EntityType, SearchHits, SearchQuery
from bot.domain.tool_context import ToolContext


class PeopleConnector(NativeConnector):
    """A file about every known person; guests see only the one about themselves.

    Implements `SearchSource`.
    """

    id = "people"
    finds = EntityType.PERSON
    found_with = "people"
    skills = Path(__file__).parent / "skills"

    def __init__(self, database: Database, directory: Directory) -> None:
        self.roster = Roster(PeopleRows(database), directory)
        """Implements `domain.people.FindsPeople`."""
        super().__init__(people_tool(self.roster))

    async def find(self, context: ToolContext, wanted: SearchQuery) -> SearchHits:
        """People with these words. Raises StorageError."""
        return await find_people(self.roster, context, wanted)

    def file_sources(self) -> Sequence[FileSource]:
        return (PeopleFiles(self.roster),)
