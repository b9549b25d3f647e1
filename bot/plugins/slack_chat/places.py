"""Where things are on Slack: conversations, threads, timestamps.

See docs/rules.md#conversations-and-sessions.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.plugin.chat import Conversation, Place, ReplyTarget, Visibility
from bot.plugin.payloads import JsonObject, object_in, text_in

PLATFORM = "slack"


@dataclass(frozen=True)
class Identity:
    """The app's identity in this workspace, from auth.test."""

    team: str
    user: str
    bot: str
    url: str = ""
    """The workspace's web address, with a slash at its end."""
    organisation: str = ""
    """The Enterprise Grid organisation of the workspace, if it is in one."""

    @classmethod
    def read(cls, answer: JsonObject) -> "Identity":
        return cls(
            str(answer["team_id"]),
            str(answer["user_id"]),
            str(answer["bot_id"]),
            str(answer.get("url") or ""),
            text_in(answer, "enterprise_id"),
        )


@dataclass(frozen=True)
class Home:
    """Where a profile belongs: its workspace, and its organisation if it is in one.

    All empty for somebody whom Slack calls a stranger.
    """

    team: str = ""
    organisation: str = ""

    @classmethod
    def read(cls, profile: JsonObject) -> "Home":
        if profile.get("is_stranger"):
            return cls()
        return cls(
            text_in(profile, "team_id"),
            text_in(object_in(profile, "enterprise_user"), "enterprise_id")
            or text_in(profile, "enterprise_id"),
        )

    def is_outside(self, who: Identity) -> bool:
        """Whether it is of another company. Workspaces of one organisation are of one company."""
        same = bool(self.organisation) and self.organisation == who.organisation
        return self.team != who.team and not same


@dataclass(frozen=True)
class Spot:
    """The target of a post, also for looking it up: channel, thread, and answered message."""

    channel: str
    thread: str | None = None
    since: str | None = None

    @property
    def is_dm(self) -> bool:
        return self.channel.startswith("D")


def conversation_at(team: str, channel: str, thread: str | None) -> Conversation:
    """A DM is one conversation; in a channel each thread is one, named after its first message."""
    if channel.startswith("D"):
        return Conversation(PLATFORM, team, channel, Place.DM)
    if thread:
        return Conversation(PLATFORM, team, f"{channel}:{thread}", Place.THREAD, channel=channel)
    return Conversation(PLATFORM, team, channel, Place.CHANNEL)


def channel_of(place: Conversation) -> str:
    """The channel of a place."""
    return place.channel or place.id.partition(":")[0]


def place_at(team: str, channel: str, thread: str | None) -> Conversation:
    """The history's place for the messages of a channel, a thread, or a DM."""
    if thread:
        return Conversation(PLATFORM, team, f"{channel}:{thread}", Place.THREAD)
    return Conversation(
        PLATFORM, team, channel, Place.DM if channel.startswith("D") else Place.CHANNEL
    )


_VISIBILITY = {
    "channel": Visibility.PUBLIC,
    "group": Visibility.PRIVATE,
    "mpim": Visibility.PRIVATE,
}
NAMELESS = "privategroup"
"""The name that a command gives instead of that of a private channel."""


SHARED = "is_ext_shared_channel"
"""The sign of Slack Connect on a delivery; passed on within its event."""


def visibility_of(event: JsonObject) -> Visibility:
    """Who can read the channel of an event; unknown without its `channel_type`.

    A channel that other companies read, too, says so whatever its type.
    """
    if event.get(SHARED) is True:
        return Visibility.SHARED
    return _VISIBILITY.get(text_in(event, "channel_type"), Visibility.UNKNOWN)


def spot_of(target: ReplyTarget) -> Spot:
    """The channel and thread of a target.

    In a DM, answers stand in the thread of the message that they answer.
    """
    channel, _, thread = target.conversation.id.partition(":")
    return Spot(channel, target.start_thread_from or thread or None, target.message)


def is_timestamp(text: str) -> bool:
    """Whether this is a Slack message id: seconds and a fraction."""
    seconds, dot, fraction = text.partition(".")
    return (
        seconds.isdecimal()
        and len(seconds) <= 12
        and (not dot or fraction.isdecimal())
        and text.isascii()
    )


def moment(ts: object) -> datetime:
    """A Slack timestamp as a time."""
    try:
        return datetime.fromtimestamp(float(str(ts)), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)
