"""Drafts that an earlier process left half written: finds and deletes them."""

import logging
from contextlib import suppress

from bot.plugin.chat import DeliveryError, OpenDraft, OpenDrafts, StorageError
from bot.plugin.recent import Recent
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.live import SlackStage
from bot.plugins.slack_chat.places import PLATFORM, Spot
from bot.plugins.slack_chat.posts import Posts
from bot.plugins.slack_chat.status import is_end
from bot.plugins.slack_chat.trouble import SlackTrouble

log = logging.getLogger(__name__)


class HalfWritten:
    """Removes them once: those on record when the platform is reached, others where one answers."""

    def __init__(
        self, connection: SlackConnection, posts: Posts, stage: SlackStage, drafts: OpenDrafts
    ) -> None:
        self._connection = connection
        self._posts = posts
        self._stage = stage
        self._drafts = drafts
        self._cleared = False
        self._taken: Recent[tuple[str, str], None] = Recent()
        """Messages that have no draft of an earlier process, by channel and timestamp."""

    def is_new(self, channel: str, ts: str) -> None:
        """Nobody has answered this message before."""
        self._taken[(channel, ts)] = None

    async def sweep(self, spot: Spot) -> None:
        """Delete an earlier process's half answer once, so that only the whole one stays."""
        if spot.since is None or spot.thread is None or (spot.channel, spot.since) in self._taken:
            return
        self._taken[(spot.channel, spot.since)] = None
        try:
            await self.remove(spot)
        except DeliveryError as error:
            self._taken.pop((spot.channel, spot.since), None)
            log.info(
                "channel=<%s>, error=<%s> | can't look for earlier drafts", spot.channel, error
            )

    async def clear(self) -> None:
        """Delete drafts that a crashed process left half written; their turns answer anew.

        Ends of statuses that an earlier connection left unsaid are said.
        """
        try:
            await self._stage.statuses.resume()
            if self._cleared:
                return
            open_now = {live.id for live in self._stage.open}
            left = [
                one
                for one in await self._drafts.left(PLATFORM)
                if one.id not in open_now and not is_end(one)
            ]
            done = [await self._clear(draft) for draft in left]
        except StorageError as error:
            log.warning(
                "error=<%s> | can't read earlier drafts; the next connection tries again",
                error,
            )
        else:
            self._cleared = all(done)

    async def _clear(self, draft: OpenDraft) -> bool:
        """False: it may still be there, and is tried again. Raises StorageError."""
        spot = Spot(draft.channel, draft.thread, draft.message or draft.answers or None)
        try:
            await self.remove(spot, draft.message or None)
        except DeliveryError as error:
            log.info(
                "channel=<%s>, error=<%s> | can't delete an earlier draft", draft.channel, error
            )
            if error.retryable:
                return False
        await self._drafts.forget(PLATFORM, draft.id)
        return True

    async def remove(self, spot: Spot, only: str | None = None) -> None:
        """Delete unfinished messages there since a message: all of them, or one."""
        ours = {live.ts for live in self._stage.open}
        for draft in await self._posts.drafts(spot):
            if draft["ts"] not in ours and only in {None, draft["ts"]}:
                with suppress(SlackTrouble):
                    await self._connection.call(
                        "chat.stopStream", channel=spot.channel, ts=draft["ts"]
                    )
                with suppress(SlackTrouble):
                    await self._connection.call("chat.delete", channel=spot.channel, ts=draft["ts"])
