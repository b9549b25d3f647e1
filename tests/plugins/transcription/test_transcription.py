"""What writes down recordings: a server, a program, their limits and failures."""

import asyncio
import io
import os
import sys
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.plugin.plugin import Setup
from bot.plugin.recordings import (
    Recording,
    Transcriber,
    TranscriptionError,
    WrittenSpeech,
    shown_length,
)
from bot.plugins.transcription.command import sound_of
from bot.plugins.transcription.length_process import length_of
from bot.plugins.transcription.plugin import HEAR_S, build_transcriber
from bot.plugins.transcription.settings import TranscriptionSettings
from bot.testing.slack_house import HurriedClock
from bot.testing.transcription import transcription_server
from bot.testing.waiting import runs, until
from bot.testing.web_site import answer

VOICE = b"OggS" + bytes(20)
FILM = b"\x1aE\xdf\xa3" + bytes(20)


PIPED = """\
import struct, sys
form = struct.pack("<IHHIIHH", 16, 1, 1, 16000, 32000, 2, 16)
unknown = b"\\xff" * 4
sys.stdout.buffer.write(b"RIFF" + unknown + b"WAVEfmt " + form + b"data" + unknown + bytes(8))
"""


async def test_sound_that_came_through_a_pipe_gets_its_sizes(tmp_path: Path):
    (ffmpeg,) = program(tmp_path, PIPED, "ffmpeg")
    sound = await sound_of(FILM, ffmpeg, 1)
    assert sound is not None
    with wave.open(io.BytesIO(sound)) as file:
        assert file.getnframes() == 4


def sound(seconds: float) -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(8_000)
        file.writeframes(bytes(round(8_000 * seconds)))
    return made.getvalue()


def transcriber(
    secret: Callable[[str], str] = lambda _: "",
    ffmpeg: str = "no-such-ffmpeg",
    hear_s: float = HEAR_S,
    **more: Any,
) -> Transcriber:
    settings = TranscriptionSettings.model_validate(more)
    made = build_transcriber(Setup(settings, secret, clock=HurriedClock()), ffmpeg, hear_s)
    assert made is not None
    return made


async def heard(by: Transcriber, data: bytes = VOICE, seconds: float = 3, who: str = "ann") -> str:
    return (await transcript(by, data, seconds, who)).text


async def transcript(
    by: Transcriber, data: bytes, seconds: float = 3, who: str = "ann"
) -> WrittenSpeech:
    async def read() -> bytes:
        return data

    return await by.transcribe(who, Recording("a.bin", "", len(data), seconds, read))


async def test_a_server_gets_the_published_form():
    async with transcription_server(says={VOICE: " Paint it. "}, key="k") as server:
        by = transcriber(
            lambda name: "k" if "TRANSCRIPTION" in name else "", url=server.url, language="de"
        )
        assert await heard(by) == "Paint it."
    (sent,) = server.sent
    assert sent.fields == {"model": "whisper-1", "language": "de", "response_format": "json"}
    assert (sent.name, sent.data, sent.key) == ("recording.ogg", VOICE, "k")
    assert server.refusals == []


@pytest.mark.parametrize("written", ["", "/", "/v1", "/v1/audio/transcriptions"])
async def test_an_address_may_hold_a_part_of_the_path(written: str):
    async with transcription_server(says={VOICE: "Yes."}) as server:
        assert await heard(transcriber(url=server.url + written)) == "Yes."


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        ([answer("busy", "503 Service Unavailable")] * 2, ""),
        ([answer("busy", "503 Service Unavailable")] * 3, "could not be asked"),
        ([answer("{}", "401 Unauthorized")], "could not be asked"),
        ([answer("{}", "413 Payload Too Large")], "too large"),
        ([answer('{"error": "odd"}', "400 Bad Request")], "does not take this kind"),
        ([answer("[1]")], "could not be asked"),
        ([answer('{"text": 7}')], "could not be asked"),
        ([answer("{" * 100_000)], "could not be asked"),
        ([b"HTTP/1.1 200 OK\r\n\r\n"], "could not be asked"),
        ([None], "could not be asked"),
    ],
)
async def test_a_failing_server_becomes_a_sentence(faults: list[bytes | None], told: str):
    async with transcription_server(says={VOICE: "Yes."}, faults=[*faults]) as server:
        if None in faults:
            server.faults *= 3
        by = transcriber(url=server.url, hear_s=0.5)
        if not told:
            assert await heard(by) == "Yes."
        else:
            with pytest.raises(TranscriptionError, match=told):
                await heard(by)


async def test_a_server_that_is_gone_becomes_a_sentence():
    async with transcription_server() as server:
        by = transcriber(url=server.url)
    with pytest.raises(TranscriptionError, match="could not be asked"):
        await heard(by)


async def test_what_is_too_large_or_too_long_is_not_sent():
    async with transcription_server() as server:
        by = transcriber(url=server.url)
        with pytest.raises(TranscriptionError, match="26 MB and up to 25 MB"):
            await heard(by, bytes(26 * 1024 * 1024))
        with pytest.raises(TranscriptionError, match="30:01 long and up to 30 minutes"):
            await heard(by, VOICE, 1801)
        with pytest.raises(TranscriptionError, match="30:02 long"):
            await heard(by, sound(1802), 0)
        assert server.sent == []
        assert (await transcript(by, sound(2), 0)).seconds == 2


async def test_one_recording_of_a_person_is_written_down_at_a_time():
    async with transcription_server() as server:
        by, busy, most = transcriber(url=server.url), dict[str, int](), dict[str, int]()

        async def one(who: str) -> None:
            async def read() -> bytes:
                busy[who] = busy.get(who, 0) + 1
                most[who] = max(most.get(who, 0), busy[who])
                await asyncio.sleep(0)
                busy[who] -= 1
                return VOICE

            await by.transcribe(who, Recording("a", "", 10, 3, read))

        await asyncio.gather(*(one(who) for who in ("ann", "ann", "ann", "ben")))
    assert most == {"ann": 1, "ben": 1}
    assert len(server.sent) == 4


def program(folder: Path, text: str, name: str = "hears.py") -> list[str]:
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(0o700)
    return [str(path)]


async def test_a_program_reads_standard_input_or_a_file(tmp_path: Path):
    count = program(tmp_path, "import sys; print(len(sys.stdin.buffer.read()), 'bytes')")
    assert await heard(transcriber(command=count)) == "24 bytes"
    text = "import sys, os; p = sys.argv[2]; print(p[-4:], len(open(p, 'rb').read()), sys.argv[1])"
    by = transcriber(command=[*program(tmp_path, text), "$(id); x", "{file}"])
    assert await heard(by) == ".ogg 24 $(id); x"


async def test_a_program_has_no_secret_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", None)
    text = "import os; open('left', 'w').write('x'); print(sorted(os.environ), os.getcwd())"
    told = await heard(transcriber(command=program(tmp_path, text)))
    assert "PATH" in told
    assert "ANTHROPIC" not in told
    assert str(tmp_path / "tmp") in told
    assert not any((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize(
    ("text", "hear_s", "told"),
    [
        ("raise SystemExit(3)", 30, "the transcriber failed"),
        ("while True: pass", 1, "takes too long"),
        ("while True: print('x' * 100_000)", 2, "takes too long"),
        ("x = bytearray(2 * 1024**3); print(len(x))", 30, "the transcriber failed"),
    ],
)
async def test_a_failing_program_becomes_a_sentence(
    tmp_path: Path, text: str, hear_s: float, told: str
):
    by = transcriber(command=program(tmp_path, text), hear_s=hear_s, memory_mb=512)
    with pytest.raises(TranscriptionError, match=told):
        await heard(by)


async def test_a_program_that_is_not_there_becomes_a_sentence():
    with pytest.raises(TranscriptionError, match="the transcriber failed; ask the operator"):
        await heard(transcriber(command=["no-such-program", "{file}"]))


async def test_what_a_late_program_started_ends_with_it(tmp_path: Path):
    text = (
        "import subprocess, sys, time\n"
        f"one = subprocess.Popen([{sys.executable!r}, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(one.pid))\n"
        "time.sleep(600)\n"
    )
    with pytest.raises(TranscriptionError, match="takes too long"):
        await heard(transcriber(command=program(tmp_path, text), hear_s=5))
    pid = int((tmp_path / "pid").read_text())
    await until(lambda: not runs(pid), 20)


FFMPEG = """\
import os, sys
at = sys.argv.index("-i")
assert sys.argv[at - 1] == "matroska", sys.argv
assert os.path.basename(sys.argv[at + 1]) == "recording.webm", sys.argv
data = open(sys.argv[at + 1], "rb").read()
sys.stdout.buffer.write(b"RIFF____WAVE" + data[-4:])
"""


async def test_the_sound_of_a_video_is_tried_where_the_video_is_refused(tmp_path: Path):
    (ffmpeg,) = program(tmp_path, FFMPEG, "ffmpeg")
    says = {b"RIFF____WAVE" + FILM[-4:]: "Action."}
    async with transcription_server(says=says, takes=frozenset({"wav"})) as server:
        assert await heard(transcriber(url=server.url, ffmpeg=ffmpeg), FILM) == "Action."
        assert [one.name for one in server.sent] == ["recording.wav"]
        with pytest.raises(TranscriptionError, match="does not take this kind of file"):
            await heard(transcriber(url=server.url), FILM)
        (broken,) = program(tmp_path, "raise SystemExit(1)", "ffmpeg")
        with pytest.raises(TranscriptionError, match="no sound was found"):
            await heard(transcriber(url=server.url, ffmpeg=broken), FILM)


def test_the_length_of_a_damaged_recording_is_unknown():
    assert length_of(sound(2.5)) == 2.5
    for data in (b"", VOICE, FILM, b"ID3" + os.urandom(200), sound(2)[:30]):
        assert length_of(data) == 0


def test_a_length_is_shown_as_clocks_show_it():
    assert [shown_length(one) for one in (0, 0.2, 12, 200, 3_723)] == [
        "", "0:01", "0:12", "3:20", "1:02:03",
    ]  # fmt: skip


def test_settings_name_one_way():
    with pytest.raises(ValueError, match="not both"):
        TranscriptionSettings(url="http://127.0.0.1:8080", command=("x",))
    with pytest.raises(ValueError, match="write it like"):
        TranscriptionSettings(url="127.0.0.1:8080")
    with pytest.raises(ValueError, match="port 9 is not one for web pages"):
        TranscriptionSettings(url="http://127.0.0.1:9")
    assert build_transcriber(Setup(TranscriptionSettings(), lambda _: "")) is None
