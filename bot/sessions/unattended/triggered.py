"""Automations on events: their owner now, their text, and their outcome."""

import logging
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.agents.prompt.notes import quote
from bot.automations import store
from bot.automations.store import Automations
from bot.automations.trigger_file import stored_trigger
from bot.automations.trigger_files import PUBLIC
from bot.domain.access import Role
from bot.domain.automations import Automation, EventKind, Trigger
from bot.domain.card_words import in_words
from bot.domain.characters import one_entry
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Conversation, IncomingMessage, Place, ReplyTarget
from bot.domain.origins import Origin, Trust
from bot.domain.sessions import StoredBlock, text_block
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Recorded, Turn
from bot.domain.work import TriggerWork
from bot.errors import DefinitionError
from bot.sessions.run.circumstances import TurnResolver
from bot.sessions.unattended.due_work import RepeatedWork, as_of_now
from bot.turns.schedules import reason_words as reasons
from bot.turns.schedules.reason_words import REASONS

log = logging.getLogger(__name__)

HOUR = timedelta(hours=1)
RUNS_PER_HOUR = 20
"""An automation that starts more runs is paused: something may start it again and again."""


_WATCHED = {
    EventKind.REACTION.value: Phrase("reactions"),
    EventKind.POLL_ENDED.value: Phrase("the results of my polls"),
}
"""What is read in a channel by the kind of event; else messages."""


@dataclass(frozen=True)
class DueTrigger(RepeatedWork):
    """An automation with a matching event."""

    automations: Automations
    automation: Automation
    trigger: Trigger
    events: tuple[StoredBlock, ...]
    runs: int
    """The number of its runs that began within the hour before."""

    @property
    def name(self) -> str:
        return f"{self.trigger.name} ({self.automation.ref})"

    @property
    def work(self) -> Automation:
        return self.automation

    @property
    def words(self) -> tuple[StoredBlock, ...]:
        """The quoted events, and then the task."""
        trust = max(Trust.MEMBER, self.automation.origin.trust)
        task = text_block(self.trigger.prompt)
        origin = Origin(trust, f"automation:{self.automation.ref}")
        return (*self.events, StoredBlock(task, origin, self.automation.learned.private))

    async def refusal(self) -> str:
        if self.runs >= RUNS_PER_HOUR and self.person.role is not Role.BANNED:
            return reasons.TOO_OFTEN.said(Language.EN, count=RUNS_PER_HOUR)
        return await super().refusal() or await self._place_refusal()

    async def _place_refusal(self) -> str:
        """A private channel's messages stay there; other channels must be open to automations."""
        channels = self.resolver.channels
        there = await channels.locate(self.message.conversation)
        answers = there.channel_key
        elsewhere = answers != self.home.conversation.channel_key
        if elsewhere and await self.automations.opened_by(answers) is None:
            return reasons.CLOSED_THERE.said(Language.EN)
        watched = self.automation.watches
        if watched in {"", answers, there.audience_key}:
            return ""
        source = await channels.of_key(watched)
        if source is None or source.reaches != PUBLIC or watched in there.withdrawn:
            return reasons.NOT_PUBLIC.said(Language.EN)
        return ""

    def refused_words(self, why: str) -> str:
        if not self.now.sure:
            told = REASONS.told(why, self.now.language)
            return Phrase("I left out the automation {name} this time: {why}.").said(
                self.now.language, name=self.name, why=told
            )
        return self.paused_words(why)

    def notice(self) -> tuple[IncomingMessage, str] | None:
        """The watched channel is told once what is read there, before any work on it."""
        automation = self.automation
        if not automation.watches or automation.shown_at is not None:
            return None
        platform, workspace, channel = automation.watches.split(":", 2)
        there = Conversation(platform, workspace, channel, Place.CHANNEL)
        language = self.now.language
        what = _WATCHED.get(automation.event, Phrase("messages")).said(language)
        who = in_words(self.person.name)
        text = Phrase(
            "The automation {name} of {who} reads {what} in this channel from now on. A Partner "
            "ends that with `/automations off`."
        ).said(language, name=self.name, who=who, what=what)
        return replace(
            self.home, conversation=there, reply_to=ReplyTarget(there), private=False
        ), text

    def begun_unit(self, turn: Turn) -> Unit:
        shown = store.mark_shown(self.automation, self.clock.now())
        return super().begun_unit(turn) + Unit.of(shown)

    def skipped_unit(self, turn: Turn, why: str) -> Unit:
        """Skip a refused run, and pause the automation unless the next time may be allowed."""
        ended = super().skipped_unit(turn, why)
        return ended + self.pause(why) if self.now.sure else ended

    def count(self, failures: int) -> Write:
        return store.count_failure(self.automation, failures)

    def pause(self, why: str) -> Unit:
        return store.pause(self.automation, why)

    def paused_words(self, why: str) -> str:
        language, ref = self.now.language, self.automation.ref
        return Phrase(
            "I paused the automation {name}: {why}. `/automations resume {ref}` resumes it."
        ).said(language, name=self.name, ref=ref, why=REASONS.told(why, language))


@dataclass(frozen=True)
class Triggered:
    """Finds the automations whose runs the runner runs."""

    resolver: TurnResolver
    database: Database
    clock: Clock

    async def due(self, turn: Turn, work: TriggerWork) -> DueTrigger | None:
        """The automation with all of its waiting events (step `take`).

        None: there is nothing left to run.
        """
        automations = Automations(self.database)
        automation = await automations.find(work.automation)

        async def take() -> Recorded:
            if automation is None or not automation.enabled:
                return Recorded({"count": 0, "events": [], "runs": 0})
            waiting = await automations.waiting(automation.ref)
            runs = await automations.runs_since(automation, self.clock.now() - HOUR)
            said = [block.to_json() for block in _quoted(automation, waiting)]
            unit = (
                Unit.of(store.take(automation.ref, waiting, turn.id)) if waiting.count else Unit()
            )
            return Recorded({"count": waiting.count, "events": said, "runs": runs}, unit)

        taken = await turn.step(step_key(StepKind.TAKE), take)
        if automation is None or not taken["count"]:
            return None
        try:
            trigger = stored_trigger(automation.text, automation.slug)
        except DefinitionError as error:
            log.warning(
                "automation=<%s>, error=<%s> | can't be read, so it does not run",
                automation.ref,
                error,
            )
            return None
        now = await as_of_now(self.resolver.people, work.envelope)
        now = replace(now, message=replace(now.message, key=turn.key))
        message = asked_for(now.message, trigger)
        person = self.resolver.people.contacts.sender_of(now.message)
        events = tuple(StoredBlock.from_json(item) for item in taken["events"])
        return DueTrigger(
            self.resolver,
            self.clock,
            now,
            message,
            person,
            automations,
            automation,
            trigger,
            events,
            taken["runs"],
        )


def asked_for(home: IncomingMessage, trigger: Trigger) -> IncomingMessage:
    """The message that created it, as if its owner asked for the task now, where answers go."""
    made = home.conversation
    if trigger.channel in {"", made.channel or made.id}:
        return replace(home, text=trigger.prompt)
    there = Conversation(made.platform, made.workspace, trigger.channel, Place.CHANNEL)
    return replace(
        home, text=trigger.prompt, conversation=there, reply_to=ReplyTarget(there), private=False
    )


def _quoted(automation: Automation, waiting: store.WaitingEvents) -> list[StoredBlock]:
    """The events in their order, with the number of those that are only counted."""
    if not waiting.count:
        return []
    said = [
        f"[{event.at:%Y-%m-%d %H:%M:%S} UTC] {one_entry(event.text)}" for event in waiting.events
    ]
    if left := waiting.count - len(waiting.events):
        said.append(f"[{left} more of them are only counted]")
    origins = {event.origin for event in waiting.events}
    worst = max(origins, key=lambda one: one.trust)
    origin = worst if len(origins) == 1 else Origin(worst.trust, "several people")
    many = "" if waiting.count == 1 else f" ({waiting.count} events, gathered)"
    kind, private = f"what happened: {automation.event}{many}", automation.learned.private
    return [quote(kind, "\n".join(said), origin, private=private)]
