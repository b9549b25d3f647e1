"""A hijacked model in every unlock mode: what the role lacks never runs and is never named.

Covers files, tools of an MCP server and staged ones; roles that change meanwhile; calls by name, by
alias and through the dispatcher; searches by glob and words, and by others' earlier requests.
"""

import asyncio
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply, Unlock
from bot.llm.unlocking import CALL_TOOL
from bot.storage.home import open_database
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.home_files import know
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import CAPABILITIES, call, calls, say
from bot.tools.catalog.past_requests import normalised
from bot.tools.catalog.past_requests_store import Lesson, lesson_unit
from tests.thoroughness import examples

PEOPLE = [Role.GUEST, Role.BUSINESS, Role.FRIEND, Role.PARTNER, Role.MASTER_ADMIN]
FOLDERS = ["shared", "assistant", "memorymaster", "readytools"]
WORDS = "the quarterly zebra report"


@dataclass(frozen=True)
class Offered:
    """A tool file: what is in it names itself by a mark that nothing else holds."""

    number: int
    folder: str
    roles: Sequence[Role]

    @property
    def name(self) -> str:
        return f"tool{self.number}"

    @property
    def mark(self) -> str:
        return f"zebra{self.number}mark"

    def reaches(self, role: Role) -> bool:
        return self.folder in {"shared", "assistant"} and (
            role in self.roles or role is Role.MASTER_ADMIN
        )

    def write(self, home: Path) -> None:
        folder = home / "prompts" / "tools" / self.folder
        folder.mkdir(parents=True, exist_ok=True)
        ran = home / "ran" / self.name
        (folder / f"{self.name}.md").write_text(
            f"# {self.name}\n## Description\nMakes {WORDS} with {self.mark}.\n## "
            f"Aliases\nalias{self.number}\n"
            f"## Access\n{', '.join(self.roles)}\n## Implementation\nshell: {self.name}.sh\n"
        )
        (folder / f"{self.name}.sh").write_text(
            f'echo "$BELLHOP_ROLE" >> {ran}\necho done {self.mark}\n'
        )


@dataclass(frozen=True)
class Story:
    tools: Sequence[Offered]
    before: Role
    after: Role
    """The person's role from the middle on."""
    unlock: Unlock
    attempts: Sequence[tuple[str, int]]


KINDS = ("glob", "words", "describe", "name", "alias", "dispatched", "script of another", "at once")


@st.composite
def stories(draw: st.DrawFn) -> Story:
    sets = st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=3, unique=True)
    drawn = draw(st.lists(st.tuples(st.sampled_from(FOLDERS), sets), min_size=1, max_size=5))
    tools = [Offered(number, folder, roles) for number, (folder, roles) in enumerate(drawn)]
    attempt = st.tuples(st.sampled_from(KINDS), st.integers(0, len(tools) - 1))
    return Story(
        tools,
        draw(st.sampled_from(PEOPLE)),
        draw(st.sampled_from(PEOPLE)),
        draw(st.sampled_from(Unlock)),
        draw(st.lists(attempt, min_size=4, max_size=10)),
    )


def step(kind: str, number: int) -> ModelReply:
    name = f"tool{number}"
    known: dict[str, tuple[str, JsonObject]] = {
        "glob": ("tool_search", {"pattern": f"*{number}*"}),
        "words": ("tool_search", {"query": WORDS}),
        "describe": ("get_capabilities", {"names": [name, f"alias{number}"]}),
        "name": (name, {}),
        "alias": (f"alias{number}", {}),
        "dispatched": (CALL_TOOL, {"name": name, "arguments": {}}),
        "script of another": ("get_capabilities", {"query": "zebra"}),
    }
    if kind == "at once":
        return calls(known["words"], known["name"], known["dispatched"])
    return call(*known[kind])


async def play(home: Path, story: Story) -> PlanModel:
    half = len(story.attempts) // 2
    parts = {"first": story.attempts[:half], "second": story.attempts[half:]}
    plans = {
        name: [*(step(*attempt) for attempt in part), say(f"End of the {name}.")]
        for name, part in parts.items()
    }
    notes = story.unlock is Unlock.INLINE
    model = PlanModel(
        plans, capabilities=replace(CAPABILITIES, unlock=story.unlock, system_notes=notes)
    )
    lives = AppLives(home)
    async with lives.life(model) as life:
        await ask(life, "first")
        contacts(home, story.after)
        await life.app.contacts.reload_if_changed()
        await ask(life, "second")
    return model


async def ask(life: AppLife, name: str) -> None:
    await life.tell("pat", f"please do:{name}", key=name)


def contacts(home: Path, role: Role) -> None:
    know(home, pat=role)


async def taught(home: Path, story: Story) -> None:
    """Everybody's requests were served by everything before."""
    (home / "data").mkdir()
    database = await open_database(home / "data" / "bellhop.db")
    names = tuple(tool.name for tool in story.tools)
    lesson = Lesson("pat", names, (normalised(WORDS),))
    await database.write(lesson_unit(lesson, datetime(2026, 1, 2, tzinfo=UTC)))
    await database.close()


async def check(story: Story) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "ran").mkdir()
        (home / "bellhop.yaml").write_text("tools: {shell: {sandbox: none}}\n")
        contacts(home, story.before)
        for tool in story.tools:
            tool.write(home)
        await taught(home, story)
        model = await play(home, story)
        for tool in story.tools:
            ran = home / "ran" / tool.name
            roles = ran.read_text().split() if ran.exists() else []
            assert all(tool.reaches(Role(role)) for role in roles), (tool, roles)
        sent = [
            json.dumps([request.system, request.tools, request.messages])
            for request in model.requests
        ]
        assert sum("do:second" in text for text in sent) > len(story.attempts) // 2
        for text in sent:
            # A change of role ends the session, so what was sent before is not sent again.
            role = story.after if "do:second" in text else story.before
            for tool in story.tools:
                assert tool.reaches(role) or tool.mark not in text, (tool, role)


@settings(max_examples=examples(30), derandomize=True, deadline=None)
@given(stories())
@pytest.mark.slow
def test_a_hijacked_model_runs_and_learns_of_nothing_that_the_role_lacks(story: Story):
    asyncio.run(check(story))
