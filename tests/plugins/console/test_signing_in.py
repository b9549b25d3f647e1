"""Signing in: a private link, once, for one person; and what ends a session."""

import pytest

from bot.testing.console_home import Town

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
