"""Mail and calendar events that came while Bellhop was off for long."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot.storage.values import PersonValue
from bot.testing.automations import pass_window
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.oauth_provider import oauth_provider
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.services.google_accounts import GoogleAccounts
from bot.testing.services.graph_accounts import GraphAccounts
from tests.flows.test_mail_and_calendars import ADDED, ANN, ORDERS, AccountHouse, life, runs


@pytest.mark.parametrize("service", ["google", "outlook"])
@pytest.mark.parametrize("days", [10, 30])
async def test_mail_of_many_days_without_bellhop_counts_though_its_cursor_expired(
    home: Path, service: str, days: int, caplog: pytest.LogCaptureFixture
):
    model, chat = ScriptedModel(), FakeChat()
    api = GoogleAccounts() if service == "google" else GraphAccounts()
    begun = FakeClock().now()
    async with oauth_provider(service, FakeClock(), api=api) as provider:
        async with life(home, model, provider, chat) as at:
            town = AccountHouse(at, GoogleAccounts(), provider)
            await town.connect("ann")
            await town.planted(ORDERS.replace(", label: work", ""))
            await town.look()
            api.deliver(ANN, "bob@x.example", "An order", "answered before")
            model.replace(say("Ten."))
            await town.look()
            await pass_window(at)
            assert len(runs(model)) == 1
        for day in (days - 20, days - 5):
            api.now = begun + timedelta(days=max(day, 1))
            api.deliver(ANN, "bob@x.example", "An order", f"of day {day}")
        api.forgotten = 10**6 if service == "google" else 3
        api.now = begun + timedelta(days=days)
        model.replace(say("Twenty."))
        async with life(home, model, provider, chat, FakeClock(api.now)) as at:
            town = AccountHouse(at, GoogleAccounts(), provider)
            for _ in range(2):
                await town.look()
            await pass_window(at)
    (_, told) = runs(model)
    assert f"of day {days - 5}" in told
    assert (f"of day {days - 20}" in told) is (days == 10)
    assert "answered before" not in told
    assert ("what came earlier is passed over" in caplog.text) is (days == 30)


async def test_events_that_were_added_in_a_month_without_bellhop_count_for_two_weeks(home: Path):
    model, google, chat = ScriptedModel(), GoogleAccounts(), FakeChat()
    begun = FakeClock().now()
    async with oauth_provider("google", FakeClock(), api=google) as provider:
        async with life(home, model, provider, chat) as at:
            town = AccountHouse(at, google, provider)
            await town.connect("ann")
            await town.planted(ADDED)
            await town.look()
        for day in (10, 25):
            google.now = begun + timedelta(days=day)
            google.add_event(
                ANN, f"day{day}", "2027-01-01T09:00:00Z", "2027-01-01T10:00:00Z", f"Of day {day}"
            )
        google.now = begun + timedelta(days=30)
        model.replace(say("Noted."))
        async with life(home, model, provider, chat, FakeClock(google.now)) as at:
            await AccountHouse(at, google, provider).look()
            await pass_window(at)
    (told,) = runs(model)
    assert "Of day 25" in told
    assert "Of day 10" not in told


async def test_a_cursor_that_an_earlier_version_stored_is_read_on(home: Path):
    model, google, chat = ScriptedModel(), GoogleAccounts(), FakeChat()
    async with oauth_provider("google", FakeClock(), api=google) as provider:
        async with life(home, model, provider, chat) as at:
            town = AccountHouse(at, google, provider)
            await town.connect("ann")
            await town.planted(ORDERS.replace(", label: work", ""))
            await town.look()
        google.deliver(ANN, "bob@x.example", "An order", "while nobody was there")
        with closing(sqlite3.connect(home / "data" / "bellhop.db")) as database:
            # A time is 32 characters long.
            database.execute(
                "UPDATE person_values SET value = substr(value, 34) WHERE name = ?",
                (PersonValue.LOOKED_AT,),
            )
            ((earlier,),) = database.execute(
                "SELECT value FROM person_values WHERE name = ?", (PersonValue.LOOKED_AT,)
            )
            database.commit()
        assert earlier == "1000"
        model.replace(say("Ten."))
        later = FakeClock(FakeClock().now() + timedelta(hours=1))
        async with life(home, model, provider, chat, later) as at:
            await AccountHouse(at, google, provider).look()
            await pass_window(at)
    (told,) = runs(model)
    assert "while nobody was there" in told
