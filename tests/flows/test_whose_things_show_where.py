"""Private things of people enter no request of others or elsewhere."""

import asyncio
import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.database import Unit, Write
from bot.domain.messages import Place, Visibility
from bot.storage.home import open_database
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.plan_model import PlanModel, PlanStep, begun_plan
from bot.testing.scripted_model import calls, say
from tests.thoroughness import is_thorough

ROLES = ("Friend", "Partner", "Guest")
PLACES = {
    "dm": (Place.DM, Visibility.UNKNOWN),
    "vault": (Place.CHANNEL, Visibility.PRIVATE),
    "attic": (Place.CHANNEL, Visibility.PRIVATE),
    "unsure": (Place.CHANNEL, Visibility.UNKNOWN),
    "square": (Place.CHANNEL, Visibility.PUBLIC),
}
THINGS = (
    "todo",
    "note",
    "board",
    "knowledge",
    "document",
    "skill",
    "preference",
    "private-preference",
    "fact",
    "schedule",
)
SECRET = re.compile(r"zq-(\d)-(\w+)-([a-z_]+)-\d+")


@dataclass(frozen=True)
class Event:
    """Somebody somewhere has the assistant keep a thing, and then look at everything."""

    number: int
    person: int
    where: str
    thing: str

    @property
    def name(self) -> str:
        return f"e{self.number}-p{self.person}-at-{self.where}"

    def plan(self) -> Sequence[PlanStep]:
        secret = f"zq-{self.person}-{self.where}-{self.thing.replace('-', '_')}-{self.number}"
        return (
            calls(("tool_search", {"pattern": "*"})),
            calls(_keep(self, secret)),
            calls(*LOOKS),
            say("Done."),
        )


def _keep(event: Event, secret: str) -> tuple[str, dict[str, object]]:
    skill = f"---\nauto_invoke: true\ndescription: {secret}\n---\n{secret}\n"
    keeping: dict[str, tuple[str, dict[str, object]]] = {
        "todo": ("manage_todos", {"action": "create", "title": secret}),
        "note": ("manage_notes", {"action": "add", "title": secret, "is_agent_note": False}),
        "board": ("manage_notes", {"action": "add", "title": secret, "is_agent_note": True}),
        "knowledge": ("knowledge_store", {"content": secret, "type": "fact", "importance": 0.5}),
        "document": (
            "write_file",
            {"path": f"/documents/{event.number % 2}.md", "content": secret},
        ),
        "skill": (
            "write_file",
            {"path": f"/custom-skills/plan{event.number % 2}.md", "content": skill},
        ),
        "preference": ("write_file", {"path": "/preferences/global.md", "content": secret}),
        "private-preference": (
            "write_file",
            {"path": "/preferences/private.md", "content": secret},
        ),
        "schedule": (
            "schedule_task",
            {"name": secret, "prompt": secret, "execute_at": "in 7200 hours"},
        ),
        "fact": ("save_fact", {"key": f"code {event.number}", "value": secret}),
    }
    return keeping[event.thing]


LOOKS: tuple[tuple[str, dict[str, object]], ...] = (
    ("manage_todos", {"action": "list"}),
    ("manage_notes", {"action": "list", "is_agent_note": False}),
    ("manage_notes", {"action": "list", "is_agent_note": True}),
    ("knowledge_search", {"query": "zq dm vault attic unsure square"}),
    ("remember", {"query": "zq dm vault attic unsure square"}),
    *(("read_file", {"path": f"/documents/{number}.md"}) for number in range(2)),
    *(("read_file", {"path": f"/custom-skills/plan{number}.md"}) for number in range(2)),
    ("read_file", {"path": "/preferences/global.md"}),
    ("read_file", {"path": "/preferences/private.md"}),
    ("list_directory", {"path": "/documents"}),
    ("schedule_task", {"action": "list"}),
)


def may_enter(planted: tuple[int, str, str], person: int, where: str) -> bool:
    """Whether a stored thing may be in a person's request in a place."""
    owner, place, thing = planted
    if thing == "preference":
        return owner == person
    open_here = place in {where, "square"}
    if thing == "private_preference":
        return owner == person and where in {
            "dm",
            place,
        }  # `place`: the session that wrote it holds the call
    if owner == person:
        return where == "dm" or open_here
    return thing == "board" and place != "dm" and open_here and ROLES[person] != "Guest"


def nothing_forbidden(model: PlanModel) -> int:
    """Looks at each request; how many secrets it saw where they belong."""
    seen = 0
    for request in model.requests:
        begun = begun_plan(request.messages)
        assert begun is not None
        found = re.fullmatch(r"e\d+-p(\d)-at-(\w+)", begun[0])
        assert found is not None
        person, where = int(found[1]), found[2]
        text = json.dumps([request.system, request.tools, request.messages])
        for secret in SECRET.finditer(text):
            planted = (int(secret[1]), secret[2], secret[3])
            assert may_enter(planted, person, where), (
                f"{secret.group()} entered a request of p{person} in {where}"
            )
            seen += 1
    return seen


def furnish(home: Path) -> None:
    lines = [
        f'- {{id: p{number}, name: Sam, role: {role}, ids: {{discord: ["p{number}"]}}}}'
        for number, role in enumerate(ROLES)
    ]
    (home / "contacts.yaml").write_text("\n".join(lines) + "\n")


async def tell(life: AppLife, event: Event) -> None:
    place, visibility = PLACES[event.where]
    said = {"where": event.where, "place": place, "key": event.name, "visibility": visibility}
    await life.tell(f"p{event.person}", f"do:{event.name}", **said)


async def play(events: Sequence[Event]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        furnish(home)
        model = PlanModel({event.name: event.plan() for event in events})
        async with AppLives(home).life(model) as life:
            for event in events:
                await tell(life, event)
                await life.app.clock.advance(3600)  # type: ignore[attr-defined]  # a FakeClock; sessions end meanwhile
                await life.settle()
        return nothing_forbidden(model)


ONE = st.tuples(
    st.integers(0, len(ROLES) - 1), st.sampled_from(sorted(PLACES)), st.sampled_from(THINGS)
)


@settings(max_examples=6 if is_thorough() else 3, derandomize=True, deadline=None)
@given(st.lists(ONE, min_size=3, max_size=9))
def test_no_request_holds_what_its_person_may_not_see_there(drawn: list[tuple[int, str, str]]):
    assert asyncio.run(play([Event(number, *what) for number, what in enumerate(drawn)])) > 0


@pytest.mark.slow
def test_everything_made_everywhere_and_looked_at_everywhere():
    """Each thing of one person in each place; and what another writes on the assistant's board."""
    made = [(0, where, thing) for thing in THINGS for where in sorted(PLACES)]
    made += [(1, where, "board") for where in sorted(PLACES)]
    assert asyncio.run(play([Event(number, *what) for number, what in enumerate(made)])) > 0


async def test_preferences_for_direct_messages_are_shown_in_them_alone(tmp_path: Path):
    furnish(tmp_path)
    lives = AppLives(tmp_path)
    events = [Event(0, 0, "square", "fact"), Event(1, 0, "dm", "fact"), Event(2, 0, "dm", "fact")]
    model = PlanModel({event.name: (say("Done."),) for event in events})
    async with lives.life(model):
        pass
    database = await open_database(tmp_path / "data" / "bellhop.db")
    kept = (
        "INSERT INTO virtual_files (owner_kind, owner, path, text, version, updated_at, "
        "updated_by, origin)"
        " VALUES ('person', 'p0', '/preferences/private.md', 'call me Bunny', 'v', '2026-11-01', "
        "'p0', ?)"
    )
    origin = json.dumps({"trust": "person", "source": "person:p0"})
    await database.write(Unit.of(Write(kept, (origin,))))
    await database.close()
    async with lives.life(model) as life:
        for event in events:
            await tell(life, event)
            await life.app.clock.advance(3600)  # type: ignore[attr-defined]  # a FakeClock
            await life.settle()
    square, *dms = ["call me Bunny" in json.dumps(request.messages) for request in model.requests]
    assert (square, all(dms)) == (False, True)
