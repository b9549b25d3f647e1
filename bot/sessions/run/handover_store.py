"""Which sessions of a conversation found something out."""

from bot.domain.database import Database
from bot.domain.messages import Conversation
from bot.domain.sessions import SessionKey
from bot.sessions.records.session_store import StoredSession, session_by_id


async def sessions_with_facts(
    database: Database, conversation: Conversation, besides: str, limit: int
) -> list[StoredSession]:
    """Sessions of other people with facts, the one used last first."""
    begin = (
        str(SessionKey(conversation.platform, conversation.workspace, conversation.id, "")).rstrip(
            "|"
        )
        + "|"
    )
    rows = await database.read(
        "SELECT id, session_key FROM sessions WHERE session_key >= ? AND session_key < ?"
        " AND EXISTS (SELECT 1 FROM known_facts WHERE session_id = sessions.id) ORDER BY last_at "
        "DESC LIMIT 100",
        (begin, f"{begin[:-1]}}}"),
    )
    others = [row["id"] for row in rows if SessionKey.parse(row["session_key"]).person != besides]
    found = [await session_by_id(database, id_) for id_ in others[:limit]]
    return [one for one in found if one is not None]
