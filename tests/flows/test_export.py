"""/export and `bellhop export`: what is kept of a person, for that person alone."""

import asyncio
import io
import json
import zipfile
from pathlib import Path

from typer.testing import CliRunner, Result

from bot.cli.main import app
from bot.domain.messages import Place
from bot.log import register_secret
from bot.storage.blobs import Blobs
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say

SECRET = "hunter2-of-the-house"


async def filled(at: Harness) -> None:
    await at.ask("ann", f"strawberries, and {SECRET}")
    await at.until_idle()
    await at.ask("ben", "blueberries are mine")
    await at.until_idle()


def texts(packed: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


async def test_a_member_gets_their_own_data_in_a_direct_message_alone(home: Path):
    register_secret(SECRET)
    model = ScriptedModel(
        [
            call("manage_todos", {"action": "create", "title": "Pick strawberries"}),
            call("write_file", {"path": "/documents/jam.md", "content": "Jam of strawberries"}),
            say("Nice."),
            say("Good for you."),
        ]
    )
    async with running_app(home, model, clock=FakeClock()) as at:
        await filled(at)
        before = len(at.chat.posts)
        await at.chat.command("ann", "export", where="office", place=Place.CHANNEL)
        refused = (await at.chat.until(before + 1))[-1]
        assert not refused.message.files
        assert "direct message" in refused.text
        await at.chat.command("ann", "export")
        sent = (await at.chat.until(before + 2))[-1]
        (file,) = sent.message.files
        packed = await Blobs(home / "data" / "blobs").get(file.blob)
        at.chat.locale = "de"
        await at.chat.command("ann", "export")
        (german,) = (await at.chat.until(before + 3))[-1].message.files
        in_german = await Blobs(home / "data" / "blobs").get(german.blob)
    assert packed
    assert in_german
    assert texts(in_german)["README.txt"].startswith("Was Bellhop von ann aufhebt, als Dateien.")
    found = texts(packed)
    assert found["files/documents/jam.md"] == "Jam of strawberries"
    said = [one["text"] for one in json.loads(found["messages.json"])]
    assert any("strawberries" in one for one in said)
    assert "Nice." in said
    assert [one["title"] for one in json.loads(found["todos.json"])] == ["Pick strawberries"]
    everything = "\n".join(found.values())
    assert "blueberries" not in everything
    assert SECRET not in everything
    assert "Left out" in found["README.txt"]


async def test_the_operator_writes_it_into_a_file_of_their_own(home: Path, tmp_path: Path):
    model = ScriptedModel([say("Nice."), say("Good for you.")])
    async with running_app(home, model, clock=FakeClock()) as at:
        await filled(at)
        path = tmp_path / "ann.zip"
        arguments = ["--home", str(home), "export", "--to", str(path), "--person"]

        def typed(*more: str) -> Result:
            return CliRunner().invoke(app, [*arguments, *more])

        unknown = await asyncio.to_thread(typed, "nobody")
        assert unknown.exit_code == 1
        assert not path.exists()
        made = await asyncio.to_thread(typed, "Ann")
        assert made.exit_code == 0, made.output
        assert path.stat().st_mode & 0o077 == 0
        found = texts(path.read_bytes())
        again = await asyncio.to_thread(typed, "ann")
        assert again.exit_code == 1
        listed = await asyncio.to_thread(
            CliRunner().invoke,
            app,
            ["--home", str(home), "usage", "--by", "person", "--days", "3660"],
        )
    assert "strawberries" in found["messages.json"]
    assert "blueberries" not in str(found)
    assert "Ann (ann)" in listed.output
    assert "Ben (ben)" in listed.output
