"""Reloads data that another process of the same database changed."""

from collections.abc import Sequence

from bot.assembly.chats import Chats
from bot.assembly.ground import Ground
from bot.assembly.written import Definitions, WrittenHome
from bot.knowledge.documents import DocumentCollections
from bot.storage.shared_changes import (
    COLLECTIONS,
    CUSTOM_SKILLS,
    DEFINITIONS,
    LIVES,
    OUTBOX,
)


def follow_others(
    ground: Ground,
    written: WrittenHome,
    chats: Chats,
    documents: DocumentCollections,
    definitions: Sequence[Definitions],
) -> None:
    """Reload data that other processes changed.

    People and policy are checked each time, because they decide about access.
    """
    changes = ground.changes
    changes.look_at(written.contacts.reload_if_changed)
    changes.look_at(written.policy.reload_changed)
    changes.on_change(COLLECTIONS, documents.load)
    changes.on_change(CUSTOM_SKILLS, written.custom_skills.others_changed)
    changes.on_change(LIVES, chats.outbox.lives.forget)
    changes.on_change(OUTBOX, chats.outbox.retries.others_sent)
    for part in definitions:
        changes.on_change(DEFINITIONS, part.reload_changed)
