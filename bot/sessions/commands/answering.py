"""Whom Bellhop answers: `/mode` in a channel, `/follow` and `/leave` in a thread."""

from dataclasses import dataclass

from bot.domain.access import INNER_RANK, Role
from bot.domain.chat_commands import Asked, ChatCommand, words
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Phrase
from bot.domain.messages import Place
from bot.place_settings import ReplyTo
from bot.sessions.records.channel_store import choose_mode
from bot.sessions.records.conversation_store import follow_write, leave_write
from bot.sessions.wording import phrases
from bot.tools.policy.rights import Rights

NO_THREAD = Phrase("That works in a thread alone. In a channel I answer who mentions me.")
MODE_HOW = Phrase(
    "A Partner changes it: `/mode mention`, `free`, `quiet`, or `default` for the setting."
)
MODE_KEPT = Phrase("The operator's rules keep this as it is.")

_DEFAULT = "default"
_MODES = tuple(mode.value for mode in ReplyTo)
_SAID = {
    ReplyTo.MENTION: Phrase(
        "In this channel I answer who mentions me or replies to me, and the threads that I am in."
    ),
    ReplyTo.FREE: Phrase("In this channel I answer everybody who doesn't speak to somebody else."),
    ReplyTo.QUIET: Phrase("In this channel I only listen. Commands still work."),
}


@dataclass(frozen=True)
class ModeCommand:
    """Everybody may ask. A Partner chooses for the channel, unless a rule forbids it there."""

    database: Database
    clock: Clock
    rights: Rights

    def commands(self) -> tuple[ChatCommand, ...]:
        names = (*_MODES, _DEFAULT)
        return (ChatCommand("mode", self.run, usage=f"[{'|'.join(names)}]", offers=words(*names)),)

    async def run(self, asked: Asked) -> str:
        """Store the choice, or tell it."""
        here, wanted = asked.message.conversation, asked.args.casefold()
        if here.place is Place.DM:
            return Phrase("Here I answer everything. `/mode` is for channels.").said(asked.language)
        if not wanted:
            return await self._told(asked)
        if asked.person.role.rank < Role.PARTNER.rank:
            return phrases.PARTNER_DECIDES.said(asked.language)
        if wanted not in {*_MODES, _DEFAULT}:
            return MODE_HOW.said(asked.language)
        if not self.rights.at(await asked.located()).may_change:
            return f"{MODE_KEPT.said(asked.language)} {await self._told(asked)}"
        mode = "" if wanted == _DEFAULT else wanted
        await self.database.write(Unit.of(choose_mode(here, mode, self.clock.now())))
        return await self._told(asked)

    async def _told(self, asked: Asked) -> str:
        there = self.rights.at(await asked.located())
        said = _SAID[there.reply or ReplyTo.MENTION].said(asked.language)
        return f"{said} {MODE_HOW.said(asked.language)}" if there.may_change else said


@dataclass(frozen=True)
class ThreadCommands:
    """Anybody in a thread may send Bellhop away; members bring it in."""

    database: Database

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("follow", self.follow), ChatCommand("leave", self.leave))

    async def follow(self, asked: Asked) -> str:
        here = asked.message.conversation
        if here.place is not Place.THREAD:
            return NO_THREAD.said(asked.language)
        if asked.person.role.rank < INNER_RANK:
            return Phrase(
                "Only members can have me follow a thread. Mention me, and I answer."
            ).said(asked.language)
        await self.database.write(Unit.of(follow_write(here.key, again=True)))
        return Phrase(
            "I follow this thread: write here without a mention. `/leave` sends me away."
        ).said(asked.language)

    async def leave(self, asked: Asked) -> str:
        here = asked.message.conversation
        if here.place is not Place.THREAD:
            return NO_THREAD.said(asked.language)
        await self.database.write(Unit.of(leave_write(here.key)))
        return Phrase(
            "I leave you to it: in this thread I answer only who mentions me. `/follow` brings me "
            "back."
        ).said(asked.language)
