"""slack_canvas and slack_canvas_write with the real client, against a strict Slack."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ToolError
from bot.plugins.slack.canvas_tools import quiet
from bot.plugins.slack.connector import SlackAccountConnector
from bot.testing.account_town import ServiceDesk, service_desk
from bot.testing.services.slack_accounts import SlackAccounts
from bot.testing.services.slack_canvases import SlackCanvases

ANN, BEN = "ann@example.com", "ben@example.com"
PLAN = "## Plan\n- [ ] Call Ben\n- [ ] Paint the bell\n## Decisions\nNone yet"


Desk: TypeAlias = ServiceDesk[SlackAccounts]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with service_desk(tmp_path, "slack", SlackAccounts(), SlackAccountConnector) as desk:
        yield desk


@pytest.fixture
def canvases(desk: Desk) -> SlackCanvases:
    return desk.api.canvases


async def text(desk: Desk, **arguments: Any) -> str:
    found = await desk.result("slack_canvas", **arguments)
    assert found.private
    return found.content


async def write(desk: Desk, action: str, **arguments: Any) -> Any:
    found = await desk.result("slack_canvas_write", action=action, **arguments)
    assert not found.private
    return json.loads(found.content)


async def test_only_the_persons_own_canvases_are_found_newest_first(
    desk: Desk, canvases: SlackCanvases
):
    first = canvases.add("Launch plan", PLAN, ANN)
    canvases.add("Secret plan", PLAN, BEN)
    last = canvases.add("Plan of the party", "cake", ANN)
    found = json.loads(await text(desk, query="plan"))
    assert [one["id"] for one in found["canvases"]] == [last, first]
    assert found["canvases"][1] == {
        "id": first,
        "title": "Launch plan",
        "edited": "2026-11-21",
        "url": f"https://team.slack.com/docs/T000001/{first}",
    }
    assert "hint" in json.loads(await text(desk, query="nothing"))


async def test_a_canvas_is_read_by_its_id_its_address_and_its_channel(
    desk: Desk, canvases: SlackCanvases
):
    design = desk.api.add_channel("design", ANN)
    own = canvases.add("", PLAN, BEN, channel=design)
    for named in (own, f"https://team.slack.com/docs/T000001/{own}?focus=1"):
        assert "Call Ben" in await text(desk, canvas=named)
    assert own in await text(desk, channel=design)
    with pytest.raises(ToolError, match="no canvas of its own"):
        await text(desk, channel=desk.api.add_channel("other", ANN))
    with pytest.raises(ToolError, match="takes an id"):
        await text(desk, canvas="the plan")


async def test_a_long_canvas_is_read_in_parts(desk: Desk, canvases: SlackCanvases):
    id_ = canvases.add("Long", "word " * 5_000, ANN)
    shown = await text(desk, canvas=id_)
    assert "more characters. Give a query" in shown
    assert len(shown) < 12_200
    assert "No part of the canvas" in await text(desk, canvas=id_, query="cake")


async def test_what_somebody_else_keeps_is_not_there(desk: Desk, canvases: SlackCanvases):
    hidden = canvases.add("Secret", PLAN, BEN)
    for arguments in ({"action": "append", "content": "x"}, {"action": "remove", "at": "Call"}):
        with pytest.raises(ToolError, match=r"canvas_not_found\)\. There is no such canvas"):
            await write(desk, canvas=hidden, **arguments)
    with pytest.raises(ToolError, match="canvas_not_found"):
        await text(desk, canvas=hidden)
    assert canvases.by_id[hidden].markdown == PLAN


async def test_what_may_only_be_read_is_not_changed(desk: Desk, canvases: SlackCanvases):
    id_ = canvases.add("Rules", PLAN, BEN)
    canvases.by_id[id_].access[ANN] = "read"
    assert "Call Ben" in await text(desk, canvas=id_)
    with pytest.raises(ToolError, match="restricted_action"):
        await write(desk, "append", canvas=id_, content="No rules")
    assert canvases.by_id[id_].markdown == PLAN


async def test_blocks_are_added_changed_and_removed_where_they_stand(
    desk: Desk, canvases: SlackCanvases
):
    id_ = canvases.add("Plan", PLAN, ANN)
    await write(desk, "append", canvas=id_, at="## Decisions", content="Blue")
    await write(desk, "change", canvas=id_, at="- [ ] call ben", content="- [x] Call Ben")
    await write(desk, "remove", canvas=id_, at="None yet")
    done = await write(desk, "append", canvas=id_, content="Bye\n")
    assert done == {"id": id_, "done": "insert_at_end"}
    assert canvases.by_id[id_].markdown.split("\n") == [
        "## Plan",
        "- [x] Call Ben",
        "- [ ] Paint the bell",
        "## Decisions",
        "Blue",
        "Bye",
    ]


@pytest.mark.parametrize(
    ("at", "words"),
    [("Call Eve", "No block of the canvas"), ("e", "4 blocks of the canvas"), ("# Plan", "No b")],
)
async def test_what_is_not_one_block_is_not_changed(
    desk: Desk, canvases: SlackCanvases, at: str, words: str
):
    id_ = canvases.add("Plan", PLAN, ANN)
    with pytest.raises(ToolError, match=words):
        await write(desk, "change", canvas=id_, at=at, content="gone")
    assert canvases.by_id[id_].markdown == PLAN
    with pytest.raises(ToolError, match=words):
        await desk.checked("slack_canvas_write", action="remove", canvas=id_, at=at)


async def test_a_canvas_is_made_for_the_person_or_for_a_channel(
    desk: Desk, canvases: SlackCanvases
):
    design = desk.api.add_channel("design", ANN, BEN)
    own = await write(desk, "create", title="Mine", content=PLAN)
    assert own["url"] == f"https://team.slack.com/docs/T000001/{own['id']}"
    assert canvases.by_id[own["id"]].access == {ANN: "owner"}
    shared = await write(desk, "create", title="Ours", channel=design)
    assert canvases.by_id[shared["id"]].access == {ANN: "owner", design: "write"}
    with pytest.raises(ToolError, match=r"already_exists\)\. The channel has its own canvas"):
        await write(desk, "create", title="Again", channel=design)


async def test_a_canvas_is_shared_to_read_unless_asked_otherwise(
    desk: Desk, canvases: SlackCanvases
):
    design, id_ = desk.api.add_channel("design", ANN, BEN), canvases.add("Plan", PLAN, ANN)
    await write(desk, "share", canvas=id_, channel=design)
    await write(desk, "share", canvas=id_, member=BEN, access="write")
    assert canvases.by_id[id_].access == {ANN: "owner", design: "read", BEN: "write"}
    with pytest.raises(ToolError, match=r"user_not_found\)\. Slack knows no person"):
        await write(desk, "share", canvas=id_, member="U404")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"action": "create"}, "create needs title"),
        ({"action": "create", "title": "x", "canvas": "F000001"}, "create takes no canvas"),
        ({"action": "append", "canvas": "F000001"}, "append needs content"),
        ({"action": "change", "canvas": "F000001", "content": "x"}, "change needs at"),
        ({"action": "remove", "canvas": "F000001", "at": "x", "content": "y"}, "takes no content"),
        ({"action": "share", "canvas": "F000001"}, "share needs channel or member"),
        ({"action": "append", "canvas": "plan", "content": "x"}, "takes an id"),
    ],
)
async def test_wrong_fields_are_named_before_anybody_is_asked(
    desk: Desk, arguments: dict[str, str], words: str
):
    with pytest.raises(ToolError, match=words):
        await desk.checked("slack_canvas_write", **arguments)
    with pytest.raises(ToolError, match=words):
        await write(desk, **arguments)
    writes = {"canvases.edit", "canvases.create", "canvases.access.set"}
    assert not [one for one in desk.api.calls if one.path[0] in writes]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"action": "create", "title": "Plan", "channel": "C1"}, "as the canvas of `C1`"),
        ({"action": "append", "canvas": "F000001", "content": "We ship"}, "We ship"),
        ({"action": "append", "canvas": "F000001", "at": "Why", "content": "x"}, "behind"),
        ({"action": "change", "canvas": "F000001", "at": "Ben", "content": "Eve"}, "replace in"),
        ({"action": "remove", "canvas": "F000001", "at": "Call Ben"}, "remove from"),
        ({"action": "share", "canvas": "F000001", "channel": "C1"}, "let `C1` read"),
        (
            {"action": "share", "canvas": "F000001", "member": "U1", "access": "write"},
            "let `U1` change",
        ),
    ],
)
async def test_the_card_says_what_the_call_would_do(
    desk: Desk, arguments: dict[str, str], words: str
):
    assert words in await desk.card("slack_canvas_write", **arguments)


async def test_nothing_is_loaded_and_nobody_is_mentioned(desk: Desk, canvases: SlackCanvases):
    id_ = canvases.add("Plan", "Hello", ANN)
    pictures = "![a](https://evil.example/?d=1)\n![](@U1) ![](https://evil.example)"
    told = await write(desk, "append", canvas=id_, content=pictures)
    assert told["changed"] == "pictures, previews and mentions became plain text"
    assert canvases.by_id[id_].markdown.split("\n")[1:] == [
        "! [a](https://evil.example/?d=1)",
        "@U1 https://evil.example",
    ]


def test_code_stays_as_it_is_and_an_open_fence_is_none():
    code = "```rust\nvec![1]\n```"
    assert quiet(code) == (code, False)
    assert quiet("```\n![a](b)") == ("```\n! [a](b)", True)
    assert quiet("~~~\n![a](b)\n~~~")[0] == "~~~\n! [a](b)\n~~~"


@given(st.text(alphabet="!`[]() \nab", max_size=60))
def test_no_picture_is_left_outside_of_code(text: str):
    shown, changed = quiet(text)
    assert quiet(shown) == (shown, False)
    assert changed == (shown != text)
    if "```" not in text:
        assert "![" not in shown


async def test_a_change_is_not_repeated_after_doubt(desk: Desk, canvases: SlackCanvases):
    id_ = canvases.add("Plan", "Hello", ANN)
    desk.api.dropped = 1
    with pytest.raises(ToolError, match="Whether the call took effect is unknown"):
        await write(desk, "append", canvas=id_, content="once")
    assert canvases.by_id[id_].markdown == "Hello\nonce"
    desk.api.dropped_after = 0
    assert "once" in await text(desk, canvas=id_), "reading is tried again"


async def test_a_connection_from_before_says_to_connect_again(desk: Desk, canvases: SlackCanvases):
    id_ = canvases.add("Plan", "Hello", ANN)
    for grant, _ in desk.at.provider.live.values():
        grant.scopes = ("search:read", "chat:write")
    for name, arguments in (
        ("slack_canvas", {"canvas": id_}),
        ("slack_canvas_write", {"action": "append", "canvas": id_, "content": "x"}),
    ):
        with pytest.raises(ToolError, match=r"missing_scope.*connect again"):
            await desk.result(name, **arguments)


async def test_a_free_plan_says_what_it_lacks(desk: Desk, canvases: SlackCanvases):
    canvases.free_plan = True
    with pytest.raises(ToolError, match="only the canvases of channels"):
        await write(desk, "create", title="Mine")
