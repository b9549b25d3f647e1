"""kill -9 of real processes at random moments: nothing is lost and nothing happens twice."""

import asyncio
import json
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply
from bot.loopback.messages_api import MessagesApi
from bot.loopback.messages_api.history_rules import structure_problem
from bot.testing.home_files import know, stored
from bot.testing.plan_model import planned, with_own_ids
from bot.testing.scripted_model import call, calls, say
from bot.testing.tools import NO_SANDBOX
from bot.turns.refs import make_ref
from tests.thoroughness import is_thorough

pytestmark = pytest.mark.slow

MESSAGES, KILLS = (48, 10) if is_thorough() else (24, 5)
PATIENCE_S = 600
"""Eleven processes start within it, also beside many others."""
UNKNOWN = "whether it took effect is unknown"
LEDGER = """\
# write_ledger

## Description
Write a line into the ledger, when somebody asks for it.

## Parameters
{"type": "object", "properties": {"line": {"type": "string"}}, "required": ["line"]}

## Implementation
shell: write_ledger.sh
"""


def plan(number: int) -> list[ModelReply]:
    """What the model does about message `number`; by kinds, so that each is killed at some time."""
    answer = say(f"answer {number}")
    match number % 6:
        case 0:
            return [answer]
        case 1:
            todo = ("manage_todos", {"action": "create", "title": f"todo {number}"})
            return [
                call("tool_search", {"pattern": "manage_todos"}),
                calls(todo, ("current_time", {})),
                answer,
            ]
        case 2:
            write = call("write_ledger", {"line": f"line {number}"})
            return [call("tool_search", {"pattern": "write_ledger"}), write, answer]
        case 3:
            send = call("send", {"text": f"sent {number}"})
            return [send, call("finish_task", {"answer": f"answer {number}"})]
        case 4:
            return [call("agent_observer", {"instruction": f"do:c{number}"}), answer]
        case _:
            return [call("save_fact", {"key": "n", "value": str(number)}), answer]


PLANS = {f"m{number}": plan(number) for number in range(MESSAGES)} | {
    f"c{number}": [call("recall_recent", {"limit": 1}), say("Nothing.")]
    for number in range(MESSAGES)
}


def respond(body: JsonObject) -> ModelReply:
    """What the model says, as a function of what it is asked; it owns up to what it can't know."""
    messages: list[JsonObject] = body["messages"]
    if problem := structure_problem(messages, system_notes=False):
        return say(f"broken history: {problem}")
    reply = planned(PLANS, messages) or say("answer to nothing")
    if reply.text and UNKNOWN in json.dumps(messages):
        reply = say(f"{reply.text}, and I can't tell whether it was done")
    return with_own_ids(reply, len(messages))


def furnish(home: Path, base_url: str) -> None:
    (home / "bellhop.yaml").write_text(
        f"model: {{provider: compatible, name: loopback, base_url: '{base_url}'}}\n{NO_SANDBOX}"
    )
    (home / ".env").write_text("ANTHROPIC_API_KEY=key-of-the-loopback\n")
    know(home, ann="Friend")
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "write_ledger.md").write_text(LEDGER)
    (folder / "write_ledger.sh").write_text(
        f'line=$(cat); test -n "$line" && echo "$line" >> "{home}/ledger.txt" && echo written'
    )
    said = [
        {
            "key": f"discord:{number}",
            "who": "ann",
            "where": f"c{number % 20}",
            "text": f"do:m{number}",
        }
        for number in range(MESSAGES)
    ]
    (home / "messages.jsonl").write_text("".join(json.dumps(one) + "\n" for one in said))


async def start(home: Path) -> asyncio.subprocess.Process:
    with (home / "victims.log").open("ab") as log:
        victim = Path(__file__).with_name("victim.py")
        return await asyncio.create_subprocess_exec(
            sys.executable, str(victim), str(home), stdout=log, stderr=log
        )


async def killed(home: Path, api: MessagesApi, chance: random.Random) -> bool:
    """Start a process and kill it at some moment; False when it was through before."""
    process = await start(home)
    ended = asyncio.create_task(process.wait())
    asked = asyncio.create_task(api.asked(len(api.requests) + chance.randint(5, 10)))
    await asyncio.wait({ended, asked}, return_when=asyncio.FIRST_COMPLETED)
    asked.cancel()
    if ended.done():
        return False
    for _ in range(chance.randint(0, 300)):  # anywhere between two requests
        await asyncio.sleep(0)
    process.kill()
    await ended
    return True


@pytest.mark.thorough
async def test_killed_processes_lose_nothing_and_do_nothing_twice(tmp_path: Path):
    chance = random.Random(20261121)  # noqa: S311 - moments to die at
    async with MessagesApi(respond=respond, strict=False) as api:
        furnish(tmp_path, api.base_url)
        async with asyncio.timeout(PATIENCE_S):
            kills = sum([await killed(tmp_path, api, chance) for _ in range(KILLS)])
            status = await (await start(tmp_path)).wait()
    assert status == 0, (tmp_path / "victims.log").read_text()[-2000:]
    assert kills == KILLS
    assert api.refusals == []

    posts = [json.loads(line) for line in (tmp_path / "posts.jsonl").read_text().splitlines()]
    assert [post["text"] for post in posts if "broken" in post["text"]] == []
    assert [key for key, times in Counter(post["key"] for post in posts).items() if times > 1] == []
    turns = {row["key"]: row for row in await stored(tmp_path, "SELECT key, id, state FROM inbox")}
    texts = Counter(post["text"].partition(",")[0] for post in posts)
    for number in range(MESSAGES):
        turn = turns[f"discord:{number}"]
        apologies = sum(
            f"(reference {make_ref('t', turn['id'])})" in post["text"] for post in posts
        )
        # Four deaths in the same turn end it with an apology: that too is one answer.
        assert texts[f"answer {number}"] + apologies == 1, number
        assert apologies == 0 or turn["state"] == "failed"
        assert texts[f"sent {number}"] == (number % 6 == 3) or apologies
    assert await stored(tmp_path, "SELECT key FROM inbox WHERE settled_at IS NULL") == []

    titles = Counter(row["title"] for row in await stored(tmp_path, "SELECT title FROM todos"))
    lines = Counter(
        json.loads(line)["line"] for line in (tmp_path / "ledger.txt").read_text().splitlines()
    )
    unsure = {post["text"] for post in posts if "can't tell" in post["text"]}
    for number in range(MESSAGES):
        answered = texts[f"answer {number}"] == 1
        if number % 6 == 1 and answered:
            assert titles[f"todo {number}"] == 1
        if number % 6 == 2 and answered:
            honest = any(text.startswith(f"answer {number},") for text in unsure)
            assert lines[f"line {number}"] == 1 or honest, number
    assert max(titles.values()) == 1
    assert max(lines.values()) == 1
