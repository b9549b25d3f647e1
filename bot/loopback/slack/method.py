"""The definition of a Web API method: tier, scopes, arguments and handler."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from bot.loopback.slack.world import BOT_USER, Channel, ChannelKind, Message, World
from bot.plugin.models import JsonObject

HISTORY = {
    ChannelKind.IM: "im:history",
    ChannelKind.MPIM: "mpim:history",
    ChannelKind.PUBLIC: "channels:history",
    ChannelKind.PRIVATE: "groups:history",
}
READ = {kind: scope.replace("history", "read") for kind, scope in HISTORY.items()}


class ApiFailure(Exception):
    """Answered as `ok: false`; `fault` is False for errors that a correct client also gets."""

    def __init__(self, error: str, *, fault: bool = True) -> None:
        super().__init__(error)
        self.error = error
        self.fault = fault


@dataclass
class Office:
    """What methods use: the world, its address, and the way to notify the app."""

    world: World
    base: Callable[[], str]
    posted: Callable[[Message], None]
    changed: Callable[[Message, str], None]
    """Called with a changed message and its previous text."""
    removed: Callable[[Message], None]
    need_scope: Callable[[str], None]
    """Raises ApiFailure when the app was not given this scope."""
    subscribed: Callable[[str], bool]
    socket_url: Callable[[], str]
    home_tab: Callable[[], bool]
    """Whether the app has a home tab."""
    granted: Callable[[], set[str]]
    """Returns the scopes of the installation; empty when it has no manifest."""

    def channel(
        self, arguments: JsonObject, name: str = "channel", *, joined: bool = True
    ) -> Channel:
        channel = self.world.channels.get(str(arguments[name]))
        if channel is None:
            raise ApiFailure("channel_not_found")
        if joined and BOT_USER not in channel.members:
            raise ApiFailure("not_in_channel")
        if channel.archived:
            raise ApiFailure("is_archived")
        return channel

    def own_message(self, arguments: JsonObject) -> Message:
        message = self.world.message(self.channel(arguments).id, str(arguments["ts"]))
        if message is None:
            raise ApiFailure("message_not_found", fault=False)
        if not message.from_bot:
            raise ApiFailure("cant_update_message")
        return message


Run = Callable[[Office, JsonObject], JsonObject]


@dataclass(frozen=True)
class Method:
    """One row of the Web API. `tier` is calls per minute."""

    run: Run
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    token: Literal["bot", "app"] = "bot"  # noqa: S105 - the kind of token
    tier: int = 50
    takes_json: bool = True
    known: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self,
            "known",
            frozenset((*self.required, *self.optional, "team_id", "token", "app_token")),
        )
