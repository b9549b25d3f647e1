"""What a warm turn costs the disk: its commits, and the bytes of the write-ahead log."""

import struct
from pathlib import Path

from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say

FRAME_HEADER = 24


def commits(log: bytes, page: int) -> int:
    """Frames that end a commit name the size of the database; the others name none."""
    starts = range(0, len(log), page + FRAME_HEADER)
    return sum(struct.unpack(">I", log[start + 4 : start + 8])[0] != 0 for start in starts)


async def test_a_warm_turn_with_a_tool_writes_little(home: Path):
    turns, warm = 10, 3
    answers = [call("manage_todos", {"action": "list"}), say("Nothing is on your list. " * 15)]
    async with running_app(home, ScriptedModel(answers * (turns + warm)), FakeChat()) as house:
        log = home / "data" / "bellhop.db-wal"
        for number in range(warm):
            await house.ask("ann", f"what is on my list? {number}")
            await house.until_idle()
        before = log.stat().st_size
        for number in range(turns):
            await house.ask("ann", f"and now? {number}")
            await house.until_idle()
        written = log.read_bytes()[before:]
        (row,) = await house.app.database.read("PRAGMA page_size")
    assert commits(written, row["page_size"]) == 5 * turns
    assert len(written) < 60_000 * turns
