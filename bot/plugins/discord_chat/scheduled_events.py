"""Discord's scheduled events of a server."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from bot.plugin.chat import Conversation
from bot.plugin.payloads import JsonObject, number_in, object_in, objects_of, text_in
from bot.plugin.surfaces import NewServerEvent, PlannedEvent
from bot.plugins.discord_chat.readers import DiscordReaders
from bot.plugins.discord_chat.rest import DiscordRest, told
from bot.plugins.discord_chat.seen import CallFailed, RestCall

_EVENTS = "/guilds/{guild_id}/scheduled-events"
_EVENT = "/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}"
_SCHEDULED, _ACTIVE, _COMPLETED, _CANCELED = 1, 2, 3, 4
_STAGE, _VOICE, _ELSEWHERE = 1, 2, 3
_TALKED_IN = {2: _VOICE, 13: _STAGE}
"""Kinds of events by kinds of channels."""
_MEMBERS_ONLY = 2
_FORBIDDEN = (
    "Discord lets Bellhop do that only with the permission Create Events, and with Manage Events "
    "for those of others"
)


class DiscordEvents:
    """Implements `domain.server_events.KnowsServerEvents`."""

    def __init__(self, rest: Callable[[], DiscordRest], readers: DiscordReaders) -> None:
        self._rest = rest
        self._readers = readers

    async def may_make(self, person: str, place: Conversation) -> bool:
        return (await self._readers.rights(person, place)).makes_events

    async def may_cancel(self, person: str, place: Conversation) -> bool:
        return (await self._readers.rights(person, place)).manages_events

    async def ahead(self, place: Conversation) -> Sequence[PlannedEvent]:
        with told(_FORBIDDEN):
            call = RestCall("GET", _EVENTS, _server(place), query={"with_user_count": "true"})
            listed = objects_of(await self._rest().call(call))
            known = [one for one in listed if one.get("status") in (_SCHEDULED, _ACTIVE)]
            return sorted(map(self._event, known), key=lambda one: one.starts_at)

    async def make(self, place: Conversation, event: NewServerEvent) -> PlannedEvent:
        own = self._rest().line.bot
        for known in await self.ahead(place):
            same = (known.name, known.starts_at) == (event.name, event.starts_at)
            if same and known.maker == own:
                return known
        with told(_FORBIDDEN):
            body: JsonObject = {
                "name": event.name,
                "scheduled_start_time": event.starts_at.astimezone(UTC).isoformat(),
                "scheduled_end_time": event.ends_at.astimezone(UTC).isoformat(),
                "privacy_level": _MEMBERS_ONLY,
                **await self._place_of(place, event.where),
            }
            body |= {"description": event.description} if event.description else {}
            call = RestCall("POST", _EVENTS, _server(place), body)
            return self._event(await self._rest().call(call))

    async def _place_of(self, place: Conversation, where: str) -> JsonObject:
        if where.isdecimal():
            call = RestCall("GET", "/channels/{channel_id}", {"channel_id": where})
            channel = await self._rest().call(call)
            kind = _TALKED_IN.get(number_in(channel, "type"))
            if kind is not None and text_in(channel, "guild_id") == place.workspace:
                return {"entity_type": kind, "channel_id": where}
        return {"entity_type": _ELSEWHERE, "entity_metadata": {"location": where}}

    async def cancel(self, place: Conversation, event: PlannedEvent) -> None:
        ids = {**_server(place), "guild_scheduled_event_id": event.id}
        status = _COMPLETED if event.running else _CANCELED
        with told(_FORBIDDEN):
            await self._rest().call(RestCall("PATCH", _EVENT, ids, {"status": status}))

    def _event(self, found: JsonObject) -> PlannedEvent:
        channel = text_in(found, "channel_id")
        named = f"#{self._rest().line.name_of(channel) or channel}" if channel else ""
        end = text_in(found, "scheduled_end_time")
        try:
            return PlannedEvent(
                text_in(found, "id"),
                text_in(found, "name"),
                datetime.fromisoformat(text_in(found, "scheduled_start_time")),
                datetime.fromisoformat(end) if end else None,
                text_in(object_in(found, "entity_metadata"), "location") or named,
                text_in(found, "description"),
                number_in(found, "user_count"),
                found.get("status") == _ACTIVE,
                text_in(found, "creator_id"),
            )
        except ValueError as error:
            raise CallFailed(f"Discord's event can't be read: {error}") from error


def _server(place: Conversation) -> dict[str, str]:
    return {"guild_id": place.workspace}
