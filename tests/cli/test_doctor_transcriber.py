"""`bellhop doctor` says what the transcriber lacks, and with --live asks it."""

import sys
from pathlib import Path

from bot.assembly.home_settings import load_settings
from bot.cli.transcriber_findings import asked, configured
from bot.testing.transcription import transcription_server


def told(
    home: Path, yaml: str = "", env: str = "", ffmpeg: str = sys.executable
) -> list[tuple[str, str]]:
    (home / "bellhop.yaml").write_text(yaml)
    (home / ".env").write_text(env)
    return [(one.state, one.text) for one in configured(load_settings(home), ffmpeg)]


def test_what_is_missing_is_named(tmp_path: Path):
    assert told(tmp_path) == []
    (only_key,) = told(tmp_path, env="TRANSCRIPTION_API_KEY=sk-1234567890\n")
    assert only_key[0] == "warning"
    assert "set transcription.url" in only_key[1]
    (no_program,) = told(tmp_path, "transcription: {command: [no-such-program]}\n")
    assert no_program[0] == "error"
    (no_ffmpeg,) = told(tmp_path, "transcription: {url: 'http://x'}\n", ffmpeg="no-such-ffmpeg")
    assert no_ffmpeg[0] == "ok"
    assert "http://x; without no-such-ffmpeg" in no_ffmpeg[1]
    whole = f"transcription: {{command: ['{sys.executable}']}}\n"
    assert told(tmp_path, whole) == [("ok", sys.executable)]


async def test_it_is_asked_with_silence(tmp_path: Path):
    async with transcription_server(key="sk-right-1234") as server:
        for key, state in (("sk-right-1234", "ok"), ("sk-wrong-1234", "error")):
            told(
                tmp_path,
                f"transcription: {{url: '{server.url}'}}\n",
                f"TRANSCRIPTION_API_KEY={key}\n",
            )
            (found,) = await asked(load_settings(tmp_path))
            assert found.state == state
            assert "sk-" not in found.text
        assert server.sent[0].name == "recording.wav"
    told(tmp_path)
    assert await asked(load_settings(tmp_path)) == []
