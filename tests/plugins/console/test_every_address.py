"""Every address of the server, asked for by everybody: nobody gets more than is theirs.

The addresses are those that the running server answers, so a new one can't be forgotten.
"""

import re
from collections.abc import Mapping
from enum import Enum, auto
from pathlib import Path

import pytest

from bot.plugins.console.website import ROUTES, Need
from bot.testing.console_home import PEOPLE, Town

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Right(Enum):
    """Who gets an answer from an address."""

    ANYBODY = auto()
    """It shows nothing of anybody, or is guarded by itself."""
    PERSON = auto()
    """Whoever is signed in, with what is theirs on it."""
    OWN = auto()
    """It names a thing: whose it is, and the operator."""
    OPERATOR = auto()
    """For everybody else it isn't there."""


RIGHTS: Mapping[str, Right] = {
    "GET /health": Right.ANYBODY,
    "HEAD /health": Right.ANYBODY,
    "POST /hooks/{ref}": Right.ANYBODY,
    "GET /connect/callback": Right.ANYBODY,
    "HEAD /connect/callback": Right.ANYBODY,
    "POST /connect/callback": Right.ANYBODY,
    "GET /console/static/console.css": Right.ANYBODY,
    "GET /console/static/console.js": Right.ANYBODY,
    "GET /console/static/icon.svg": Right.ANYBODY,
    "GET /console/sign-in/{secret}": Right.ANYBODY,
    "POST /console/sign-in/{secret}": Right.ANYBODY,
    "POST /console/sign-out": Right.PERSON,
    "GET /console": Right.PERSON,
    "GET /console/live": Right.PERSON,
    "GET /console/runs": Right.PERSON,
    "GET /console/runs/{run}": Right.OWN,
    "GET /console/runs/{run}/live": Right.OWN,
    "GET /console/approvals": Right.PERSON,
    "GET /console/approvals/{ref}": Right.OWN,
    "POST /console/approvals/{ref}": Right.OWN,
    "GET /console/usage": Right.PERSON,
    "GET /console/memory": Right.PERSON,
    "POST /console/memory": Right.PERSON,
    "GET /console/rights": Right.PERSON,
    "GET /console/people": Right.OPERATOR,
    "GET /console/people/{person}": Right.OPERATOR,
    "GET /console/unattended": Right.PERSON,
    "POST /console/unattended/{ref}": Right.PERSON,
    "GET /console/skills": Right.PERSON,
    "GET /console/staged/{name}": Right.OPERATOR,
    "POST /console/staged/{name}": Right.OPERATOR,
    "GET /console/own": Right.PERSON,
    "GET /console/own/file": Right.PERSON,
    "GET /console/own/export": Right.PERSON,
    "POST /console/own/disconnect": Right.PERSON,
    "GET /console/log": Right.OPERATOR,
}
SIGN_IN = "POST /console/sign-in/{secret}"
CLOSED = [one for one, right in RIGHTS.items() if right is not Right.ANYBODY]
FORMS = [one for one in CLOSED if one.startswith("POST")]
METHODS = {"GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"}
TABLES = ("approvals", "grants", "scheduled_tasks", "schedules", "todos", "virtual_files")
"""What forms could change of other people."""
_SAYS = tuple({"say": one} for one in ("approve", "approve:session", "approve:target", "reject"))
_VERBS = tuple({"verb": one} for one in ("pause", "resume", "run", "cancel", "delete"))
FORGED: Mapping[str, tuple[dict[str, str], ...]] = {
    "POST /console/approvals/{ref}": _SAYS,
    "POST /console/staged/{name}": _SAYS,
    "POST /console/unattended/{ref}": _VERBS,
    "POST /console/memory": ({},),
    "POST /console/own/disconnect": ({"service": "notion"},),
}


async def named(town: Town, person: str) -> dict[str, str]:
    """Things of one person, by the part of an address that names them."""
    database = town.house.app.database
    run = await database.read_one(
        "SELECT cycle_id FROM cycle_events WHERE type = 'cycle_start' AND person = ?", (person,)
    )
    ref = await database.read_one("SELECT ref FROM approvals WHERE person = ?", (person,))
    assert run is not None
    return {
        "run": run["cycle_id"],
        "ref": ref["ref"] if ref else "anone",
        "person": person,
        "name": "tidy",
        "secret": "x",
    }


def known_as(who: str) -> str:
    return "discord-gwen" if who == "gwen" else who


def taken(rule: str, names: Mapping[str, str]) -> tuple[str, str]:
    """The method, and the path behind that of the console, with its names filled in."""
    method, _, path = rule.partition(" ")
    filled = re.sub(r"\{(\w+)\}", lambda found: names[found[1]], path)
    return method, filled.removeprefix("/console")


async def test_each_address_of_the_server_has_a_right_here(town: Town):
    served = {f"{method} {path}" for method, path in town.addresses()}
    assert served == set(RIGHTS), "say here who may ask for a new address"
    guarded = {f"{one.method} /console{one.path}" for one in ROUTES if one.need is Need.OPERATOR}
    assert guarded == {one for one, right in RIGHTS.items() if right is Right.OPERATOR}


async def test_nobody_gets_anything_without_a_session_of_their_own(town: Town):
    """Neither without a cookie, nor with one that was made up, or read in the database."""
    rows = await town.house.app.database.read("SELECT hash FROM console_sessions")
    names = await named(town, "owner")
    async with town.visitor("owner") as owner, town.visitor() as stranger:
        cookie = next(one.value for one in owner.http.cookie_jar)
        form = {"secret": await owner.form_secret()}
        others = [cookie[:-1], cookie.swapcase(), form["secret"], "A" * 43, ""]
        for made in (None, *others, *(row["hash"] for row in rows[:1])):
            headers = {} if made is None else {"Cookie": f"bellhop-console={made}"}
            for rule in CLOSED:
                method, path = taken(rule, names)
                answer = await stranger.ask(method, path, form, headers)
                assert answer.status == 401, rule
                assert "Olga" not in answer.text
        await owner.look("")


@pytest.mark.parametrize("who", PEOPLE)
async def test_pages_open_to_whom_they_are_for(town: Town, who: str):
    names = await named(town, known_as(who))
    async with town.visitor(who) as visitor:
        for rule, right in RIGHTS.items():
            method, path = taken(rule, names)
            if right is Right.ANYBODY or method == "POST" or path.endswith(("/live", "/file")):
                continue
            has = right is not Right.OPERATOR or who == "owner"
            asked = "/approvals/" not in path or who == "ann"
            await visitor.look(path, 200 if has and asked else 404)


@pytest.mark.parametrize("who", ["ann", "gwen"])
async def test_nobody_reads_what_is_of_somebody_else(town: Town, who: str):
    """`ann` asked for a call that an owner decides, so she sees that one."""
    others = [one for one in ("owner", "ann", "discord-gwen") if one != known_as(who)]
    async with town.visitor(who) as visitor:
        for other in others:
            names = await named(town, other)
            for rule, right in RIGHTS.items():
                method, path = taken(rule, names)
                if method == "GET" and right in {Right.OWN, Right.OPERATOR}:
                    await visitor.look(path, 404)
        everything = "".join(
            [await visitor.look(path) for path in ("", "/runs", "/usage?by=person", "/memory",
             "/memory?tier=shared", "/unattended", "/own", "/approvals", "/skills",
             *(f"{page}?in=x&by=person&person={other}" for page in ("/runs", "/usage", "/rights")
               for other in others))]
        )  # fmt: skip
        assert "Olga" not in everything
        assert ("Ann hello" in everything) is (who == "ann")
        assert ("closes at six" in everything) is (who == "ann")


@pytest.mark.parametrize("who", ["ann", "gwen"])
async def test_no_form_changes_what_is_of_somebody_else(town: Town, who: str):
    """With forms of a page of theirs, and the names of everything that others have."""
    me = known_as(who)
    before = await kept_of_others(town, me)
    assert set(FORGED) == set(FORMS) - {"POST /console/sign-out"}, "say what a new form is sent"
    async with town.visitor(who) as visitor:
        secret, refs = await visitor.form_secret(), await things(town, me)
        for rule, ref, fields in ((one, ref, two) for one in FORGED for ref in refs
                                  for two in FORGED[one]):  # fmt: skip
            method, path = taken(rule, {"ref": ref, "name": ref})
            form = {"secret": secret, "ref": ref, "shown": "x", "once": "x", **fields}
            hidden = RIGHTS[rule] in {Right.OWN, Right.OPERATOR}
            assert (await visitor.ask(method, path, form)).status == (404 if hidden else 200), rule
    assert await kept_of_others(town, me) == before


async def things(town: Town, me: str) -> list[str]:
    """The names of everything that is of somebody else."""
    database = town.house.app.database
    rows = [
        *await database.read("SELECT ref FROM approvals WHERE person <> ?", (me,)),
        *await database.read("SELECT ref FROM scheduled_tasks WHERE owner <> ?", (me,)),
    ]
    async with town.visitor("owner") as owner:
        memory = re.findall(r'name="ref" value="(\w+)"', await owner.look("/memory"))
    assert rows
    assert memory
    return [*(row["ref"] for row in rows), *memory, "tidy"]


async def kept_of_others(town: Town, me: str) -> list[str]:
    """Every row and file that a form could change."""
    app = town.house.app
    rows = [
        repr(dict(row))
        for table in TABLES
        for row in await app.database.read(f"SELECT * FROM {table} ORDER BY 1, 2")  # noqa: S608
    ]
    folder = Path(app.settings.home) / "memory"
    files = [one for one in sorted(folder.rglob("*.md")) if me not in one.parts]
    assert files
    staged = [one.name for one in await app.house.imports.staged()]
    return [*rows, *(one.read_text() for one in files), *staged]


async def test_an_address_knows_its_own_methods_alone(town: Town):
    names = await named(town, "owner")
    served = town.addresses()
    async with town.visitor("owner") as owner:
        before = await owner.form_secret()
        for path in sorted({path for _, path in served if path.startswith("/console")}):
            known = {method for method, one in served if one == path}
            for method in sorted(METHODS - known):
                _, at = taken(f"{method} {path}", names)
                answer = await owner.ask(method, at, {"secret": before})
                assert answer.status == 405, f"{method} {path}"
                assert not answer.cookie
                assert "Olga" not in answer.text
        assert await owner.form_secret() == before, "still signed in, as before"


@pytest.mark.parametrize("rule", FORMS)
async def test_a_form_of_another_site_or_session_does_nothing(town: Town, rule: str):
    method, path = taken(rule, await named(town, "owner"))
    async with town.visitor("owner") as owner, town.visitor("ann") as ann:
        own, of_another = await owner.form_secret(), await ann.form_secret()
        for form in ({}, {"secret": ""}, {"secret": of_another}, {"secret": f"{own} {own}"}):
            assert (await owner.ask(method, path, {"say": "approve", **form})).status == 403
        assert (await owner.ask(method, f"{path}?secret={own}", {})).status == 403
        for site in ("cross-site", "same-site", "x"):
            answer = await owner.ask(method, path, {"secret": own}, {"Sec-Fetch-Site": site})
            assert answer.status == 403
        await owner.look("")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/x-www-form-urlencoded; charset=nope", b"secret=x"),
        ("application/x-www-form-urlencoded; charset=utf-16", b"secret=x"),
        ("application/x-www-form-urlencoded", b"&".join(b"secret=%ff" for _ in range(1_000))),
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=a", b"--a\r\nx"),
        ("application/json", b'{"secret": "x"}'),
        ("text/plain", b"secret=x"),
    ],
)
async def test_a_body_that_is_no_form_of_ours_is_refused(town: Town, kind: str, body: bytes):
    async with town.visitor("ann") as ann:
        for rule in FORMS:
            _, path = taken(rule, await named(town, "ann"))
            async with ann.http.post(
                f"{town.address}{path}", data=body, headers={"Content-Type": kind}
            ) as answer:
                assert answer.status == 403, rule


@pytest.mark.parametrize(
    "odd", ["%00", "%ED%A0%BD", "%FF%FE", "..%2f..%2fetc", "a%0d%0aSet-Cookie:x=1", "9" * 40, "-1"]
)
async def test_odd_names_are_answered_as_unknown_ones(town: Town, odd: str):
    async with town.visitor("owner") as owner:
        query = "&".join(
            f"{name}={odd}" for name in ("behind", "by", "days", "in", "level", "path", "person",
            "tier", "words")
        )  # fmt: skip
        for rule, right in RIGHTS.items():
            method, path = taken(rule, dict.fromkeys(("run", "ref", "person", "name"), odd)
                                 if "{secret}" not in rule else {"secret": odd})  # fmt: skip
            if (right is Right.ANYBODY and "sign-in" not in path) or path.endswith(("live", "out")):
                continue
            answer = await owner.ask(
                method, f"{path}?{query}", {"secret": await owner.form_secret()}
            )
            assert answer.status in {200, 404}, f"{rule} {answer.status}"
            assert not answer.cookie


async def test_what_is_kept_of_a_person_is_not_for_the_operator_either(town: Town):
    async with town.visitor("owner") as visitor:
        memory = await visitor.look("/memory")
        assert memory.count("likes tea") == 2, "a cell, and the label of its button"
        assert (await visitor.look("/own")).count("list.md") == 1 + 1
        await visitor.look("/own/file?path=/preferences/../../etc/passwd", 404)
        shared = await visitor.look("/memory?tier=shared")
        assert "closes at six" in shared
