"""Real Chromium on real local sites: logins, forms, downloads, and forbidden addresses."""

import asyncio
import json
import re
import stat
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.domain.models import ModelReply, ModelRequest, Usage
from bot.domain.places import Reach
from bot.errors import ToolError
from bot.files.incoming import FOLDER
from bot.files.store import FileRows, Owner
from bot.testing import documents
from bot.testing.browser_desk import BrowserDesk, TypedWords, browser_desk
from bot.testing.contexts import a_place
from bot.testing.fake_clock import FakeClock
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.waiting import until
from bot.testing.web_site import Asked, WebSite, answer, redirect, web_site

LOGIN = """<title>Log in</title><h1>Log in</h1><form method=post action=/login>
<label>User <input name=user></label><label>Password <input name=password type=password></label>
<button>Sign in</button></form>"""
ACCOUNT = """<title>Account</title><h1>Welcome, Ann</h1><p>Balance: <b>12 EUR</b></p>
<a href=/export.csv>Export</a> <a href=/orders>Orders</a>"""
SEARCH = """<title>Find</title><form action=/find>
<input type=search aria-label="Search the shop" name=q>
<select aria-label=Sort name=s><option>Price<option>Name</select>
<label><input type=checkbox name=new> New</label>
<button>Search</button></form><dialog open>Hello</dialog>"""
ASKING = """<title>Ask</title><a id=p href=/ask>Nothing yet</a><script>
const send = said => fetch('/sent', {method: 'POST', body: said})
const show = said => document.getElementById('p').textContent = said
const remove = () => confirm('Delete  it\\nall?') ? (send('deleted'), show('Gone')) : show('Kept')
const rename = () => show('Named ' + prompt('Which name?', 'Owl'))
</script><label><input type=checkbox onchange=remove()> Tidy up</label>
<label><input type=checkbox onchange=rename()> Rename</label>"""
DOWNLOADS: dict[str, str | bytes] = {
    "/export.csv": "day,eur\n1,12\n",
    "/report.pdf": documents.pdf(["The pump has a warranty", "of two years"]),
    "/photo.bin": b"\0\1\2",
}


def site_answers(asked: Asked) -> bytes:
    known = "sid=ann" in asked.headers.get("cookie", "")
    match asked.path.partition("?")[0]:
        case "/login" if asked.method == "POST":
            return answer(
                "",
                "303 See Other",
                Location="/account",
                Set_Cookie="sid=ann; HttpOnly; SameSite=Lax",
            )
        case "/login" | "/ask" as path:
            page = LOGIN if path == "/login" else ASKING
            return answer(page, content_type="text/html")
        case "/account":
            return answer(ACCOUNT, content_type="text/html") if known else redirect("/login")
        case "/export.csv" | "/report.pdf" | "/photo.bin" as path:
            name = {"/export.csv": "e.csv"}.get(path, path[1:])
            attached = {"Content_Disposition": f"attachment; filename={name}"}
            return answer(DOWNLOADS[path], content_type="application/octet-stream", **attached)
        case "/find":
            return answer(f"{SEARCH}<p>Found for {asked.path}</p>", content_type="text/html")
        case "/away":
            return redirect("http://169.254.169.254/latest/meta-data/")
        case "/inner":
            return answer(
                "<title>Inner</title><p>Page<img src=http://10.0.0.1/x.png>",
                content_type="text/html",
            )
        case _:
            return answer("<p>nothing here</p>", content_type="text/html")


pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[tuple[BrowserDesk, ScriptedModel]]:
    """One browser for all tests; each has sessions of its own."""
    model = ScriptedModel()
    async with browser_desk(tmp_path_factory.mktemp("home"), model=model) as desk:
        yield desk, model


@pytest.fixture
def desk(shared: tuple[BrowserDesk, ScriptedModel], request: pytest.FixtureRequest) -> BrowserDesk:
    return replace(shared[0], agent=str(request.function.__name__))


@pytest_asyncio.fixture(loop_scope="module")
async def site() -> AsyncIterator[WebSite]:
    async with web_site(site_answers) as site:
        yield site


def sent(site: WebSite) -> list[tuple[str, bytes]]:
    return [(asked.path, asked.body) for asked in site.asked if asked.method not in {"GET", "HEAD"}]


async def log_in(desk: BrowserDesk, site: WebSite) -> None:
    told = await desk.open(f"{site.url}/account")
    assert "{e" in told
    assert "Log in" in told
    await desk.act('type "ann" into the User field')
    await desk.act('type "hunter22" into the Password field')
    question = await desk.asked("click the Sign in button")
    assert not sent(site)
    assert question.call.arguments == {"action": 'click button "Sign in" on 127.0.0.1'}
    (stem,) = question.stems
    assert stem.target.value == "127.0.0.1"
    assert f"{site.url}/login; user=ann, password=(hidden)" in stem.excerpt
    assert "hunter22" not in stem.excerpt
    told = await desk.approve(question)
    assert json.loads(told)["url"] == f"{site.url}/account"
    assert sent(site) == [("/login", b"user=ann&password=hunter22")]


async def test_a_login_lasts_over_a_restart_and_is_nobody_elses(
    tmp_path: Path, site: WebSite, endpoint: str
):
    async with browser_desk(tmp_path, chromium=endpoint) as desk:
        await log_in(desk, site)
    root = tmp_path / "data" / "browser"
    assert {
        stat.S_IMODE(path.stat().st_mode) for path in [root, *root.rglob("*")] if path.is_dir()
    } == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in root.rglob("*.json")} == {0o600}
    async with browser_desk(tmp_path, chromium=endpoint) as desk:
        assert "Welcome, Ann" in await desk.open(f"{site.url}/account")
        others = (
            {"person": "ben"},
            {"agent": "scout"},
            {"at": a_place(Reach.PUBLIC)},
            {"at": a_place(Reach.PRIVATE)},
        )
        for other in others:
            with pytest.raises(ToolError, match="no page is open"):
                await desk.result("browser_observe", {}, **other)
            assert "Welcome" not in await desk.open(f"{site.url}/account", **other)
        # More sessions than may be open: the one that was used least lately was closed, and its
        # login is still there.
        assert "Welcome, Ann" in await desk.open(f"{site.url}/account")


async def test_reading_steps_need_no_yes(desk: BrowserDesk, site: WebSite):
    desk.words = TypedWords(("owls", "127.0.0.1"))
    await desk.open(f"{site.url}/find")
    rows = json.loads(await desk.result("browser_observe", {"instruction": "the search field"}))
    assert rows[0] == {
        "description": "searchbox Search the shop",
        "selector": rows[0]["selector"],
        "method": "type",
    }
    await desk.act(f'type "owls" into {rows[0]["selector"]}')
    await desk.act('select "Name" in Sort')
    await desk.act("check New")
    told = json.loads(await desk.act("click the Search button"))
    assert told["url"] == f"{site.url}/find?q=owls&s=Name&new=on"
    await desk.act("scroll down")
    assert json.loads(await desk.act("go back"))["url"] == f"{site.url}/find"
    assert not sent(site)


async def test_downloads_become_documents_of_their_person(desk: BrowserDesk, site: WebSite):
    await log_in(desk, site)
    assert "kept as /documents/incoming/e.csv" in await desk.act("click Export")
    assert "kept as /documents/incoming/e-2.csv" in await desk.open(f"{site.url}/export.csv")
    assert "kept as /documents/incoming/report.pdf.md" in await desk.open(f"{site.url}/report.pdf")
    assert "is no text, so it was not kept" in await desk.open(f"{site.url}/photo.bin")
    rows = await FileRows(desk.database).below(Owner("person", "ann"), FOLDER)
    names = ["e-2.csv", "e.csv", "report.pdf.md"]
    assert sorted(row["path"] for row in rows) == [f"{FOLDER}/{name}" for name in names]
    kept = await FileRows(desk.database).read(Owner("person", "ann"), f"{FOLDER}/report.pdf.md")
    assert kept is not None
    pages = "## page 1\n\nThe pump has a warranty\n\n## page 2\n\nof two years"
    assert pages in kept["text"]
    assert "external" in kept["origin"]


async def test_words_are_resolved_by_the_cheap_model(
    desk: BrowserDesk, site: WebSite, shared: tuple[BrowserDesk, ScriptedModel]
):
    _, model = shared
    model.add(say("12 EUR"))
    answers = [{"id": "e999", "method": "click", "value": "", "to": "", "done": True}]

    def chosen(request: ModelRequest) -> ModelReply:
        return ModelReply(
            ({"type": "text", "text": json.dumps(answers[-1])},),
            "end_turn",
            Usage(50, 0, 0, 5),
            "cheap",
        )

    model.structure = chosen
    await log_in(desk, site)
    with pytest.raises(ToolError, match="no element of the page fits"):
        await desk.act("go to what I bought")
    shown = json.loads(model.structured[-1].messages[0]["content"][0]["text"])["page"]
    answers.append({**answers[0], "id": re.findall(r"\{(\w+) Orders\}", shown)[0]})
    assert json.loads(await desk.act("go to what I bought"))["url"] == f"{site.url}/orders"
    await desk.open(f"{site.url}/account")
    assert await desk.result("browser_extract", {"instruction": "the balance"}) == "12 EUR"
    assert "Balance: 12 EUR" in str(model.requests[-1].messages)
    assert len(desk.spent) == 3


async def test_a_yes_holds_for_the_page_as_it_was(desk: BrowserDesk, site: WebSite):
    await desk.open(f"{site.url}/login")
    await desk.act('type "ann" into User')
    question = await desk.asked("click Sign in")
    await desk.act('type "eve" into User')
    with pytest.raises(ToolError, match="not as it was"):
        await desk.approve(question)
    with pytest.raises(ToolError, match="not as it was"):  # nor does it hold for other words
        await desk.act("click Sign in", confirmed=True)
    assert not sent(site)


async def test_no_private_address_is_contacted(tmp_path: Path, site: WebSite):
    answers = iter([["127.0.0.1"], ["127.0.0.1"], ["10.1.2.3"]])

    async def rebinding(host: str, port: int) -> list[str]:
        return next(answers)

    async with browser_desk(tmp_path, resolve=rebinding) as desk:
        for url in ("http://169.254.169.254/", "http://[::1]/", f"{site.url}/away"):
            with pytest.raises(ToolError, match=r"web\.allow_private"):
                await desk.open(url)
        for url in (
            "file:///etc/passwd",
            "chrome://version",
            "javascript:alert(1)",
            "data:text/html,x",
        ):
            with pytest.raises(ToolError, match="only http"):
                await desk.open(url)
        assert "Inner" in await desk.open(f"{site.url}/inner")
        named = f"http://rebinding.example:{site.port}/find"
        assert "Find" in await desk.open(named)
        with pytest.raises(ToolError, match=r"rebinding\.example is not on the public internet"):
            await desk.open(named)


async def dialog_of(desk: BrowserDesk, site: WebSite, box: str) -> str:
    """Tick a box whose page then asks in a dialog; what the model is told."""
    await desk.open(f"{site.url}/ask")
    return await desk.act(f"check {box}")


async def test_a_dialog_waits_for_the_next_act_and_accepting_it_for_a_yes(
    desk: BrowserDesk, site: WebSite
):
    assert "waits in a confirm dialog: “Delete it all?”" in await dialog_of(desk, site, "Tidy up")
    with pytest.raises(ToolError, match="waits in a confirm dialog"):
        await desk.result("browser_observe", {})
    with pytest.raises(ToolError, match="waits in a confirm dialog"):
        await desk.act("check Rename")
    await desk.act("dismiss the dialog")
    assert "Kept" in await desk.result("browser_observe", {})
    await dialog_of(desk, site, "Tidy up")
    question = await desk.asked("accept the dialog")
    assert question.call.arguments == {"action": "accept dialog on 127.0.0.1"}
    assert "“Delete it all?”" in question.stems[0].excerpt
    assert not sent(site)
    await desk.approve(question)
    assert "Gone" in await desk.result("browser_observe", {})
    assert sent(site) == [("/sent", b"deleted")]
    with pytest.raises(ToolError):
        await desk.approve(question)


async def test_a_prompt_gets_a_text_and_an_open_dialog_is_left_by_opening_a_page(
    desk: BrowserDesk, site: WebSite
):
    for given, shown in ((' with "Eve"', "Named Eve"), ("", "Named Owl")):
        assert "waits in a prompt dialog" in await dialog_of(desk, site, "Rename")
        await desk.approve(await desk.asked(f"accept the dialog{given}"))
        assert shown in await desk.result("browser_observe", {})
    await dialog_of(desk, site, "Rename")
    assert "Find" in await desk.open(f"{site.url}/find")


async def test_an_unused_session_is_closed(tmp_path: Path, site: WebSite, endpoint: str):
    clock = FakeClock()
    async with browser_desk(tmp_path, clock=clock, chromium=endpoint) as desk:
        await desk.open(f"{site.url}/find")
        (task,) = desk.connector.tasks
        closing = asyncio.ensure_future(task())
        await clock.advance(29 * 60)
        assert "searchbox" in await desk.result("browser_observe", {})
        await clock.advance(31 * 60)
        await until(lambda: not desk.connector.open_sessions)
        with pytest.raises(ToolError, match="no page is open"):
            await desk.result("browser_observe", {})
        closing.cancel()
        await asyncio.wait({closing})


async def test_a_browser_that_runs_elsewhere_goes_through_the_guard_too(
    tmp_path: Path, site: WebSite, endpoint: str
):
    async with browser_desk(tmp_path, chromium=endpoint) as desk:
        for url in ("http://169.254.169.254/", f"{site.url}/away"):
            with pytest.raises(ToolError, match=r"web\.allow_private"):
                await desk.open(url)
        assert "Inner" in await desk.open(f"{site.url}/inner")
