"""Builds the connectors: those that ship, and those of plug-ins; and documents of people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.assembly.accounts import Accounts
from bot.assembly.automations import automation_files
from bot.assembly.chats import Chats
from bot.assembly.ground import Ground
from bot.assembly.plugged import Plugged, connectors_of, own_documents
from bot.assembly.written import WrittenHome
from bot.connectors.shipped import build_connectors
from bot.domain.access import Role
from bot.domain.files import AttachedFiles, FileSource
from bot.domain.search import SearchSource
from bot.files.daily_notes import ROOT as DAILY_NOTES
from bot.files.daily_notes import DailyNotes
from bot.files.database_files import DatabaseFiles
from bot.files.directory_files import DirectoryFiles
from bot.files.search import DocumentIndex, DocumentSearch
from bot.files.store import FileRows
from bot.files.versions import VersionedFiles
from bot.knowledge.attached import AttachedSource
from bot.sessions.opening.attachments import Attachments, KeptAttachments
from bot.sessions.search.recall import SinceLastHere
from bot.skills.custom_file import CUSTOM, SHARED
from bot.skills.virtual_files import CustomSkillFiles, LibraryFiles
from bot.tools.native.connector import Connector


@dataclass(frozen=True)
class Documents:
    """The documents of people, what finds something in them, and files of messages."""

    attached: AttachedFiles
    opened: FileSource
    """`/attached`: the same files for the file tools."""
    index: DocumentIndex
    search: DocumentSearch


def build_documents(ground: Ground, attachments: Attachments) -> Documents:
    attached = KeptAttachments(ground.database, ground.engine, attachments)
    index = DocumentIndex(ground.database, ground.clock)
    return Documents(
        attached,
        AttachedSource(attached, ground.reader),
        index,
        DocumentSearch(ground.database, index),
    )


def connect_all(
    ground: Ground,
    written: WrittenHome,
    accounts: Accounts,
    plugged: Sequence[Plugged],
    chats: Chats,
    documents: Documents,
) -> Sequence[Connector]:
    connections = accounts.connections
    ours = connectors_of([one for one in plugged if one.ours])
    others = connectors_of([one for one in plugged if not one.ours])
    searched = [one for one in others if isinstance(one, SearchSource)]
    connectors = build_connectors(
        ground.database,
        files=_sources(ground, written, automation_files(ground, accounts, plugged)),
        ours=ours,
        could_connect=lambda person: bool(connections.connectable(person)),
        searched=[*searched, chats.search, documents.search],
        happened=SinceLastHere(ground.database, chats.search),
    )
    return [*connectors, *others]


def _sources(
    ground: Ground, written: WrittenHome, automations: FileSource
) -> Mapping[str, FileSource]:
    """Virtual files by the surface that shows them."""
    database, clock = ground.database, ground.clock
    return {
        "preferences": VersionedFiles(
            DatabaseFiles(database, clock, "/preferences", "person", standing=True),
            FileRows(database),
        ),
        "documents": own_documents(ground),
        "daily-notes": DailyNotes(DatabaseFiles(database, clock, DAILY_NOTES, "person")),
        "custom-skills": CustomSkillFiles(
            DatabaseFiles(database, clock, CUSTOM, "person", confirmable=True),
            DatabaseFiles(
                database, clock, SHARED, "workspace", least_rank=Role.GUEST.rank, confirmable=True
            ),
            written.custom_skills,
        ),
        "automations": automations,
        "skills": LibraryFiles(DirectoryFiles("/skills", written.skills.roots), written.skills),
    }
