"""slack_canvas and slack_canvas_write with the real client, against a strict Slack."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.languages import Language, Translations
from bot.domain.origins import Trust
from bot.domain.tool_context import NativeTool
from bot.errors import ToolError
from bot.plugins.slack.canvas_text import quiet
from bot.plugins.slack.connector import SlackAccountConnector
from bot.testing.account_town import AccountTown, account_town
from bot.testing.contexts import make_context
from bot.testing.services.slack_accounts import SlackAccounts
from bot.testing.services.slack_canvases import SlackCanvases

ANN, BEN = "ann@example.com", "ben@example.com"
PLAN = "## Plan\n- [ ] Call Ben\n- [ ] Paint the bell\n## Decisions\nNone yet"


@dataclass
class Desk:
    at: AccountTown
    slack: SlackAccounts

    @property
    def canvases(self) -> SlackCanvases:
        return self.slack.canvases

    async def text(self, name: str, **arguments: Any) -> str:
        found = await self.at.call(SlackAccountConnector, name, arguments)
        assert (found.origin.trust, found.origin.source) == (Trust.EXTERNAL, "slack")
        assert found.private is (name == "slack_canvas")
        return found.content

    async def write(self, **arguments: Any) -> Any:
        return json.loads(await self.text("slack_canvas_write", **arguments))

    def tool(self, name: str) -> NativeTool[Any]:
        return self.at.tools(SlackAccountConnector, self.at.ann)[name]

    def writes(self) -> int:
        return sum(
            one.path[0] in {"canvases.edit", "canvases.create", "canvases.access.set"}
            for one in self.slack.calls
        )


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with account_town(tmp_path, "slack") as at:
        slack = SlackAccounts()
        at.provider.api = slack
        await at.connect(at.ann)
        yield Desk(at, slack)


async def test_only_the_persons_own_canvases_are_found_newest_first(desk: Desk):
    first = desk.canvases.add("Launch plan", PLAN, ANN)
    desk.canvases.add("Secret plan", PLAN, BEN)
    last = desk.canvases.add("Plan of the party", "cake", ANN)
    found = json.loads(await desk.text("slack_canvas", query="plan"))
    assert [one["id"] for one in found["canvases"]] == [last, first]
    assert found["canvases"][1] == {
        "id": first,
        "title": "Launch plan",
        "edited": "2026-11-21",
        "url": f"https://team.slack.com/docs/T000001/{first}",
    }
    assert "hint" in json.loads(await desk.text("slack_canvas", query="nothing"))


async def test_a_canvas_is_read_by_its_id_its_address_and_its_channel(desk: Desk):
    design = desk.slack.add_channel("design", ANN)
    own = desk.canvases.add("", PLAN, BEN, channel=design)
    for named in (own, f"https://team.slack.com/docs/T000001/{own}?focus=1"):
        assert "Call Ben" in await desk.text("slack_canvas", canvas=named)
    assert own in await desk.text("slack_canvas", channel=design)
    with pytest.raises(ToolError, match="no canvas of its own"):
        await desk.text("slack_canvas", channel=desk.slack.add_channel("other", ANN))
    with pytest.raises(ToolError, match="takes an id"):
        await desk.text("slack_canvas", canvas="the plan")


async def test_a_long_canvas_is_read_in_parts(desk: Desk):
    id_ = desk.canvases.add("Long", "word " * 5_000, ANN)
    shown = await desk.text("slack_canvas", canvas=id_)
    assert "more characters. Give a query" in shown
    assert len(shown) < 12_200
    assert "No part of the canvas" in await desk.text("slack_canvas", canvas=id_, query="cake")


async def test_what_somebody_else_keeps_is_not_there(desk: Desk):
    hidden = desk.canvases.add("Secret", PLAN, BEN)
    for arguments in ({"action": "append", "content": "x"}, {"action": "remove", "at": "Call"}):
        with pytest.raises(ToolError, match=r"canvas_not_found\)\. There is no such canvas"):
            await desk.write(canvas=hidden, **arguments)
    with pytest.raises(ToolError, match="canvas_not_found"):
        await desk.text("slack_canvas", canvas=hidden)
    assert desk.canvases.by_id[hidden].markdown == PLAN


async def test_what_may_only_be_read_is_not_changed(desk: Desk):
    id_ = desk.canvases.add("Rules", PLAN, BEN)
    desk.canvases.by_id[id_].access[ANN] = "read"
    assert "Call Ben" in await desk.text("slack_canvas", canvas=id_)
    with pytest.raises(ToolError, match="restricted_action"):
        await desk.write(action="append", canvas=id_, content="No rules")
    assert desk.canvases.by_id[id_].markdown == PLAN


async def test_blocks_are_added_changed_and_removed_where_they_stand(desk: Desk):
    id_ = desk.canvases.add("Plan", PLAN, ANN)
    await desk.write(action="append", canvas=id_, at="## Decisions", content="Blue")
    await desk.write(action="change", canvas=id_, at="- [ ] call ben", content="- [x] Call Ben")
    await desk.write(action="remove", canvas=id_, at="None yet")
    done = await desk.write(action="append", canvas=id_, content="Bye\n")
    assert done == {"id": id_, "done": "insert_at_end"}
    assert desk.canvases.by_id[id_].markdown.split("\n") == [
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
async def test_what_is_not_one_block_is_not_changed(desk: Desk, at: str, words: str):
    id_ = desk.canvases.add("Plan", PLAN, ANN)
    with pytest.raises(ToolError, match=words):
        await desk.write(action="change", canvas=id_, at=at, content="gone")
    assert desk.canvases.by_id[id_].markdown == PLAN
    tool = desk.tool("slack_canvas_write")
    asked = tool.arguments.model_validate({"action": "remove", "canvas": id_, "at": at})
    assert tool.check is not None
    with pytest.raises(ToolError, match=words):
        await tool.check(make_context(desk.at.ann), asked)


async def test_a_canvas_is_made_for_the_person_or_for_a_channel(desk: Desk):
    design = desk.slack.add_channel("design", ANN, BEN)
    own = await desk.write(action="create", title="Mine", content=PLAN)
    assert own["url"] == f"https://team.slack.com/docs/T000001/{own['id']}"
    assert desk.canvases.by_id[own["id"]].access == {ANN: "owner"}
    shared = await desk.write(action="create", title="Ours", channel=design)
    assert desk.canvases.by_id[shared["id"]].access == {ANN: "owner", design: "write"}
    with pytest.raises(ToolError, match=r"already_exists\)\. The channel has its own canvas"):
        await desk.write(action="create", title="Again", channel=design)


async def test_a_canvas_is_shared_to_read_unless_asked_otherwise(desk: Desk):
    design, id_ = desk.slack.add_channel("design", ANN, BEN), desk.canvases.add("Plan", PLAN, ANN)
    await desk.write(action="share", canvas=id_, channel=design)
    await desk.write(action="share", canvas=id_, member=BEN, access="write")
    assert desk.canvases.by_id[id_].access == {ANN: "owner", design: "read", BEN: "write"}
    with pytest.raises(ToolError, match=r"user_not_found\)\. Slack knows no person"):
        await desk.write(action="share", canvas=id_, member="U404")


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
    tool = desk.tool("slack_canvas_write")
    assert tool.check is not None
    with pytest.raises(ToolError, match=words):
        await tool.check(make_context(desk.at.ann), tool.arguments.model_validate(arguments))
    with pytest.raises(ToolError, match=words):
        await desk.write(**arguments)
    assert desk.writes() == 0


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
    tool = desk.tool("slack_canvas_write")
    assert tool.tells is not None
    told = await tool.tells(make_context(desk.at.ann), tool.arguments.model_validate(arguments))
    assert isinstance(told, Translations)
    assert words in told.said(Language.EN)


async def test_nothing_is_loaded_and_nobody_is_mentioned(desk: Desk):
    id_ = desk.canvases.add("Plan", "Hello", ANN)
    told = await desk.write(
        action="append",
        canvas=id_,
        content="![a](https://evil.example/?d=1)\n![](@U1) ![](https://evil.example)",
    )
    assert told["changed"] == "pictures, previews and mentions became plain text"
    assert desk.canvases.by_id[id_].markdown.split("\n")[1:] == [
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


async def test_a_change_is_not_repeated_after_doubt(desk: Desk):
    id_ = desk.canvases.add("Plan", "Hello", ANN)
    desk.slack.dropped = 1
    with pytest.raises(ToolError, match="Whether the call took effect is unknown"):
        await desk.write(action="append", canvas=id_, content="once")
    assert desk.canvases.by_id[id_].markdown == "Hello\nonce"
    desk.slack.dropped_after = 0
    assert "once" in await desk.text("slack_canvas", canvas=id_), "reading is tried again"


async def test_a_connection_from_before_says_to_connect_again(desk: Desk):
    id_ = desk.canvases.add("Plan", "Hello", ANN)
    for grant, _ in desk.at.provider.live.values():
        grant.scopes = ("search:read", "chat:write")
    for name, arguments in (
        ("slack_canvas", {"canvas": id_}),
        ("slack_canvas_write", {"action": "append", "canvas": id_, "content": "x"}),
    ):
        with pytest.raises(ToolError, match=r"missing_scope.*connect again"):
            await desk.text(name, **arguments)


async def test_a_free_plan_says_what_it_lacks(desk: Desk):
    desk.canvases.free_plan = True
    with pytest.raises(ToolError, match="only the canvases of channels"):
        await desk.write(action="create", title="Mine")
