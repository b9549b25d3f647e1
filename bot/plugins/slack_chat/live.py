"""The live view in a thread during a turn: a status, tool lines, and the streaming answer."""

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bot.plugin.chat import (
    DeliveryError,
    LiveUpdate,
    NoDrafts,
    OpenDraft,
    OpenDrafts,
    PlanShown,
    Status,
    StorageError,
    TextDelta,
    TextReset,
    Thinking,
    ToolEnded,
    ToolStarted,
    WorkShown,
)
from bot.plugin.clock import Clock
from bot.plugin.drawing import DoingLine
from bot.plugin.limits import sleep_unless
from bot.plugin.payloads import JsonObject
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.markup import FALLBACK_CHARS, escape, tame
from bot.plugins.slack_chat.places import PLATFORM, Spot
from bot.plugins.slack_chat.posts import Posts, not_known
from bot.plugins.slack_chat.status import Spawn, Statuses
from bot.plugins.slack_chat.task_cards import plan_cards, task_card
from bot.plugins.slack_chat.trouble import NO_TOKEN, SlackRefused, SlackUnsure

log = logging.getLogger(__name__)

FIRST_CHARS = 80
"""Shorter text waits: it may be a word before a tool call, and those are taken back."""
STREAM_CHARS = 5000
"""Longer text comes with the final answer, which knows where long answers are cut."""
APPENDS_PER_S = 1.6
"""Slack's limit for all streams of a workspace together."""
EDIT_PACE_S = 2.5
_ENDED = "message_not_in_streaming_state"
_NOW = "now"
"""The card with what is being done: each change of it replaces the one before."""


class DraftState(StrEnum):
    """State of the growing message."""

    NONE = "none"
    STREAMING = "streaming"
    EDITED = "edited"
    """The stream has ended (too old, stopped, or taken back): the message is edited instead."""
    OFF = "off"


@dataclass
class SlackStage:
    """The parts that the live views of one adapter share."""

    connection: SlackConnection
    posts: Posts
    clock: Clock
    team: Callable[[], Awaitable[str]]
    recipient: Callable[[Spot], Awaitable[str | None]]
    """User id of the answered person; a stream in a channel needs one."""
    title: Callable[[Spot], str]
    """The answered message in one line, which names the session that it opens."""
    spawn: Spawn
    open: set["SlackLive"] = field(default_factory=set["SlackLive"])
    drafts: OpenDrafts = field(default_factory=NoDrafts)
    statuses: Statuses = field(init=False)

    def __post_init__(self) -> None:
        self.statuses = Statuses(self.connection, self.works, self.spawn, self.drafts)

    def works(self, spot: Spot) -> bool:
        """Whether a turn is shown at work there."""
        return any(
            (live.spot.channel, live.spot.thread) == (spot.channel, spot.thread)
            for live in self.open
        )


class SlackLive:
    """Implements domain.chat.LiveReply.

    Every failure here is only logged: the final answer does not depend on it.
    """

    def __init__(self, stage: SlackStage, spot: Spot, turn: str) -> None:
        self.id = secrets.token_hex(8)
        """Of its draft on record."""
        self.turn = turn
        self.spot = spot
        self.asked = False
        """Whether a message that waits for the person was sent meanwhile."""
        self.ts: str | None = None
        self._stage = stage
        self._draft = DraftState.NONE
        self._text = ""
        self._shown = ""
        self._tasks: dict[str, JsonObject] = {}
        self._cards: dict[str, JsonObject] = {}
        """The plan's tasks, as last shown."""
        self._wake = asyncio.Event()
        self._line = DoingLine(stage.clock, self._line_changed)
        self._now = ""
        """What is being done, as last shown."""
        self._ended = asyncio.Event()
        self._answered = False
        self._finished = False
        self._doubtful = False
        """Whether an append got no answer: the content of the stream is then unknown."""
        self._noted = False
        self._below = False
        """Whether its turn has posted something below the draft."""
        self._unanswered: str | None = None
        """The text of an unanswered start, until somebody can check whether it succeeded."""
        stage.open.add(self)
        self._pump = asyncio.create_task(self._run(), name="slack live reply")

    # --- LiveReply ---

    def show(self, update: LiveUpdate) -> None:
        match update:
            case TextDelta(text):
                self._text += text
            case TextReset():
                self._text = ""
            case WorkShown():
                self._line.show(update)
                self._line_changed()
                return
            case PlanShown():
                self._show_plan(update)
            case ToolStarted() | ToolEnded() | Thinking() | Status():
                return
        self._wake.set()

    def _line_changed(self) -> None:
        line = self._line.words(text=bool(self._text.strip()))
        if line and line != self._now:
            self._now = line
            self._tasks[_NOW] = task_card(_NOW, line, "in_progress")
            self._wake.set()

    def _show_plan(self, plan: PlanShown) -> None:
        """A card per task; only changed ones are sent."""
        for key, card in plan_cards(plan, self._cards).items():
            if self._cards.get(key) != card:
                self._cards[key] = self._tasks[key] = card

    def move_down(self) -> None:
        """Its turn has posted something: the draft goes on below, and the answer stands last."""
        self._below = True
        self._wake.set()

    async def close(self) -> None:
        await self._halt()
        if self not in self._stage.open:
            return
        self._stage.open.discard(self)
        if await self._is_gone():
            await self._forget()
        await self._stage.statuses.idle(self.spot, asked=self.asked and not self._answered)

    # --- while the turn runs ---

    async def _run(self) -> None:
        opens = self.spot.since is not None and self.spot.since == self.spot.thread
        title = self._stage.title(self.spot) if opens else ""
        await self._stage.statuses.processing(self.spot, title)
        while not self._ended.is_set():
            await self._wake.wait()
            if self._ended.is_set():
                return
            await self._pause()
            self._wake.clear()
            if self._ended.is_set():
                return
            try:
                await self._begin_below()
                await self._flush()
            except SlackRefused as refused:
                await self._after_refusal(refused)
            except (DeliveryError, StorageError) as trouble:
                log.debug("trouble=<%s> | live reply not updated", trouble)
                if isinstance(trouble, SlackUnsure):
                    self._wake.set()  # a slow tool may bring no other change for minutes

    async def _begin_below(self) -> None:
        """Where something stands below the draft, take it away: the next one begins there."""
        below, self._below = self._below, False
        if not below or self.ts is None or not await self._remove():
            return
        self.ts, self._draft, self._doubtful = None, DraftState.NONE, False
        self._shown = self._now = ""
        self._tasks = {**self._cards, **self._tasks}
        self._line_changed()

    async def _pause(self, at_least: float = 0.0) -> None:
        """Wait for the next moment to show something, or for the end."""
        pace = (
            EDIT_PACE_S
            if self._draft is DraftState.EDITED
            else max(1.0, len(self._stage.open) / APPENDS_PER_S)
        )
        await sleep_unless(self._ended, self._stage.clock, max(pace, at_least))

    async def _flush(self) -> None:
        wanted = tame(self._text[:STREAM_CHARS])
        match self._draft:
            case DraftState.NONE:
                await self._start(wanted)
            case DraftState.STREAMING if self._doubtful or not wanted.startswith(self._shown):
                if wanted:
                    await self._end_stream()
                    await self._edit(wanted)
            case DraftState.STREAMING:
                await self._append(wanted)
            case DraftState.EDITED:
                await self._edit(wanted)
            case DraftState.OFF:
                return

    async def _start(self, wanted: str) -> None:
        if len(wanted) < FIRST_CHARS:
            wanted = ""
        if not (wanted or self._tasks) or self.spot.thread is None:
            return
        if self._unanswered is not None and await self._find_draft():
            self._wake.set()
            return
        recipient = await self._stage.recipient(self.spot)
        if recipient is None and not self.spot.is_dm:
            self._draft = DraftState.OFF
            return
        to = (
            {}
            if self.spot.is_dm
            else {"recipient_user_id": recipient, "recipient_team_id": await self._stage.team()}
        )
        await self._note()  # stored first, or a crash could leave a draft that nobody knows of
        async with self._chunks(wanted) as chunks:
            try:
                mode = "plan" if self._cards else "timeline"
                started = await self._call_now(
                    "chat.startStream",
                    thread_ts=self.spot.thread,
                    task_display_mode=mode,
                    chunks=chunks,
                    **to,
                )
                self.ts = str(started["ts"])
                self._draft, self._shown = DraftState.STREAMING, wanted
            except SlackUnsure:
                self._unanswered = wanted
                if not await self._find_draft():
                    raise
        await self._note()

    async def _note(self) -> None:
        """Raises StorageError."""
        spot = self.spot
        draft = OpenDraft(self.id, spot.channel, spot.thread or "", spot.since or "", self.ts or "")
        await self._stage.drafts.note(PLATFORM, draft)
        self._noted = True

    async def _forget(self) -> None:
        if not self._noted:
            return
        try:
            await self._stage.drafts.forget(PLATFORM, self.id)
        except StorageError as error:
            log.info(
                "error=<%s> | a draft that is gone stays on record until the next start", error
            )

    async def _append(self, wanted: str) -> None:
        async with self._chunks(wanted) as chunks:
            if chunks:
                try:
                    await self._call_now("chat.appendStream", ts=self.ts, chunks=chunks)
                except SlackUnsure:
                    self._doubtful = True
                    raise
        self._shown = wanted

    async def _find_draft(self) -> bool:
        """Whether a stream with an unanswered start exists: if so, it is this draft.

        Raises DeliveryError.
        """
        taken, shown = {live.ts for live in self._stage.open}, self._unanswered
        drafts = await self._stage.posts.drafts(self.spot)
        self._unanswered = None
        found = [str(m["ts"]) for m in drafts if m.get("text") == shown and m["ts"] not in taken]
        if not found:
            return False
        self.ts, self._draft, self._shown = found[-1], DraftState.STREAMING, shown or ""
        return True

    async def _edit(self, wanted: str) -> None:
        if wanted and wanted != self._shown:
            await self._call_now("chat.update", ts=self.ts, markdown_text=wanted)
            self._shown = wanted

    async def _end_stream(self) -> None:
        try:
            await self._call("chat.stopStream", ts=self.ts)
        except SlackRefused as refused:
            if refused.error != _ENDED:
                raise
        self._draft = DraftState.EDITED

    async def _after_refusal(self, refused: SlackRefused) -> None:
        log.debug("refused=<%s> | live reply goes on in another way", refused)
        if refused.retry_after is not None:
            await self._pause(min(refused.retry_after, 60.0))
            self._wake.set()
        elif refused.error == _ENDED:
            self._draft = DraftState.EDITED
            self._wake.set()
        elif refused.error == "message_not_found":
            self.ts, self._draft = None, DraftState.OFF
        elif self.ts is None:
            self._draft = DraftState.OFF

    @asynccontextmanager
    async def _chunks(self, wanted: str) -> AsyncGenerator[list[JsonObject]]:
        """New text since the last call; tool lines come back if the call fails."""
        more = wanted[len(self._shown) :]
        sent, self._tasks = self._tasks, {}
        try:
            yield [*([{"type": "markdown_text", "text": more}] if more else []), *sent.values()]
        except BaseException:
            self._tasks = {**sent, **self._tasks}
            raise

    async def _call_now(self, method: str, **arguments: Any) -> JsonObject:
        return await self._stage.connection.call_now(method, channel=self.spot.channel, **arguments)

    async def _call(self, method: str, **arguments: Any) -> JsonObject:
        return await self._stage.connection.call(method, channel=self.spot.channel, **arguments)

    # --- the end ---

    async def _halt(self) -> None:
        """Let the current call end, and start no other."""
        self._ended.set()
        self._line.stop()
        self._wake.set()
        await asyncio.wait({self._pump})
        if not self._pump.cancelled() and (error := self._pump.exception()) is not None:
            log.error("error=<%r> | the live reply broke; the answer goes on without it", error)

    async def finish(self, text: str, blocks: list[JsonObject], metadata: JsonObject) -> str | None:
        """Turn the draft into the answer; returns its timestamp, or None without a draft.

        May be repeated: the draft is one message, whatever the try before did. Raises SlackTrouble.
        """
        await self._halt()
        await self._begin_below()
        if self.ts is None:
            return None
        try:
            if (
                self._draft is DraftState.STREAMING
                and not self._doubtful
                and text.startswith(self._shown)
            ):
                await self._finish_stream(text, blocks, metadata)
            else:
                await self._rewrite(text, blocks, metadata)
        except SlackRefused as refused:
            if refused.error == _ENDED:
                self._draft = DraftState.EDITED
                await self._rewrite(text, blocks, metadata)
            elif refused.error == "message_not_found":
                self.ts = None
            elif refused.retry_after is None and refused.error not in NO_TOKEN:
                log.info(
                    "ts=<%s>, refused=<%s> | the draft can't become the answer, which is posted",
                    self.ts,
                    refused,
                )
                self.ts = None if await self._remove() else self.ts
                return None
            else:
                raise
        return self.ts

    def keep(self, ts: str) -> None:
        """The answer stands there with this timestamp; if it is the draft, the draft stays."""
        self._answered = True
        self._finished = ts == self.ts

    async def _finish_stream(
        self, text: str, blocks: list[JsonObject], metadata: JsonObject
    ) -> None:
        rest = text[len(self._shown) :]
        chunks = [{"type": "markdown_text", "text": rest}] if rest else []
        options: dict[str, Any] = {"blocks": blocks} if blocks else {}
        if self._now:
            self._tasks[_NOW] = task_card(_NOW, self._line.over(), "complete", self._line.steps)
        if chunks or self._tasks:
            options["chunks"] = [*chunks, *self._tasks.values()]
        await self._call("chat.stopStream", ts=self.ts, metadata=metadata, **options)

    async def _rewrite(self, text: str, blocks: list[JsonObject], metadata: JsonObject) -> None:
        if self._draft is DraftState.STREAMING:
            await self._end_stream()
        shown: JsonObject = {"markdown_text": text}
        if blocks:
            shown = {
                "text": escape(text[:FALLBACK_CHARS]),
                "blocks": [{"type": "markdown", "text": text}, *blocks],
            }
        await self._call("chat.update", ts=self.ts, metadata=metadata, **shown)

    async def _is_gone(self) -> bool:
        """Delete drafts that became no answer, after the last one has ended.

        False: some may still exist.
        """
        if self._finished:
            return True
        try:
            if self._unanswered is not None:
                await self._find_draft()
        except DeliveryError as trouble:
            log.warning(
                "trouble=<%s> | can't look for a draft, the next start tries again", trouble
            )
            return False
        return self.ts is None or await self._remove()

    async def _remove(self) -> bool:
        """Delete a draft that became no answer.

        False: it may still be there, and stays on record.
        """
        try:
            await self._stage.posts.insist(self._taken_down, not_known)
        except DeliveryError as trouble:
            log.warning(
                "ts=<%s>, trouble=<%s> | draft not removed, the next start tries again",
                self.ts,
                trouble,
            )
            return False
        return True

    async def _taken_down(self) -> str:
        """One try. Raises SlackTrouble."""
        try:
            if self._draft is DraftState.STREAMING:
                await self._end_stream()
            await self._call("chat.delete", ts=self.ts)
        except SlackRefused as refused:
            if refused.error != "message_not_found":
                raise
        return self.ts or ""
