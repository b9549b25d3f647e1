"""Logging in to Discord's gateway as one of several shards."""

import asyncio
from dataclasses import dataclass, field

from bot.plugin.chat import Shard


@dataclass(frozen=True)
class Login:
    """Which shard logs in; `turn` is shared by all shards of this process."""

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
