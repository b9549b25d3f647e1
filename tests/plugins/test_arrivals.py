"""What is new in an account after a long time: all of it, the oldest first."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.connectors.calendars import MOST_EVENTS
from bot.connectors.mailboxes import MOST_ARRIVED
from bot.plugins.google.calendar import GoogleCalendar
from bot.plugins.google.mailbox import GmailMailbox
from bot.plugins.outlook.calendar import OutlookCalendar
from bot.testing.account_town import account_town
from bot.testing.services.google_accounts import GoogleAccounts
from bot.testing.services.graph_accounts import GraphAccounts

ANN = "ann@example.com"


async def test_a_first_look_at_many_mails_loses_none(tmp_path: Path):
    api = GoogleAccounts()
    sent = [
        api.deliver(ANN, "bob@x.example", f"Mail {number}", "text")
        for number in range(2 * MOST_ARRIVED + 5)
    ]
    told: list[str] = []
    cursor = ""
    async with account_town(tmp_path, "google", api=api) as town:
        await town.connect(town.ann)
        for look in range(5):
            since = api.now + timedelta(hours=look)
            arrived = await GmailMailbox(town.client).arrived(town.ann, cursor, since)
            assert len(arrived.emails) <= MOST_ARRIVED
            told += [email.id for email in arrived.emails]
            cursor = arrived.cursor
            if look == 1:
                sent.append(api.deliver(ANN, "bob@x.example", "Meanwhile", "text"))
    assert [*dict.fromkeys(told)] == sent
    assert len(told) - len(sent) < 10, "few are told again, and an event counts once"


async def test_many_mails_of_one_second_are_told_in_pieces_though_one_is_archived(tmp_path: Path):
    api = GoogleAccounts()
    sent = [api.deliver(ANN, "bob@x.example", "Mail") for _ in range(3 * MOST_ARRIVED)]
    for mail in api.mails[ANN]:
        mail["internalDate"] = api.mails[ANN][0]["internalDate"]
    told: list[str] = []
    cursor = ""
    async with account_town(tmp_path, "google", api=api) as town:
        await town.connect(town.ann)
        for look in range(5):
            arrived = await GmailMailbox(town.client).arrived(town.ann, cursor, api.now)
            told += [email.id for email in arrived.emails]
            cursor = arrived.cursor
            if look == 0:
                api.mails[ANN][MOST_ARRIVED - 1]["labelIds"] = []
    assert [*dict.fromkeys(told)] == sent
    assert len(told) < len(sent) + MOST_ARRIVED, "an event counts once"


async def test_a_look_at_two_busy_weeks_begins_with_the_first_mail(tmp_path: Path):
    api = GoogleAccounts()
    sent = [api.deliver(ANN, "bob@x.example", "Mail") for _ in range(2_600)]
    async with account_town(tmp_path, "google", api=api) as town:
        await town.connect(town.ann)
        arrived = await GmailMailbox(town.client).arrived(town.ann, "", api.now)
    assert [email.id for email in arrived.emails] == sent[:MOST_ARRIVED]


@pytest.mark.parametrize("service", ["google", "outlook"])
async def test_a_few_hundred_new_events_are_all_told(tmp_path: Path, service: str):
    api = GoogleAccounts() if service == "google" else GraphAccounts(page=MOST_EVENTS)
    ids = [f"new{number}" for number in range(3 * MOST_EVENTS)]
    zone = "Z" if service == "google" else ""
    for id_ in ids:
        api.add_event(ANN, id_, f"2027-01-01T09:00:00{zone}", f"2027-01-01T10:00:00{zone}", "New")
    async with account_town(tmp_path, service, api=api) as town:
        await town.connect(town.ann)
        kind = GoogleCalendar if service == "google" else OutlookCalendar
        added = await kind(town.client).added(town.ann, api.now)
        shown = await kind(town.client).events(town.ann, api.now, api.now + timedelta(days=99))
    assert [event.id for event in added] == ids
    assert len(shown.events) == MOST_EVENTS
    assert shown.cut
