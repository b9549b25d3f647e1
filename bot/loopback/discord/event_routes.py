"""REST: the scheduled events of a server."""

from datetime import datetime

from bot.loopback.discord.bodies import ApiError, invalid
from bot.loopback.discord.calls import Reply, Request
from bot.loopback.discord.world import ChannelKind, Guild, ScheduledEvent, World
from bot.plugin.models import JsonObject

MOST_EVENTS = 100
_SCHEDULED, _ACTIVE, _COMPLETED, _CANCELED = 1, 2, 3, 4
_FOLLOWS = {(_SCHEDULED, _ACTIVE), (_SCHEDULED, _CANCELED), (_ACTIVE, _COMPLETED)}
_KINDS = {1: ChannelKind.STAGE, 2: ChannelKind.VOICE}
"""Channels of the events that happen in one."""


class EventRoutes:
    """The routes for scheduled events."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.denied = False
        """Whether the bot lacks the permission."""

    def listed(self, request: Request) -> Reply:
        counts = request.query.get("with_user_count") == "true"
        return Reply([_shown(one, counts=counts) for one in self._guild(request).events.values()])

    def make(self, request: Request) -> Reply:
        guild, body = self._guild(request), request.body
        self._permit()
        if sum(one.status <= _ACTIVE for one in guild.events.values()) >= MOST_EVENTS:
            raise ApiError(400, 30038, "Maximum number of guild scheduled events reached (100)")
        _check_texts(body)
        start = datetime.fromisoformat(str(body["scheduled_start_time"]))
        end = body.get("scheduled_end_time")
        if start <= self._world.now():
            raise invalid(
                "scheduled_start_time",
                "Cannot schedule event in the past.",
                "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST",
            )
        if end is not None and datetime.fromisoformat(str(end)) <= start:
            raise invalid("scheduled_end_time", "Must be after the start.", "DATE_TIME_INVALID")
        made = ScheduledEvent(self._world.next_id(), guild, self._world.bot.id, {**body})
        self._check_place(made)
        guild.events[made.id] = made
        return Reply(_shown(made))

    def change(self, request: Request) -> Reply:
        event = self._guild(request).events.get(request.id("event"))
        if event is None:
            raise ApiError(404, 10070, "Unknown Guild Scheduled Event")
        self._permit()
        status = int(request.body.get("status") or event.status)
        if status != event.status and (event.status, status) not in _FOLLOWS:
            raise ApiError(400, 180000, "Cannot update a finished event")
        event.status = status
        return Reply(_shown(event))

    def _check_place(self, made: ScheduledEvent) -> None:
        kind, body = int(made.body["entity_type"]), made.body
        if kind not in _KINDS:
            metadata: JsonObject = body.get("entity_metadata") or {}
            where = str(metadata.get("location") or "")
            if not 1 <= len(where) <= 100 or body.get("channel_id"):
                raise invalid("entity_metadata.location", "Must be between 1 and 100 in length.")
            if not body.get("scheduled_end_time"):
                raise invalid("scheduled_end_time", "This field is required", "BASE_TYPE_REQUIRED")
            return
        channel = self._world.channels.get(int(body.get("channel_id") or 0))
        if channel is None or channel.guild is not made.guild or channel.kind is not _KINDS[kind]:
            raise invalid("channel_id", "Unknown channel", "CHANNEL_INVALID")

    def _guild(self, request: Request) -> Guild:
        guild = self._world.guilds.get(request.id("guild"))
        if guild is None:
            raise ApiError(404, 10004, "Unknown Guild")
        return guild

    def _permit(self) -> None:
        if self.denied:
            raise ApiError(403, 50013, "Missing Permissions")


def _check_texts(body: JsonObject) -> None:
    if not 1 <= len(str(body.get("name") or "")) <= 100:
        raise invalid("name", "Must be between 1 and 100 in length.")
    if len(str(body.get("description") or "")) > 1000:
        raise invalid("description", "Must be 1000 or fewer in length.")


def _shown(event: ScheduledEvent, *, counts: bool = False) -> JsonObject:
    shown: JsonObject = {
        "id": str(event.id),
        "guild_id": str(event.guild.id),
        "channel_id": event.body.get("channel_id"),
        "creator_id": str(event.creator),
        "name": event.body["name"],
        "description": event.body.get("description"),
        "scheduled_start_time": event.body["scheduled_start_time"],
        "scheduled_end_time": event.body.get("scheduled_end_time"),
        "privacy_level": 2,
        "status": event.status,
        "entity_type": event.body["entity_type"],
        "entity_id": None,
        "entity_metadata": event.body.get("entity_metadata"),
        "image": None,
        "recurrence_rule": None,
    }
    return {**shown, "user_count": event.interested} if counts else shown
