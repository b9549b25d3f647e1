"""The stage of a play: a chat where people say their lines, and a model that has its replies."""

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.clock import SystemClock
from bot.domain.chat import Accept, LiveReply, LiveUpdate
from bot.domain.json_types import JsonObject
from bot.domain.messages import (
    Addressed,
    Attachment,
    Conversation,
    IncomingMessage,
    OutgoingMessage,
    Place,
    PlatformPerson,
    PostedCard,
    Receipt,
    ReplyTarget,
    Visibility,
)
from bot.domain.models import (
    DeltaText,
    Model,
    ModelCapabilities,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
    Unlock,
    Usage,
)
from bot.errors import DeliveryError, ModelError, ModelTrouble
from bot.skills.play_file import PlayReply

PLATFORM = "discord"
MORNING = datetime(2026, 11, 25, 9, 0, tzinfo=UTC)
"""When each play begins, a Wednesday: what is said of days in it stays true."""
PATIENCE_S, REAL_PATIENCE_S = 20.0, 1_800.0
"""Longer than a turn takes, with replies at hand and with a real model."""
_CAPABILITIES = ModelCapabilities(
    Unlock.INLINE, system_notes=True, context_tokens=200_000, label="the model of a play"
)


class PlayClock(SystemClock):
    """Time that runs as ever, from the morning of the plays."""

    def __init__(self) -> None:
        self._begun = self.monotonic()

    def now(self) -> datetime:  # pyright: ignore[reportIncompatibleVariableOverride]
        return MORNING + timedelta(seconds=self.monotonic() - self._begun)


class PlayModel:
    """Implements `domain.models.Model` with the replies of the scene, in order.

    With a `real` model that one replies to what the person asks in the scene.
    """

    def __init__(self, real: Model | None = None) -> None:
        self._real = real
        self.by_real = False
        self.calls = 0
        self.bytes = 0
        """Requests to the real model, and the bytes of all of them."""
        self._replies: list[PlayReply] = []
        self._ids = itertools.count(1)
        self.requests: list[ModelRequest] = []
        self.beyond = 0
        """How many requests came after the last reply of their scene."""

    @property
    def capabilities(self) -> ModelCapabilities:
        return _CAPABILITIES if self._real is None else self._real.capabilities

    @property
    def left(self) -> int:
        return len(self._replies)

    def name(self, size: ModelSize) -> str:
        return f"play-{size}" if self._real is None else self._real.name(size)

    def set(self, replies: Sequence[PlayReply]) -> None:
        self._replies = list(replies)
        self.requests = []
        self.beyond = 0

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        if request.answer_schema is not None:  # of the background, which a play does without
            raise ModelError(ModelTrouble("unreachable", "a play has no background"))
        self.requests.append(request)
        if self._real is not None and self.by_real:
            self.calls += 1
            body = (request.system, request.tools, request.messages)
            self.bytes += len(json.dumps(body, ensure_ascii=False).encode())
            return await self._real.sample(request, on_delta)
        if not self._replies:
            self.beyond += 1
            return ModelReply(_text("[the play has no further reply]"), "end_turn", Usage(), "play")
        reply = self._replies.pop(0)
        if reply.say:
            on_delta(DeltaText(reply.say))
        uses = [
            {
                "type": "tool_use",
                "id": f"toolu_play_{next(self._ids)}",
                "name": one.call,
                "input": one.given,
            }
            for one in reply.all_calls
        ]
        said = _text(reply.say) if reply.say else ()
        return ModelReply((*said, *uses), "tool_use" if uses else "end_turn", Usage(), "play")

    async def close(self) -> None:
        self._replies = []
        if self._real is not None:
            await self._real.close()


def _text(text: str) -> tuple[JsonObject, ...]:
    return ({"type": "text", "text": text},)


@dataclass
class _Live:
    """Implements `domain.chat.LiveReply`: nobody looks, but its end is the end of a turn."""

    ended: Callable[[], None]

    def show(self, update: LiveUpdate) -> None:
        """Nobody sees it."""

    async def close(self) -> None:
        self.ended()


class _Everybody:
    """Implements `domain.chat.KnowsReaders`: the channels of a play are open to all."""

    async def may_read(self, person: str, place: Conversation) -> bool:
        return True

    async def may_write(self, person: str, place: Conversation) -> bool:
        return True

    async def visibility(self, channel: Conversation) -> Visibility:
        return channel.visibility

    async def reads_like_channel(self, thread: Conversation) -> bool:
        return True

    async def channel_named(self, named: str, near: Conversation) -> Conversation | None:
        return None

    def name_of(self, place: Conversation) -> str:
        return place.id

    async def link(self, place: Conversation, message: str) -> str:
        return ""


class PlayChat:
    """Implements `domain.chat.ChatAdapter` for people who say what a play lets them say."""

    platform = PLATFORM
    readers = _Everybody()

    def __init__(self, clock: PlayClock) -> None:
        self._clock = clock
        self._numbers = itertools.count(1)
        self._changed = asyncio.Condition()
        self._keys = set[str]()
        self.posts: list[OutgoingMessage] = []
        self.ended = 0
        """How many turns have ended, or wait for an answer."""

    # --- what the program asks of a platform ---

    async def run(self, accept: Accept) -> None:
        await asyncio.Event().wait()

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        if key not in self._keys:
            self._keys.add(key)
            self.posts.append(message)
            await self._tell()
        return self._receipt(message.target, key)

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        return self._receipt(target, key) if key in self._keys else None

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        return _Live(self._end)

    async def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        raise DeliveryError(f"{attachment.name}: a play has no attachments")
        yield b""

    async def close_card(self, card: PostedCard, line: str) -> None:
        """Nobody sees it."""

    # --- what happens in a play ---

    def line(
        self, who: PlatformPerson, text: str, scene: str, place: str, *, before: bool = False
    ) -> IncomingMessage:
        """What somebody says in a scene; in a channel it is for Bellhop if `place` says so.

        `place` is `dm`, `channel`, or `aside` for what is said to others in the channel; with
        `before` it is another one of its kind.
        """
        number = next(self._numbers)
        direct = place == "dm"
        conversation = Conversation(
            PLATFORM,
            scene,
            f"{scene}-{'dm' if direct else 'channel'}{'-before' if before else ''}",
            Place.DM if direct else Place.CHANNEL,
            visibility=Visibility.UNKNOWN if direct else Visibility.PUBLIC,
        )
        to = Addressed.NONE if place == "aside" else Addressed.MENTION
        return IncomingMessage(
            key=f"{PLATFORM}:play:{number}",
            conversation=conversation,
            sender=who,
            text=text,
            reply_to=ReplyTarget(conversation),
            sent_at=self._clock.now() + timedelta(seconds=2 * number),
            addressed=Addressed.DM if direct else to,
            private=direct,
        )

    async def until_answered(self, posts: int, ended: int, seconds: float = PATIENCE_S) -> None:
        """Wait until there are more posts and ended turns than these. Raises TimeoutError."""
        async with asyncio.timeout(seconds), self._changed:
            await self._changed.wait_for(lambda: len(self.posts) > posts and self.ended > ended)

    def _end(self) -> None:
        self.ended += 1
        self._telling = asyncio.ensure_future(self._tell())

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _receipt(self, target: ReplyTarget, key: str) -> Receipt:
        return Receipt((key,), target.conversation.id, sent_at=self._clock.now())
