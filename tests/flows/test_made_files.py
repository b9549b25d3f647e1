"""`make_file` and `plot`: found when they are needed, made once, and posted where the answer is."""

import json
from pathlib import Path

import pytest

from bot.agents.control_tools import making
from bot.assembly import keyed_offers
from bot.domain.messages import Place
from bot.domain.places import Visibility
from bot.storage.blobs import Blobs
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
async def test_a_search_unlocks_what_is_in_no_first_request(home: Path, words: str, tool: str):
    model = ScriptedModel([call("tool_search", {"query": words}), say("Found.")])
    async with running_app(home, model) as house:
        await house.ask("ann", "give it to me")
    assert f'"name": "{tool}"' not in json.dumps(model.requests[0].tools)
    assert f"{tool}" in told(model)
    assert "input_schema" in told(model) or tool in json.dumps(model.requests[1].tools)


async def test_a_text_file_is_posted_and_its_tables_too(home: Path):
    table = "|a|b|\n|-|-|\n|=x|1|\n"
    model = ScriptedModel(
        [
            UNLOCK,
            call("make_file", {"name": "my plan.md", "content": "# Plan"}),
            call("make_file", {"name": "../t.csv", "content": table, "text": "The table."}),
            say("Done."),
        ]
    )
    async with running_app(home, model, chat := FakeChat()) as house:
        await house.ask("ann", "give me both")
        await chat.until(3)
        await house.until_idle()
    csv = "a,b\r\n'=x,1\r\n".encode("utf-8-sig")
    assert await handed(home, chat) == [("my-plan.md", b"# Plan"), ("t.csv", csv)]
    assert [post.text for post in chat.posts] == ["my-plan.md", "The table.", "Done."]
    assert "posted t.csv (0 KB)" in told(model)


async def test_a_document_becomes_a_file_without_being_written_again(home: Path):
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
    async with running_app(home, model, chat := FakeChat()) as house:
        await house.ask("ann", "give me the plan as a file")
        await chat.until(4)
        await house.until_idle()
    assert await handed(home, chat) == [
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
    home: Path, arguments: dict[str, str], problem: str
):
    model = ScriptedModel([UNLOCK, call("make_file", arguments), say("I can't.")])
    async with running_app(home, model, chat := FakeChat()) as house:
        assert await house.ask("ann", "give it to me") == "I can't."
    assert problem in told(model)
    assert await handed(home, chat) == []


async def test_a_key_goes_into_no_file_that_others_read(home: Path):
    makes = call("make_file", {"name": "k.md", "content": f"The key is {KEY}"})
    model = ScriptedModel([UNLOCK, makes, say("No."), UNLOCK, makes, say("Here.")])
    office = {"where": "office", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
    async with running_app(home, model, chat := FakeChat()) as house:
        assert await house.ask("ann", "make it", **office) == "No."
        assert "holds something that looks like a key" in told(model, 2)
        await house.ask("ann", "make it")
        await house.until_idle()
    assert [name for name, _ in await handed(home, chat)] == ["k.md"]


async def test_a_file_is_made_once_whatever_ends_the_process(home: Path):
    chat = FakeChat()
    makes = call("make_file", {"name": "a.md", "content": "x"})
    asks = call("ask_user_for_clarification", {"question": "Which year?"})
    async with running_app(home, ScriptedModel([UNLOCK, makes, asks]), chat) as house:
        await house.ask("ann", "make it")
        await chat.until(2)
    async with running_app(home, ScriptedModel([say("Done.")]), chat) as house:
        await house.ask("ann", "this one")
        await house.until_idle()
    assert [name for name, _ in await handed(home, chat)] == ["a.md"]


async def test_without_the_extra_a_search_names_it(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(making, "plots_there", lambda: False)
    monkeypatch.setattr(keyed_offers, "plots_there", lambda: False)
    search = call("tool_search", {"query": "draw a bar chart of the numbers"})
    model = ScriptedModel([search, say("No."), search, say("No.")])
    async with running_app(home, model) as house:
        await house.ask("owner", "plot it")
        await house.ask("ann", "plot it")
    assert "pip install 'bellhop-assistant[plots]'" in told(model, 1)
    assert "plots" in told(model, 3).lower()
    assert "pip install" not in told(model, 3)
