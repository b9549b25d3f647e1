"""contacts.yaml: who somebody is, what is refused, and that nothing is lost when it is written."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.domain.access import Role
from bot.domain.messages import PlatformPerson
from bot.errors import SettingsError
from bot.sessions.people.contacts import Contacts, with_platform_id, zone_of
from bot.sessions.people.contacts_file import Contact, parse_contacts, slug, with_contact
from bot.sessions.settings import AccessSettings

_PARTS = st.text("a-_1/", min_size=1, max_size=4)
FILE = """\
# the team
- id: ann
  name: Ann Lee      # runs the place
  role: MasterAdmin
  timezone: Europe/Berlin
  ids:
    discord: ["111", 112]
    slack: ["T1:U1"]
# on the way out
- {id: bob, name: Bob, role: banned, ids: {discord: "222"}}
- id: cy
  name: Cy
"""
ACCESS = AccessSettings(
    roles={"discord": {"r1": Role.FRIEND, "r2": Role.PARTNER, "mute": Role.BANNED}}
)


@pytest.fixture
def contacts(tmp_path: Path) -> Contacts:
    (tmp_path / "contacts.yaml").write_text(FILE)
    return Contacts.load(tmp_path / "contacts.yaml", KNOWN_PLATFORMS, ACCESS)


def rewrite(path: Path, text: str) -> None:
    """Change a file and its time, which a fast test would else not move."""
    before = path.stat().st_mtime_ns
    path.write_text(text)
    os.utime(path, ns=(before + 1_000_000, before + 1_000_000))


def test_a_contact_is_found_by_its_platform_id(contacts: Contacts):
    ann = contacts.resolve("discord", "g", PlatformPerson("112", "whatever"))
    assert (ann.id, ann.name, ann.role, ann.timezone, ann.known) == (
        "ann",
        "Ann Lee",
        Role.MASTER_ADMIN,
        "Europe/Berlin",
        True,
    )
    assert contacts.resolve("slack", "T1", PlatformPerson("U1", "x")).id == "ann"


def test_a_slack_id_counts_in_its_own_team_only(contacts: Contacts):
    assert contacts.resolve("slack", "T2", PlatformPerson("U1", "x")).role is Role.GUEST


def test_a_banned_contact_stays_banned_whatever_the_platform_says(contacts: Contacts):
    assert (
        contacts.resolve("discord", "g", PlatformPerson("222", "Bob", platform_roles=("r2",))).role
        is Role.BANNED
    )


def test_unknown_people_get_their_highest_platform_role_or_the_default(contacts: Contacts):
    def role(*roles: str, is_bot: bool = False) -> Role:
        return contacts.resolve("discord", "g", PlatformPerson("9", "x", is_bot, roles)).role

    assert role() is Role.GUEST
    assert role("r1", "r2", "other") is Role.PARTNER
    assert role("r2", "mute") is Role.BANNED
    assert role("r2", is_bot=True) is Role.GUEST


def test_roles_of_a_platform_that_does_not_exist_are_refused(tmp_path: Path):
    access = AccessSettings(roles={"discrod": {"r1": Role.FRIEND}})
    with pytest.raises(SettingsError, match=r"roles\.discrod: .* there are discord and slack"):
        Contacts.load(tmp_path / "contacts.yaml", KNOWN_PLATFORMS, access)


def test_a_contact_without_a_role_gets_the_platforms_or_the_default(tmp_path: Path):
    path = tmp_path / "contacts.yaml"
    path.write_text("- {id: cy, name: Cy, ids: {discord: '3'}}\n")
    contacts = Contacts.load(path, KNOWN_PLATFORMS, ACCESS)
    assert contacts.resolve("discord", "g", PlatformPerson("3", "x")).role is Role.GUEST
    assert (
        contacts.resolve("discord", "g", PlatformPerson("3", "x", platform_roles=("r1",))).role
        is Role.FRIEND
    )


def test_unknown_people_are_named_by_platform_workspace_and_id():
    assert KNOWN_PLATFORMS["slack"].person_id("T77", "U88") == "slack-T77-U88"
    assert KNOWN_PLATFORMS["slack"].person_id("T1", "../x") != KNOWN_PLATFORMS["slack"].person_id(
        "T1", ".._x"
    )


def test_a_discord_user_is_one_person_in_all_servers_and_in_dms():
    assert (
        KNOWN_PLATFORMS["discord"].person_id("77", "88")
        == KNOWN_PLATFORMS["discord"].person_id("dm", "88")
        == "discord-88"
    )


@given(st.text(), st.text())
def test_a_person_id_is_always_a_safe_folder_name(workspace: str, id_: str):
    made = KNOWN_PLATFORMS["fake"].person_id(workspace, id_)
    assert made.replace("-", "").replace("_", "").isascii()
    assert "/" not in made
    assert len(made) <= 100


@given(
    st.lists(
        st.tuples(st.sampled_from(["slack", "discord"]), _PARTS, _PARTS), min_size=2, max_size=2
    )
)
def test_two_accounts_never_have_one_person_id(accounts: list[tuple[str, str, str]]):
    (one, other) = (
        (platform, workspace if platform == "slack" else "", id_)
        for platform, workspace, id_ in accounts
    )
    made = [
        KNOWN_PLATFORMS[platform].person_id(workspace, id_)
        for platform, workspace, id_ in (one, other)
    ]
    assert (made[0] == made[1]) is (one == other)


def test_the_local_operator_may_do_everything_unless_a_role_is_chosen(contacts: Contacts):
    local = contacts.resolve("terminal", "local", PlatformPerson("dana", "Dana O'Hara"))
    assert (local.id, local.role, local.known) == (
        "terminal-local-dana-o-hara",
        Role.MASTER_ADMIN,
        False,
    )
    guest = contacts.resolve(
        "terminal", "local", PlatformPerson("dana", "Dana", platform_roles=("guest",))
    )
    assert guest.role is Role.GUEST
    assert (
        contacts.resolve(
            "terminal", "local", PlatformPerson("d", "D", platform_roles=("king",))
        ).role
        is Role.GUEST
    )


def test_a_contact_at_the_terminal_is_found_by_id_and_keeps_its_role(contacts: Contacts):
    assert contacts.resolve("terminal", "local", PlatformPerson("BOB", "x")).role is Role.BANNED
    chosen = contacts.resolve(
        "terminal", "local", PlatformPerson("ann", "", platform_roles=("Friend",))
    )
    assert (chosen.id, chosen.role) == ("ann", Role.FRIEND)


def test_a_missing_file_knows_nobody(tmp_path: Path):
    contacts = Contacts.load(tmp_path / "contacts.yaml", KNOWN_PLATFORMS)
    assert contacts.people == ()
    assert contacts.problems == ()


def test_unknown_roles_become_guest_and_missing_ids_are_made_and_reported():
    text = "- name: Eve B.\n  role: Boss\n  ids: {slack: ['T1:U1'], discord: ['7']}\n"
    found = parse_contacts(text, "contacts.yaml", KNOWN_PLATFORMS)
    assert (found.contacts[0].id, found.contacts[0].role) == ("slack-T1-U1", Role.GUEST)
    assert any("line 2: unknown role 'Boss'" in problem for problem in found.problems)
    assert any("add `id: slack-T1-U1`" in problem for problem in found.problems)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "- {id: a, name: A}\n- {id: A, name: B}\n",
            "line 2: id 'a' is there twice (first on line 1)",
        ),
        (
            (
                "- {id: a, name: A, ids: {discord: ['1']}}\n\n- {id: b, name: B, ids: {discord: "
                "[1]}}\n"
            ),
            "line 3: discord '1'",
        ),
        ("- {id: a, name: A, rle: Friend}\n", "line 1: rle is not a setting; did you mean 'role'?"),
        ("- id: a\n", "line 1: name is missing"),
        ("- {id: ../x, name: A}\n", "cannot be a person id"),
        ("- {id: playbooks, name: A}\n", "cannot be a person id"),
        ("- {id: a, name: ' '}\n", "the name is empty"),
        ("- {name: A}\n", "A has no id and no account; add an `id`"),
        ("- {id: discord-555, name: A}\n", "'discord-555' is an id that an account on discord has"),
        ("- {id: Discord-7, name: A, ids: {discord: ['7']}}\n", "write another id"),
        ("- {id: slack-T1-U1, name: A, ids: {discord: ['7']}}\n", "an account on slack has"),
        ("- {id: terminal-local-root, name: A}\n", "an account on terminal has"),
        ("- {id: a, name: A, ids: {slack: [U1]}}\n", "must be written <team>:<user>"),
        ("- {id: a, name: A, ids: {icq: [U1]}}\n", "'icq' is no platform"),
        ("- just text\n", "line 1"),
        ("id: a\n", "must be a list"),
        ("- {id: a\n", "is not valid YAML"),
    ],
)
def test_each_mistake_is_named_with_line_and_remedy(text: str, said: str):
    with pytest.raises(SettingsError) as caught:
        parse_contacts(text, "contacts.yaml", KNOWN_PLATFORMS)
    assert str(caught.value).startswith("contacts.yaml, line ")
    assert said in str(caught.value)


def test_all_mistakes_are_named_at_once():
    text = (
        "- {id: a, role: Freind, rle: x}\n- {id: b, name: B, role: Freind, timezone: Berlin}\n"
        "- {id: b, name: C}\n- {id: d, name: D, ids: {icq: ['1']}}\n"
    )
    with pytest.raises(SettingsError) as caught:
        parse_contacts(text, "contacts.yaml", KNOWN_PLATFORMS)
    said = str(caught.value)
    for part in (
        "line 1: name is missing",
        "line 1: rle is not",
        "line 2: unknown role",
        "line 2: 'Berlin'",
        "line 3: id 'b' is there twice",
        "line 4: 'icq'",
    ):
        assert part in said
    assert all(line.startswith("contacts.yaml, line ") for line in said.splitlines())


async def test_a_change_of_the_file_holds_from_the_next_message(contacts: Contacts, tmp_path: Path):
    rewrite(tmp_path / "contacts.yaml", FILE.replace("MasterAdmin", "Banned"))
    assert await contacts.reload_if_changed()
    assert contacts.resolve("discord", "g", PlatformPerson("111", "Ann")).role is Role.BANNED
    assert not await contacts.reload_if_changed()


async def test_an_invalid_file_keeps_the_last_good_version_and_is_reported(
    contacts: Contacts, tmp_path: Path
):
    path = tmp_path / "contacts.yaml"
    rewrite(path, "- {id: ann")
    assert not await contacts.reload_if_changed()
    assert contacts.resolve("discord", "g", PlatformPerson("222", "Bob")).role is Role.BANNED
    assert "last good version" in contacts.problems[0]
    ann = contacts.resolve("discord", "g", PlatformPerson("111", "Ann"))
    assert (ann.id, ann.role) == ("ann", Role.GUEST), "names and ids serve on, rights don't"
    assert contacts.person("ann") == ann
    assert contacts.role_of("ann") is Role.GUEST
    assert contacts.vouching == ()
    rewrite(path, FILE + "- {id: new, name: New}\n")
    assert await contacts.reload_if_changed()
    assert contacts.problems == ()


async def test_a_file_that_vanishes_does_not_lift_bans(contacts: Contacts, tmp_path: Path):
    (tmp_path / "contacts.yaml").unlink()
    await contacts.reload_if_changed()
    assert contacts.resolve("discord", "g", PlatformPerson("222", "Bob")).role is Role.BANNED
    assert "vanished" in contacts.problems[0]


async def test_setting_a_contact_keeps_comments_and_everybody_else(
    contacts: Contacts, tmp_path: Path
):
    path = tmp_path / "contacts.yaml"
    ann, bob = contacts.people[0], contacts.people[1]
    await contacts.set_contact(with_platform_id(ann, "discord", "113"))
    await contacts.set_contact(Contact("bob", "Bob", Role.GUEST, ids=bob.ids))
    await contacts.set_contact(Contact("cy", "Cy", Role.FRIEND, email="cy@example.org"))
    await contacts.set_contact(Contact("dee", "Dee: the “one”", None))
    text = path.read_text()
    assert "# the team" in text
    assert "# runs the place" in text
    assert "# on the way out" in text
    assert contacts.resolve("discord", "g", PlatformPerson("113", "x")).id == "ann"
    assert contacts.resolve("discord", "g", PlatformPerson("222", "x")).role is Role.GUEST
    assert [person.id for person in contacts.people] == ["ann", "bob", "cy", "dee"]
    assert (tmp_path / "contacts.yaml.bak").exists()


@pytest.mark.parametrize(
    "text", ["# who is who\n[]\n", "# who is who\n", "# who is who\n- {id: bob, name: Bob}\n"]
)
async def test_the_first_contact_keeps_the_comments_of_the_file(tmp_path: Path, text: str):
    path = tmp_path / "contacts.yaml"
    path.write_text(text)
    contacts = Contacts.load(path, KNOWN_PLATFORMS)
    await contacts.set_contact(Contact("ann", "Ann", Role.FRIEND))
    assert path.read_text().startswith("# who is who\n")
    assert contacts.people[-1].name == "Ann"


async def test_a_contact_that_takes_anothers_id_is_refused_unwritten(
    contacts: Contacts, tmp_path: Path
):
    with pytest.raises(SettingsError, match="is there twice"):
        await contacts.set_contact(Contact("eve", "Eve", None, ids={"discord": ("111",)}))
    assert (tmp_path / "contacts.yaml").read_text() == FILE


NAMES = st.text(min_size=1, max_size=20).map(lambda text: " ".join(text.split())).filter(bool)
NO_IDS: dict[str, tuple[str, ...]] = {}
CONTACTS = st.builds(
    Contact,
    st.sampled_from(["ann", "bob", "cy", "no", "12", "e-e"]),
    NAMES,
    st.none() | st.sampled_from(Role),
    st.none() | st.just("Europe/Berlin"),
    st.none() | st.just("x@example.org"),
    st.sampled_from([NO_IDS, {"terminal": ("t",)}]),
)


@given(st.lists(CONTACTS, max_size=6), st.booleans())
def test_settings_are_read_back_and_nobody_is_lost(changes: list[Contact], from_file: bool):
    text = FILE if from_file else ""
    wanted = {
        contact.id: contact for contact in parse_contacts(text, "c.yaml", KNOWN_PLATFORMS).contacts
    }
    for change in changes:
        try:
            text = with_contact(text, change, "c.yaml", KNOWN_PLATFORMS)
        except SettingsError:  # two people with the same terminal id
            continue
        wanted[change.id] = change
    found = {
        contact.id: contact for contact in parse_contacts(text, "c.yaml", KNOWN_PLATFORMS).contacts
    }
    assert {
        id_: (c.name, c.role, c.timezone, c.email, dict(c.ids)) for id_, c in found.items()
    } == {id_: (c.name, c.role, c.timezone, c.email, dict(c.ids)) for id_, c in wanted.items()}


def test_a_slug_has_only_letters_digits_and_dashes():
    assert slug("Ann Lee") == "ann-lee"
    assert slug("李雷") == "person"


def test_a_zone_of_a_profile_holds_where_the_contacts_name_none(tmp_path: Path):
    path = tmp_path / "contacts.yaml"
    path.write_text(
        "- {id: ann, name: Ann, timezone: Europe/Berlin, ids: {slack: ['T1:U1']}}\n"
        "- {id: ben, name: Ben, ids: {slack: ['T1:U2']}}\n"
    )
    contacts = Contacts.load(path, KNOWN_PLATFORMS)
    zones = [
        contacts.resolve("slack", "T1", PlatformPerson(user, user, timezone=zone)).timezone
        for user, zone in (
            ("U1", "Asia/Tokyo"),
            ("U2", "Asia/Tokyo"),
            ("U3", "Asia/Tokyo"),
            ("U4", "Nowhere/Atall"),
        )
    ]
    assert zones == ["Europe/Berlin", "Asia/Tokyo", "Asia/Tokyo", None]


@pytest.mark.parametrize("name", ["Nowhere/Atall", "Europe", "../x", ""])
def test_an_unknown_zone_is_utc(name: str):
    assert zone_of(name).key == "UTC"
