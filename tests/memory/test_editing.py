"""Rewriting tiers: crashes lose nothing, undo restores all, forgotten things are gone."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from bot.domain.memory import MemoryEntry, Tier
from bot.errors import StorageError
from bot.memory.editing import Addition, TierEditor, TierOf
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.storage.markdown import MarkdownFile, MarkdownStore

TODAY = date(2026, 11, 22)
ANN = TierOf(Tier.USER, "assistant", "ann")
OLD = MemoryEntry("Ann lives in Bern", 4, date(2026, 5, 1), "s1")
NEW = MemoryEntry("Ann lives in Graz", 4, date(2026, 11, 20), "s2")
HAND = "# Ann\n\n- [S2][2026-05-01] by   hand\n- [S4][2026-05-01][src:s1] Ann lives in Bern\n"


@pytest.fixture
def editor(store: MemoryStore) -> TierEditor:
    return TierEditor(store, MemorySettings())


def files(root: Path) -> dict[str, str]:
    return {str(one.relative_to(root)): one.read_text() for one in sorted(root.rglob("*.md"))}


async def test_a_newer_entry_takes_the_place_of_an_older_one_which_is_kept(
    editor: TierEditor, write: Callable[[str, str], None], tmp_path: Path
):
    write("ann/assistant_memory.md", HAND)
    await editor.add(ANN, [Addition(NEW, (OLD,))], "p1", TODAY)
    await editor.add(ANN, [Addition(NEW, (OLD,))], "p1", TODAY)
    made = files(tmp_path / "memory")
    kept = "# Ann\n\n- [S2][2026-05-01] by   hand\n"
    assert (
        made["ann/assistant_memory.md"] == f"{kept}- [S4][2026-11-20][src:s2] Ann lives in Graz\n"
    )
    archived = "- [S4][2026-05-01][src:s1][superseded:2026-11-22] Ann lives in Bern\n"
    assert made["archive/ann/assistant_memory.md"] == archived
    done = await editor.undo()
    assert done.restored == ("ann/assistant_memory.md", "archive/ann/assistant_memory.md")
    assert (tmp_path / "memory/ann/assistant_memory.md").read_text() == HAND
    assert await editor.store.archived(Tier.USER, agent="assistant", person_id="ann") == ()
    assert (await editor.undo()).name == ""


async def test_an_undo_leaves_what_somebody_edited_since(
    editor: TierEditor, write: Callable[[str, str], None], tmp_path: Path
):
    write("ann/assistant_memory.md", HAND)
    await editor.add(ANN, [Addition(NEW)], "p1", TODAY)
    write("ann/assistant_memory.md", "- [S5] mine\n")
    assert (await editor.undo()).changed == ("ann/assistant_memory.md",)
    assert (tmp_path / "memory/ann/assistant_memory.md").read_text() == "- [S5] mine\n"


async def test_forgotten_entries_stay_gone_after_undo(
    editor: TierEditor, write: Callable[[str, str], None], tmp_path: Path
):
    write("ann/assistant_memory.md", HAND)
    await editor.add(ANN, [Addition(NEW, (OLD,))], "p1", TODAY)
    await editor.remove(ANN, ["ann lives in  BERN."])
    assert not any("Bern" in text for text in files(tmp_path / "memory").values())
    await editor.undo()
    assert not any("Bern" in text for text in files(tmp_path / "memory").values())
    assert "by   hand" in (tmp_path / "memory/ann/assistant_memory.md").read_text()


class _Cut(MarkdownStore):
    """A disk that fails at the n-th write."""

    left = 10**9

    async def update(
        self, path: str, fn: Callable[[str], str], *, backup: bool = False
    ) -> MarkdownFile:
        self.left -= 1
        if self.left < 0:
            raise StorageError("no space left")
        return await super().update(path, fn, backup=backup)


async def test_a_crash_at_any_write_of_a_pass_loses_and_repeats_nothing(tmp_path: Path):
    async def lived(name: str, cut: int | None) -> dict[str, str]:
        root = tmp_path / name / "memory"
        disk = _Cut(root)
        editor = TierEditor(MemoryStore(disk), MemorySettings(chars={Tier.USER: 140}))
        await disk.update(
            "ann/assistant_memory.md",
            lambda _: f"{HAND}- [S1] crumbs of last year that matter little\n",
        )
        disk.left = 10**9 if cut is None else cut
        try:
            await work(editor)
        except StorageError:
            disk.left = 10**9
            await work(editor)
        return {path: text for path, text in files(root).items() if not path.startswith("backups")}

    async def work(editor: TierEditor) -> None:
        await editor.add(ANN, [Addition(NEW, (OLD,))], "p1", TODAY)
        await editor.reflect(ANN, "p1", TODAY)

    whole = await lived("whole", None)
    assert "crumbs" in whole["archive/ann/assistant_memory.md"]
    assert "Bern" in whole["archive/ann/assistant_memory.md"]
    for cut in range(12):
        assert await lived(f"cut-{cut}", cut) == whole, cut
