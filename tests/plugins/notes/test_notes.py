"""manage_notes: a board per person and a board per agent."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain.database import Unit
from bot.domain.places import Reach
from bot.domain.tool_context import NativeTool
from bot.errors import ToolError
from bot.plugins.notes.connector import NotesConnector
from bot.testing.contexts import a_place
from bot.testing.desk import Desk


@pytest.fixture
def notes(desk: Desk) -> NativeTool[Any]:
    return desk.tool(NotesConnector(desk.database), "manage_notes")


async def add(
    desk: Desk, notes: NativeTool[Any], title: str, *, agent_note: bool = False, **how: Any
) -> str:
    answer = await desk.call(
        notes, {"action": "add", "title": title, "is_agent_note": agent_note}, **how
    )
    return answer["note_id"]


async def listed(
    desk: Desk, notes: NativeTool[Any], *, agent_note: bool = False, **how: Any
) -> set[str]:
    answer = await desk.call(notes, {"action": "list", "is_agent_note": agent_note}, **how)
    return {note["title"] for note in answer["notes"]}


async def test_a_note_is_added_listed_and_updated(desk: Desk, notes: NativeTool[Any]):
    arguments = {
        "action": "add",
        "title": "Router",
        "is_agent_note": False,
        "body": "in the hall",
        "due": "2026-12-01",
    }
    made = await desk.call(notes, arguments)
    note_id = made["note_id"]
    assert made == {
        "note_id": note_id,
        "title": "Router",
        "body": "in the hall",
        "due": "2026-12-01",
        "due_in_words": "Tuesday 1 December 2026",
        "updated": "2026-11-21",
    }
    change = {
        "action": "update",
        "is_agent_note": False,
        "note_id": note_id,
        "body": "in the attic",
        "due": "",
    }
    changed = await desk.call(notes, change)
    assert changed == {
        "note_id": note_id,
        "title": "Router",
        "body": "in the attic",
        "updated": "2026-11-21",
    }
    assert await desk.call(notes, {"action": "list", "is_agent_note": False}) == {
        "board": "user",
        "notes": [changed],
    }


async def test_the_boards_are_kept_apart(desk: Desk, notes: NativeTool[Any]):
    mine = await add(desk, notes, "for the person")
    await add(desk, notes, "for the agent", agent_note=True)
    assert await listed(desk, notes) == {"for the person"}
    assert await listed(desk, notes, agent_note=True) == {"for the agent"}
    with pytest.raises(ToolError, match="not found on the agent board"):
        await desk.result(
            notes, {"action": "update", "is_agent_note": True, "note_id": mine, "title": "x"}
        )


async def test_a_persons_board_is_theirs_through_every_agent(desk: Desk, notes: NativeTool[Any]):
    note_id = await add(desk, notes, "mine", private=False)
    assert await listed(desk, notes, agent="researcher", private=False) == {"mine"}
    assert await listed(desk, notes, person="ben") == set()
    with pytest.raises(ToolError, match="not found"):
        await desk.result(
            notes,
            {"action": "update", "is_agent_note": False, "note_id": note_id, "title": "x"},
            person="ben",
        )


async def test_an_agents_board_is_shared_except_for_what_was_private(
    desk: Desk, notes: NativeTool[Any]
):
    shared = await add(desk, notes, "check the backups", agent_note=True, private=False)
    await add(desk, notes, "Ann looks for a new job", agent_note=True, private=True)
    assert await listed(desk, notes, agent_note=True, person="ben") == {"check the backups"}
    assert await listed(desk, notes, agent_note=True, private=False) == {"check the backups"}
    assert len(await listed(desk, notes, agent_note=True)) == 2
    assert await listed(desk, notes, agent_note=True, agent="researcher") == set()
    with pytest.raises(ToolError, match="can't read this conversation"):
        await desk.result(
            notes, {"action": "update", "is_agent_note": True, "note_id": shared, "body": "secret"}
        )


async def test_a_private_channels_note_stays_in_its_channel(desk: Desk, notes: NativeTool[Any]):
    here, elsewhere = (
        a_place(Reach.PRIVATE, workspace="one"),
        a_place(Reach.PRIVATE, workspace="two"),
    )
    note = await add(desk, notes, "the merger", agent_note=True, at=here)
    assert await listed(desk, notes, agent_note=True, person="ben", at=here) == {"the merger"}
    assert await listed(desk, notes, agent_note=True, person="ben", at=elsewhere) == set()
    assert await listed(desk, notes, agent_note=True, person="ben") == set()
    assert await listed(desk, notes, agent_note=True) == {"the merger"}
    answer = await desk.call(notes, {"action": "list", "is_agent_note": True}, at=elsewhere)
    assert answer["left_out"] == "1 more is private; ask me in a DM"
    assert "left_out" not in await desk.call(
        notes, {"action": "list", "is_agent_note": True}, person="ben", at=elsewhere
    )
    asked = {"action": "list", "is_agent_note": True, "note_id": note}
    with pytest.raises(ToolError, match="in a DM"):
        await desk.result(notes, asked, at=elsewhere)
    with pytest.raises(ToolError, match="not found"):
        await desk.result(notes, asked, person="ben", at=elsewhere)


EVENTS = st.tuples(
    st.sampled_from(["ann", "ben", "cleo"]),
    st.sampled_from(["assistant", "observer"]),
    st.booleans(),
    st.booleans(),
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(events=st.lists(EVENTS, min_size=1, max_size=12))
async def test_nobody_ever_lists_what_another_wrote_in_private(
    events: list[tuple[str, str, bool, bool]], desk: Desk, notes: NativeTool[Any]
):
    for person, agent, private, agent_note in events:
        title = f"{person}-{'private' if private or not agent_note else 'shared'}"
        await add(
            desk, notes, title, agent_note=agent_note, person=person, agent=agent, private=private
        )
        for reader in ("ann", "ben", "cleo"):
            for board in (True, False):
                for title in await listed(
                    desk, notes, agent_note=board, person=reader, agent=agent
                ):
                    assert title.startswith(reader) or title.endswith("shared")


async def test_a_list_is_bounded_and_one_note_can_be_read_in_full(
    desk: Desk, notes: NativeTool[Any]
):
    for number in range(52):
        await desk.call(
            notes,
            {"action": "add", "title": f"n{number}", "is_agent_note": False, "body": "y" * 500},
        )
    answer = await desk.call(notes, {"action": "list", "is_agent_note": False})
    assert len(answer["notes"]) == 50
    assert answer["not_shown"] == 2
    note = answer["notes"][0]
    assert len(note["body"]) == 301
    full = await desk.call(
        notes, {"action": "list", "is_agent_note": False, "note_id": note["note_id"]}
    )
    assert len(full["body"]) == 500


async def test_parallel_updates_of_one_note_dont_undo_each_other(
    desk: Desk, notes: NativeTool[Any]
):
    note_id = await add(desk, notes, "one")
    changes = [
        await desk.result(
            notes,
            {"action": "update", "is_agent_note": False, "note_id": note_id, **change},
            commit=False,
        )
        for change in ({"title": "two"}, {"body": "text"})
    ]
    await desk.database.write(Unit.joined(change.unit for change in changes))
    full = json.loads(
        (
            await desk.result(notes, {"action": "list", "is_agent_note": False, "note_id": note_id})
        ).content
    )
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
    arguments: dict[str, Any], problem: str, desk: Desk, notes: NativeTool[Any]
):
    with pytest.raises(ToolError, match=problem):
        await desk.result(notes, {**arguments, "is_agent_note": False})
