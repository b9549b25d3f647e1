"""Incoming chat and webhook events: the triggers they start, as writes of the acceptance."""

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot.automations import store
from bot.automations.matching import fits_author, fits_emoji, fits_text
from bot.automations.store import Automations
from bot.automations.trigger_file import stored_trigger
from bot.domain.access import Person
from bot.domain.automations import Automation, Event, EventKind, Trigger
from bot.domain.characters import plain_name, whole_characters
from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.domain.messages import Conversation, IncomingMessage, Place
from bot.domain.origins import Origin, Trust
from bot.domain.places import Location
from bot.errors import DefinitionError

log = logging.getLogger(__name__)

TEXT_CHARS = 4_000
_WINDOW_S = 10
"""Seconds in which further events join the run of the first, where its file says nothing else."""
"""The most characters of an event; the rest is cut."""


DELETED = "(somebody wrote a message and deleted it)"


@dataclass(frozen=True)
class Noted:
    """An event's effect on automations: its writes, and whether something is due now."""

    unit: Unit = Unit()
    comes_due: bool = False

    def __add__(self, other: "Noted") -> "Noted":
        return Noted(self.unit + other.unit, self.comes_due or other.comes_due)


NOTHING = Noted()


class PriorMessage(Protocol):
    """An earlier message as it is stored."""

    async def text_of(self, message: str) -> str | None:
        """The current text of the message with this key; None if it is not stored."""
        ...

    async def has_written(self, person: str) -> bool: ...


class Watching:
    """Matches events in channels with triggers.

    The assistant's own posts and those of bots never come here.
    """

    def __init__(
        self,
        clock: Clock,
        automations: Automations,
        past: PriorMessage,
    ) -> None:
        self._clock = clock
        self._past = past
        self._automations = automations

    async def message(self, message: IncomingMessage, person: Person) -> Noted:
        """Handle a message in a watched channel, or a person's first one in a workspace."""
        watching, waiting = await self._automations.on_message(*_place(message))
        found = self._wrote(watching, message, person) if watching else NOTHING
        return found + await self._newcomer(waiting, message, person) if waiting else found

    def _wrote(
        self, watching: Sequence[Automation], message: IncomingMessage, person: Person
    ) -> Noted:
        def fits(trigger: Trigger) -> bool:
            return fits_author(trigger.filter, person) and fits_text(trigger.filter, message.text)

        text = f"{_who(message, person)} wrote: {message.text}"
        return self._noted(watching, fits, _event(message.key, text, message, person))

    async def reaction(self, message: IncomingMessage, person: Person) -> Noted:
        """Handle a reaction to a stored message."""
        if message.conversation.place is Place.DM or message.action is None:
            return NOTHING
        watching = await self._automations.watching(EventKind.REACTION, _place(message)[0])
        # its time is unknown: like its message, it may be older than the automation
        if message.missed:
            watching = [one for one in watching if one.created_at <= message.sent_at]
        if not watching:
            return NOTHING
        about = await self._past.text_of(message.action.ref) or ""
        emoji = message.action.value

        def fits(trigger: Trigger) -> bool:
            rule = trigger.filter
            return fits_author(rule, person) and fits_emoji(rule, emoji) and fits_text(rule, about)

        text = (
            f"{_who(message, person)} put :{emoji.strip(':')}: on the message "
            f"{message.action.ref}: {about}"
        )
        return self._noted(watching, fits, _event(message.key, text, message, person))

    async def poll_ended(self, poll: str, place: Conversation, text: str, at: datetime) -> Noted:
        """Handle the end of a poll in a watched channel; `text` tells the result."""
        if place.place is Place.DM:
            return NOTHING
        channel = Location.of(place).audience_key
        watching = await self._automations.watching(EventKind.POLL_ENDED, channel)
        event = Event(f"poll-end:{poll}", at, event_text(text), Origin(Trust.OUTSIDER, "polls"))
        return self._noted(watching, lambda trigger: fits_text(trigger.filter, text), event)

    async def _newcomer(
        self, waiting: Sequence[Automation], message: IncomingMessage, person: Person
    ) -> Noted:
        """Noted when nobody has seen them write before."""
        if await self._past.has_written(person.id):
            return NOTHING
        text = f"{_who(message, person)} wrote here for the first time. Role: {person.role}."
        event = _event(f"new:{person.id}", text, message, person)
        return self._noted(waiting, lambda _trigger: True, event)

    def changed(self, key: str, message: IncomingMessage, person: Person) -> Unit:
        """A message was edited: its waiting event uses the edited text."""
        return Unit.of(
            store.change_event(key, event_text(f"{_who(message, person)} wrote: {message.text}"))
        )

    def deleted(self, key: str) -> Unit:
        """A message was deleted: its text is no longer used."""
        return Unit.of(store.change_event(key, DELETED))

    def noted(self, automation: Automation, event: Event) -> Noted:
        """Store an event that matches a trigger."""
        now = self._clock.now()
        seconds = _WINDOW_S
        try:
            seconds = _trigger(automation).window_s or seconds
        except DefinitionError:
            return NOTHING
        due = now + timedelta(seconds=seconds)
        return Noted(store.happened(automation, event, due, now), automation.due is None)

    def _noted(
        self, watching: Sequence[Automation], fits: Callable[[Trigger], bool], event: Event
    ) -> Noted:
        found = NOTHING
        for automation in watching:
            try:
                trigger = _trigger(automation)
            except DefinitionError as error:  # /automations and doctor tell it
                log.warning(
                    "automation=<%s>, error=<%s> | can't be read, so it starts nothing",
                    automation.ref,
                    error,
                )
                continue
            if fits(trigger):
                found += self.noted(automation, event)
        return found


def event_key(*parts: str) -> str:
    """A key for an event without an id."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def event_text(text: str) -> str:
    """The text of an event as it is stored: valid characters, bounded length."""
    text = whole_characters(text).replace("\0", "")
    return (
        text
        if len(text) <= TEXT_CHARS
        else f"{text[:TEXT_CHARS]} [cut: {len(text) - TEXT_CHARS} more characters]"
    )


def _place(message: IncomingMessage) -> tuple[str, str]:
    """The channel and workspace; in a direct message no channel is watched.

    What watches a channel reads its threads, but no closed one.
    """
    there = message.conversation
    channel = "" if there.place is Place.DM else Location.of(there).audience_key
    return channel, f"{there.platform}:{there.workspace}"


def _trigger(automation: Automation) -> Trigger:
    return stored_trigger(automation.text, automation.slug)


def _who(message: IncomingMessage, person: Person) -> str:
    return f"{plain_name(message.sender.name)} ({person.id})"


def _event(key: str, text: str, message: IncomingMessage, person: Person) -> Event:
    """An event is never the task: it is trusted no more than an outsider's words."""
    return Event(
        key, message.sent_at, event_text(text), Origin(Trust.OUTSIDER, f"person:{person.id}")
    )
