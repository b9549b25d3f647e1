"""A campaign's model: a pure function of the request, so a restart doesn't change its replies."""

import asyncio
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply
from bot.llm.blocks import blocks_of
from bot.loopback.messages_api import Cut, ErrorStatus, Fault, Slow, StreamError
from bot.testing.plan_model import with_own_ids
from bot.testing.scripted_model import call, say

TOOL = "write_ledger"
CLERK = "clerk"
QUESTION = "Which of the two?"
HELD_BACK = "Your last reply was not shown"
UNKNOWN = "whether it took effect is unknown"
ANSWERED = re.compile(r"\bheard-(\d+)\.")
GIVEN_UP = "something broke on my side"
_ASKED = re.compile(r"\[(\d+) (\w+)\]")
_SKIPPED = "skipped: "
_LONG = (
    "This is one of the longer answers, which people can see growing while it is being written. "
    * 4
)


PART = 100_000
"""An agent's parts of message 7 are 100,007, 200,007 …; no message has so high a number."""


def words(number: int, kind: str) -> str:
    """Return what a person writes for a message of this kind.

    `pay` needs a tool that must not run twice, `long` a long answer, `ask` a question to the
    person. `plan`, `swarm` and `background` need agents; `background` also gets a second answer
    later. `deadly` crashes every process that works on it until the program gives it up.
    """
    return f"[{number} {kind}] please"


@dataclass
class Pending:
    """What a request still needs: messages since the last complete answer, and work on them."""

    kinds: dict[int, str] = field(default_factory=dict[int, str])
    replies: dict[int, int] = field(default_factory=dict[int, int])
    """How many model replies came after each message."""
    paid: set[int] = field(default_factory=set[int])
    asked: bool = False
    """Whether the person was asked which of the two, and answered."""
    unsure: bool = False
    found: bool = False
    """Whether the tool was searched for in this conversation."""
    handed: set[int] = field(default_factory=set[int])
    """Messages that were handed to agents by a call that returned a result."""
    _said: dict[int, str] = field(default_factory=dict[int, str])
    """What the last complete answer was for; it is due again if nobody saw that answer."""
    _uses: dict[str, int | None] = field(default_factory=dict[str, int | None])
    _parts: dict[str, int] = field(default_factory=dict[str, int])
    """The message that a call hands to an agent, by the id of the call."""

    @classmethod
    def of(cls, body: JsonObject) -> "Pending":
        pending = cls()
        for message in body["messages"]:
            for block in blocks_of(message):
                pending._add(str(message["role"]), block)
            if message["role"] == "assistant":
                pending._replied(any(block["type"] == "tool_use" for block in blocks_of(message)))
        return pending

    def _add(self, role: str, block: JsonObject) -> None:
        match role, block["type"]:
            case "user", "text" if not str(block["text"]).startswith("<quoted"):
                self._held_back(str(block["text"]))
                for number, kind in _ASKED.findall(block["text"]):
                    self.kinds[int(number)] = kind
                    self.replies[int(number)] = 0
            case "system", "text":
                self._held_back(str(block["text"]))
            case "user", "tool_result":
                self._result(str(block["tool_use_id"]), str(block.get("content")))
            case "assistant", "tool_use":
                found = re.search(r"line (\d+)", str(block["input"]))
                self._uses[str(block["id"])] = int(found[1]) if found else None
                if part := _ASKED.search(str(block["input"])):
                    self._parts[str(block["id"])] = int(part[1]) % PART
            case _:
                return

    def _result(self, use: str, content: str) -> None:
        """Note a result: skipped and refused calls are repeated, unknown outcomes never are."""
        number = self._uses.get(use)
        if "the first" in content:
            self.asked = True
        elif use in self._parts:
            if _SKIPPED not in content:
                self.handed.add(self._parts[use])
        elif number is None:
            self.found = self.found or TOOL in content
        elif "written" in content or UNKNOWN in content:
            self.paid.add(number)
            self.unsure = self.unsure or UNKNOWN in content

    def _replied(self, goes_on: bool) -> None:
        if goes_on:
            self.replies = {number: count + 1 for number, count in self.replies.items()}
            return
        self._said = self.kinds
        self.kinds, self.replies, self.unsure, self.asked = {}, {}, False, False

    def _held_back(self, text: str) -> None:
        """Answer earlier lines too: lines sent at once are one message, and no answer was shown."""
        if HELD_BACK in text:
            self.kinds = {**self._said, **self.kinds}
            self.replies = {number: self.replies.get(number, 0) for number in self.kinds}

    def reply(self) -> ModelReply:
        """Return the next reply for everything that is pending."""
        for number, kind in self.kinds.items():
            if kind == "pay" and not self.found:
                return call("tool_search", {"pattern": TOOL})
            if kind == "pay" and number not in self.paid:
                return call(TOOL, {"line": f"line {number}"})
            if kind == "ask" and not self.asked:
                asked = {"question": QUESTION, "options": ["the first", "the second"]}
                return call("ask_user_for_clarification", asked)
            if step := self._of_agents(number, kind):
                return step
        heard = " ".join(f"heard-{number}." for number in self.kinds) or "nothing to answer"
        before = _LONG if "long" in self.kinds.values() else ""
        return say(
            f"{before}{heard}{' I can not tell whether it was done.' if self.unsure else ''}"
        )

    def _of_agents(self, number: int, kind: str) -> ModelReply | None:
        """Return the next call of an agent or its caller; None when it can report the end."""
        step, project = self.replies[number], f"p{number % PART}"
        match kind:
            case "plan" if number not in self.handed:
                tasks = [
                    {"id": str(n), "description": words(number + n * PART, "pay"), "agent": CLERK}
                    for n in (1, 2)
                ]
                return call("plan", {"goal": "both", "tasks": tasks})
            case "background" if number not in self.handed:
                return call(
                    "call_agent",
                    {"agent": CLERK, "task": words(number + PART, "pay"), "async": True},
                )
            case "swarm" if number not in self.handed:
                return call("agent_queen", {"instruction": words(number + PART, "queen")})
            case "queen" if step == 0:
                return call("pm_prepare_workspace", {"project": project, "goal": "a file"})
            case "queen" if step == 1:
                return call(
                    "pm_run_batch", {"tasks": [_ant(number + PART), _ant(number + 2 * PART)]}
                )
            case "ant" if step == 0:
                return call(
                    "pm_write_file",
                    {"project": project, "path": f"{number}.txt", "content": "done"},
                )
            case "ant" if step == 1:
                checks = [{"criterion": 1, "met": True, "evidence": "it is there"}]
                return call("ant_execute_task", {"result": "written", "checks": checks})
            case _:
                return None


def _ant(number: int) -> JsonObject:
    criteria = [{"text": "the file is there"}]
    return {
        "id": f"w{number // PART}",
        "type": "worker",
        "task": words(number, "ant"),
        "criteria": criteria,
    }


class Speaker:
    """Answers requests, remembers what was asked, and fails where a campaign wants it to."""

    def __init__(self, chance: random.Random, fault_rate: float = 0.0) -> None:
        self._chance = chance
        self.fault_rate = fault_rate
        self.faults = 0
        self.asked: dict[int, int] = {}
        """The highest number of a model call asked for in each message's turn."""
        self.ambush: tuple[int, Callable[[], None]] | None = None
        """The message whose stream is cut after some events, and what happens at that moment."""
        self.kill: Callable[[], None] | None = None
        """Ends the process whenever it asks for an answer to a `deadly` message."""
        self.hold: asyncio.Event | None = None
        """Long answers stop in the middle until this is set."""

    def respond(self, body: JsonObject) -> ModelReply | Fault:
        pending = Pending.of(body)
        for number, replies in pending.replies.items():
            self.asked[number] = max(self.asked.get(number, 0), replies + 1)
        reply = with_own_ids(pending.reply(), len(body["messages"]))
        if self.kill is not None and "deadly" in pending.kinds.values():
            return Cut(reply, 0, self.kill)
        if (
            self.ambush is not None
            and self.ambush[0] in pending.kinds
            and self._chance.random() < 0.5
        ):
            (_, then), self.ambush = self.ambush, None
            return self._ambushed(reply, then)
        if self.hold is not None and "long" in pending.kinds.values():
            return Slow(reply, self.hold, 30)
        if self._chance.random() < self.fault_rate:
            self.faults += 1
            return self._chance.choice(
                [ErrorStatus(529), ErrorStatus(500), StreamError(reply=reply), Cut(reply)]
            )
        return reply

    def asked_agents(self, number: int) -> bool:
        """Whether an agent was at work for a message."""
        return any(asked > PART and asked % PART == number for asked in self.asked)

    def _ambushed(self, reply: ModelReply, then: Callable[[], None]) -> Fault:
        """Make a stream that ends early, or hangs long enough for people to see part of it."""
        if self._chance.random() < 0.5:
            return Cut(reply, self._chance.randint(0, 6), then)
        ended = asyncio.Event()

        def end() -> None:
            then()
            ended.set()

        asyncio.get_running_loop().call_later(self._chance.uniform(0.1, 2.0), end)
        return Slow(reply, ended, self._chance.randint(4, 30))
