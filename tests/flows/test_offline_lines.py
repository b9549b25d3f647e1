"""Several lines in a row: the offline model does what each of them asks for."""

import asyncio
from pathlib import Path

from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app

LINES = (
    "add a todo: buy milk",
    "add a todo: buy bread",
    "note: the key is under the mat",
    "what is 6 * 7?",
)


async def test_each_line_of_a_burst_is_done(home: Path):
    chat = FakeChat()
    async with running_app(home, None, chat) as house:
        await asyncio.gather(*(chat.say("ann", line, key=line) for line in LINES))
        await chat.until(1)
        await house.until_idle()
        told = "\n".join(chat.texts)
        assert [part in told for part in ("buy milk", "buy bread", "under the mat", "42")] == [
            True
        ] * 4
        open_ones = await house.ask("ann", "what is open?")
        assert "buy milk" in open_ones
        assert "buy bread" in open_ones
