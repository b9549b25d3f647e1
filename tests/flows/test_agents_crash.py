"""Long work when the process ends: agents and summaries end once."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.domain.models import ModelCapabilities, ModelReply, ModelRequest, ModelSize, Unlock, Usage
from bot.testing.app_lives import AppLives, PersonAct
from bot.testing.background_lives import furnish, play
from bot.testing.crash_points import CrashPoint, Moment, crash_points
from bot.testing.fake_chat import FakeChat
from bot.testing.home_files import stored
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.program_lives import furnish_program, play_program
from bot.testing.scripted_model import call, say, whole
from bot.testing.swarm_lives import SwarmLives
from tests.thoroughness import tried

SUBMITTED = "insert inbox, insert claims"
CLOSED = "agent/close done, insert cycle_events"


@pytest.fixture
def crew(home: Path) -> Path:
    furnish(home)
    return home


async def test_every_end_of_the_process_leaves_two_answers(
    crew: Path, tmp_path_factory: pytest.TempPathFactory
):
    folder = tmp_path_factory.mktemp("lives")
    points = [
        CrashPoint(1, Moment.AFTER, SUBMITTED),  # accepted, and the call that did it doesn't know
        CrashPoint(1, Moment.AFTER, CLOSED),  # done, and not posted
    ]
    for number, point in enumerate(points):
        home = shutil.copytree(crew, folder / f"life{number}")
        _, crashed = await play(home, point)
        assert crashed, f"{point} was never reached"


@pytest.mark.parametrize(
    "point",
    [
        CrashPoint(1, Moment.AFTER, "steer:1 done, tool:1.0/open done, insert cycle_events"),
        CrashPoint(1, Moment.BEFORE, "tool:1.0/close done, insert cycle_events"),
        CrashPoint(1, Moment.AFTER, "tool:1.0/close done, insert cycle_events"),
    ],
    ids=lambda point: f"{point.moment} {point.name}",
)
async def test_every_end_of_the_process_leaves_one_answer(point: CrashPoint, home: Path):
    furnish_program(home)
    _, crashed = await play_program(home, point)
    assert crashed, f"{point} was never reached"


BATCH = "tool:1.0/tool:2.0"
WHOLE = {"w1": 3, "w2": 2, "w3": 1}
"""Model calls of each ant when nothing goes wrong."""
POINTS = [
    (
        CrashPoint(
            1,
            Moment.AFTER,
            f"{BATCH}/ant:w1.1/tool:2.0 done, insert tool_usage, insert cycle_events",
        ),
        (),
    ),
    (CrashPoint(1, Moment.AFTER, f"{BATCH}/ant:w2.2/close done, insert cycle_events"), ("w2",)),
    (CrashPoint(1, Moment.AFTER, f"{BATCH}/wake:2 done"), ("w1", "w2")),
    (CrashPoint(1, Moment.BEFORE, f"{BATCH}/close done"), ("w1", "w2", "w3")),
]


@pytest.mark.parametrize(
    ("point", "ended"), POINTS, ids=[point.name.split(",")[0] for point, _ in POINTS]
)
async def test_an_end_of_the_process_repeats_no_ant_that_ended(
    home: Path, tmp_path_factory: pytest.TempPathFactory, point: CrashPoint, ended: tuple[str, ...]
):
    lives = SwarmLives(shutil.copytree(home, tmp_path_factory.mktemp("life") / "home"))
    assert await lives.play(point), f"{point} was never reached"
    [answer] = lives.lives.chat.texts
    assert answer.startswith("3 of 3 ants verified. The agents used 600 tokens in, 120 out.")
    assert all(
        words in answer
        for words in ("one is there", "two is there", "three is there", "one is a number")
    )
    asked = lives.asked
    assert {ant: asked[ant] for ant in ended} == {ant: WHOLE[ant] for ant in ended}
    assert all(WHOLE[ant] <= asked[ant] <= WHOLE[ant] + 1 for ant in WHOLE), (
        "a call in flight may be made again"
    )


async def test_a_check_that_was_cut_off_is_made_again(home: Path):
    (home / "bellhop.yaml").write_text("{}\n")
    lives = SwarmLives(home, command="true")
    begun = CrashPoint(1, Moment.AFTER, f"{BATCH}/check:w1.1.1/tool:1.0 started")
    crashed = await lives.play(begun)
    [answer] = lives.lives.chat.texts
    if "commands can't be run here" in answer:  # no sandbox on this machine
        assert not crashed
        return
    assert crashed
    assert answer.startswith("3 of 3 ants verified")
    assert lives.asked["w1"] == WHOLE["w1"], "the ant itself did not work again"


WINDOW = ModelCapabilities(
    Unlock.INLINE, system_notes=True, context_tokens=30_000, label="a small model"
)
FULL = Usage(20_000, 0, 0, 500)
SUMMARY = (
    "<summary>\n## What the person wants\nA green shed (RAL 6005). "
    f"{'They said so. ' * 30}</summary>"
)
LONG = "Here is the whole story of the shed. " * 400


def says(text: str, key: str) -> PersonAct:
    return lambda life: life.chat.say("ann", text, key=key)


def compacts(key: str) -> PersonAct:
    return lambda life: life.chat.command("ann", "compact", key=key)


def plans(lives: AppLives) -> PlanModel:
    """Reports full after `do:fill`, overflows once in `do:burst`, summarises on request."""
    overflow = say("", stop_reason="model_context_window_exceeded")

    def otherwise(request: ModelRequest) -> str:
        return SUMMARY if request.size is ModelSize.CHEAP else "Done."

    def bought(request: ModelRequest) -> ModelReply:
        return say("Bought.") if "don't do it again" in whole(request) else overflow

    burst: list[PlanStep] = [
        _or_bought(call("save_fact", {"key": "a", "value": "kept"})),
        call("tool_search", {"pattern": "manage_t*"}),
        call("manage_todos", {"action": "create", "title": "milk"}),
        bought,
    ]
    after: dict[str, list[PlanStep]] = {"burst": burst, "fill": [say("Full.", usage=FULL)]}
    return PlanModel(after, otherwise=otherwise, alive=lives.alive, capabilities=WINDOW)


def _or_bought(step: ModelReply) -> PlanStep:
    """The plan's words come again in the new epoch: then its first step is the answer."""
    return lambda request: say("Bought.") if "don't do it again" in whole(request) else step


CRASHES: dict[str, tuple[list[PersonAct], list[str]]] = {
    "due": (
        [says(f"do:fill {LONG}", "k1"), says("do:next", "k2")],
        ["Full.", "Done."],
    ),
    "demand": (
        [says(LONG, "k1"), compacts("k2"), says("more", "k3")],
        ["Done.", "Done: I go on", "Done."],
    ),
    "overflow": (
        [says(LONG, "k1"), says("do:burst now", "k2")],
        ["Done.", "Bought."],
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", CRASHES)
async def test_a_crash_at_any_write_leaves_one_epoch_and_one_answer_each(
    name: str, tmp_path: Path, home: Path
):
    acts, sees = CRASHES[name]

    async def played(point: CrashPoint | None, number: int) -> tuple[AppLives, list[str]]:
        folder = tmp_path / f"life{number}"
        folder.mkdir()
        shutil.copy(home / "contacts.yaml", folder)
        lives = AppLives(folder)
        crashed = await lives.play(plans(lives), acts, point)
        assert crashed is (point is not None)
        return lives, await state(folder)

    calm, expected = await played(None, 0)
    check_posts(calm.chat, sees)
    for number, point in enumerate(tried(crash_points(calm.commits)), 1):
        lives, found = await played(point, number)
        check_posts(lives.chat, sees)
        assert found == expected, point


def check_posts(chat: FakeChat, sees: list[str]) -> None:
    assert len(chat.texts) == len(sees), chat.texts
    for text, wanted in zip(chat.texts, sees, strict=True):
        assert text.startswith(wanted)


async def state(home: Path) -> list[str]:
    """The session's epoch, transcript (without moments and ids) and todos."""
    sessions = await stored(home, "SELECT epoch, next_seq, tools FROM sessions")
    rows = await stored(home, "SELECT epoch, seq, message FROM transcript ORDER BY epoch, seq")
    todos = await stored(home, "SELECT count(*) AS n FROM todos")
    kept = [
        f"{row['epoch']}.{row['seq'] + place} {message['role']} {len(packed(message)) // 200}"
        for row in rows
        for place, message in enumerate(json.loads(row["message"]))
    ]
    return [*(str(dict(row)) for row in sessions), *kept, f"todos {todos[0]['n']}"]


def packed(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
