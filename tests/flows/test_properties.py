"""Random people, places and behaviours: secrets stay, prefixes stay, all is answered."""

import asyncio
import json
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.messages import Place
from bot.domain.models import Unlock
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.home_files import stored, write_tool
from bot.testing.plan_model import PlanModel, PlanStep, begun_plan
from bot.testing.scripted_model import CAPABILITIES, call, calls, say
from bot.testing.tools import NO_SANDBOX
from tests.thoroughness import is_thorough

SECRET = re.compile(r"zq-p(\d)-\w+")
BEHAVIOURS = (
    "say",
    "fact",
    "note",
    "read-notes",
    "preference",
    "document",
    "read-document",
    "knowledge",
    "read-knowledge",
    "skill",
    "read-skill",
    "todo",
    "read-todos",
    "script",
    "send",
    "same-send",
    "finish",
    "ask",
    "delegate",
    "recall",
    "forbidden",
    "remember",
)
PLACES = {"dm": Place.DM, "room": Place.CHANNEL, "thread": Place.THREAD}


@dataclass(frozen=True)
class Event:
    """Somebody says something and the model acts; `number` is its place in the conversation."""

    number: int
    person: int
    where: str
    behaviour: str

    @property
    def name(self) -> str:
        return f"e{self.number}-p{self.person}"

    @property
    def secret(self) -> str:
        return f"zq-p{self.person}-{self.behaviour.replace('-', '_')}{self.number}"

    def plan(self) -> Sequence[PlanStep]:
        return (*_BODY[self.behaviour](self), say(f"answer {self.name}"))


def _found(name: str, arguments: dict[str, Any]) -> list[PlanStep]:
    return [call("tool_search", {"pattern": name}), call(name, arguments)]


_BODY: dict[str, Callable[[Event], Sequence[PlanStep]]] = {
    "say": lambda _: [],
    "fact": lambda e: [
        calls(("save_fact", {"key": "code", "value": e.secret}), ("current_time", {}))
    ],
    "note": lambda e: _found(
        "manage_notes", {"action": "add", "title": e.secret, "is_agent_note": False}
    ),
    "read-notes": lambda _: _found("manage_notes", {"action": "list", "is_agent_note": False}),
    "preference": lambda e: _found(
        "write_file", {"path": "/preferences/global.md", "content": e.secret}
    ),
    "document": lambda e: _found("write_file", {"path": "/documents/plan.md", "content": e.secret}),
    "read-document": lambda _: _found("read_file", {"path": "/documents/plan.md"}),
    "knowledge": lambda e: _found(
        "knowledge_store", {"content": e.secret, "type": "fact", "importance": 0.5}
    ),
    "read-knowledge": lambda _: _found("knowledge_search", {"query": "zq p0 p1 p2 p3"}),
    "skill": lambda e: _found(
        "write_file",
        {
            "path": "/custom-skills/plan.md",
            "content": f"---\nauto_invoke: true\ndescription: {e.secret}\n---\n{e.secret}\n",
        },
    ),
    "read-skill": lambda _: _found("read_file", {"path": "/custom-skills/plan.md"}),
    "todo": lambda e: _found("manage_todos", {"action": "create", "title": e.secret}),
    "read-todos": lambda _: _found("manage_todos", {"action": "list"}),
    "script": lambda _: _found("fetch_code", {}),
    "send": lambda e: [call("send", {"text": f"sent {e.name}"})],
    "same-send": lambda e: [call("send", {"text": f"answer {e.name}"})],
    "finish": lambda e: [
        calls(("finish_task", {"answer": f"answer {e.name}"}), ("current_time", {}))
    ],
    "ask": lambda e: [call("ask_user_for_clarification", {"question": f"question {e.name}?"})],
    "delegate": lambda e: [
        call("agent_observer", {"instruction": f"do:{e.name}-child", "context": e.secret})
    ],
    "recall": lambda e: [call("agent_observer", {"instruction": f"do:{e.name}-child"})],
    "forbidden": lambda _: [calls(("wipe_everything", {}), ("manage_notes", {"action": "list"}))],
    "remember": lambda _: _found("remember", {"query": "zq secret code"}),
}


def children(event: Event) -> Sequence[PlanStep]:
    return [
        call("recall_recent", {"limit": 10, "person_id": "p0"}),
        call("recall_recent", {"limit": 10}),
        call("save_fact", {"key": "found", "value": event.secret}),
        say(f"The log of {event.name}."),
    ]


@dataclass(frozen=True)
class Story:
    roles: Sequence[Role]
    batches: Sequence[Sequence[Event]]
    pauses: Sequence[float]
    """Minutes that pass after each batch; sessions end after 30."""
    unlock: Unlock

    @property
    def events(self) -> list[Event]:
        return [event for batch in self.batches for event in batch]


@st.composite
def stories(draw: st.DrawFn) -> Story:
    roles = draw(st.lists(st.sampled_from(list(Role)), min_size=2, max_size=4))
    one = st.tuples(
        st.integers(0, len(roles) - 1),
        st.sampled_from(["dm", "room", "room", "thread"]),
        st.sampled_from(BEHAVIOURS),
    )
    drawn = draw(st.lists(st.lists(one, min_size=1, max_size=3), min_size=2, max_size=6))
    number = 0
    batches: list[list[Event]] = []
    for batch in drawn:
        batches.append([Event(number + index, *what) for index, what in enumerate(batch)])
        number += len(batch)
    pauses = draw(
        st.lists(st.sampled_from([0.0, 1.0, 40.0]), min_size=len(batches), max_size=len(batches))
    )
    return Story(roles, batches, pauses, draw(st.sampled_from(Unlock)))


def furnish(home: Path, story: Story) -> None:
    """Everybody has the same name, their own memory, and a script that tells their code."""
    lines = [
        f'- {{id: p{index}, name: Sam, role: {role}, ids: {{discord: ["p{index}"]}}}}'
        for index, role in enumerate(story.roles)
    ]
    (home / "contacts.yaml").write_text("\n".join(lines) + "\n")
    (home / "bellhop.yaml").write_text(NO_SANDBOX)
    for index in range(len(story.roles)):
        (home / "memory" / f"p{index}").mkdir(parents=True)
        (home / "memory" / f"p{index}" / "assistant_memory.md").write_text(
            f"- zq-p{index}-memory\n"
        )
    write_tool(home, "fetch_code", 'echo "zq-$BELLHOP_PERSON-script"')


async def tell(life: AppLife, story: Story) -> None:
    """Play the story in batches; then everybody writes once more, for open questions."""
    for batch, pause in zip(story.batches, story.pauses, strict=True):
        await asyncio.gather(*(say_it(life, event) for event in batch))
        await life.settle()
        await life.app.clock.advance(pause * 60)  # type: ignore[attr-defined]  # the lives' clock is a FakeClock
        await life.settle()
    for place in PLACES:
        for person in range(len(story.roles)):
            await say_it(
                life, Event(900 + person, person, place, "say"), key=f"last:{place}:{person}"
            )
            await life.settle()


async def say_it(life: AppLife, event: Event, key: str | None = None) -> None:
    private = event.where == "dm"
    text = f"do:{event.name}" + (f" {event.secret}" if private else "")
    await life.chat.say(
        f"p{event.person}",
        text,
        where=event.where,
        place=PLACES[event.where],
        key=key or event.name,
        name="Sam",
    )


def no_secret_of_others(model: PlanModel) -> None:
    for request in model.requests:
        begun = begun_plan(request.messages)
        assert begun is not None
        owner = re.findall(r"-p(\d)", begun[0])[0]
        sent = json.dumps([request.system, request.tools, request.messages])
        strangers = {found.group() for found in SECRET.finditer(sent) if found.group(1) != owner}
        assert not strangers, f"a request for p{owner} holds {strangers}"


async def all_is_settled(home: Path, story: Story, texts: list[str]) -> None:
    rows = await stored(home, "SELECT key, state, settled_at FROM inbox")
    sessions = await stored(home, "SELECT count(*) AS n FROM sessions")
    states = {row["key"]: row["state"] for row in rows}
    assert all(row["settled_at"] for row in rows), states
    assert sessions
    for event in story.events:
        answers = texts.count(f"answer {event.name}")
        if story.roles[event.person] is Role.BANNED:
            assert (states[event.name], answers) == ("recorded", 0)
        elif states[event.name] == "done":
            assert answers <= 1
            assert answers == 1 or superseded(event, states), (event, texts)
        else:
            assert states[event.name] in {"joined", "recorded"}
            assert answers <= 1


def superseded(event: Event, states: dict[str, str]) -> bool:
    """Whether later words of the person in the place changed what the run was about."""
    return any(
        state == "joined" for key, state in states.items() if key.endswith(f"-p{event.person}")
    )


async def check(story: Story) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        furnish(home, story)
        plans = {event.name: event.plan() for event in story.events}
        plans |= {f"{event.name}-child": children(event) for event in story.events}
        lives = AppLives(home)
        notes = story.unlock is Unlock.INLINE
        model = PlanModel(
            plans, capabilities=replace(CAPABILITIES, unlock=story.unlock, system_notes=notes)
        )
        async with lives.life(model) as life:
            await tell(life, story)
            posts = [post.text for post in life.chat.posts]
        no_secret_of_others(model)
        await all_is_settled(home, story, posts)


@settings(max_examples=25 if is_thorough() else 8, derandomize=True, deadline=None)
@given(stories())
def test_secrets_stay_prefixes_hold_and_everybody_is_answered(story: Story):
    asyncio.run(check(story))
