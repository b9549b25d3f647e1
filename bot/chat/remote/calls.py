"""Calls to a platform that another process is connected to, as JSON.

Each call is a frozen dataclass with its `kind`. `RESULTS` has the type of its answer.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter

from bot.domain.chat import SaidThere
from bot.domain.forums import ForumPost
from bot.domain.json_types import JsonValue
from bot.domain.messages import (
    Attachment,
    Conversation,
    OutgoingMessage,
    PlatformPerson,
    PostedCard,
    Receipt,
    ReplyTarget,
    Visibility,
)
from bot.domain.people import Profile
from bot.domain.polls import NewPoll, Poll
from bot.domain.server_events import NewServerEvent, PlannedEvent


@dataclass(frozen=True)
class SendMessage:
    """Send a message; `live` names an open live view, whose draft becomes the message."""

    message: OutgoingMessage
    key: str
    live: str = ""
    kind: Literal["send"] = "send"


@dataclass(frozen=True)
class CloseCard:
    card: PostedCard
    line: str
    kind: Literal["close_card"] = "close_card"


@dataclass(frozen=True)
class FindSent:
    target: ReplyTarget
    key: str
    kind: Literal["find_sent"] = "find_sent"


@dataclass(frozen=True)
class IsShown:
    target: ReplyTarget
    receipt: Receipt
    kind: Literal["is_shown"] = "is_shown"


@dataclass(frozen=True)
class Fetch:
    """Fetch a file; the gateway stores it as a blob of the home, and the answer names the blob."""

    attachment: Attachment
    kind: Literal["fetch"] = "fetch"


@dataclass(frozen=True)
class Waits:
    card: PostedCard
    kind: Literal["waits"] = "waits"


@dataclass(frozen=True)
class Probe:
    kind: Literal["probe"] = "probe"


@dataclass(frozen=True)
class FindMember:
    there: Conversation
    person: str
    kind: Literal["find_member"] = "find_member"


@dataclass(frozen=True)
class ReadProfile:
    person: PlatformPerson
    place: Conversation
    kind: Literal["read_profile"] = "read_profile"


@dataclass(frozen=True)
class MayRead:
    person: str
    place: Conversation
    kind: Literal["may_read"] = "may_read"


@dataclass(frozen=True)
class MayWrite:
    person: str
    place: Conversation
    kind: Literal["may_write"] = "may_write"


@dataclass(frozen=True)
class VisibilityOf:
    channel: Conversation
    kind: Literal["visibility_of"] = "visibility_of"


@dataclass(frozen=True)
class ReadsLikeChannel:
    thread: Conversation
    kind: Literal["reads_like_channel"] = "reads_like_channel"


@dataclass(frozen=True)
class FindChannel:
    named: str
    near: Conversation
    kind: Literal["find_channel"] = "find_channel"


@dataclass(frozen=True)
class MakeLink:
    place: Conversation
    message: str
    kind: Literal["make_link"] = "make_link"


@dataclass(frozen=True)
class NameOf:
    place: Conversation
    kind: Literal["name_of"] = "name_of"


@dataclass(frozen=True)
class SaidWith:
    words: str
    near: Conversation
    limit: int
    kind: Literal["said_with"] = "said_with"


@dataclass(frozen=True)
class MayPostPoll:
    person: str
    place: Conversation
    kind: Literal["may_post_poll"] = "may_post_poll"


@dataclass(frozen=True)
class MayEndPoll:
    person: str
    place: Conversation
    kind: Literal["may_end_poll"] = "may_end_poll"


@dataclass(frozen=True)
class PostPoll:
    target: ReplyTarget
    poll: NewPoll
    key: str
    kind: Literal["post_poll"] = "post_poll"


@dataclass(frozen=True)
class FindPoll:
    place: Conversation
    message: str
    kind: Literal["find_poll"] = "find_poll"


@dataclass(frozen=True)
class NewestPolls:
    place: Conversation
    most: int
    kind: Literal["newest_polls"] = "newest_polls"


@dataclass(frozen=True)
class EndPoll:
    poll: Poll
    kind: Literal["end_poll"] = "end_poll"


@dataclass(frozen=True)
class ModeratesPosts:
    person: str
    place: Conversation
    kind: Literal["moderates_posts"] = "moderates_posts"


@dataclass(frozen=True)
class FindForumPost:
    place: Conversation
    kind: Literal["find_forum_post"] = "find_forum_post"


@dataclass(frozen=True)
class ChangeForumPost:
    post: ForumPost
    tags: Sequence[str]
    closed: bool
    locked: bool
    kind: Literal["change_forum_post"] = "change_forum_post"


@dataclass(frozen=True)
class MayMakeEvent:
    person: str
    place: Conversation
    kind: Literal["may_make_event"] = "may_make_event"


@dataclass(frozen=True)
class MayCancelEvent:
    person: str
    place: Conversation
    kind: Literal["may_cancel_event"] = "may_cancel_event"


@dataclass(frozen=True)
class EventsAhead:
    place: Conversation
    kind: Literal["events_ahead"] = "events_ahead"


@dataclass(frozen=True)
class MakeEvent:
    place: Conversation
    event: NewServerEvent
    kind: Literal["make_event"] = "make_event"


@dataclass(frozen=True)
class CancelEvent:
    place: Conversation
    event: PlannedEvent
    kind: Literal["cancel_event"] = "cancel_event"


@dataclass(frozen=True)
class CloseLive:
    live: str
    kind: Literal["close_live"] = "close_live"


Call: TypeAlias = (
    SendMessage
    | CloseCard
    | FindSent
    | IsShown
    | Fetch
    | Waits
    | Probe
    | FindMember
    | ReadProfile
    | MayRead
    | MayWrite
    | VisibilityOf
    | ReadsLikeChannel
    | FindChannel
    | MakeLink
    | NameOf
    | SaidWith
    | MayPostPoll
    | MayEndPoll
    | PostPoll
    | FindPoll
    | NewestPolls
    | EndPoll
    | ModeratesPosts
    | FindForumPost
    | ChangeForumPost
    | MayMakeEvent
    | MayCancelEvent
    | EventsAhead
    | MakeEvent
    | CancelEvent
    | CloseLive
)

ONCE: tuple[type[Call], ...] = (
    SendMessage,
    CloseCard,
    PostPoll,
    EndPoll,
    ChangeForumPost,
    MakeEvent,
    CancelEvent,
)
"""Calls that people see; a gateway makes one only while its caller still waits for it."""

RESULTS: Mapping[type[Call], Any] = {
    SendMessage: Receipt,
    CloseCard: None,
    FindSent: Receipt | None,
    IsShown: bool,
    Fetch: str,
    Waits: None,
    Probe: None,
    FindMember: PlatformPerson | None,
    ReadProfile: Profile | None,
    MayRead: bool,
    MayWrite: bool,
    VisibilityOf: Visibility,
    ReadsLikeChannel: bool,
    FindChannel: Conversation | None,
    MakeLink: str,
    NameOf: str,
    SaidWith: Sequence[SaidThere],
    MayPostPoll: bool,
    MayEndPoll: bool,
    PostPoll: Poll,
    FindPoll: Poll | None,
    NewestPolls: Sequence[Poll],
    EndPoll: Poll,
    ModeratesPosts: bool,
    FindForumPost: ForumPost | None,
    ChangeForumPost: None,
    MayMakeEvent: bool,
    MayCancelEvent: bool,
    EventsAhead: Sequence[PlannedEvent],
    MakeEvent: PlannedEvent,
    CancelEvent: None,
    CloseLive: None,
}


@cache
def adapter_for(kind: Any) -> TypeAdapter[Any]:
    """The reader and writer of a type, made when it is first used."""
    return TypeAdapter(kind)


def result_to_json(call: Call, value: object) -> JsonValue:
    """Encode the result of a call for its caller."""
    return adapter_for(RESULTS[type(call)]).dump_python(value, mode="json")


def result_from_json(call: Call, value: JsonValue) -> Any:
    """Decode the result of a call. Raises ValueError if it doesn't fit the call."""
    return adapter_for(RESULTS[type(call)]).validate_json(json.dumps(value))
