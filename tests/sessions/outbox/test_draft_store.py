"""Open drafts on record: what was noted is there after a restart, until it is forgotten."""

from pathlib import Path

from bot.domain.drafts import OpenDraft
from bot.sessions.outbox.outbox_store import DraftStore
from bot.storage.home import open_database


async def test_a_draft_is_on_record_until_it_is_forgotten(tmp_path: Path):
    draft = OpenDraft("d1", "C1", "1.1", "1.2")
    started = OpenDraft("d1", "C1", "1.1", "1.2", "1.3")
    database = await open_database(tmp_path / "bellhop.db")
    await DraftStore(database).note("slack", draft)
    await DraftStore(database).note("slack", started)
    await database.close()
    database = await open_database(tmp_path / "bellhop.db")
    drafts = DraftStore(database)
    assert [*await drafts.left("slack")] == [started]
    assert [*await drafts.left("elsewhere")] == []
    await drafts.forget("slack", "d1")
    assert [*await drafts.left("slack")] == []
    await database.close()
