"""The note beside a message: what is true now, in words that nobody else chose."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from bot.connections.services import Service
from bot.domain.access import Person, Role
from bot.domain.messages import Conversation, IncomingMessage, Place, PlatformPerson, ReplyTarget
from bot.sessions.run.opening_quotes import first_note, moment_note, skills_note

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def note(person: Person, place: Place = Place.DM, platform: str = "discord") -> str:
    here = Conversation(platform, "w", "room", place)
    message = IncomingMessage(
        "k", here, PlatformPerson("a", "Ann"), "", ReplyTarget(here), NOW,
        private=place is Place.DM,
    )  # fmt: skip
    return moment_note(NOW, person, message, "UTC", "")


def test_the_speaker_has_a_name_and_where_others_speak_an_id():
    ann = Person("c-7", "Ann Lee", Role.FRIEND, known=True)
    assert "Speaker: Ann Lee (Friend). Place: dm," in note(ann)
    assert "Speaker: Ann Lee (Friend, id c-7). Place: channel," in note(ann, Place.CHANNEL)


def test_a_name_that_somebody_chose_is_quoted():
    eve = Person("discord-9", "Ann Lee", Role.GUEST)
    assert 'Speaker: somebody called "Ann Lee" (Guest).' in note(eve)
    owner = Person("root", "root", Role.MASTER_ADMIN)
    assert "Speaker: root (MasterAdmin)." in note(owner, platform="terminal")


@given(st.text(max_size=200))
def test_no_name_poses_as_a_part_of_the_note(name: str):
    written = note(Person("discord-9", name, Role.GUEST))
    plain = note(Person("discord-9", "Eve", Role.GUEST))
    begin, end = plain.split("Eve")
    assert written.startswith(begin)
    assert written.endswith(end)
    shown = written[len(begin) : len(written) - len(end)]
    assert 0 < len(shown) <= 60
    assert not set(shown) & set('()"<>[]{}:;,@#/\\`\n\r\u2028')


def test_a_session_begins_with_services_and_commands():
    ids = ("github", "notion", "google")
    services = {one: Service(one, one.title(), "", "", "", "", ()) for one in ids}
    assert first_note(services, frozenset({"github", "notion", "todos"})) == (
        " Connected: Github, Notion. Commands: /files PATH, /undo."
    )
    assert "Connected" not in first_note(services, frozenset())


def test_an_active_skill_is_named():
    assert skills_note(["report"]) == " Active: report (deactivate_skill ends it)."
    assert not skills_note(())
