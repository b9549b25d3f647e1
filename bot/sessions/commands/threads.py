"""`/follow` and `/leave`: whether a thread is answered without a mention."""

from dataclasses import dataclass

from bot.domain.access import INNER_RANK
from bot.domain.database import Database, Unit
from bot.domain.messages import Place
from bot.sessions.commands.asked import Asked, BuiltIn
from bot.sessions.records.conversation_store import follow_write, leave_write
from bot.sessions.wording import phrases


@dataclass(frozen=True)
class ThreadCommands:
    """Anybody in a thread may send Bellhop away; members bring it in."""

    database: Database

    def commands(self) -> tuple[BuiltIn, ...]:
        return (BuiltIn("follow", self.follow), BuiltIn("leave", self.leave))

    async def follow(self, asked: Asked) -> str:
        here = asked.message.conversation
        if here.place is not Place.THREAD:
            return phrases.NO_THREAD.said(asked.language)
        if asked.person.role.rank < INNER_RANK:
            return phrases.MEMBERS_ALONE.said(asked.language)
        await self.database.write(Unit.of(follow_write(here.key, again=True)))
        return phrases.FOLLOWING.said(asked.language)

    async def leave(self, asked: Asked) -> str:
        here = asked.message.conversation
        if here.place is not Place.THREAD:
            return phrases.NO_THREAD.said(asked.language)
        await self.database.write(Unit.of(leave_write(here.key)))
        return phrases.LEFT.said(asked.language)
