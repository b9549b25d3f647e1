"""Builds memory: its tiers, what `remember` finds besides, and the sharing of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.assembly.chats import Chats
from bot.assembly.connectors import Documents
from bot.assembly.ground import Ground
from bot.assembly.permission import Permission
from bot.assembly.written import WrittenHome
from bot.domain.memory import Recalls
from bot.memory.editing import TierEditor
from bot.memory.finding import Memories
from bot.memory.settings import MemorySettings
from bot.memory.summaries.recall import PastSummaries
from bot.sessions.learning.sharing import Sharing
from bot.sessions.opening.blocks import OpeningRecall
from bot.sessions.search.recall import PastTalk
from bot.tools.native.connector import Connector


@dataclass(frozen=True)
class Memory:
    """Memory of one app; the files of its tiers are part of what is written."""

    editor: TierEditor
    sources: Sequence[Recalls]
    """Personal things outside the tiers."""
    memories: Memories
    """The search over tiers and sources."""
    opening: OpeningRecall
    """What a session begins with."""
    sharing: Sharing


def build_memory(
    ground: Ground,
    written: WrittenHome,
    permission: Permission,
    chats: Chats,
    documents: Documents,
    connectors: Sequence[Connector],
) -> Memory:
    """What connectors keep is found, too, and what was said."""
    settings, database = ground.settings.get(MemorySettings), ground.database
    keeping = [connector for connector in connectors if isinstance(connector, Recalls)]
    sources = [*keeping, PastSummaries(database), PastTalk(database, chats.search)]
    memories = Memories(written.memory, settings, sources, ground.similarity)
    editor = TierEditor(written.memory, settings)
    return Memory(
        editor,
        sources,
        memories,
        OpeningRecall(memories),
        Sharing(database, ground.clock, editor, written.contacts, permission.rights),
    )
