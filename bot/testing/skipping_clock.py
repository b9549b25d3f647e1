"""A clock on which every wait ends at once and is recorded."""

from datetime import datetime

from bot.testing.fake_clock import FakeClock


class SkippingClock(FakeClock):
    """`slept` holds the seconds of each wait."""

    def __init__(self, *start: datetime) -> None:
        super().__init__(*start)
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await self.advance(seconds)
