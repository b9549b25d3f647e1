"""Summaries of ended conversations: made beside the turns, once each, also across crashes."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.agents.definitions.registry import AgentRegistry
from bot.agents.summaries.conversation_summary import (
    ConversationSummariser,
    origin_of,
    readable,
    said_in,
)
from bot.agents.summaries.transcript_text import entries
from bot.domain.access import Role
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.messages import Conversation
from bot.domain.models import Usage
from bot.domain.places import AT_TERMINAL
from bot.domain.privacy import IN_DM, Learned
from bot.domain.sessions import Session, TranscriptMessage
from bot.domain.summaries import ConversationSummary, SummaryFields
from bot.errors import StorageError
from bot.memory.facts_store import FactsStore
from bot.memory.forgotten_words_store import ForgottenWords, forgotten_in
from bot.memory.settings import MemorySettings
from bot.memory.summaries import store as summary_store
from bot.memory.summaries.form import plain_fields, with_facts
from bot.memory.summaries.log import SummaryLog
from bot.memory.summaries.store import blank_summary
from bot.sessions.learning.consent import Learning
from bot.sessions.learning.spare_calls import ask_sparingly
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import conversation_of
from bot.sessions.records.past_session_store import (
    sessions_that_forgot,
    summarised_write,
    to_summarise,
)
from bot.sessions.records.session_store import StoredSession, session_by_id
from bot.sessions.records.transcript_store import transcript
from bot.tools.budget.budgets import Payer
from bot.tools.budget.usage import Meter
from bot.tools.policy.rights import Rights

log = logging.getLogger(__name__)

EVERY_S = 60.0
_GOAL_AGENTS = ("nikki", "lia", "marvin")
"""Agents whose summaries keep continuing goals: they work for one person over weeks."""
AT_ONCE = 3
UNREADABLE = "its record can't be read any more"
_SET_ASIDE = "session=<%s>, epoch=<%d> | can't be read, so it gets no summary"
_UNREADABLE = (LookupError, TypeError, ValueError)
"""What a row of another version, or a damaged one, raises."""
FORGET = "forget"
"""The tool.

A conversation in which something was forgotten repeats it, so it gets no summary.
"""


@dataclass(frozen=True)
class SessionSummaries:
    """Summarises ended sessions and left epochs, oldest first; looks each minute."""

    database: Database
    clock: Clock
    meter: Meter
    summariser: ConversationSummariser
    learning: Learning
    rights: Rights
    agents: AgentRegistry
    contacts: Contacts
    lines: SummaryLog
    settings: MemorySettings

    async def run(self) -> None:
        """Run until cancelled. Raises StorageError."""
        await self._log_lines(again=True)
        while True:
            while await self.work():
                pass
            await self.clock.sleep(EVERY_S)

    async def work(self) -> int:
        """Summarise the next few; returns how many were due."""
        due = await to_summarise(self.database, AT_ONCE)
        async with asyncio.TaskGroup() as group:
            for session_id, epoch in due:
                group.create_task(
                    self._summarise(session_id, epoch), name=f"summary-{session_id}-{epoch}"
                )
        await self._log_lines()
        return len(due)

    async def _log_lines(self, *, again: bool = False) -> None:
        try:
            while waiting := await summary_store.unlogged(self.database, 100):
                await self.lines.append(waiting, again=again)
                await self._logged([summary.id for summary in waiting])
            while forgotten := await summary_store.unlined(self.database, 100):
                for agent, ids in forgotten.items():
                    await self.lines.remove(agent, ids)
                    await self._logged(ids)
        except StorageError as error:
            log.warning("error=<%s> | summaries are kept, their lines are written later", error)

    async def _logged(self, ids: Sequence[str]) -> None:
        await self.database.write(Unit.of(summary_store.logged_write(ids)))

    async def _summarise(self, session_id: str, epoch: int) -> None:
        try:
            stored = await session_by_id(self.database, session_id)
        except _UNREADABLE:
            log.exception(_SET_ASIDE, session_id, epoch)
            await self._set_aside(session_id, epoch)
            return
        if stored is None:
            return
        try:
            messages = await transcript(self.database, replace(stored.session, epoch=epoch))
        except _UNREADABLE:
            log.exception(_SET_ASIDE, session_id, epoch)
            blank = blank_summary(stored.session, epoch)
            await self._set_aside(session_id, epoch, summary_store.nothing_write(blank, UNREADABLE))
            return
        conversation = await conversation_of(self.database, stored.session.key.conversation_key)
        read = await asyncio.to_thread(readable, messages)
        blank = await self._blank(stored, epoch, read, conversation)
        why_not = await self._why_not(blank, stored.session, messages, conversation)
        if why_not or conversation is None:
            unit = Unit.of(summary_store.nothing_write(blank, why_not or "its place is gone"))
        else:
            unit = await self._written(blank, stored, read, conversation)
        await self.database.write(unit + Unit.of(summarised_write(session_id, epoch)))

    async def _set_aside(self, session_id: str, epoch: int, *told: Write) -> None:
        """Go on without an unreadable part: it would fail again, and end the others' requests."""
        await self.database.write(Unit.of(*told, summarised_write(session_id, epoch)))

    async def _blank(
        self,
        stored: StoredSession,
        epoch: int,
        messages: Sequence[TranscriptMessage],
        place: Conversation | None,
    ) -> ConversationSummary:
        """The summary's fields except its text; `messages` are those that it is made from."""
        session, said = stored.session, said_in(messages)
        location = await Channels(self.database).locate(place) if place else AT_TERMINAL
        learned = Learned.at(location)
        private = any(block.private for message in messages for block in message.blocks)
        if (private and not learned.private) or (location.shared and not session.shared):
            learned = IN_DM
        blank = blank_summary(session, epoch, learned, origin_of(messages).trust)
        return replace(blank, tools=said.tools)

    async def _why_not(
        self,
        blank: ConversationSummary,
        session: Session,
        messages: Sequence[TranscriptMessage],
        conversation: Conversation | None,
    ) -> str:
        """Why a conversation gets no summary; empty when it gets one."""
        if session.key.run:
            return "nobody was present"
        if (
            FORGET in said_in(messages).tools
            or await summary_store.any_forgotten(self.database, session.id)
            or await self._holds_forgotten(session, messages)
        ):
            return summary_store.FORGOTTEN
        if blank.role is Role.BANNED:
            return "the person is banned"
        agent = self.agents.get(blank.agent)
        if blank.agent in self.settings.skip_agents or (
            agent is not None and not agent.keeps_memory
        ):
            return f"{blank.agent} works for others"
        if not any(block.said.strip() for message in messages for block in message.blocks):
            return "nothing was said"
        if conversation is not None and not await self.learning.allowed(
            blank.person, conversation, session.opened_at
        ):
            return "nothing may be learned there"
        return ""

    async def _holds_forgotten(
        self, session: Session, messages: Sequence[TranscriptMessage]
    ) -> bool:
        """Whether it holds what the person had forgotten during it.

        What was forgotten in another conversation may be said again, but not be read from the log.
        """
        those = await sessions_that_forgot(self.database, session.key.person)
        others = [one for one in those if one != session.id]
        here = await forgotten_in(self.database, session.id)
        elsewhere = await forgotten_in(self.database, *others) if others else []
        if not (here or elsewhere):
            return False
        typed = [block.said for message in messages for block in message.blocks if block.said]
        read = [
            replace(message, blocks=tuple(one for one in message.blocks if not one.said))
            for message in messages
        ]

        def names() -> bool:
            unsaid = [
                words for _, words in elsewhere if not any(words.names(text) for text in typed)
            ]
            return _names_any([words for _, words in here], entries(messages)) or _names_any(
                unsaid, entries(read)
            )

        return await asyncio.to_thread(names)

    async def _written(
        self,
        blank: ConversationSummary,
        stored: StoredSession,
        messages: Sequence[TranscriptMessage],
        conversation: Conversation,
    ) -> Unit:
        contacts, session = self.contacts, stored.session
        person = contacts.last_known(blank.person, session.role)
        location = await Channels(self.database).locate(conversation)
        payer = Payer.of(person, conversation, self.rights.at(location).limits)
        fields, usage, name = await self._asked(blank, messages, payer)
        facts = await FactsStore(self.database).load(session.id)
        known = [f"{key}: {fact.value}" for key, fact in facts.items() if not fact.origin.untrusted]
        if fields is None:
            summary = replace(blank, fields=plain_fields(replace(said_in(messages), facts=known)))
        else:
            summary = replace(blank, fields=with_facts(fields, known), by_model=True)
        unit = Unit.of(summary_store.summary_write(summary))
        if usage.total_input:
            unit += self.meter.model_unit(payer, name, usage)
        return unit

    async def _asked(
        self, blank: ConversationSummary, messages: Sequence[TranscriptMessage], payer: Payer
    ) -> tuple[SummaryFields | None, Usage, str]:
        """A model's summary, its usage and its name.

        No summary without a model, a budget or a usable answer.
        """
        if self.summariser.offline:
            return None, Usage(), ""
        opening = 2 if blank.epoch > 1 else 0
        goals = blank.agent in _GOAL_AGENTS
        outcome = await ask_sparingly(
            self.meter,
            self.clock,
            payer,
            lambda hint: self.summariser.summarise(
                messages, opening=opening, goals=goals, problem=hint
            ),
        )
        if outcome.value is None:
            log.warning(
                "session=<%s>, reason=<%s> | summarised without a model",
                blank.session_id,
                outcome.problem,
            )
        return outcome.value, outcome.usage, outcome.answered_by or self.summariser.name


def _names_any(forgotten: Sequence[ForgottenWords], texts: Sequence[str]) -> bool:
    return any(words.names(text) for words in forgotten for text in texts)
