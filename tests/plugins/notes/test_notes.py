"""manage_notes: a board per person and a board per agent."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain.database import Unit
from bot.domain.places import Reach
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.plugins.notes.plugin import NotesConnector
from bot.testing.contexts import a_place
from bot.testing.desk import Desk


class Notes:
    """The tool, on the person's board or, with `of_agent`, on the agent's.

    `how` says who calls it where, as `Desk.result` takes it.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.tool = desk.tool(NotesConnector(desk.database), "manage_notes")

    async def call(
        self,
        action: str,
        *,
        of_agent: bool = False,
        how: dict[str, Any] | None = None,
        **given: Any,
    ) -> Any:
        arguments = {"action": action, "is_agent_note": of_agent, **given}
        return await self.desk.call(self.tool, arguments, **(how or {}))

    async def add(self, title: str, *, of_agent: bool = False, **how: Any) -> str:
        return (await self.call("add", title=title, of_agent=of_agent, how=how))["note_id"]

    async def titles(self, *, of_agent: bool = False, **how: Any) -> set[str]:
        return {
            one["title"] for one in (await self.call("list", of_agent=of_agent, how=how))["notes"]
        }


@pytest.fixture
def notes(desk: Desk) -> Notes:
    return Notes(desk)


async def test_a_note_is_added_listed_and_updated(notes: Notes):
    made = await notes.call("add", title="Router", body="in the hall", due="2026-12-01")
    note = {"note_id": made["note_id"], "title": "Router", "updated": "2026-11-21"}
    due = {"due": "2026-12-01", "due_in_words": "Tuesday 1 December 2026"}
    assert made == {**note, "body": "in the hall", **due}
    changed = await notes.call("update", note_id=made["note_id"], body="in the attic", due="")
    assert changed == {**note, "body": "in the attic"}
    assert await notes.call("list") == {"board": "user", "notes": [changed]}


async def test_the_boards_are_kept_apart(notes: Notes):
    mine = await notes.add("for the person")
    await notes.add("for the agent", of_agent=True)
    assert await notes.titles() == {"for the person"}
    assert await notes.titles(of_agent=True) == {"for the agent"}
    with pytest.raises(ToolError, match="not found on the agent board"):
        await notes.call("update", of_agent=True, note_id=mine, title="x")


async def test_a_persons_board_is_theirs_through_every_agent(notes: Notes):
    mine = await notes.add("mine", private=False)
    assert await notes.titles(agent="researcher", private=False) == {"mine"}
    assert await notes.titles(person="ben") == set()
    with pytest.raises(ToolError, match="not found"):
        await notes.call("update", note_id=mine, title="x", how={"person": "ben"})


async def test_an_agents_board_is_shared_except_for_what_was_private(notes: Notes):
    shared = await notes.add("check the backups", of_agent=True, private=False)
    await notes.add("Ann looks for a new job", of_agent=True, private=True)
    assert await notes.titles(of_agent=True, person="ben") == {"check the backups"}
    assert await notes.titles(of_agent=True, private=False) == {"check the backups"}
    assert len(await notes.titles(of_agent=True)) == 2
    assert await notes.titles(of_agent=True, agent="researcher") == set()
    with pytest.raises(ToolError, match="can't read this conversation"):
        await notes.call("update", of_agent=True, note_id=shared, body="secret")


async def test_a_private_channels_note_stays_in_its_channel(notes: Notes):
    here, elsewhere = (a_place(Reach.PRIVATE, workspace=name) for name in ("one", "two"))
    note = await notes.add("the merger", of_agent=True, at=here)
    assert await notes.titles(of_agent=True, person="ben", at=here) == {"the merger"}
    assert await notes.titles(of_agent=True, person="ben", at=elsewhere) == set()
    assert await notes.titles(of_agent=True, person="ben") == set()
    assert await notes.titles(of_agent=True) == {"the merger"}
    anns, bens = {"at": elsewhere}, {"at": elsewhere, "person": "ben"}
    answer = await notes.call("list", of_agent=True, how=anns)
    assert answer["left_out"] == "1 more is private; ask me in a DM"
    assert "left_out" not in await notes.call("list", of_agent=True, how=bens)
    with pytest.raises(ToolError, match="in a DM"):
        await notes.call("list", of_agent=True, note_id=note, how=anns)
    with pytest.raises(ToolError, match="not found"):
        await notes.call("list", of_agent=True, note_id=note, how=bens)


PEOPLE, AGENTS = ("ann", "ben", "cleo"), ("assistant", "observer")
EVENTS = st.tuples(st.sampled_from(PEOPLE), st.sampled_from(AGENTS), st.booleans(), st.booleans())


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(events=st.lists(EVENTS, min_size=1, max_size=12))
async def test_nobody_ever_lists_what_another_wrote_in_private(
    events: list[tuple[str, str, bool, bool]], notes: Notes
):
    for person, agent, private, of_agent in events:
        title = f"{person}-{'private' if private or not of_agent else 'shared'}"
        await notes.add(title, of_agent=of_agent, person=person, agent=agent, private=private)
        for reader in PEOPLE:
            for board in (True, False):
                for shown in await notes.titles(of_agent=board, person=reader, agent=agent):
                    assert shown.startswith(reader) or shown.endswith("shared")


async def test_a_list_is_bounded_and_one_note_can_be_read_in_full(notes: Notes):
    for number in range(52):
        await notes.call("add", title=f"n{number}", body="y" * 500)
    answer = await notes.call("list")
    assert len(answer["notes"]) == 50
    assert answer["not_shown"] == 2
    note = answer["notes"][0]
    assert len(note["body"]) == 301
    assert len((await notes.call("list", note_id=note["note_id"]))["body"]) == 500


async def test_parallel_updates_of_one_note_dont_undo_each_other(notes: Notes):
    note = {"action": "update", "is_agent_note": False, "note_id": await notes.add("one")}
    changes: list[ToolResult] = [
        await notes.desk.result(notes.tool, {**note, **change}, commit=False)
        for change in ({"title": "two"}, {"body": "text"})
    ]
    await notes.desk.database.write(Unit.joined(change.unit for change in changes))
    full = await notes.call("list", note_id=note["note_id"])
    assert (full["title"], full["body"]) == ("two", "text")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"action": "add"}, "needs a title"),
        ({"action": "add", "title": "x", "due": "soon"}, "Give a day like"),
        ({"action": "add", "title": "x", "body": "y" * 8001}, "limit is 8000"),
        ({"action": "update", "title": "x"}, "needs a note_id"),
        ({"action": "update", "note_id": "nope00", "title": "x"}, "is_agent_note false"),
    ],
)
async def test_impossible_calls_say_what_to_do_instead(
    arguments: dict[str, Any], problem: str, notes: Notes
):
    with pytest.raises(ToolError, match=problem):
        await notes.call(**arguments)
