"""Events of plug-ins start automations, and their readers find the text of files."""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.agents.cycle_log.log_store import CycleLog
from bot.assembly.accounts import KeptElsewhere
from bot.assembly.crew import keyed_offers
from bot.assembly.events import automation_events
from bot.assembly.plugged import Plugged, plugin_tasks, receivers_of
from bot.automations.store import Automations
from bot.domain.access import Person, Role
from bot.domain.database import Unit, Write
from bot.domain.messages import Place, Visibility
from bot.domain.origins import Trust
from bot.domain.privacy import PUBLICLY
from bot.domain.tool_context import ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.errors import SettingsError
from bot.knowledge.document_process import parts_of
from bot.knowledge.file_readers import FileReader, FileReaders
from bot.plugin.accounts import CalendarEvent, EventDraft, EventList, MadeEvent
from bot.plugin.events import EventSource, Happening, Tell
from bot.plugin.http import JsonObject, Receiver
from bot.plugin.plugin import HomeImporter, Lacking, NoSettings, Parts, Plugin
from bot.plugin.services import Service
from bot.plugins.calendars.plugin import CalendarConnector
from bot.sessions.commands.memory import kept_as_file, kept_counts
from bot.sessions.reports.kept_things import KeptThing
from bot.sessions.upkeep.housekeeping import Purging
from bot.storage.home import open_database
from bot.testing.automations import asked_for, house, pass_window, plant
from bot.testing.contexts import make_context, make_person
from bot.testing.fake_clock import FakeClock
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.waiting import until
from bot.tools.native.registry import NativeTools
from bot.turns.engine import TurnEngine
from bot.workshop.moving.home_reader import read_home
from bot.workshop.moving.taking import Clockwork

PEOPLE = """\
- id: ann
  name: Ann
  role: Friend
  ids: {discord: [ann]}
- id: guest
  name: Gus
  role: Guest
  ids: {discord: [gus]}
"""
BELL = """\
---
name: The door
event: plugin
filter:
  source: rings
---
Say who is there.
"""


class Bell(Plugin[NoSettings]):
    name = "bell"


class Diary(Plugin[NoSettings]):
    """Keeps a calendar at a service of its own."""

    name = "diary"
    services = (
        Service(
            id="diary",
            title="Diary",
            what="a diary",
            base_url="https://diary.example",
            authorize_url="https://diary.example/yes",
            token_url="https://diary.example/token",
            scopes=(),
        ),
    )


class OneDay:
    """A calendar with one event, the same for everybody."""

    async def events(
        self, person: Person, start: datetime, end: datetime, query: str = ""
    ) -> EventList:
        return EventList((CalendarEvent("1", f"Lunch of {person.name}", start, end),))

    async def create(self, person: Person, draft: EventDraft) -> MadeEvent:
        return MadeEvent("2", "")

    async def added(self, person: Person, since: datetime) -> Sequence[CalendarEvent]:
        return ()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "contacts.yaml").write_text(PEOPLE)
    return tmp_path


async def test_an_event_starts_the_automations_that_watch_its_source(home: Path):
    model = ScriptedModel([say("Ann is at the door.")])
    async with house(home, model) as at:
        made = at.chat.message("ann", "please", where="c1", place=Place.CHANNEL)
        made = replace(made, conversation=replace(made.conversation, visibility=Visibility.PUBLIC))
        await plant(at.app, made, "ann", BELL)
        events = automation_events(at.app.house)
        await events.happened("bell", "knocks", Happening("1", "Somebody knocks."))
        await events.happened("bell", "rings", Happening("1", "Ann rings."))
        await events.happened("bell", "rings", Happening("1", "Ann rings."))  # the same one
        await pass_window(at)
        assert at.chat.texts == ["Ann is at the door."]
    assert "Ann rings." in asked_for(model.requests[0])
    assert "knocks" not in asked_for(model.requests[0])


@pytest.mark.parametrize(
    ("owner", "person", "place", "starts"),
    [
        ("ann", "", Place.CHANNEL, True),
        ("guest", "", Place.DM, False),
        ("ann", "ann", Place.DM, True),
        ("ann", "ann", Place.CHANNEL, False),
        ("ann", "ben", Place.DM, False),
    ],
)
async def test_an_event_of_a_person_starts_only_what_they_alone_read(
    home: Path, owner: str, person: str, place: Place, starts: bool
):
    async with house(home, ScriptedModel()) as at:
        made = at.chat.message(owner, "please", where="c1", place=place)
        if place is Place.CHANNEL:
            public = replace(made.conversation, visibility=Visibility.PUBLIC)
            made = replace(made, conversation=public)
        await plant(at.app, made, owner, BELL)
        events = automation_events(at.app.house)
        await events.happened("bell", "rings", Happening("1", "The bell rang.", person))
        (kept,) = await Automations(at.app.database).of(None)
        assert (kept.due is not None) == starts


async def test_a_source_that_fails_begins_again_and_ends_nothing(home: Path):
    tries: list[int] = []

    async def watch(tell: Tell) -> None:
        tries.append(1)
        raise OSError("the bell is broken")

    async with house(home, ScriptedModel()) as at:
        ground = automation_events(at.app.house)
        plugged = Plugged(Bell(), Parts(events=(EventSource("rings", watch),)))
        (task,) = plugin_tasks([plugged], ground)
        running = asyncio.ensure_future(task())
        await until(lambda: len(tries) == 1)
        assert isinstance(at.app.clock, FakeClock)
        await at.app.clock.advance(61)
        await until(lambda: len(tries) == 2)
        assert not running.done()
        running.cancel()


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"said", {"parts": [["", "said"]], "note": "", "pictures": []}),
        (b"", {"problem": "it has no text"}),
        (b"\xff", {"problem": "it is damaged, or no srt; open it, save it anew and add it again"}),
    ],
)
def test_a_reader_of_a_plugin_finds_the_text_of_a_file(
    data: bytes, found: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "srt_reader.py").write_text(
        "from bot.plugin.readers import DocumentSection, FoundText, UnreadableDocument\n"
        "def read(data, limits):\n"
        "    if not data:\n"
        "        raise UnreadableDocument('it has no text')\n"
        "    return FoundText([DocumentSection('', data.decode())])\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    readers = FileReaders([FileReader("srt_reader:read", ("srt",))]).to_json()
    head = {"name": "a.srt", "media_type": "", "readers": readers, "whole": True}
    assert parts_of(data, head) == found


def test_a_reader_is_chosen_by_ending_or_type():
    one = FileReader("x:y", ("srt",), ("application/x-subrip",))
    readers = FileReaders([one])
    assert readers.of(b"", "Film.SRT") is one
    assert readers.of(b"", "film", "application/x-subrip") is one
    assert readers.of(b"", "film.txt", "text/plain") is None


async def test_old_rows_of_a_plugin_are_deleted_in_parts(tmp_path: Path):
    asked: list[datetime] = []

    def purge(before: datetime) -> Write:
        asked.append(before)
        return Write(
            "DELETE FROM notes_old WHERE rowid IN (SELECT rowid FROM notes_old LIMIT 2) RETURNING a"
        )

    database, clock = await open_database(tmp_path / "bellhop.db"), FlowingClock()
    try:
        rows = (Write("INSERT INTO notes_old VALUES (?)", (n,)) for n in range(3))
        await database.write(Unit((Write("CREATE TABLE notes_old (a BIGINT)"), *rows)))
        engine, day = TurnEngine(database, clock, owner="me"), timedelta(days=1)
        count = await Purging(
            database, clock, engine, CycleLog(database), 7 * day, day, [purge]
        ).purge()
        left = await database.read("SELECT a FROM notes_old")
    finally:
        await database.close()
    assert (count, len(asked), left) == (3, 3, [])
    assert set(asked) == {asked[0]}


class FlowingClock(FakeClock):
    """Lets time pass by itself where somebody sleeps."""

    async def sleep(self, seconds: float) -> None:
        await self.advance(seconds)


def test_what_a_plugin_lacks_is_told_to_who_can_give_it_and_to_others_whom_to_ask():
    lacking = Lacking("Tickets", "tickets of the team", frozenset({"tickets"}), "put KEY into .env")

    def way(role: Role) -> str:
        offers = keyed_offers([("t", lacking)], make_person(role=role), lambda: ["Olga"])
        (found,) = [one for one in offers if one.id == "t"]
        assert found.tools == {"tickets"}
        return found.way

    assert "put KEY into .env" in way(Role.MASTER_ADMIN)
    assert "ask Olga" in way(Role.FRIEND)
    assert "KEY" not in way(Role.FRIEND)


@pytest.mark.parametrize(
    ("path", "ours", "taken"),
    [
        ("/plugins/bell/{ref}", False, True),
        ("/plugins/other/{ref}", False, False),
        ("/plugins/bell/x", False, False),
        ("/bell/{ref}", False, False),
        ("/bell/{ref}", True, True),
    ],
)
def test_a_plugin_receives_below_its_own_path(path: str, ours: bool, taken: bool):
    async def receive(ref: str, headers: Mapping[str, str], body: bytes) -> tuple[int, JsonObject]:
        return 200, {}

    plugged = Plugged(Bell(), Parts(receivers=(Receiver(path, receive, 100),)), ours)
    if taken:
        assert receivers_of([plugged]) == [*plugged.parts.receivers]
    else:
        with pytest.raises(SettingsError, match="must let it begin with /plugins/bell/"):
            receivers_of([plugged])


async def test_people_read_a_calendar_that_a_plugin_keeps_where_they_connected_it():
    ann, ben = make_person("ann"), make_person("ben")
    kept = KeptElsewhere(lambda one: frozenset({"diary"} if one.id == ann.id else ()))
    kept.take(Diary(), Parts(calendars={"diary": OneDay()}))
    connector = CalendarConnector(kept.calendars)
    natives = NativeTools(connector.registrations())
    assert "read_calendar" not in natives.handlers(ToolScope(ben, "assistant"))
    tool = natives.handlers(ToolScope(ann, "assistant"))["read_calendar"]
    outcome = await tool.run(make_context(ann), tool.arguments.model_validate({"days": 1}))
    assert isinstance(outcome, ToolResult)
    assert "Lunch of" in outcome.content


def test_a_plugin_keeps_nothing_of_the_services_of_others():
    kept = KeptElsewhere(lambda _person: frozenset())
    with pytest.raises(SettingsError, match="keeps mail or calendars of google"):
        kept.take(Diary(), Parts(calendars={"google": OneDay()}))


def test_an_importer_takes_what_its_reader_hands_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "lotus_home.py").write_text(
        "from bot.plugin.moving import HomeReader, mapping\n"
        "def read(reader: HomeReader) -> None:\n"
        "    about = mapping(reader.home.json('lotus.json'))\n"
        "    reader.people('discord', about.get('people'), 'lotus.json')\n"
        "    reader.memories('notes.md')\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    home = tmp_path / "home"
    home.mkdir()
    (home / "lotus.json").write_text('{"people": ["123456789012345678", "ann#1"]}')
    (home / "notes.md").write_text("- Likes tea.\n- password: hunter2-hunter2\n")
    clockwork = Clockwork(datetime(2026, 11, 28, tzinfo=UTC), "UTC", timedelta(minutes=15))
    importer = HomeImporter("lotus", "Lotus", "lotus_home:read")
    found = read_home(importer, home, clockwork, "")
    assert list(found.people) == [("discord", "123456789012345678")]
    (entry,) = found.memories["notes.md"]
    assert (entry.text, entry.source, entry.trust) == ("Likes tea.", "lotus", Trust.EXTERNAL)
    assert [one.what for one in found.left] == ["ann#1 in lotus.json", "entry 2 of notes.md"]


def test_what_a_plugin_keeps_of_people_stands_under_its_own_word():
    kept = [
        KeptThing("b1", "lent book", "Emma", "2026-11-20", PUBLICLY),
        KeptThing("b2", "lent book", "Ulysses", "2026-11-21", PUBLICLY),
        KeptThing("n1", "note", "The key is under the mat.", "2026-11-22", PUBLICLY),
    ]
    assert kept_counts(kept) == "notes (1), lent book (2)"
    parts = kept_as_file(kept, 0).split("## ")
    assert [part.splitlines()[0] for part in parts[1:]] == ["Notes", "Lent book"]
    assert "Emma" in parts[2]
    assert "Ulysses" in parts[2]
