"""Discord's pace, and limits beside discord.py's buckets: calls, edits of a channel, bans, logins.

discord.py waits by itself for an empty bucket, and for a global limit that Discord reports. Nobody
waits there for more than half a minute; if Discord demands a longer wait, no call is made before
its end.
"""

import asyncio
from dataclasses import dataclass, field

from bot.plugin.chat import Shard
from bot.plugin.clock import Clock
from bot.plugin.drawing import wait_words
from bot.plugin.limits import CallWindow, HeldUp, Limiter, Rate
from bot.plugins.discord_chat.seen import CallFailed, CallRefused, RestCall


@dataclass(frozen=True)
class Pace:
    typing_after: float = 0.1
    """An answer within that needs no sign that work goes on, and is one call then. People who see
    nothing for longer write again.
    """
    typing_every: float = 8.0
    """Discord shows typing for ten seconds."""
    typing_again: float = 0.25
    """After a call that had no room beside those that people wait for."""
    draft_after: float = 1.2
    """A turn that ends before has no draft."""
    draft_gather: float = 0.25
    """What changes so soon after a change is shown with it: a quick tool needs one call, and it is
    made while the turn waits for its model again.
    """
    edit_every: float = 1.2
    """Five edits in five seconds are allowed in a channel."""
    retry: tuple[float, ...] = (0.5, 1.5, 4.0)
    """Waits before further tries of a call that got no answer or a 503."""
    accept_retry: tuple[float, ...] = (0.1, 0.4)
    identify: float = 5.0
    """Before a second login of the same client."""
    guild_ready: float = 2.0
    heartbeat: float = 60.0
    """After this time without a frame the connection counts as dead."""
    calls_per_s: int = 45
    """Discord allows 50 calls a second in all."""
    edits_per_5s: int = 5
    """Discord allows five edits per channel in five seconds; drafts leave one for answers."""


BANNED_S = 60.0
"""A 429 that discord.py passes on comes from Discord's guard, which bans after bad calls."""
_ALL = "discord"


class Rates:
    """Shared by all calls of one client.

    `live`: calls that may be left out, and yield to the rest.
    """

    def __init__(self, clock: Clock, pace: Pace) -> None:
        self._limiter = Limiter(clock)
        self._all = CallWindow(_ALL, Rate(pace.calls_per_s, 1.0, spare=pace.calls_per_s // 4))
        self._edits = Rate(pace.edits_per_5s, 5.0, spare=1)
        self._route = Rate(pace.calls_per_s, 1.0)

    async def admit(self, call: RestCall, *, live: bool, background: bool = False) -> None:
        """Return when it may be made; in the `background`, after those that people wait for.

        Raises CallFailed when it has to wait too long, with `live` at all.
        """
        windows = self._windows(call)
        if live:
            if (seconds := self._limiter.pass_now(windows)) > 0:
                raise CallFailed(f"{call} would have to wait", seconds)
            return
        try:
            await self._limiter.wait(windows, background=background)
        except HeldUp as held:
            raise CallFailed(f"rate limited for {wait_words(held.seconds)}", held.seconds) from held

    def failed(self, call: RestCall, error: CallRefused | CallFailed) -> None:
        """Remember what a limit asked for."""
        match error:
            case CallRefused(status=429):
                self._limiter.hold(_ALL, BANNED_S)
            case CallFailed(retry_after=float(seconds)):
                self._limiter.hold(self._windows(call)[0].key, seconds)
            case _:
                return

    def _windows(self, call: RestCall) -> tuple[CallWindow, ...]:
        where = f"{call} {call.ids.get('channel_id', '')}"
        is_edit = call.method == "PATCH" and "channel_id" in call.ids
        return (CallWindow(where, self._edits if is_edit else self._route), self._all)


@dataclass(frozen=True)
class Login:
    """Which shard logs in to the gateway; `turn` is shared by all shards of this process."""

    shard: Shard | None = None
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def is_first(self) -> bool:
        """Whether what is for all servers belongs to this connection."""
        return self.shard is None or self.shard.number == 0

    async def wait(self, seconds: float) -> None:
        """Wait until this shard may log in; the next one may that many seconds later."""
        if self.shard is None:
            return
        await self.turn.acquire()
        asyncio.get_running_loop().call_later(seconds, self.turn.release)
