"""The live view of a turn: typing, then one edited draft that becomes the answer."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial

from bot.plugin.chat import DeliveryError, LiveUpdate, Receipt, ReplyTarget
from bot.plugin.clock import Clock
from bot.plugin.drawing import DraftLines
from bot.plugins.discord_chat.components import stop_row
from bot.plugins.discord_chat.leftovers import Leftovers
from bot.plugins.discord_chat.names import DRAFTS, draft_nonce
from bot.plugins.discord_chat.pieces import MOST_CHARS
from bot.plugins.discord_chat.places import Destination, Places
from bot.plugins.discord_chat.rates import Pace
from bot.plugins.discord_chat.rest import DiscordRest, Post

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class VisibleDraft:
    """The visible draft of a turn."""

    channel: str
    message: str


@dataclass(frozen=True)
class DiscordStage:
    """The parts that a live view works with."""

    quick: Callable[[], DiscordRest]
    """Without retries: the answer must not wait for a draft."""
    places: Places
    clock: Clock
    pace: Pace
    leftovers: Leftovers
    open: dict[str, "DiscordLive"] = field(default_factory=dict[str, "DiscordLive"])
    """The views that are shown, by turn."""


class DiscordLive:
    """Implements domain.chat.LiveReply.

    `number` distinguishes the drafts of one turn; `key` is its answer's.
    """

    def __init__(
        self, stage: DiscordStage, target: ReplyTarget, turn: str, number: int, key: str
    ) -> None:
        self.turn = turn
        self.nonce = draft_nonce(key, number % DRAFTS)
        self._key, self._number = key, number
        self._stage = stage
        stage.open[turn] = self
        self._target = target
        self._shown = ""
        self._draft: VisibleDraft | None = None
        self._changed = asyncio.Event()
        self._lines = DraftLines(stage.clock, self._changed.set)
        self._calling = asyncio.Lock()
        self._taken = False
        self._tasks: list[asyncio.Task[None]] = []
        # A turn that ends before needs no task.
        pace, after = stage.pace, stage.clock.after
        self._timers = (
            after(pace.typing_after, partial(self._begin, self._type)),
            after(pace.draft_after, partial(self._begin, self._write)),
        )

    def show(self, update: LiveUpdate) -> None:
        self._lines.show(update)
        self._changed.set()

    async def move_down(self, posted: Receipt) -> bool:
        """Let the draft go on below what its turn has just posted, so that the answer stands last.

        Each draft of a turn has a nonce of its own; behind the last one it stays where it is. A
        send that is tried again may have been written into the draft.
        """
        async with self._calling:
            draft = self._draft
            if draft is None or draft.channel != posted.conversation or self._number + 1 >= DRAFTS:
                return False
            self._number += 1
            self.nonce = draft_nonce(self._key, self._number)
            self._draft, self._shown = None, ""
            self._changed.set()
        if draft.message not in posted.message_ids:
            await self._stage.leftovers.remove(draft.channel, draft.message)
        return True

    async def take(self) -> VisibleDraft | None:
        """Stop showing and return the draft, which the answer replaces."""
        self._taken = True
        async with self._calling:
            self._stop()
            draft, self._draft = self._draft, None
        return draft

    def give_back(self, draft: VisibleDraft | None) -> None:
        """The answer could not be sent: the draft is removed when the turn ends."""
        self._draft = draft

    async def close(self) -> None:
        draft = await self.take()
        if draft is not None:
            await self._stage.leftovers.remove(draft.channel, draft.message)

    def _stop(self) -> None:
        if self._stage.open.get(self.turn) is self:
            del self._stage.open[self.turn]
        self._lines.stop()
        for background in (*self._timers, *self._tasks):
            background.cancel()
        self._tasks.clear()  # a cancelled task's error holds its frame, and so this view

    # --- in the background ---

    def _begin(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        self._tasks.append(asyncio.create_task(work()))

    async def _type(self) -> None:
        pace = self._stage.pace
        # A draft shows that work continues; typing would stay visible after the last edit.
        while self._draft is None and not self._taken:
            shown = await self._try(self._type_once())
            await self._stage.clock.sleep(pace.typing_every if shown else pace.typing_again)

    async def _type_once(self) -> None:
        # In the channel above a new thread it would stay for ten seconds: no message ends it there.
        async with self._calling:
            if self._taken or self._draft is not None:
                return
            there = await self._stage.places.destination(self._target)
        await self._stage.quick().typing(there.channel)

    async def _write(self) -> None:
        pace = self._stage.pace
        while True:
            if not self._changed.is_set():
                await self._changed.wait()
                await self._stage.clock.sleep(pace.draft_gather)
            self._changed.clear()
            async with self._calling:
                if self._taken:
                    return
                if not await self._try(self._show_now()):
                    self._changed.set()  # a slow tool may bring no other change for minutes
            await self._stage.clock.sleep(pace.edit_every)

    async def _show_now(self) -> None:
        content = self._rendered()
        if not content or content == self._shown:
            return
        post = Post(content, (stop_row(self.turn),))
        if self._draft is None:
            self._draft = await self._post(post)
        else:
            await self._stage.quick().edit(self._draft.channel, self._draft.message, post)
        self._shown = content

    async def _post(self, post: Post) -> VisibleDraft:
        there: Destination = await self._stage.places.destination(self._target)
        post = Post(post.content, post.components, reply_to=there.reply_to)
        made = await self._stage.quick().post(there.channel, post, self.nonce)
        draft = VisibleDraft(there.channel, str(made["id"]))
        # The nonce may have returned an earlier draft. Another process begins with the first one.
        await self._stage.leftovers.keep(draft.message)
        if self._number % DRAFTS:
            await self._stage.leftovers.stands(draft.channel, draft.message)
        return draft

    async def _try(self, call: Awaitable[object]) -> bool:
        """False: it failed, and another try may help."""
        try:
            await call
        except DeliveryError as error:
            log.debug("turn=<%s>, error=<%s> | the live view could not be shown", self.turn, error)
            return not error.retryable
        return True

    def _rendered(self) -> str:
        return self._lines.drawn(MOST_CHARS, hint="-# {}")
