"""/automations/triggers: the trigger files of a person.

An automation watches and answers in its person's channels; private stays private.
"""

import hashlib
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from datetime import timedelta
from typing import TypeAlias

from bot.automations import store
from bot.automations.schedule_file import read_slug
from bot.automations.store import Automations, by_paths
from bot.automations.trigger_file import read_trigger, stored_trigger, write_trigger
from bot.connectors.records import RecordProvenance, new_id
from bot.domain.access import Person
from bot.domain.automations import Automation, EventKind, Trigger
from bot.domain.database import Database, Unit
from bot.domain.files import FileEntry, FileText
from bot.domain.json_types import JsonObject
from bot.domain.places import Location, Reach
from bot.domain.sessions import SessionKey
from bot.domain.tool_context import ToolContext
from bot.errors import DefinitionError, ToolError

Locate: TypeAlias = Callable[[str], Awaitable[Location | None]]
"""Finds the channel with this id among all known channels."""

PUBLIC = frozenset({Reach.PUBLIC})


async def watched_channel(named: str, here: Location, locate: Locate) -> str:
    """The key of the channel that a file watches.

    Raises ToolError for one that its person may not have watched.

    A person may watch channels in which they write, and public ones.
    """
    if not named or named == here.channel:
        if Reach.DM in here.reaches:
            raise ToolError(
                "filter.channel: name the channel to watch; in a direct message there is none"
            )
        return here.channel_key if named else here.audience_key
    return (await _other_channel(named, here, locate, "filter.channel")).channel_key


async def require_answer_place(named: str, here: Location, watched: str, locate: Locate) -> None:
    """Raises ToolError if answers would show a private channel's text elsewhere."""
    answers = (
        here
        if not named or named == here.channel
        else await _other_channel(named, here, locate, "channel")
    )
    if not watched or watched in {answers.channel_key, answers.audience_key}:
        return
    ours = watched in {here.channel_key, here.audience_key}
    source = here if ours else await locate(watched.split(":", 2)[2])
    if source is None or source.reaches != PUBLIC:
        raise ToolError("channel: what is said in a private channel stays there; leave channel out")


def require_direct_message(named: str, here: Location) -> None:
    """Raises ToolError if answers would show a person's mail or calendar to others."""
    if Reach.DM not in here.reaches or (named and named != here.channel):
        raise ToolError(
            "answers about your own mailbox or calendar go only to a direct message; "
            "write this file there,"
            " without channel"
        )


async def _other_channel(named: str, here: Location, locate: Locate, field: str) -> Location:
    found = await locate(named)
    same = found is not None and (found.platform, found.workspace) == (
        here.platform,
        here.workspace,
    )
    if found is None or not same or found.reaches != PUBLIC:
        raise ToolError(
            f"{field}: {named[:40]!r} is no public channel of this workspace that I know; ask the "
            "person to say this in the channel itself, or give the id of one in which somebody has "
            "written since I came"
        )
    return found


TRIGGERS = "/automations/triggers"
_TICK = timedelta(microseconds=1)
MOST_OF_A_PERSON = 20
"""Triggers of one person at a time."""


class TriggerFiles:
    """Implements `FileSource` over the table automations."""

    prefix = TRIGGERS
    writable = True

    def __init__(
        self,
        database: Database,
        locate: Locate,
        *,
        mail: bool,
        unsent: Collection[EventKind] = (),
        connected: Callable[[Person], bool] = lambda _person: False,
        sources: Collection[str] = (),
    ) -> None:
        """`mail`: whether mail is received; `connected`: whether a person has a mailbox account.

        `unsent`: kinds of events that no plug-in tells of; `sources`: the event sources of
        plug-ins.
        """
        self._sources = sources
        self._automations = Automations(database)
        self._mail, self._unsent = mail, unsent
        self._connected = connected
        self._locate = locate

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        found = await self._find(context, path)
        return None if found is None else _file(found, path)

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        slug = read_slug(path, TRIGGERS)
        own = self._connected(context.person)
        try:
            trigger = read_trigger(
                text,
                path,
                context.person.id,
                mail=self._mail or own,
                calendar=own,
                unsent=self._unsent,
                sources=self._sources,
            )
        except DefinitionError as error:
            raise ToolError(f"{error}. Nothing was saved") from None
        before = await self._find(context, path)
        if (version_of(before) if before else None) != version:
            raise ToolError(
                f"{path} was changed meanwhile; read it again and repeat the change on its present "
                "text"
            )
        watches = await self._places(context, trigger, before)
        if before is None:
            return await self._create(context, slug, trigger, watches)
        origin = RecordProvenance.of(context).origin
        after = replace(
            before,
            text=write_trigger(trigger, before.owner),
            event=trigger.event,
            watches=watches,
            enabled=trigger.enabled,
            origin=max(before.origin, origin, key=lambda one: one.trust),
            updated_at=max(context.now, before.updated_at + _TICK),
        )
        return store.replace_text(before, after)

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        found = await self._find(context, path)
        if found is None or version_of(found) != version:
            raise ToolError(f"{path} was changed meanwhile; read it again")
        return store.remove(found)

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        own = by_paths(await self._automations.of(context.person.id))
        return tuple(
            FileEntry(
                f"{TRIGGERS}/{slug}.md",
                size=len(one.text.encode()),
                note=f"{one.event}, {'on' if one.enabled else 'paused'}, id {one.ref}",
                origin=one.origin,
                private=not context.viewer.sees(one.owner, one.learned),
            )
            for slug, one in own.items()
        )

    async def began(self, context: ToolContext, path: str, text: str) -> str:
        """What is true once this text is there."""
        own = self._connected(context.person)
        trigger = read_trigger(
            text, path, mail=self._mail or own, calendar=own, sources=self._sources
        )
        if not trigger.enabled:
            return "It is saved and switched off."
        watches = await self._places(context, trigger, await self._find(context, path))
        if watches and await self._automations.opened_by(watches) is None:
            return (
                "It is on, but does nothing yet: a Partner has to say `/automations on` in that "
                "channel."
            )
        return "It is on from now; next when that happens. /automations shows and stops it."

    async def _find(self, context: ToolContext, path: str) -> Automation | None:
        own = by_paths(await self._automations.of(context.person.id))
        found = (
            own.get(path.removeprefix(f"{TRIGGERS}/").removesuffix(".md"))
            if path.endswith(".md")
            else None
        )
        if found is not None and not context.viewer.sees(found.owner, found.learned):
            raise ToolError(f"{path} was written in private; ask for it there")
        return found

    async def _places(
        self, context: ToolContext, trigger: Trigger, before: Automation | None
    ) -> str:
        """The key of the watched channel, if its kind watches one. Raises ToolError."""
        if before is not None and before.conversation != context.conversation.key:
            return await self._unmoved(trigger, before)
        watches = ""
        if trigger.event.in_channel:
            watches = await watched_channel(trigger.filter.channel, context.location, self._locate)
        await require_answer_place(trigger.channel, context.location, watches, self._locate)
        if trigger.event in {EventKind.EVENT_ADDED, EventKind.EMAIL_SENT} or (
            trigger.event is EventKind.EMAIL_RECEIVED and not self._mail
        ):
            require_direct_message(trigger.channel, context.location)
        return watches

    async def _unmoved(self, trigger: Trigger, before: Automation) -> str:
        """A file that was written elsewhere keeps its places: "here" is where it was written."""
        try:
            earlier = stored_trigger(before.text, before.slug)
        except DefinitionError:
            earlier = None
        kept = (trigger.event, trigger.filter.channel, trigger.channel)
        if earlier is None or kept != (earlier.event, earlier.filter.channel, earlier.channel):
            raise ToolError(
                "change event, filter.channel and channel where the file was written, or write "
                "a new file"
            )
        return before.watches

    async def _create(
        self, context: ToolContext, slug: str, trigger: Trigger, watches: str
    ) -> Unit:
        owner = context.person.id
        if await self._automations.count(owner) >= MOST_OF_A_PERSON:
            raise ToolError(
                f"{owner} has {MOST_OF_A_PERSON} triggers, which is the most; delete one first"
            )
        ref = await new_id(context, self._automations.taken)
        there, provenance = context.conversation, RecordProvenance.of(context)
        session = SessionKey(there.platform, there.workspace, there.id, owner, f"automation:{ref}")
        envelope: JsonObject = {**context.later, "attachments": [], "quoted": []}
        automation = Automation(
            ref=ref,
            owner=owner,
            slug=slug,
            text=write_trigger(trigger, owner),
            event=trigger.event,
            watches=watches,
            session=str(session),
            envelope=envelope,
            conversation=there.key,
            learned=provenance.learned,
            origin=provenance.origin,
            enabled=trigger.enabled,
            paused_why="",
            failures=0,
            shown_at=None,
            due=None,
            created_at=context.now,
            updated_at=context.now,
        )
        return store.create(automation, f"{there.platform}:{there.workspace}")


def shown_text(automation: Automation) -> str:
    """The file with its current state; the stored text if it can't be parsed."""
    try:
        trigger = stored_trigger(automation.text, automation.slug)
    except DefinitionError:
        return automation.text
    return write_trigger(replace(trigger, enabled=automation.enabled), automation.owner)


def version_of(automation: Automation) -> str:
    return hashlib.sha256(shown_text(automation).encode("utf-8", "replace")).hexdigest()


def _file(automation: Automation, path: str) -> FileText:
    return FileText(
        path,
        shown_text(automation),
        version_of(automation),
        origin=automation.origin,
        private=automation.learned.private,
        updated=automation.updated_at,
    )
