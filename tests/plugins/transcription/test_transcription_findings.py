"""`bellhop doctor` says what the transcriber lacks, and with --live asks it."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import asked, findings
from bot.domain.health import Check
from bot.settings import Settings
from bot.testing.transcription import transcription_server


def home_with(home: Path, yaml: str = "", env: str = "") -> Settings:
    (home / "bellhop.yaml").write_text(yaml)
    (home / ".env").write_text(env)
    return load_settings(home)


def ours(found: Sequence[Check]) -> list[tuple[str, str]]:
    return [(one.state, one.text) for one in found if one.check.endswith("transcription")]


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))

    def told(yaml: str = "", env: str = "") -> list[tuple[str, str]]:
        return ours(findings(home_with(tmp_path, yaml, env)))

    assert told() == []
    (only_key,) = told(env="TRANSCRIPTION_API_KEY=sk-1234567890\n")
    assert only_key[0] == "warning"
    assert "set transcription.url" in only_key[1]
    (no_program,) = told("transcription: {command: [no-such-program]}\n")
    assert no_program[0] == "warning"
    assert "no program no-such-program; install it" in no_program[1]
    (no_ffmpeg,) = told("transcription: {url: 'http://x'}\n")
    assert no_ffmpeg[0] == "ok"
    assert "http://x; without ffmpeg" in no_ffmpeg[1]
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "ffmpeg").symlink_to(sys.executable)
    whole = f"transcription: {{command: ['{sys.executable}']}}\n"
    assert told(whole) == [("ok", sys.executable)]


async def test_it_is_asked_with_silence(tmp_path: Path):
    async with transcription_server(key="sk-right-1234") as server:
        yaml = f"transcription: {{url: '{server.url}'}}\n"
        for key, state in (("sk-right-1234", "ok"), ("sk-wrong-1234", "error")):
            settings = home_with(tmp_path, yaml, f"TRANSCRIPTION_API_KEY={key}\n")
            ((found, text),) = ours(await asked(settings))
            assert found == state
            assert "sk-" not in text
        assert server.sent[0].name == "recording.wav"
    assert ours(await asked(home_with(tmp_path))) == []
