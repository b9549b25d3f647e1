"""What people see, take along and have forgotten of what is kept of them."""

import asyncio
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from typer.testing import CliRunner, Result

from bot.cli.main import app
from bot.domain.messages import Place, Visibility
from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.log import register_secret
from bot.sessions.records.past_session_store import purge_unit
from bot.storage.blobs import Blobs
from bot.testing.app_lives import PATIENCE_S, AppLife, AppLives
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import know
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import ScriptedModel, call, calls, say
from tests.flows.test_distillation import a_model, answered, lives, memory, night, talk

__all__ = ["lives"]


async def command(
    life: AppLife, who: str, args: str, *, room: bool = False, name: str = "memory"
) -> str:
    where = (
        {"where": "room", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
        if room
        else {"where": who, "place": Place.DM}
    )
    count = len(life.chat.posts)
    await life.chat.command(who, name, args, **where)
    return (await life.chat.until(count + 1))[-1].text


async def test_kept_things_are_shown_and_forgotten_things_are_gone(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        assert await command(life, "ann", "") == "I remember nothing about you yet."
        await talk(life, "ann", "fact: Ann is ill", Place.DM)
        await night(life, lives, 1)
        while (shown := await command(life, "ann", "")).count("Ann is ill") < 1:
            await settle()
        assert "a direct message, from conversation `" in shown
        assert life.chat.posts[-1].message.files[0].name == "memory.md"
        assert await command(life, "ann", "", room=True) == "2 more are private; ask me in a DM."
        assert "nothing about you" in await command(life, "gus", "forget ill")
        said = await command(life, "ann", "forget ILL")
        assert "- entry: Ann is ill" in said
        assert "- summary: " in said
        assert await command(life, "ann", "") == "I remember nothing about you yet."
        rows = await life.database.read(
            "SELECT fields FROM summaries UNION ALL SELECT entries FROM distillations"
        )
        assert [row["fields"] for row in rows] == [None]
        await life.app.house.memory.editor.undo()
    assert not any("ill" in text for text in memory(lives).values())
    root = lives.home / "memory"
    assert not any("Ann is ill" in one.read_text() for one in root.rglob("*") if one.is_file())


async def test_where_learning_is_off_nothing_is_kept(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        assert "A Partner" in await command(life, "gus", "off", room=True)
        assert "nothing from what is said here" in await command(life, "ann", "off")
        await talk(life, "ann", "fact: Ann is ill", Place.DM)
        assert "next conversation" in await command(life, "ann", "on")
        assert "nothing from you any more, anywhere" in await command(
            life, "gus", "off me", room=True
        )
        await talk(life, "ann", "fact: the wiki moved", Place.CHANNEL)
        await talk(life, "gus", "fact: gus was here", Place.CHANNEL)
        await night(life, lives, 3, timedelta(minutes=30))
        async with asyncio.timeout(PATIENCE_S):
            rows = await life.database.read(
                "SELECT person, reach, why_not FROM summaries ORDER BY person, reach"
            )
    why = "nothing may be learned there"
    assert [tuple(row.values()) for row in rows] == [
        ("ann", "dm", why),
        ("ann", "public", ""),
        ("gus", "public", why),
    ]
    assert "the wiki moved" in memory(lives)["shared_long_term.md"]
    assert not any("ill" in text or "gus" in text for text in memory(lives).values())


async def test_forgotten_things_are_gone_everywhere(lives: AppLives):
    """Knowledge, a note, a fact and the words; open conversations teach nothing of it."""
    plans = {
        "keep": (
            calls(("tool_search", {"pattern": "knowledge_store|manage_notes"})),
            calls(
                (
                    "knowledge_store",
                    {"content": "the zeppelin flies at nine", "type": "fact", "importance": 0.5},
                ),
                ("manage_notes", {"action": "add", "title": "Zeppelin", "is_agent_note": False}),
                ("save_fact", {"key": "zeppelin", "value": "nine"}),
            ),
            say("The zeppelin flies at nine."),
        ),
    }
    async with lives.life(a_model(lives, plans)) as life:
        await talk(life, "ann", "do:keep the zeppelin, fact: Ann is ill", Place.DM)
        shown = await command(life, "ann", "")
        assert "knowledge (1), notes (1)" in shown
        assert "facts of conversations (1)" in shown
        assert "nothing about you" in await command(life, "gus", "forget zeppelin")
        said = await command(life, "ann", "forget zeppelin", room=True)
        assert said.startswith("I remember nothing about you that matches.\n")
        assert "Still on record" not in said
        said = await command(life, "ann", "forget zeppelin")
        assert "Still on record: " in said
        assert " requests: " in said
        kinds = [line.split(":")[0] for line in said.splitlines() if line.startswith("- ")]
        assert kinds == ["- fact", "- note", "- knowledge", "- message", "- message"]
        assert said.endswith("Nothing is learned from them.")
        await night(life, lives, 1)
        tables = "SELECT content AS text FROM knowledge_entries UNION SELECT title FROM notes_kept"
        tables += (
            " UNION SELECT fact FROM known_facts UNION SELECT text FROM messages UNION SELECT "
            "fields FROM summaries"
        )
        rows = await life.database.read(tables)
    assert [row["text"] for row in rows if "zeppelin" in str(row["text"]).casefold()] == []
    assert not any("ill" in text for text in memory(lives).values())


async def test_a_conversation_in_which_something_is_forgotten_teaches_nothing(lives: AppLives):
    plans = {"go": (calls(("forget", {"ids": ["memory:user:0"]})), say("There was nothing."))}
    async with lives.life(a_model(lives, plans)) as life:
        await talk(life, "ann", "do:go forget that, fact: Ann is ill", Place.DM)
        await night(life, lives, 1)
        (row,) = await life.database.read("SELECT fields, why_not FROM summaries")
    assert (row["fields"], row["why_not"]) == (None, "forgotten")


async def test_a_later_conversation_does_not_learn_it_from_what_is_left(lives: AppLives):
    path, text = "/documents/flights.md", "the zeppelin flies at nine"
    unlock = calls(("tool_search", {"pattern": "write_file|read_file"}))
    plans = {
        "keep": (unlock, calls(("write_file", {"path": path, "content": text})), say("Kept.")),
        "go": (unlock, calls(("read_file", {"path": path})), say("That was it.")),
    }

    async def why_not(life: AppLife, count: int) -> str | None:
        await night(life, lives, count)
        rows = await life.database.read("SELECT why_not FROM summaries ORDER BY began_at")
        assert len(rows) == count
        return rows[-1]["why_not"]

    async with lives.life(a_model(lives, plans)) as life:
        await talk(life, "ann", f"do:keep fact: {text}", Place.DM)
        assert not await why_not(life, 1)
        await command(life, "ann", "forget zeppelin")
        await talk(life, "ann", "do:go What is in the file?", Place.DM)
        assert await why_not(life, 2) == "forgotten"
        await talk(life, "ann", "do:go fact: the zeppelin flies at ten", Place.DM)
        assert not await why_not(life, 3), "it was said again"


async def test_an_admin_sees_the_last_pass_in_the_status(lives: AppLives):
    know(lives.home, ann="Friend", gus="Guest", olga="MasterAdmin")
    async with lives.life(a_model(lives)) as life:
        assert "Memory:" not in await command(life, "olga", "", name="status")
        await talk(life, "ann", "fact: the wiki moved", Place.CHANNEL)
        await night(life, lives, 1)
        assert "UTC, 1 summary of 1 person gave 1 entry" in await command(
            life, "olga", "", name="status"
        )
        assert "Memory:" not in await command(life, "ann", "", name="status")


class Paused(PlanModel):
    """Holds back the second request for a plan until somebody says `go`."""

    def __init__(self, plans: Mapping[str, Sequence[PlanStep]]) -> None:
        super().__init__(plans)
        self.structure = answered
        self.waits, self.go = asyncio.Event(), asyncio.Event()

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        if request.answer_schema is None and len(self.requests) == 1:
            self.waits.set()
            await self.go.wait()
        return await super().sample(request, on_delta)


async def test_a_turn_that_runs_meanwhile_does_not_save_again_what_is_forgotten(lives: AppLives):
    saved = [
        ("save_fact", {"key": key, "value": value})
        for key, value in (("ship", "the zeppelin"), ("tea", "green"))
    ]
    plans = {"keep": (calls(*saved), say("I know the zeppelin.")), "more": (say("Done."),)}
    model = Paused(plans)
    async with lives.life(model) as life:
        asking = asyncio.create_task(talk(life, "ann", "do:keep fact: Ann is ill", Place.DM))
        await model.waits.wait()
        assert "nothing about you" in await command(life, "ann", "forget zeppelin")
        model.go.set()
        await asking
        shown = await command(life, "ann", "")
        assert "Facts of conversations (1)".casefold() in shown.casefold()
        await talk(life, "ann", "do:more", Place.DM)
        rows = await life.database.read("SELECT key FROM known_facts")
        assert [row["key"] for row in rows] == ["tea"]
        await night(life, lives, 1)
        (row,) = await life.database.read("SELECT fields, why_not FROM summaries")
        assert (row["fields"], row["why_not"]) == (None, "forgotten")
        (session,) = await life.database.read("SELECT id FROM sessions")
        await life.database.write(purge_unit([session["id"]]))
        assert (
            await life.database.read(
                "SELECT 1 FROM known_facts"
                " UNION SELECT 1 FROM session_values WHERE name = 'forgotten'"
            )
            == []
        )


SECRET = "hunter2-of-the-house"


async def filled(at: Harness) -> None:
    await at.ask("ann", f"strawberries, and {SECRET}")
    await at.ask("ben", "blueberries are mine")


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
