"""A link to connect a service belongs to the person whom it was made for, whatever their id is."""

from datetime import timedelta

from bot.connections.request_store import Request, add_request, find_request
from bot.domain.database import Database
from bot.testing.fake_clock import FakeClock


async def test_a_link_is_its_persons_whatever_characters_a_platform_puts_into_ids(
    database: Database,
):
    now = FakeClock().now()
    request = Request("state", "town-ann|google|%7C", "google", "sealed")
    await database.write(add_request(request, now + timedelta(minutes=5), now))
    assert await find_request(database, "state", now) == request
    assert await find_request(database, "another", now) is None
    assert await find_request(database, "state", now + timedelta(minutes=5)) is None
