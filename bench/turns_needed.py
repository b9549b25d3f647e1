"""Model calls of everyday tasks against the ideal (goal: 1.15 times), and first bytes.

    python bench/turns_needed.py

Twelve tasks, each in one message of a Partner. A scripted reader plays them and knows what a model
knows: it calls a tool that is declared or listed with its arguments, and unlocks another one with
get_capabilities first, one round before its use. The ideal is the number of rounds of the task's
plan, and one for the answer. The first request's goal is 11 KB. Exits with 1 when a goal is missed.
"""

import asyncio
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures import Figures

from bot.domain.models import ModelReply
from bot.loopback.messages_api import MessagesApi
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import calls, say

GOAL_TIMES = 1.15
GOAL_BYTES = 11_000
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Task:
    """What somebody says, and the rounds of calls that do it when every tool is at hand."""

    said: str
    rounds: tuple[tuple[Call, ...], ...]


def todo(title: str) -> Call:
    return "manage_todos", {"action": "create", "title": title}


TASKS = (
    Task("add a todo: buy milk", ((todo("buy milk"),),)),
    Task("what is on my list?", ((("manage_todos", {"action": "list"}),),)),
    Task(
        "remind me to call the landlord, pay rent and buy soap",
        ((todo("call"), todo("pay"), todo("buy")),),
    ),
    Task(
        "my sister Marie moved to Lyon",
        (
            (
                (
                    "knowledge_store",
                    {
                        "content": "Pat's sister Marie lives in Lyon",
                        "type": "fact",
                        "importance": 0.8,
                    },
                ),
            ),
        ),
    ),
    Task("where does my sister live?", ((("remember", {"query": "sister live Lyon"}),),)),
    Task("what is 17 % of 249?", ((("calculate", {"expression": "17% of 249"}),),)),
    Task(
        "note: the router password is on the fridge",
        (
            (
                (
                    "manage_notes",
                    {"action": "add", "is_agent_note": False, "title": "router password: fridge"},
                ),
            ),
        ),
    ),
    Task("what time is it in Tokyo?", ((("current_time", {"timezone": "Asia/Tokyo"}),),)),
    Task(
        "from now on answer in metric units",
        (
            (
                (
                    "edit_file",
                    {"path": "/preferences/global.md", "old": "", "new": "- metric units"},
                ),
            ),
        ),
    ),
    Task(
        "write down the packing list for Lisbon: passport, charger",
        (
            (
                (
                    "write_file",
                    {"path": "/documents/trips/lisbon.md", "content": "passport\ncharger\n"},
                ),
            ),
        ),
    ),
    Task("what did I ask you about milk?", ((("remember", {"query": "milk"}),),)),
    Task("hello, who are you?", ()),
)


class Reader:
    """Answers the requests of one task after the other."""

    def __init__(self) -> None:
        self.task = TASKS[0]
        self.at = 0
        self.unlocked: set[str] = set()
        self.counted = 0

    def begin(self, task: Task) -> None:
        self.task, self.at, self.counted = task, 0, 0

    def __call__(self, body: dict[str, Any]) -> ModelReply:
        self.counted += 1
        if self.at == len(self.task.rounds):
            return say("Done.")
        declared = {tool["name"] for tool in body["tools"]} | self.unlocked
        wanted = self.task.rounds[self.at]
        prompt = "\n".join(block["text"] for block in body["system"])
        unknown = {name for name, _ in wanted} - declared
        locked = sorted(name for name in unknown if f"\n- {name}(" not in prompt)
        if locked:
            self.unlocked.update(locked)
            return calls(("get_capabilities", {"names": locked}))
        self.at += 1
        return calls(*wanted)


async def play(house: Harness, reader: Reader) -> list[tuple[str, int, int]]:
    counted: list[tuple[str, int, int]] = []
    for task in TASKS:
        reader.begin(task)
        await house.ask("pat", task.said)
        await house.until_idle()
        counted.append((task.said, reader.counted, len(task.rounds) + 1))
    return counted


async def main() -> int:
    reader = Reader()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        async with MessagesApi([reader] * 100) as api:
            (home / "bellhop.yaml").write_text(
                f"model: {{provider: compatible, name: bench, base_url: '{api.base_url}', unlock: "
                "inline}\n"
            )
            (home / "contacts.yaml").write_text(
                "- {id: pat, name: Pat, role: Partner, ids: {discord: [pat]}}\n"
            )
            async with running_app(home, None) as house:
                counted = await play(house, reader)
    figures = Figures()
    for said, needed, ideal in counted:
        figures.told(said, f"{needed} of {ideal} model calls")
    needed, ideal = sum(item[1] for item in counted), sum(item[2] for item in counted)
    size = len(json.dumps(api.bodies[0], ensure_ascii=False, separators=(",", ":")).encode())
    more = f"({needed} and {ideal})"
    figures.at_most("model calls, times the ideal", needed / ideal, GOAL_TIMES, more=more)
    figures.at_most("first request", size, GOAL_BYTES, "bytes")
    return figures.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
