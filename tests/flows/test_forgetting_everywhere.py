"""`/memory forget everywhere`: no byte of the home holds the words afterwards."""

import asyncio
import json
import logging
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.assembly.own_plugins import OWN
from bot.domain.json_types import JsonObject
from bot.domain.messages import Attachment, Place, Visibility
from bot.domain.models import ModelReply, ModelRequest
from bot.errors import ModelError, ModelTrouble
from bot.sessions.reports.forgetting_store import wishes_at_work
from bot.storage.forgetting.holdings import HOLDINGS, holdings_of
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.byte_search import holding
from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.fake_clock import settle
from bot.testing.home_files import know, write_tool
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import call, calls, say
from bot.testing.structured_answers import structured_reply
from bot.turns.refs import make_ref
from tests.flows.test_distillation import night

WORD, OTHER = "quxzebra7", "Schnäuzelfön"
BOTH = f"{WORD} {OTHER}"
STAYS = "vorplimbo9"
"""What somebody else says, which nobody may forget for them."""
HELD = {
    *("approvals", "cards", "cycle_events", "file_versions", "inbox", "knowledge_entries"),
    *("known_facts", "messages", "notes_kept", "questions", "scheduled_tasks", "schedules"),
    *("session_values", "sessions", "steps", "summaries", "todos", "transcript", "virtual_files"),
}
YES = re.compile(r"forget everywhere yes (w\w+)")
SKILL = f"---\nname: mine\ndescription: Tells of {BOTH}.\n---\n\nSay {BOTH}.\n"


def failing(_request: ModelRequest) -> ModelReply:
    raise ModelError(ModelTrouble("bad_request", f"about {BOTH}"))


def plans() -> dict[str, Sequence[PlanStep]]:
    unlock = call("tool_search", {"pattern": "*"})
    return {
        "keep": [
            unlock,
            calls(
                ("knowledge_store", {"content": BOTH, "type": "fact", "importance": 0.5}),
                ("manage_notes", {"action": "add", "title": BOTH, "is_agent_note": False}),
                ("manage_todos", {"action": "create", "title": BOTH, "dueDate": "2030-01-01"}),
                ("save_fact", {"key": "codeword", "value": BOTH}),
                ("write_file", {"path": f"/documents/{WORD}.md", "content": f"a\n{BOTH}\nb"}),
            ),
            calls(
                ("write_file", {"path": "/documents/list.md", "content": f"milk\n{BOTH}\n"}),
                ("write_file", {"path": "/custom-skills/mine.md", "content": SKILL}),
                ("schedule_task", {"name": "hourly", "prompt": BOTH, "cron": "0 * * * *"}),
                ("tool_search", {"pattern": BOTH}),
                ("remember", {"query": BOTH}),
            ),
            calls(("write_file", {"path": "/documents/list.md", "content": f"milk\nx {BOTH}\n"})),
            say(f"Kept {BOTH}."),
        ],
        "publish": [unlock, call("publish", {"text": BOTH}), say(f"{BOTH} waits.")],
        "fail": [failing],
        "ask": [call("ask_user_for_clarification", {"question": BOTH, "options": [WORD, "no"]})],
    }


def people(home: Path) -> None:
    know(home, ann="Friend", ben="Partner")
    text = {"text": {"type": "string"}}
    more = {"access": "Friend+", "risk": "external-write"}
    write_tool(home, "publish", "echo published", takes=text, needs=("text",), **more)


def a_model(lives: AppLives) -> PlanModel:
    model = PlanModel(plans(), alive=lives.alive)

    def answered(request: ModelRequest) -> ModelReply:
        if "Entries" not in json.dumps(request.answer_schema):
            return structured_reply(request)
        if WORD not in json.dumps(request.messages):
            return say(json.dumps({"Entries": []}))
        entries: list[JsonObject] = [
            {"Tier": tier, "Text": f"{BOTH} {tier}", "Significance": 4, "Sources": []}
            for tier in ("user", "shared")
        ]
        return say(json.dumps({"Entries": entries}))

    model.structure = answered
    return model


async def play(life: AppLife, lives: AppLives) -> None:
    """Words through every store of the home."""
    chat = life.chat
    chat.files["plan"] = f"The plan: {BOTH}".encode()
    attached = (Attachment("plan", f"{WORD}.txt", "text/plain", 40),)
    room = {"where": "room", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
    for text, options in (
        (f"do:keep fact: {BOTH}", {}),
        (f"what is in it, {BOTH}?", {"attachments": attached}),
        (f"do:fail {BOTH}", {}),
        (f"do:publish {BOTH}", {}),
        (f"fact: {BOTH} in the room", room),
    ):
        await life.tell("ann", text, **options)
    await life.tell("ben", f"{STAYS} is mine", where="ben")
    await life.order("ann", "todos", BOTH)
    await night(life, lives, 3)
    await life.tell("ann", f"do:ask {BOTH}")


async def tables(life: AppLife) -> set[str]:
    """The tables with rows that hold one of the words."""
    found: set[str] = set()
    of_plugins = [one for plugin in OWN for table in plugin.tables for one in holdings_of(table)]
    for holding_of in (*HOLDINGS, *of_plugins):
        texts = " || ".join(f"coalesce({one}, '')" for one in holding_of.texts)
        rows = await life.database.read(f"SELECT {texts} AS text FROM {holding_of.table}")  # noqa: S608
        if any(WORD in str(row["text"]) or OTHER in str(row["text"]) for row in rows):
            found.add(holding_of.table)
    return found


async def ask(life: AppLife, args: str, begins: str) -> str:
    """The answer to a command, among the answers of requests that it stopped."""
    count = len(life.chat.posts)
    await life.chat.command("ann", "memory", args)
    while not (
        found := [one.text for one in life.chat.posts[count:] if one.text.startswith(begins)]
    ):
        await settle()
    return found[0]


async def forget(life: AppLife, lives: AppLives, words: str) -> str:
    shown = await ask(life, f"forget everywhere {words}", "Everything of yours")
    agreed = YES.search(shown)
    assert agreed, shown
    done = await ask(life, f"forget everywhere yes {agreed[1]}", "Removed for good")
    await finished(life, lives)
    return f"{shown}\n{done}"


async def finished(life: AppLife, lives: AppLives) -> None:
    while await life.database.read("SELECT 1 FROM forgettings WHERE state <> 'asked'"):
        await lives.clock.advance(60)
        await settle()


async def test_no_byte_of_the_home_holds_the_words(home: Path):
    people(home)
    lives = AppLives(home)
    async with lives.life(a_model(lives)) as life:
        await play(life, lives)
        before = holding([home], [WORD, OTHER])
        assert any("bellhop.db" in path for path in before)
        assert await tables(life) >= HELD
        assert {Path(path).name for path in before} >= {
            "assistant_memory.md",
            "shared_long_term.md",
            "assistant_conversations.jsonl",
        }
        told = await forget(life, lives, WORD)
        assert "todos: 1" in told
        assert await forget(life, lives, OTHER)
        await life.settle()
        await life.order("ann", "why", make_ref("t", 1))
        assert "words that were forgotten" in life.chat.texts[-1]
    assert holding([home], [WORD, OTHER]) == {}
    assert holding([home], [STAYS]) != {}


async def test_no_count_tells_that_a_file_of_somebody_else_holds_the_words(home: Path):
    """Files that nothing needs any more lie there for some minutes, and tell not whose they are."""
    people(home)
    lives = AppLives(home)
    async with lives.life(a_model(lives)) as life:
        life.chat.files["hers"] = b"a plan"
        attached = (Attachment("hers", "hers.txt", "text/plain", 6),)
        await life.tell("ann", f"read {WORD}", attachments=attached)
        blobs = home / "data" / "blobs"
        (hers,) = [one for one in blobs.iterdir() if one.is_file() and len(one.name) == 64]
        (his := blobs / ("b" * 64)).write_text(f"{STAYS} and {WORD}")
        shown = await ask(life, f"forget everywhere {STAYS}", "")
        assert shown.startswith("Nothing of yours holds all of these words.")
        told = await forget(life, lives, WORD)
        assert told.count("attached files: 1") == 2
        assert not hers.exists()
        assert not his.exists(), "unneeded files with the words go, too"


async def test_nobody_learns_what_stands_in_the_log_alone(home: Path):
    people(home)
    lives = AppLives(home)
    async with lives.life(a_model(lives)) as life:
        (log := home / "data" / "bellhop.log").write_text(f"{STAYS}\n")
        shown = await ask(life, f"forget everywhere {STAYS}", "")
        assert shown.startswith("Nothing of yours holds all of these words.")
        assert log.read_text() == f"{STAYS}\n"
        await life.tell("ann", f"it is {STAYS}")
        assert "lines of the log" not in await forget(life, lives, STAYS)
        assert log.read_text() == f"{'x' * len(STAYS)}\n"


async def test_a_wish_is_done_once_when_its_yes_meets_the_background(
    home: Path, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO, "bot.sessions.reports.forgetting")
    people(home)
    lives = AppLives(home)
    async with lives.life(a_model(lives)) as life:
        await life.tell("ann", f"it is {WORD}")
        forgetting = life.app.house.forgetting
        ref, _ = await forgetting.ask("ann", WORD)
        agreed = asyncio.create_task(forgetting.begin("ann", ref))
        while not await wishes_at_work(life.database):
            await settle()
        await forgetting.go_on()
        done = await agreed
    assert done
    assert done.finished
    assert [one.getMessage() for one in caplog.records if ref in one.getMessage()] == [
        f"wish=<{ref}>, things=<{done.counts.total()}> | forgotten"
    ]


async def test_a_crash_at_any_write_loses_neither_the_wish_nor_what_others_keep(home: Path):
    people(home)
    lives = AppLives(home)
    async with lives.life(a_model(lives)) as life:
        for who in ("ann", "ben"):
            await life.tell(who, f"do:keep {BOTH}")
        shown = await ask(life, f"forget everywhere {WORD}", "Everything of yours")
        agreed = YES.search(shown)
        assert agreed
    kept = home.with_name("kept")
    shutil.copytree(home, kept)
    crashes = 0
    for write in range(1, 400, 4):
        shutil.rmtree(home)
        shutil.copytree(kept, home)
        lives = AppLives(home)
        point = CrashPoint(write, Moment.BEFORE if write % 2 else Moment.AFTER)
        async with lives.life(a_model(lives), point) as life:
            await life.order("ann", "memory", f"forget everywhere yes {agreed[1]}", key="y")
        if not life.database.gone:
            break
        crashes += 1
        async with lives.life(a_model(lives)) as life:
            await life.order("ann", "memory", f"forget everywhere yes {agreed[1]}", key="y")
            await finished(life, lives)
            of_ann = "SELECT count(*) AS n FROM todos WHERE owner = ?"
            (row,) = await life.database.read(of_ann, ("ann",))
            (other,) = await life.database.read(of_ann, ("ben",))
            said = await life.database.read(
                "SELECT author, addressee, text FROM messages WHERE text LIKE ?", (f"%{WORD}%",)
            )
            steps = await life.database.read(
                "SELECT session FROM steps JOIN inbox ON inbox.id = turn WHERE value LIKE ?",
                (f"%{WORD}%",),
            )
        assert (row["n"], other["n"]) == (0, 1)
        assert {row["author"] for row in said} == {"ben", "agent:assistant"}
        assert {row["addressee"] for row in said} == {"", "ben"}
        assert steps
        assert all("|ben|" in row["session"] for row in steps)
    assert crashes > 4
