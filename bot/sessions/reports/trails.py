"""Finds the trail for `/why`: the intended message, who may read about it, and its rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from bot.agents.cycle_log.events import cycle_id
from bot.agents.cycle_log.log_store import CycleLog
from bot.domain.access import Person, Role
from bot.domain.approvals import Approval
from bot.domain.chat_commands import CommandReply
from bot.domain.cycles import CycleEvent, CycleEventType
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Conversation
from bot.domain.platforms import KnownPlatforms
from bot.domain.privacy import IN_DM, Learned, Viewer
from bot.domain.sessions import SessionKey
from bot.domain.turns import TurnRecord
from bot.domain.work import (
    ControlWork,
    DelegationWork,
    GivenAnswer,
    HeardMessage,
    envelope_of,
    find_work,
    skill_turn_key,
)
from bot.sessions.approvals.cards import where
from bot.sessions.outbox.outbox_store import kept_sends
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import conversation_of, newest_key_of
from bot.sessions.records.envelope import message_of
from bot.sessions.reports.trail import Trail
from bot.sessions.reports.why import render
from bot.sessions.unattended.delegated import WORK
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.policy.rights import Rights
from bot.turns.engine import TurnEngine
from bot.turns.refs import make_ref, number_in

NOTHING_HERE = Phrase("I remember no message of yours in this conversation.")


@dataclass(frozen=True)
class Trails:
    """Answers `/why` for the person who sent a message, and for MasterAdmin."""

    database: Database
    engine: TurnEngine
    channels: Channels
    store: ApprovalStore
    log: CycleLog
    rights: Rights
    platforms: KnownPlatforms

    async def explain(
        self,
        reference: str,
        conversation: str,
        person: Person,
        viewer: Viewer,
        language: Language = Language.EN,
    ) -> CommandReply:
        """The trail of a message.

        `reference`: of its turn, of a question or approval it led to, its key, a cycle's id, or "".

        `conversation` (its key) is the place of the question, and `viewer` reads the answer.
        """
        name = reference.strip().strip("`'\"().,").strip()
        if not name:
            newest = await newest_key_of(self.database, conversation, person.id)
            if newest is None:
                return CommandReply(NOTHING_HERE.said(language))
            name = newest
        trail, owner = await self._find(name)
        operator = person.role is Role.MASTER_ADMIN
        if trail is None or not (operator or owner == person.id):
            # One answer for messages that never existed and for those of other people.
            unknown = (
                Phrase(
                    "I remember nothing of '{ref}'. References look like t3f; /why alone tells "
                    "about your last message."
                )
                if reference.strip()
                else NOTHING_HERE
            )
            return CommandReply(unknown.said(language, ref=name[:60]))
        if not viewer.sees(person.id, await self._learned(trail)):
            if owner != person.id:
                told = Phrase("That happened in a private conversation; ask me there.")
                return CommandReply(told.said(language))
            return CommandReply(await self._elsewhere(trail, language), alone=True)
        reader = {"own": owner == person.id, "operator": operator, "language": language}
        trail = replace(trail, **reader)
        if trail.taken_by is not None:
            trail = replace(trail, taken_by=replace(trail.taken_by, **reader))
        return CommandReply(render(trail))

    async def _elsewhere(self, trail: Trail, language: Language) -> str:
        """Where a person can ask about their own message, which others here may not read about."""
        record = trail.record
        message = None if record is None else message_of(record.body)
        if message is None or message.private or message.aside:
            told = Phrase(
                "You alone may read about that, and others read here: ask me in a direct message."
            )
            return told.said(language)
        return Phrase(
            "That was in {where}, and others read here: ask me there, or in a direct message."
        ).said(language, where=where(message.conversation, self.platforms, language))

    async def own(self, reference: str, conversation: str, person: Person) -> Trail | None:
        """The trail of a person's own answered message; without a reference, their newest here."""
        name = reference.strip() or await newest_key_of(self.database, conversation, person.id)
        trail, owner = await self._find(name) if name else (None, None)
        if trail is None or owner != person.id:
            return None
        return trail.taken_by or trail

    async def _find(self, name: str) -> tuple[Trail | None, str | None]:
        """The trail, and the person whose message it is about."""
        engine = self.engine
        record = await engine.recorded(name)
        if record is None and (approval := await self.store.get(name)) is not None:
            record = await engine.recorded(str(approval.envelope.get("key", "")))
        if record is None:
            return await self._by_cycle(name)
        trail = await self._trail(record)
        work = find_work(record.body)
        question = work.question if isinstance(work, GivenAnswer) else ""
        taker = await engine.recorded(record.joined_to or question or skill_turn_key(record.key))
        owner = owner_of(record.session, record.body)
        if taker is not None and owner_of(taker.session, taker.body) == owner:
            trail = replace(trail, taken_by=await self._trail(taker))
        return trail, owner

    async def _by_cycle(self, name: str) -> tuple[Trail | None, str | None]:
        """From the cycle log: by a cycle's id, or by the reference of a purged turn."""
        number = number_in("t", name)
        events = await self.log.events(name if number is None else cycle_id(number), number)
        if not events:
            return None, None
        turn, ref = events[0].turn, make_ref("t", events[0].turn)
        if number is None and await self.engine.recorded(ref) is not None:
            return await self._find(ref)
        top = await self.log.events(cycle_id(turn), turn) or events
        return Trail(ref, None, top), events[0].person

    async def _trail(self, record: TurnRecord) -> Trail:
        scope = WORK if isinstance(find_work(record.body), DelegationWork) else ""
        events = await self.log.events(cycle_id(record.id, scope), record.id)
        return Trail(
            ref=record.ref,
            record=record,
            events=events,
            sends=await kept_sends(self.database, record.ref),
            approvals=await self._approvals(events),
            running=await self.engine.under_way(record.session),
            sources={rule: self.rights.source_of(rule) for rule in _rules(record, events)},
        )

    async def _approvals(self, events: Sequence[CycleEvent]) -> list[tuple[Approval, str | None]]:
        found: list[tuple[Approval, str | None]] = []
        refs = (
            str(event.data.get("ref")) for event in events if event.type is CycleEventType.APPROVAL
        )
        for ref in dict.fromkeys(refs):
            approval = await self.store.get(ref)
            if approval is not None:
                decision = await self.engine.recorded(f"approval:{approval.ref}")
                found.append((approval, decision.ref if decision else None))
        return found

    async def _learned(self, trail: Trail) -> Learned:
        """The place of the message; if it is unknown, only direct messages show the trail."""
        if trail.record is None:
            places = [event.learned for event in trail.events]
            return reduce(Learned.narrowed, places) if places else IN_DM
        work = find_work(trail.record.body)
        if isinstance(work, GivenAnswer):
            return IN_DM if trail.taken_by is None else await self._learned(trail.taken_by)
        said = envelope_of(trail.record.body)
        heard = isinstance(work, HeardMessage)
        if (work.private is not False) if heard else said.get("private", True):
            return IN_DM
        message = message_of(trail.record.body)
        if message is not None and message.aside:  # the sender alone has read its words
            return IN_DM
        conversation = await self._conversation(trail.record)
        return (
            IN_DM if conversation is None else Learned.at(await self.channels.locate(conversation))
        )

    async def _conversation(self, record: TurnRecord) -> Conversation | None:
        if (message := message_of(record.body)) is not None:
            return message.conversation
        key = _about(record.session, record.body)
        return await conversation_of(self.database, key.conversation_key)


def _rules(record: TurnRecord, events: Sequence[CycleEvent]) -> set[str]:
    """Names of the rules that took part in the decision."""
    decided = {
        str(event.data.get("rule"))
        for event in events
        if event.type is CycleEventType.POLICY_DECISION
    }
    work = find_work(record.body)
    return decided | ({work.rule} if isinstance(work, HeardMessage) else {""})


def owner_of(session: str, body: JsonObject) -> str | None:
    """The person (id) whose accepted work it is; None for work that belongs to nobody."""
    work = find_work(body)
    if isinstance(work, HeardMessage) and work.person is not None:
        return work.person
    return _about(session, body).person


def _about(session: str, body: JsonObject) -> SessionKey:
    """The session that it concerns, which for a command is not its own."""
    work = find_work(body)
    return SessionKey.parse((isinstance(work, ControlWork) and work.session) or session)
