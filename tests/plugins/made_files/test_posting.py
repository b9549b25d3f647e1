"""Files that are asked for are made once, checked, and posted where the answer is."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.messages import Place, Visibility
from bot.domain.tool_context import ToolScope
from bot.plugins.made_files import plugin
from bot.storage.blobs import Blobs
from bot.testing.contexts import make_person
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say

UNLOCK = call("get_capabilities", {"names": ["make_file"]})
KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"


def told(model: ScriptedModel, number: int = -1) -> str:
    return json.dumps(model.requests[number].messages[-2:])


async def handed(home: Path, chat: FakeChat) -> list[tuple[str, bytes]]:
    blobs = Blobs(home / "data" / "blobs")
    return [
        (file.name, await blobs.get(file.blob) or b"")
        for post in chat.posts
        for file in post.message.files
    ]


@pytest.mark.parametrize(
    ("words", "tool"),
    [
        ("word document", "make_file"),
        ("als pdf", "make_file"),
        ("excel file", "make_file"),
        ("bar chart", "plot"),
        ("Diagramm", "plot"),
    ],
)
async def test_a_search_unlocks_what_is_in_no_first_request(tmp_path: Path, words: str, tool: str):
    model = ScriptedModel([call("tool_search", {"query": words}), say("Found.")])
    async with running_app(tmp_path, model) as house:
        await house.ask("ann", "give it to me")
    assert f'"name": "{tool}"' not in json.dumps(model.requests[0].tools)
    assert f"{tool}" in told(model)
    assert "input_schema" in told(model) or tool in json.dumps(model.requests[1].tools)


async def test_a_text_file_is_posted_and_its_tables_too(tmp_path: Path):
    table = "|a|b|\n|-|-|\n|=x|1|\n"
    model = ScriptedModel(
        [
            UNLOCK,
            call("make_file", {"name": "my plan.md", "content": "# Plan"}),
            call("make_file", {"name": "../t.csv", "content": table, "text": "The table."}),
            say("Done."),
        ]
    )
    async with running_app(tmp_path, model, chat := FakeChat()) as house:
        await house.ask("ann", "give me both")
        await chat.until(3)
        await house.until_idle()
    csv = "a,b\r\n'=x,1\r\n".encode("utf-8-sig")
    assert await handed(tmp_path, chat) == [("my-plan.md", b"# Plan"), ("t.csv", csv)]
    assert [post.text for post in chat.posts] == ["my-plan.md", "The table.", "Done."]
    assert "posted t.csv (0 KB)" in told(model)


async def test_a_document_becomes_a_file_without_being_written_again(tmp_path: Path):
    unlock = call("get_capabilities", {"names": ["make_file", "write_file"]})
    wrote = [
        call("write_file", {"path": f"/documents/{name}", "content": content})
        for name, content in (("plan.md", "# Plan\n\nPaint."), ("sums.csv", "item;sum\n=x;040\n"))
    ]
    makes = [
        call("make_file", {"name": name, "file": f"/documents/{of}"})
        for name, of in (("plan.md", "plan.md"), ("t.csv", "sums.csv"), ("sums.md", "sums.csv"))
    ]
    wrong = [
        call("make_file", {"name": "a.md", "file": path})
        for path in ("plan.md", "/documents/no.md")
    ]
    model = ScriptedModel([unlock, *wrote, *makes, *wrong, say("Done.")])
    async with running_app(tmp_path, model, chat := FakeChat()) as house:
        await house.ask("ann", "give me the plan as a file")
        await chat.until(4)
        await house.until_idle()
    assert await handed(tmp_path, chat) == [
        ("plan.md", b"# Plan\n\nPaint."),
        ("t.csv", "item,sum\r\n'=x,040\r\n".encode("utf-8-sig")),
        ("sums.md", b"| item | sum |\n| --- | --- |\n| =x | 040 |"),
    ]
    assert "give a whole path" in told(model, -2)
    assert "there is no file /documents/no.md" in told(model)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"name": "plan.exe", "content": "x"}, "it must end in one of .docx, .pdf"),
        ({"name": "plan.png", "content": "x"}, "it must end in one of .docx, .pdf"),
        ({"name": "plan.docx"}, "content: a .docx is made of it"),
        ({"name": "plan.xlsx"}, "rows: a .xlsx is made of them"),
        ({"name": "plan.ics", "content": "x"}, "events: an .ics is made of them"),
        ({"name": "plan.csv", "content": "x"}, "was not made: there is no table in it"),
    ],
)
async def test_a_wrong_order_is_an_error_to_act_on(
    tmp_path: Path, arguments: dict[str, str], problem: str
):
    model = ScriptedModel([UNLOCK, call("make_file", arguments), say("I can't.")])
    async with running_app(tmp_path, model, chat := FakeChat()) as house:
        assert await house.ask("ann", "give it to me") == "I can't."
    assert problem in told(model)
    assert await handed(tmp_path, chat) == []


async def test_a_key_goes_into_no_file_that_others_read(tmp_path: Path):
    makes = call("make_file", {"name": "k.md", "content": f"The key is {KEY}"})
    model = ScriptedModel([UNLOCK, makes, say("No."), UNLOCK, makes, say("Here.")])
    office = {"where": "office", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
    async with running_app(tmp_path, model, chat := FakeChat()) as house:
        assert await house.ask("ann", "make it", **office) == "No."
        assert "holds something that looks like a key" in told(model, 2)
        await house.ask("ann", "make it")
    assert [name for name, _ in await handed(tmp_path, chat)] == ["k.md"]


async def test_nothing_is_made_of_what_may_not_be_read(tmp_path: Path):
    (tmp_path / "policy.yaml").write_text(
        "rules:\n  - name: shut\n    decision: deny\n    tools: [read_file]\n"
        "    arguments: {path: /documents/work/*}\n"
    )
    path = "/documents/work/plan.md"
    writes = call("write_file", {"path": path, "content": "# Plan"})
    model = ScriptedModel([UNLOCK, writes])
    for file in (path, f" {path} "):
        model.add(call("make_file", {"name": "a.md", "file": file}))
    model.add(say("I may not."))
    async with running_app(tmp_path, model, chat := FakeChat()) as house:
        assert await house.ask("ann", "make it") == "I may not."
    assert json.dumps(model.requests[-1].messages).count("tool blocked by policy") == 2
    assert await handed(tmp_path, chat) == []


async def test_a_specialist_makes_no_files(tmp_path: Path):
    async with running_app(tmp_path, ScriptedModel()) as house:
        natives = house.app.house.tooling.natives
        scope = ToolScope(make_person(), "assistant")
        assert {"make_file", "plot"} <= natives.handlers(scope).keys()
        below = natives.handlers(replace(scope, depth=1))
        assert {"make_file", "plot"}.isdisjoint(below)


async def test_a_file_is_made_once_whatever_ends_the_process(tmp_path: Path):
    chat = FakeChat()
    makes = call("make_file", {"name": "a.md", "content": "x"})
    asks = call("ask_user_for_clarification", {"question": "Which year?"})
    async with running_app(tmp_path, ScriptedModel([UNLOCK, makes, asks]), chat) as house:
        await house.ask("ann", "make it")
        await chat.until(2)
    async with running_app(tmp_path, ScriptedModel([say("Done.")]), chat) as house:
        await house.ask("ann", "this one")
    assert [name for name, _ in await handed(tmp_path, chat)] == ["a.md"]


async def test_without_the_extra_a_search_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(plugin, "plots_there", lambda: False)
    contacts = "- {id: owner, name: Olga, role: MasterAdmin, ids: {discord: [owner]}}\n"
    (tmp_path / "contacts.yaml").write_text(contacts)
    search = call("tool_search", {"query": "draw a bar chart of the numbers"})
    model = ScriptedModel([search, say("No."), search, say("No.")])
    async with running_app(tmp_path, model) as house:
        await house.ask("owner", "plot it")
        await house.ask("ann", "plot it")
    assert "pip install 'bellhop-assistant[plots]'" in told(model, 1)
    assert "plots" in told(model, 3).lower()
    assert "pip install" not in told(model, 3)
