"""Whether anything may be learned from what was said: the one answer for past requests, playbooks and memory."""

from collections.abc import Sequence

from bot.domain.database import Database
from bot.domain.messages import Conversation
from bot.sessions.channel_store import Channels
from bot.sessions.conversation_store import conversation_of
from bot.sessions.store import session_by_id
from bot.tools.rights import Rights


class Learning:
    """Asks the rules of the place where something was said (`learn: false`)."""

    def __init__(self, database: Database, rights: Rights) -> None:
        self._database = database
        self._rights = rights
        self._channels = Channels(database)

    async def allowed_in(self, conversation: Conversation) -> bool:
        """Whether anything may be learned from this conversation. Raises StorageError."""
        return self._rights.learns(await self._channels.locate(conversation))

    async def forbidden(self, sessions: Sequence[str]) -> tuple[str, ...]:
        """Of these session ids, those from which nothing may be learned; one that is gone forbids nothing."""
        found: list[str] = []
        for id_ in dict.fromkeys(sessions):
            stored = await session_by_id(self._database, id_)
            if stored is None:
                continue
            key = stored.session.key
            conversation = await conversation_of(self._database, f"{key.platform}:{key.workspace}:{key.conversation}")
            if conversation is not None and not await self.allowed_in(conversation):
                found.append(id_)
        return tuple(found)
