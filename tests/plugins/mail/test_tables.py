"""Mail of a home of the version before stays, and belongs to its people."""

import io
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import bot
from bot.app import App, AppOptions, open_app
from bot.assembly.forgetting import build_exports
from bot.domain.access import Person, Role
from bot.domain.languages import Language
from bot.domain.places import AT_TERMINAL
from bot.domain.privacy import Viewer
from bot.plugins.mail.store import MailRows
from bot.sessions.commands.memory import EverywhereCommand
from bot.sessions.people.contacts_file import at_terminal

BEFORE = Path(bot.__file__).parents[1] / "tests/storage/before/0089.sqlite.sql"
BOX = "bellhop@team.example"
PEOPLE = "- id: ann\n  name: Ann\n  role: Partner\n  ids: {terminal: [kit]}\n"
RECEIVED = (
    "INSERT INTO mail_received (id, mailbox, owner, reach, channel, sender, subject, text,"
    " received_at, read_at)"
    " VALUES (?, ?, ?, ?, '', 'bob@x.example', ?, 'Bring strawberries.', ?, ?)"
)
SENT = "INSERT INTO mail_sent VALUES ('t1', ?, ?, 'bob@x.example', 'Strawberries?', 'dm', '', ?)"
AT = "2026-11-2{}T09:00:00.000000+00:00"


def earlier_home(home: Path) -> None:
    """A home of before, where mail came for everybody and for Ann, whose id was another."""
    (home / "data").mkdir()
    (home / "contacts.yaml").write_text(PEOPLE)
    kit = at_terminal("kit")
    with closing(sqlite3.connect(home / "data/bellhop.db", isolation_level=None)) as connection:
        connection.executescript(BEFORE.read_text())
        connection.execute(RECEIVED, ("1", BOX, "", "public", "Friday", AT.format(1), AT.format(2)))
        connection.execute(RECEIVED, ("2", BOX, kit, "dm", "Re: Strawberries?", AT.format(3), None))
        connection.execute(SENT, (kit, BOX, AT.format(0)))


def exported(archive: bytes) -> dict[str, list[dict[str, object]]]:
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        return {
            name: json.loads(files.read(name))
            for name in files.namelist()
            if name.startswith("mail")
        }


async def inbox_of(app: App, person: str) -> list[tuple[str, bool]]:
    rows = MailRows(app.database)
    viewer = Viewer.at(AT_TERMINAL, Person(person, person, Role.PARTNER))
    mails = await rows.newest(await rows.seen(viewer, BOX), 10, unread_only=False)
    return [(mail.subject, mail.unread) for mail in mails]


async def test_mail_of_a_home_from_before_is_there_and_is_its_persons(tmp_path: Path):
    earlier_home(tmp_path)
    async with open_app(AppOptions(tmp_path)) as app:
        assert await inbox_of(app, "ann") == [("Re: Strawberries?", True), ("Friday", False)]
        assert await inbox_of(app, "ben") == [("Friday", False)]
        sent = await MailRows(app.database).sent("t1")
        assert sent is not None
        assert (sent.owner, sent.to, sent.sent_at) == ("ann", "bob@x.example", AT.format(0))
        assert await app.moves.links.kept_of("ann") == "1 mail, 1 sent mail"
        assert await app.moves.links.kept_of("ann", Language.DE) == "1 Mail, 1 gesendete Mail"
        files = exported(await build_exports(app.house).of("ann"))
        assert [one["text"] for one in files["mail_received.json"]] == ["Bring strawberries."]
        assert [one["sent_to"] for one in files["mail_sent.json"]] == ["bob@x.example"]
        assert "token" not in files["mail_sent.json"][0]

        everywhere = EverywhereCommand(app.house.forgetting, keep_days=30)
        shown = await everywhere.shown("ann", "strawberries", language=Language.DE)
        assert "- Mails: 1\n- gesendete Mails: 1\n" in shown
        (wish,) = await app.database.read("SELECT ref FROM forgettings")
        await everywhere.yes("ann", wish["ref"])
        assert await inbox_of(app, "ann") == [("Friday", False)]
        assert await MailRows(app.database).sent("t1") is None
    async with open_app(AppOptions(tmp_path)) as app:
        assert await inbox_of(app, "ann") == [("Friday", False)]
