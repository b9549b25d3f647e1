"""Limits beside discord.py's buckets: all calls together, edits of one channel, bans.

discord.py waits by itself for an empty bucket, and for a global limit that Discord reports. Nobody
waits there for more than half a minute; if Discord demands a longer wait, no call is made before
its end.
"""

from bot.plugin.chat import Clock
from bot.plugin.drawing import wait_words
from bot.plugin.limits import CallWindow, HeldUp, Limiter, Rate
from bot.plugins.discord_chat.pace import Pace
from bot.plugins.discord_chat.seen import CallFailed, CallRefused, RestCall

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
