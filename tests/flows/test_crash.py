"""Every crash point of the whole app: each message is answered once, nothing runs twice."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import pytest

from bot.domain.languages import Phrase
from bot.domain.messages import Place
from bot.domain.models import ModelReply, ModelRequest
from bot.sessions.turn.short_answers import REST_IN_THREAD
from bot.storage.home import open_database
from bot.testing.app_lives import AppLife, AppLives, PersonAct
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import Posted
from bot.testing.home_files import appends_to, stored, write_tool
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import call, calls, say, unlock
from tests.thoroughness import is_thorough

UNKNOWN = "whether it took effect is unknown"


def says(who: str, text: str, key: str) -> PersonAct:
    return lambda life: life.chat.say(who, text, key=key)


def approves(who: str, key: str) -> PersonAct:
    async def act(life: AppLife) -> object:
        refs = [
            choice.ref
            for post in life.chat.posts
            for choice in post.message.choices
            if choice.verb == "approve"
        ]
        return await life.chat.command(who, "approve", refs[0], key=key)

    return act


def told(request: ModelRequest) -> str:
    return json.dumps(request.messages[-1:]) + json.dumps(request.messages[-2:-1])


def reports(request: ModelRequest) -> ModelReply:
    """What an honest model says about the ledger."""
    return say(
        "I don't know whether it is written." if UNKNOWN in told(request) else "It is written."
    )


@dataclass(frozen=True)
class Scenario:
    """What people do, what the model plans, and the final view (alternatives joined by `|`)."""

    acts: Sequence[PersonAct]
    plans: Mapping[str, Sequence[PlanStep]]
    sees: Sequence[str]
    todos: int = 0
    ledger: int = 0
    in_any_order: bool = False
    every: int = 1
    """A long scenario ends at every so-manieth point alone, because the suite has to stay short.

    1 tries them all. By default fewer than a quarter of these are tried.
    """
    early: bool = False
    """The first message is accepted before any turn can run, in a commit of its own."""


def asks_in_channel(who: str, text: str, key: str) -> PersonAct:
    """Mentions it in a channel, where an answer opens a thread."""

    async def act(life: AppLife) -> object:
        message = life.chat.message(
            who, text, where="t1", place=Place.THREAD, channel="c1", key=key
        )
        target = replace(message.reply_to, start_thread_from="c1:t1")
        return await life.chat.deliver(replace(message, reply_to=target))

    return act


def wants(who: str, length: str, key: str) -> PersonAct:
    return lambda life: life.chat.command(who, "answers", length, key=key)


GIST, DETAIL = "The gist. " + "word " * 100, "detail " * 200


def counts(request: ModelRequest) -> ModelReply:
    return say("Two." if "two lines" in told(request) else "I can't tell.")


CARD = "asks to run `publish_ledger`"
SEARCH_LEDGER = call("tool_search", {"pattern": "write_ledger"})
SCENARIOS: dict[str, Scenario] = {
    "answers": Scenario(
        [
            says("ann", "do:hello", "k1"),
            says("ben", "do:hello", "k2"),
            says("ann", "and now?", "k3"),
        ],
        {"hello": [say("Hello.")]},
        ["Hello.", "Hello.", "Done."],
    ),
    "early": Scenario(
        [says("ann", "first", "k1"), says("ben", "second", "k2")],
        {},
        ["Done.", "Done."],
        early=True,
    ),
    "todo": Scenario(
        [says("ann", "do:todo", "k1"), says("ann", "more?", "k2")],
        {
            "todo": [
                call("tool_search", {"pattern": "manage_t*"}),
                calls(
                    ("manage_todos", {"action": "create", "title": "milk"}),
                    ("manage_todos", {"action": "create", "title": "bread"}),
                    ("save_fact", {"key": "list", "value": "two things"}),
                ),
                say("Both are on your list."),
            ]
        },
        ["Both are on your list.", "Done."],
        todos=2,
        every=3,
    ),
    "ledger": Scenario(
        [says("ann", "do:write", "k1"), says("ann", "more?", "k2")],
        {"write": [SEARCH_LEDGER, call("write_ledger", {"line": "x"}), reports]},
        ["It is written.|I don't know whether it is written.", "Done."],
        ledger=1,
    ),
    "reading": Scenario(
        [says("ann", "do:look", "k1"), says("ann", "more?", "k2")],
        {
            "look": [
                calls(("get_capabilities", {}), ("tool_search", {"pattern": "count_*"})),
                calls(("count_lines", {}), ("current_time", {})),
                counts,
            ]
        },
        ["Two.", "Done."],
    ),
    "question": Scenario(
        [says("ann", "do:ask", "k1"), says("ann", "blue", "k2"), says("ann", "more?", "k3")],
        {
            "ask": [
                calls(
                    ("save_fact", {"key": "a", "value": "b"}),
                    (
                        "ask_user_for_clarification",
                        {"question": "Which one?", "options": ["red", "blue"]},
                    ),
                ),
                lambda request: say("Blue it is." if "blue" in told(request) else "Nothing came."),
            ]
        },
        ["Which one?", "Blue it is.", "Done."],
        every=3,
    ),
    "plan": Scenario(
        [says("ann", "do:large", "k1"), says("ann", "more?", "k2")],
        {
            "large": [
                unlock("plan"),
                call(
                    "plan",
                    {
                        "goal": "know it all",
                        "tasks": [
                            {"id": "1", "description": "do:observe", "agent": "observer"},
                            {"id": "2", "description": "do:guess", "agent": "nobody"},
                            {"id": "3", "description": "do:join", "depends_on": ["1", "2"]},
                        ],
                    },
                ),
                lambda request: say(
                    "All known." if "Odd and even." in told(request) else "Not known."
                ),
            ],
            "observe": [call("save_fact", {"key": "seen", "value": "odd"}), say("Odd.")],
            # Asked to plan around task 2; the briefs of its question end with the words of task 3.
            "join": [
                say(
                    json.dumps(
                        {"tasks": [{"id": "4", "description": "do:add", "depends_on": ["1"]}]}
                    )
                )
            ],
            "add": [lambda request: say("Odd and even." if "Odd." in told(request) else "Even.")],
        },
        ["All known.", "Done."],
        every=23,
    ),
    "delegation": Scenario(
        [says("ann", "do:delegate", "k1"), says("ann", "more?", "k2")],
        {
            "delegate": [
                call("agent_observer", {"instruction": "do:observe", "context": "ann asks"}),
                lambda request: say(
                    "It is odd." if "Something is odd." in told(request) else "I heard nothing."
                ),
            ],
            "observe": [
                call("recall_recent", {"limit": 1}),
                call("save_fact", {"key": "seen", "value": "odd"}),
                say("Something is odd."),
            ],
        },
        ["It is odd.", "Done."],
        every=3,
    ),
    "send": Scenario(
        [says("ann", "do:send", "k1"), says("ann", "more?", "k2")],
        {
            "send": [
                call("send", {"text": "Working on it."}),
                call("finish_task", {"answer": "Ready."}),
            ]
        },
        ["Working on it.", "Ready.", "Done."],
        every=3,
    ),
    "in the thread": Scenario(
        [wants("ann", "thread", "k1"), asks_in_channel("ann", "do:long", "k2")],
        {"long": [say(f"{GIST}\n\n{DETAIL}")]},
        [
            Phrase(
                "Where an answer opens a thread, a long one begins in the channel, and the rest "
                "is in the thread. `/answers whole` changes it."
            ).en,
            f"{GIST}\n\n*{REST_IN_THREAD.en}*",
            DETAIL.strip(),
        ],
        every=3,
    ),
    "hands over": Scenario(
        [says("ann", "do:hand", "k1"), says("ann", "more?", "k2")],
        {
            "hand": [
                call("write_file", {"path": "/documents/plan.md", "content": "A plan."}),
                call("send", {"text": "Here.", "file": "/documents/plan.md"}),
                say("Ready."),
            ]
        },
        ["Here. +plan.md", "Ready.", "Done."],
        every=3,
    ),
    "approval": Scenario(
        [says("ann", "do:ask-first", "k1"), approves("ann", "k2"), says("ann", "more?", "k3")],
        {
            "ask-first": [
                call("tool_search", {"pattern": "publish_ledger"}),
                call("publish_ledger", {"line": "y"}),
                say("It waits for your yes."),
            ],
            "approval outcome": [reports],
        },
        [
            CARD,
            "It waits for your yes.",
            "Approval ref: approved.",
            "It is written.|I don't know whether it is written.",
            "Done.",
        ],
        ledger=1,
        in_any_order=True,
        every=3,
    ),
}


def furnish(home: Path) -> None:
    """Two tools with scripts that append to a ledger outside, and one that reads."""
    appends, line = appends_to(home / "ledger.txt", "written"), {"line": {"type": "string"}}
    write_tool(home, "write_ledger", appends, takes=line, needs=("line",))
    risky = {"risk": "external-write"}
    write_tool(home, "publish_ledger", appends, takes=line, needs=("line",), **risky)
    write_tool(home, "count_lines", "echo two lines", takes=line, idempotent="yes")


def seen(post: Posted) -> str:
    if CARD in post.text:
        return CARD
    files = "".join(f" +{file.name}" for file in post.message.files)
    return re.sub(r"\ba[a-z2-7]{8}\b", "ref", post.text) + files


def fits(expected: str, text: str) -> bool:
    return text in expected.split("|")


async def check(home: Path, lives: AppLives, scenario: Scenario) -> None:
    texts = [seen(post) for post in lives.chat.posts]
    expected = sorted(scenario.sees) if scenario.in_any_order else list(scenario.sees)
    shown = sorted(texts) if scenario.in_any_order else texts
    assert len(shown) == len(expected), texts
    assert all(map(fits, expected, shown)), texts
    assert await stored(home, "SELECT count(*) AS n FROM inbox WHERE settled_at IS NULL") == [
        {"n": 0}
    ]
    assert await stored(home, "SELECT count(*) AS n FROM inbox WHERE state = 'failed'") == [
        {"n": 0}
    ]
    assert await stored(home, "SELECT count(*) AS n FROM todos") == [{"n": scenario.todos}]
    ledger = home / "ledger.txt"
    lines = ledger.read_text().splitlines() if ledger.exists() else []
    uncertain = any("I don't know" in text for text in texts)
    assert len(lines) <= scenario.ledger
    assert uncertain or len(lines) == scenario.ledger


async def play(
    template: Path, home: Path, scenario: Scenario, point: CrashPoint | None
) -> tuple[AppLives, bool]:
    shutil.copytree(template, home)
    furnish(home)
    lives = AppLives(home)
    model = PlanModel(scenario.plans, alive=lives.alive)
    crashed = await lives.play(model, scenario.acts, point, early=scenario.early)
    await check(home, lives, scenario)
    if not scenario.ledger:
        assert not any(UNKNOWN in told(request) for request in model.requests), (
            "it can simply run again"
        )
    return lives, crashed


async def prepared(home: Path) -> None:
    """Let the first start make its files once for all."""
    database = await open_database(home / "data" / "bellhop.db")
    await database.close()


@pytest.mark.thorough
@pytest.mark.parametrize("name", SCENARIOS)
async def test_no_crash_point_loses_or_doubles_anything(
    name: str, home: Path, tmp_path_factory: pytest.TempPathFactory
):
    await prepared(home)
    folder = tmp_path_factory.mktemp("lives")
    scenario = SCENARIOS[name]
    every = scenario.every if is_thorough() else 4 * scenario.every + 1
    lives, crashed = await play(home, folder / "whole", scenario, None)
    assert not crashed
    for number, point in enumerate(islice(crash_points(lives.commits), every // 2, None, every)):
        try:
            _, crashed = await play(home, folder / f"life{number}", scenario, point)
            assert crashed, "this commit was never reached"
        except BaseException as error:
            error.add_note(f"{point} of {lives.commits}")
            raise
