"""A nightly pass: each person gets their own facts back, in place, once, across crashes."""

import asyncio
import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from bot.cli.changes import change_memory
from bot.clock import parse_utc
from bot.domain.database import Unit, Write
from bot.domain.json_types import JsonObject
from bot.domain.messages import Place, Visibility
from bot.domain.models import ModelReply, ModelRequest
from bot.errors import ModelError, ModelTrouble
from bot.memory.passes_store import last_pass
from bot.testing.app_lives import PATIENCE_S, AppLife, AppLives
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_clock import settle
from bot.testing.home_files import know
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import calls, say
from bot.testing.structured_answers import structured_reply
from tests.thoroughness import tried

LEFT = (
    "SELECT (SELECT count(*) FROM summaries WHERE fields IS NOT NULL AND distilled_at IS NULL)"
    " + (SELECT count(*) FROM distillations) AS n, (SELECT count(*) FROM summaries) AS made"
)


def answered(request: ModelRequest) -> ModelReply:
    """Summaries have the typed facts; the memorymaster would tell everybody each of them."""
    if "Entries" not in json.dumps(request.answer_schema):
        return structured_reply(request)
    quoted = json.dumps(request.messages, ensure_ascii=False)
    texts = [text for text in ("the wiki moved", "Ann is ill", "gus was here") if text in quoted]
    entries: list[JsonObject] = [
        {"Tier": "shared", "Text": text, "Significance": 4, "Sources": []} for text in texts
    ]
    return say(json.dumps({"Entries": entries}))


def a_model(lives: AppLives, plans: Mapping[str, Sequence[PlanStep]] | None = None) -> PlanModel:
    model = PlanModel(plans or {}, alive=lives.alive)
    model.structure = answered
    return model


@pytest.fixture
def lives(home: Path) -> AppLives:
    know(home, ann="Friend", gus="Guest")
    return AppLives(home)


async def talk(life: AppLife, who: str, text: str, place: Place) -> None:
    where = who if place is Place.DM else "room"
    await life.tell(
        who, text, where=where, place=place, visibility=Visibility.PUBLIC, key=f"{who} {text}"
    )


async def night(
    life: AppLife, lives: AppLives, made: int, step: timedelta = timedelta(minutes=30)
) -> None:
    """Advance time until all is distilled; returns early if the process goes."""
    async with asyncio.timeout(PATIENCE_S):
        while not life.database.gone:
            (row,) = await life.database.read(LEFT)
            if row["made"] >= made and not row["n"]:
                return
            await lives.clock.advance(step.total_seconds())
            await settle()


def memory(lives: AppLives) -> dict[str, str]:
    root = lives.home / "memory"
    found = [
        path for path in sorted(root.rglob("*.md")) if path.relative_to(root).parts[0] != "backups"
    ]
    return {str(path.relative_to(root)): path.read_text() for path in found}


async def test_each_gets_their_own_back_and_only_members_teach_everybody(lives: AppLives):
    model = a_model(lives)
    async with lives.life(model) as life:
        await talk(life, "ann", "fact: the wiki moved", Place.CHANNEL)
        await talk(life, "ann", "fact: Ann is ill", Place.DM)
        await talk(life, "gus", "fact: gus was here", Place.CHANNEL)
        await night(life, lives, 3)
    files = memory(lives)
    assert "the wiki moved" in files["shared_long_term.md"]
    assert "[private] Ann is ill" in files["ann/assistant_memory.md"]
    assert "gus was here" in files["gus/assistant_memory.md"]
    assert "ill" not in files["shared_long_term.md"]
    assert "gus" not in files["shared_long_term.md"]
    distilled = [
        json.dumps(one.messages)
        for one in model.structured
        if "Entries" in json.dumps(one.answer_schema)
    ]
    assert len(distilled) == 3
    found = [
        [text for text in ("wiki moved", "is ill", "was here") if text in one] for one in distilled
    ]
    assert sorted(found) == [["is ill"], ["was here"], ["wiki moved"]]


async def test_a_member_whom_contacts_do_not_name_teaches_as_a_member(home: Path):
    """Their role came from the platform or the settings, so no guest's budget stops it."""
    (home / "bellhop.yaml").write_text(
        "access: {default_role: Friend}\nbudgets: {per_guest_day: {model_calls: 1}}\n"
    )
    lives = AppLives(home)
    async with lives.life(a_model(lives)) as life:
        await talk(life, "kim", "fact: the wiki moved", Place.CHANNEL)
        await night(life, lives, 1)
    assert "the wiki moved" in memory(lives)["shared_long_term.md"]


async def test_a_guest_who_reads_and_writes_along_keeps_nobody_from_teaching(lives: AppLives):
    """The guest's words, and what came of them, are not read; the member's words count."""
    plans = {
        "ask": (
            calls(("save_fact", {"key": "seen", "value": "gus was here"})),
            say("Noted, gus was here."),
        )
    }
    model = a_model(lives, plans)
    async with lives.life(model) as life:
        await talk(life, "gus", "fact: gus was here", Place.CHANNEL)
        await talk(life, "ann", "do:ask fact: the wiki moved", Place.CHANNEL)
        await night(life, lives, 2)
        (row,) = await life.database.read("SELECT trust, tools FROM summaries WHERE person = 'ann'")
    assert (row["trust"], row["tools"]) == ("person", "[]")
    files = memory(lives)
    assert "the wiki moved" in files["shared_long_term.md"]
    assert not any("gus" in text for path, text in files.items() if not path.startswith("gus/"))


async def test_without_the_memorymaster_the_fields_speak_for_themselves(lives: AppLives):
    (lives.home / "prompts" / "agents").mkdir(parents=True, exist_ok=True)
    (lives.home / "prompts" / "agents" / "memorymaster.md").write_text("---\ndisabled: true\n---\n")
    async with lives.life(a_model(lives)) as life:
        await talk(life, "ann", "fact: the wiki moved\npreference: short answers", Place.CHANNEL)
        await night(life, lives, 1)
    files = memory(lives)
    assert list(files) == ["ann/assistant_memory.md"]
    assert "[S3]" in files["ann/assistant_memory.md"]
    assert "short answers" in files["ann/assistant_memory.md"]


async def distilled(life: AppLife, person: str) -> str:
    told = await change_memory(life.app, {"verb": "distill", "person": person, "what": ""})
    return str(told["text"])


async def test_a_pass_on_request_says_what_taught_nobody_else(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        await talk(life, "ann", "fact: Ann is ill", Place.DM)
        await talk(life, "ann", "fact: the wiki moved", Place.CHANNEL)
        async with asyncio.timeout(PATIENCE_S):
            while (await life.database.read(LEFT))[0]["made"] < 2:
                await lives.clock.advance(1_800)
                await settle()
        said = await distilled(life, "")
    assert "2 summaries of 1 person gave 2 entries" in said
    assert "\n1 summary taught their person alone" in said
    assert "`/share TEXT` and a yes" in said


async def test_a_pass_right_after_a_talk_says_when_it_counts(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        await talk(life, "ann", "fact: the wiki moved", Place.CHANNEL)
        said = await distilled(life, "")
        of_ann = await distilled(life, "ann")
        of_gus = await distilled(life, "gus")
    assert said == (
        "0 summaries of 0 people gave 0 entries\n1 talk is still open and counts later: once it "
        "has been quiet for 30 minutes, or after /new."
    )
    assert "1 talk is still open" in of_ann
    assert "still open" not in of_gus


async def test_small_talk_is_not_distilled_and_empty_fields_are_left_out(lives: AppLives):
    def said(request: ModelRequest) -> ModelReply:
        if "Entries" in json.dumps(request.answer_schema):
            return answered(request)
        talk: JsonObject = {
            "Intent": "say hello",
            "TechnicalDepth": "casual",
            "Significance": 1,
            "Outcome": "resolved",
        }
        fact: JsonObject = {"FactsLearned": ["the wiki moved"]}
        return say(
            json.dumps(talk | fact if "the wiki moved" in json.dumps(request.messages) else talk)
        )

    model = a_model(lives)
    model.structure = said
    async with lives.life(model) as life:
        await talk(life, "ann", "hello", Place.DM)
        await talk(life, "ann", "the wiki moved", Place.CHANNEL)
        await night(life, lives, 2)
    (asked,) = [
        json.dumps(one.messages)
        for one in model.structured
        if "Entries" in json.dumps(one.answer_schema)
    ]
    assert "the wiki moved" in asked
    assert "UserMood" not in asked
    assert "the wiki moved" in memory(lives)["shared_long_term.md"]


async def test_one_persons_trouble_keeps_nobody_else_waiting(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        await talk(life, "ann", "fact: the wiki moved", Place.CHANNEL)
        await talk(life, "gus", "fact: gus was here", Place.DM)
        async with asyncio.timeout(PATIENCE_S):
            while len(await life.database.read("SELECT id FROM summaries")) < 2:
                open_ = await life.database.read("SELECT id FROM sessions WHERE state = 'open'")
                await lives.clock.advance(
                    1800 if open_ else 60
                )  # so that no night comes before it is looked at
                await settle()
        broken = Write("UPDATE summaries SET fields = '{}' WHERE person = 'ann'")
        await life.database.write(Unit.of(broken))
        done = await life.app.learning.passes.distil()
        assert (done.people, done.summaries, [person for person, _ in done.failed]) == (
            2,
            1,
            ["ann"],
        )
        assert await last_pass(life.database) == done
    assert "gus was here" in memory(lives)["gus/assistant_memory.md"]


async def test_a_memory_that_cannot_be_written_is_a_line_of_the_log(
    lives: AppLives, caplog: pytest.LogCaptureFixture
):
    (lives.home / "memory").write_text("no folder")
    async with lives.life(a_model(lives)) as life:
        await talk(life, "ann", "fact: the wiki moved", Place.CHANNEL)
        async with asyncio.timeout(PATIENCE_S):
            while (done := await last_pass(life.database)) is None:
                await lives.clock.advance(1800)
                await settle()
    assert [person for person, _ in done.failed] == ["ann"]
    about = str(lives.home / "memory")
    lines = [one for one in caplog.records if about in caplog.handler.format(one)]
    assert {one.module for one in lines} >= {"memory_passes", "summaries"}
    assert not any(one.exc_info for one in lines)


async def test_while_the_model_is_away_summaries_wait(lives: AppLives):
    model = a_model(lives)
    away = True

    def answers(request: ModelRequest) -> ModelReply:
        if away and "Entries" in json.dumps(request.answer_schema):
            raise ModelError(ModelTrouble("overloaded", "the model is overloaded"))
        return answered(request)

    model.structure = answers
    async with lives.life(model) as life:
        await talk(life, "ann", "fact: the wiki moved", Place.CHANNEL)
        async with asyncio.timeout(PATIENCE_S):
            while await last_pass(life.database) is None:
                await lives.clock.advance(1800)
                await settle()
        assert memory(lives) == {}
        away = False
        await night(life, lives, 1)
    assert "the wiki moved" in memory(lives)["shared_long_term.md"]


async def test_many_summaries_of_a_person_are_not_left_for_the_night(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        for number in range(21):
            await talk(life, "ann", f"hello {number}", Place.DM)
            await life.order("ann", "new", where="ann", place=Place.DM)
        began = lives.clock.now()
        await night(life, lives, 21, timedelta(seconds=2))
        (row,) = await life.database.read("SELECT max(distilled_at) AS at FROM summaries")
        assert parse_utc(row["at"]) - began < timedelta(hours=16), "the night begins 17 hours later"


@pytest.mark.thorough
async def test_a_crash_at_any_write_of_the_night_loses_and_repeats_nothing(tmp_path: Path):
    async def lived(name: str, point: CrashPoint | None) -> tuple[AppLives, list[str]]:
        home = tmp_path / name
        shutil.copytree(tmp_path / "template", home)
        lives = AppLives(home)
        await lives.clock.advance(timedelta(minutes=5).total_seconds())
        async with lives.life(a_model(lives), point) as life:
            await night(life, lives, 2)
        commits = lives.commits
        if point is not None:
            assert lives.commits, point
            async with lives.life(a_model(lives)) as life:
                await night(life, lives, 2)
        return lives, commits

    template = AppLives(tmp_path / "template")
    template.home.mkdir()
    know(template.home, ann="Friend", gus="Guest")
    async with template.life(a_model(template)) as life:
        await talk(life, "ann", "fact: the wiki moved", Place.CHANNEL)
        await talk(life, "ann", "fact: Ann is ill", Place.DM)
    whole, commits = await lived("whole", None)
    expected = memory(whole)
    wanted = ("summaries", "distillations")
    points = [
        point for point in crash_points(commits) if any(name in point.name for name in wanted)
    ]
    assert len(points) >= 8
    for number, point in enumerate(tried(points[::2])):
        lives, _ = await lived(f"life-{number}", point)
        assert memory(lives) == expected, point
        lines = (lives.home / "memory" / "assistant_conversations.jsonl").read_text().splitlines()
        assert len(lines) == len({json.loads(line)["id"] for line in lines}) == 2, point
