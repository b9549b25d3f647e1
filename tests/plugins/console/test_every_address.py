"""Every address of the console, asked for by everybody: nobody gets more than is theirs."""

import pytest

from bot.plugins.console.routes import ROUTES, Need
from bot.testing.console_home import PEOPLE, Town

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPERATOR_ALONE = {
    "GET /people",
    "GET /people/{person}",
    "GET /staged/{name}",
    "POST /staged/{name}",
    "GET /log",
}
FOR_ALL = {
    "GET ",
    "GET /live",
    "GET /runs",
    "GET /runs/{run}",
    "GET /runs/{run}/live",
    "GET /approvals",
    "GET /approvals/{ref}",
    "POST /approvals/{ref}",
    "GET /usage",
    "GET /memory",
    "POST /memory",
    "GET /rights",
    "GET /unattended",
    "POST /unattended/{ref}",
    "GET /skills",
    "GET /own",
    "GET /own/file",
    "GET /own/export",
    "POST /own/disconnect",
}
OF_HERS = {"runs": "{run}", "approvals": "{ref}", "unattended": "{ref}"}


def filled(path: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        path = path.replace(f"{{{name}}}", value)
    return path


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
    }


async def test_each_address_has_a_rule_here():
    known = {f"{one.method} {one.path}": one.need for one in ROUTES}
    assert set(known) == OPERATOR_ALONE | FOR_ALL, (
        "say here who may ask for a new address, and try it below"
    )
    assert {name for name, need in known.items() if need is Need.OPERATOR} == OPERATOR_ALONE


@pytest.mark.parametrize("route", ROUTES, ids=lambda one: f"{one.method} {one.path}")
async def test_nobody_gets_anything_without_signing_in(town: Town, route: object):
    assert route in ROUTES
    one = next(known for known in ROUTES if known is route)
    path = filled(one.path, await named(town, "owner"))
    async with (
        town.visitor() as stranger,
        stranger.http.request(one.method, f"{town.address}{path}") as answer,
    ):
        assert answer.status == 401
        assert "Olga" not in await answer.text()


@pytest.mark.parametrize("who", PEOPLE)
async def test_pages_open_to_whom_they_are_for(town: Town, who: str):
    things = await named(town, "discord-gwen" if who == "gwen" else who)
    async with town.visitor(who) as visitor:
        for route in ROUTES:
            if route.method == "POST" or route.path.endswith(("/live", "/file")):
                continue
            path = filled(route.path, things)
            own = route.need is Need.PERSON or who == "owner"
            has = route.path != "/approvals/{ref}" or who == "ann"
            await visitor.look(path, 200 if own and has else 404)


@pytest.mark.parametrize("who", ["ann", "gwen"])
async def test_a_member_and_a_guest_read_nothing_of_others(town: Town, who: str):
    """`ann` asked for a call that an owner decides, so she sees that one."""
    theirs = await named(town, "owner")
    others = await named(town, "discord-gwen" if who == "ann" else "ann")
    async with town.visitor(who) as visitor:
        for things in (theirs, others):
            for path in ("/runs/{run}", "/runs/{run}/live", "/people/{person}"):
                await visitor.look(filled(path, things), 404)
        if who == "gwen":
            await visitor.look(filled("/approvals/{ref}", others), 404)
            await visitor.press(
                "", filled("/approvals/{ref}", others), 404, say="approve", shown="x"
            )
            told = await visitor.press("", "/unattended/s-ann", verb="cancel", once="1")
            assert "is cancelled" not in told
        everything = "".join(
            [await visitor.look(path) for path in ("", "/runs", "/usage?by=person", "/memory",
             "/unattended", "/own", "/approvals", "/skills")]
        )  # fmt: skip
        assert "Olga" not in everything
        assert ("Ann hello" in everything) is (who == "ann")
        await visitor.look("/staged/tidy", 404)
        await visitor.press("", "/staged/tidy", 404, say="approve")
        await visitor.look("/log", 404)
    assert await town.house.app.house.imports.find("tidy")


async def test_what_is_kept_of_a_person_is_not_for_the_operator_either(town: Town):
    async with town.visitor("owner") as visitor:
        memory = await visitor.look("/memory")
        assert memory.count("likes tea") == 2, "a cell, and the label of its button"
        assert (await visitor.look("/own")).count("list.md") == 1 + 1
        await visitor.look("/own/file?path=/preferences/../../etc/passwd", 404)
        shared = await visitor.look("/memory?tier=shared")
        assert "closes at six" in shared
