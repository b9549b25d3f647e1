"""Signing in: a private link, once, for one person; and what ends a session."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from bot.domain.access import Role
from bot.domain.database import Unit, Write
from bot.plugins.console.session_store import purge_links, purge_sessions
from bot.plugins.console.sessions import LIFE, LINK_LIFE, Logins
from bot.testing.console_home import Town
from bot.testing.contexts import make_person
from bot.testing.fake_clock import FakeClock

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_link_of_the_chat_signs_in_once(town: Town):
    link = await town.link("ann")
    async with town.visitor() as first, town.visitor() as second:
        async with first.http.get(link) as looked:
            assert "Sign in as Ann" in await looked.text()
        async with first.http.post(link) as answer:
            assert answer.status == 200
            assert "Under way" in await answer.text()
        async with second.http.post(link) as again:
            assert again.status == 404
        await second.look("", 401)
        await first.look("")


async def test_a_link_is_over_once_used_or_followed_by_another(town: Town):
    used, earlier, newest = await town.link("gwen"), await town.link("ann"), await town.link("ann")
    async with town.visitor() as browser, town.visitor() as thief:
        async with browser.http.post(used) as answer:
            assert answer.status == 200
        for link in (used, earlier, f"{newest}x", newest[:-1]):
            for way in (thief.http.get(link), thief.http.post(link)):
                async with way as answer:
                    assert answer.status == 404
                    assert "Set-Cookie" not in answer.headers
        await thief.look("", 401)


async def test_only_the_button_of_our_page_uses_a_link_up(town: Town):
    link = await town.link("ann")
    async with town.visitor() as browser:
        for site in ("cross-site", "same-site"):
            async with browser.http.post(link, headers={"Sec-Fetch-Site": site}) as answer:
                assert answer.status == 403
        for method in ("HEAD", "OPTIONS", "PUT"):
            async with browser.http.request(method, link) as answer:
                assert answer.status == 405
        async with browser.http.get(link) as answer:
            assert "Set-Cookie" not in answer.headers
        await browser.look("", 401)
        async with browser.http.post(link) as answer:
            assert answer.status == 200


async def test_a_link_is_good_for_minutes_and_a_session_for_its_hours(town: Town):
    clock = FakeClock()
    logins = Logins(town.house.app.database, clock)
    caller = make_person("zoe", Role.GUEST)
    old = await logins.invite(caller, "{}")
    await clock.advance(LINK_LIFE.total_seconds())
    assert await logins.invited(old) is None
    assert await logins.begin(old, "") is None
    cookie = await logins.begin(await logins.invite(caller, "{}"), "")
    assert cookie is not None
    await clock.advance(LIFE.total_seconds() - 1)
    assert await logins.find(cookie) is not None
    await clock.advance(1)
    assert await logins.find(cookie) is None


async def test_of_two_who_press_the_button_at_once_one_is_signed_in(town: Town):
    logins = Logins(town.house.app.database, FakeClock())
    link = await logins.invite(make_person("zoe", Role.GUEST), "{}")
    both = await asyncio.gather(logins.begin(link, ""), logins.begin(link, ""))
    assert [one is None for one in both].count(True) == 1


@pytest.mark.parametrize(
    ("table", "purge"), [("console_links", purge_links), ("console_sessions", purge_sessions)]
)
async def test_nothing_is_kept_of_links_and_sessions_that_are_over(
    town: Town, table: str, purge: Callable[[datetime], Write]
):
    database, clock = town.house.app.database, FakeClock()
    logins = Logins(database, clock)
    caller = make_person(f"of {table}")
    await logins.begin(await logins.invite(caller, "{}"), "")
    await logins.invite(caller, "{}")
    count = f"SELECT count(*) AS n FROM {table} WHERE person = 'of {table}'"  # noqa: S608
    for later, left in ((timedelta(), 1), (LIFE * 2, 0)):
        await database.write(Unit.of(purge(clock.now() + later)))
        row = await database.read_one(count)
        assert row is not None
        assert row["n"] == left
