"""server_events: the events of the server in which somebody writes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import Field

from bot.plugin.dates import Moment, zone
from bot.plugin.places import (
    DeliveryError,
    EventLimits,
    HasServerEvents,
    KnowsServerEvents,
    NewServerEvent,
    PlaceGround,
    PlaceParts,
    PlannedEvent,
    any_may,
)
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tools import (
    JsonObject,
    NativeTool,
    Origin,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolRegistration,
    ToolResult,
    Translations,
    Trust,
    raised_as,
    titled,
)

_MOST = EventLimits()
_SHOWN = 20
MAKE = Phrase(
    "have the event {name} made for everybody in this server: {when}, until {end}, {where}"
)
CANCEL = Phrase("have the event {name} of {when} cancelled for everybody")
_LOOKING_AFTER = Phrase("Looking after the events here")


class ServerEventArguments(ToolArguments):
    action: Literal["list", "make", "cancel"]
    name: str = Field(default="", max_length=_MOST.name)
    starts: str = Field(default="", max_length=40, description="ISO, with a time.")
    ends: str = Field(default="", max_length=40)
    where: str = Field(
        default="",
        max_length=_MOST.where,
        description="Words, or the id of a voice or stage channel.",
    )
    description: str = Field(default="", max_length=_MOST.description)
    event: str = Field(default="", description="Its id.")


@dataclass(frozen=True)
class ServerEventTool:
    """Asks the platform what the person may do there themself, before it does it for them."""

    places: PlaceGround

    def registration(self) -> ToolRegistration:
        tool = NativeTool(
            "server_events",
            ServerEventArguments,
            self.run,
            check=self._check,
            tells=self._tell,
            doing=_LOOKING_AFTER,
            aloud="make",
        )
        return self.places.offered(tool, lambda platform: platform.has_server_events)

    async def run(self, context: ToolContext, given: ServerEventArguments) -> ToolResult:
        desk, here = self._desk(context), self.places.standing(context)
        try:
            match given.action:
                case "list":
                    return _listed(await desk.ahead(here), context.timezone)
                case "make":
                    new = await self._new(desk, context, given)
                    made = await desk.make(here, new)
                    when = Moment(made.starts_at, context.timezone).spoken()
                    return ToolResult(
                        f"made: event {made.id}, {when}; people see it in the server's list",
                        summary=f"event: {made.name[:60]}",
                    )
                case "cancel":
                    event = await self._to_cancel(desk, context, given)
                    await desk.cancel(here, event)
                    return ToolResult(
                        f"{'ended' if event.running else 'cancelled'}: {titled(event.name)}",
                        origin=Origin(Trust.OUTSIDER, "server events"),
                    )
        except DeliveryError as error:
            raise ToolError(f"{error}; nothing was changed") from error

    async def _check(self, context: ToolContext, given: ServerEventArguments) -> None:
        """Raises ToolError for what can't be, or this person may not do, before a question."""
        await self._tell(context, given)

    async def _tell(self, context: ToolContext, given: ServerEventArguments) -> str | Translations:
        desk, timezone = self._desk(context), context.timezone
        match given.action:
            case "list":
                return ""
            case "make":
                new = await self._new(desk, context, given)
                name, where = titled(new.name), titled(new.where)
                return Translations.by(
                    lambda language: MAKE.said(
                        language,
                        name=name,
                        when=Moment(new.starts_at, timezone).spoken(language),
                        end=Moment(new.ends_at, timezone).spoken(language),
                        where=where,
                    )
                )
            case "cancel":
                event = await self._to_cancel(desk, context, given)
                start, name = Moment(event.starts_at, timezone), titled(event.name)
                return Translations.by(
                    lambda language: CANCEL.said(language, name=name, when=start.spoken(language))
                )

    def _desk(self, context: ToolContext) -> KnowsServerEvents:
        here = context.conversation
        adapter = self.places.adapters.get(here.platform)
        if not isinstance(adapter, HasServerEvents) or not here.has_workspace:
            raise ToolError("events belong to a server; ask the person to say it in one")
        return adapter.server_events

    async def _new(
        self, desk: KnowsServerEvents, context: ToolContext, given: ServerEventArguments
    ) -> NewServerEvent:
        """Raises ToolError for what is missing or past, and where the person may make none."""
        needs = ("name", "starts", "ends", "where")
        if missing := [field for field in needs if not getattr(given, field)]:
            raise ToolError(f"make needs {' and '.join(missing)}, too")
        starts, ends = (
            _moment(text, field, context.timezone)
            for text, field in ((given.starts, "starts"), (given.ends, "ends"))
        )
        if starts <= context.now or ends <= starts:
            raise ToolError("an event begins later than now, and ends after it begins")
        accounts, here = self.places.accounts(context), self.places.standing(context)
        if not await any_may(accounts, desk.may_make, here):
            raise ToolError(
                f"{context.person.name} may not make events in this server themself, so I don't "
                "either"
            )
        where = given.where.strip("<#>") if given.where.startswith("<#") else given.where
        return NewServerEvent(given.name, starts, ends, where, given.description)

    async def _to_cancel(
        self, desk: KnowsServerEvents, context: ToolContext, given: ServerEventArguments
    ) -> PlannedEvent:
        here = self.places.standing(context)
        with raised_as(ToolError, DeliveryError, about="the events can't be read"):
            ahead = await desk.ahead(here)
        event = next((one for one in ahead if one.id == given.event), None)
        if event is None:
            raise ToolError(f"event: there is no {given.event[:40]!r} ahead; `list` shows the ids")
        accounts = self.places.accounts(context)
        if event.maker not in accounts and not await any_may(accounts, desk.may_cancel, here):
            raise ToolError("only who made that event, and who manages events here, can cancel it")
        return event


def _moment(text: str, field: str, timezone: str) -> datetime:
    """A time; without an offset it is in the person's zone. Raises ToolError."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise ToolError(f"{field}: write it like 2026-12-04T18:00, not {text[:40]!r}") from error
    return found if found.tzinfo is not None else found.replace(tzinfo=zone(timezone))


def _listed(events: Sequence[PlannedEvent], timezone: str) -> ToolResult:
    told: JsonObject = {"events": [_shown(one, timezone) for one in events[:_SHOWN]]}
    if len(events) > _SHOWN:
        told["more"] = len(events) - _SHOWN
    return ToolResult(
        json.dumps(told, ensure_ascii=False), origin=Origin(Trust.OUTSIDER, "server events")
    )


def _shown(event: PlannedEvent, timezone: str) -> JsonObject:
    shown: JsonObject = {
        "id": event.id,
        "name": event.name,
        "starts": Moment(event.starts_at, timezone).spoken(),
        "where": event.where,
        "interested": event.interested,
    }
    if event.ends_at is not None:
        shown["ends"] = Moment(event.ends_at, timezone).spoken()
    if event.description:
        shown["description"] = event.description
    return shown | ({"running": True} if event.running else {})


class ServerEvents(Plugin[NoSettings]):
    name = "server_events"
    title = "the events of a server: what is ahead, making and cancelling them"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(places=lambda ground: PlaceParts((ServerEventTool(ground).registration(),)))
