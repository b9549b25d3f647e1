"""The connectors that Bellhop ships; the only module that knows several of them."""

from collections.abc import Mapping

from bot.connectors.clock_tools import ClockConnector
from bot.connectors.knowledge import KnowledgeConnector
from bot.connectors.notes import NotesConnector
from bot.connectors.surfaces import CustomSkillsConnector, DocumentsConnector, PreferencesConnector, SkillsConnector
from bot.connectors.todos import TodosConnector
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.files import FileSource
from bot.tools.connector import Connector

SHIPPED = (
    TodosConnector,
    NotesConnector,
    KnowledgeConnector,
    ClockConnector,
    PreferencesConnector,
    DocumentsConnector,
    CustomSkillsConnector,
    SkillsConnector,
)
"""Every connector class of this package, in the order of their prompt sections; a meta-test keeps it complete."""

_SURFACES = (PreferencesConnector, DocumentsConnector, CustomSkillsConnector, SkillsConnector)


def build_connectors(database: Database, clock: Clock, *, files: Mapping[str, FileSource]) -> list[Connector]:
    """All shipped connectors, in the order of SHIPPED.

    `files` gives the sources of the surfaces by connector id: `preferences`, `documents`, `custom-skills`, `skills`.
    A surface without a source is left out.
    """
    plain: list[Connector] = [
        TodosConnector(database),
        NotesConnector(database),
        KnowledgeConnector(database),
        ClockConnector(clock),
    ]
    return plain + [surface(files[surface.id]) for surface in _SURFACES if surface.id in files]
