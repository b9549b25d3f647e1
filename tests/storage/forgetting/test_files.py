"""Words go from files of memory, logs, projects and attachments; other lines and people stay."""

import io
import tarfile
from pathlib import Path

from bot.storage.forgetting.files import ForgettingFiles
from bot.storage.forgetting.sought import Sought
from bot.testing.byte_search import holding

WORD = "quxzebra7"


def _write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def _snapshot(path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        member = tarfile.TarInfo("a.txt")
        member.size = len(WORD)
        archive.addfile(member, io.BytesIO(WORD.encode()))
    _write(path, packed.getvalue())


def test_each_file_is_rid_of_the_words(tmp_path: Path) -> None:
    tier = _write(tmp_path / "memory/ann/assistant_memory.md", f"- tea\n- {WORD}\n".encode())
    log = _write(tmp_path / "data/bellhop.log", f"one\nÄ {WORD} said\ntwo\n".encode())
    project = tmp_path / "data/workspaces/ann"
    text = _write(project / "p/a.txt", f"one\n{WORD}\n".encode())
    binary = _write(project / "p/b.bin", b"\0" + WORD.encode())
    _snapshot(project / ".snapshots/p/first.tar.gz")
    needed, blob = (
        _write(tmp_path / "data/blobs" / (name * 64), WORD.encode()) for name in ("a", "b")
    )
    other = _write(tmp_path / "data/workspaces/ben/p/a.txt", WORD.encode())
    profile = _write(tmp_path / "data/browser/ann/state.json", WORD.encode()).parent
    files = ForgettingFiles(tmp_path, (tier.parent,), project, (profile,), Sought.of(WORD.upper()))
    size = log.stat().st_size
    counted = files.sweep((), {needed.name}, remove=False)
    assert holding([project, tier.parent], [WORD])
    swept = files.sweep((), {needed.name}, remove=True)
    assert counted.counts == swept.counts
    assert swept.counts == {
        "memory files": 1,
        "lines of the log": 1,
        "files of projects": 2,
        "snapshots of projects": 1,
        "attached files": 1,
    }
    assert swept.remains == ["the folder data/browser/ann"]
    assert tier.read_text() == "- tea\n"
    assert log.read_text() == "one\nÄ xxxxxxxxx said\ntwo\n"
    assert log.stat().st_size == size
    assert text.read_text() == "one\n[forgotten]\n"
    assert not binary.exists()
    assert not blob.exists()
    assert needed.exists()
    assert other.read_text() == WORD
    assert holding([project, tier.parent, tmp_path / "data/bellhop.log"], [WORD]) == {}
