"""What is new in an account after a long time: all of it, the oldest first."""

from datetime import timedelta
from pathlib import Path

from bot.connectors.mailboxes import MOST_ARRIVED
from bot.plugins.google.mailbox import GmailMailbox
from bot.testing.account_town import account_town
from bot.testing.services.google_accounts import GoogleAccounts

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
