"""`bellhop contacts`: linking and unlinking people, with the file's comments kept."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.cli.main import app
from bot.sessions.people.contacts_file import GENERATED, parse_contacts, without_contact
from bot.testing.loaded_program import run_loaded

PEOPLE = """\
# Our people
- id: anna   # never changes
  name: Anna
  role: Friend
  ids:
    discord: ["42"]   # her second account

# and somebody else
- id: ben
  name: Ben
# the end
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "contacts.yaml").write_text(PEOPLE)
    return tmp_path


def contacts(home: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["contacts", *words, "--home", str(home)])


def ids_of(home: Path, person: str) -> dict[str, list[str]]:
    people = json.loads(contacts(home, "list", "--json").output)
    return next(one["ids"] for one in people if one["id"] == person)


def comments(home: Path) -> list[str]:
    return [
        line.partition("#")[2]
        for line in (home / "contacts.yaml").read_text().splitlines()
        if "#" in line
    ]


def test_an_id_is_linked_and_unlinked_and_comments_stay(home: Path):
    before = comments(home)
    assert "discord:43 is ben." in contacts(home, "link", "ben", "discord:43").output
    assert ids_of(home, "ben") == {"discord": ["43"]}
    assert "is a stranger now" in contacts(home, "unlink", "ben", "discord:43").output
    assert ids_of(home, "ben") == {}
    assert comments(home) == before
    assert "Removed anna" in contacts(home, "remove", "anna").output
    text = (home / "contacts.yaml").read_text()
    assert (
        text
        == "# Our people\n\n# and somebody else\n- id: ben\n  name: Ben\n  ids: {}\n# the end\n"
    )


def test_an_id_of_somebody_else_is_not_taken(home: Path):
    refused = contacts(home, "link", "ben", "discord:42")
    assert refused.exit_code
    assert "unlink anna discord:42" in refused.stderr
    added = contacts(home, "add", "Zoe", "--account", "discord:42")
    assert "discord:42 is Anna (anna): `bellhop contacts set anna` changes them" in added.stderr
    assert (home / "contacts.yaml").read_text() == PEOPLE


def test_a_name_in_place_of_an_id_adds_nobody(home: Path):
    contacts(home, "add", "Zoe", "--role", "Friend")
    people = json.loads(contacts(home, "list", "--json").output)
    zoe = next(one["id"] for one in people if one["name"] == "Zoe")
    refused = contacts(home, "set", "zoe", "--role", "Business")
    assert refused.exit_code
    assert f"write the id, as in `bellhop contacts set {zoe}`" in refused.stderr
    assert json.loads(contacts(home, "list", "--json").output) == people


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (("link", "anna", "discord:name#1234"), "Copy User ID"),
        (("set", "anna", "--account", "discord:name#1234"), "Copy User ID"),
        (("set", "anna", "--timezone", "Berlin"), "write Europe/Berlin"),
        (("link", "zoe", "discord:7"), "it names anna, ben"),
        (("link", "anna", "irc:7"), "must be discord:ID"),
        (("unlink", "anna", "discord:7"), "contacts list"),
        (("remove", "zoe"), "names nobody with the id 'zoe'"),
    ],
)
def test_errors_come_with_the_remedy(home: Path, words: tuple[str, ...], remedy: str):
    before = (home / "contacts.yaml").read_text()
    refused = contacts(home, *words)
    assert refused.exit_code
    assert remedy in refused.stderr
    assert (home / "contacts.yaml").read_text() == before


def test_a_file_names_the_zone_and_the_id_that_are_meant():
    found = parse_contacts(
        (
            "- {id: a, name: A, timezone: new york, ids: {discord: 'kit#1234'}}\n- {id: b, name: "
            "B, timezone: Berlin}\n"
        ),
        "contacts.yaml",
        KNOWN_PLATFORMS,
    )
    assert [problem for problem in found.problems if "America/New_York" in problem]
    assert [problem for problem in found.problems if "Europe/Berlin" in problem]
    assert [problem for problem in found.problems if "is no Discord id" in problem]


@pytest.mark.parametrize(
    "text",
    [
        "[{id: a, name: A}, {id: b, name: B}]\n",
        "- {id: a, name: A}\n- {id: b, name: B}\n",
        "  - id: b\n    name: B\n  - id: a\n    name: A",
    ],
)
def test_a_contact_is_removed_from_any_layout(text: str):
    assert [
        one.id
        for one in parse_contacts(
            without_contact(text, "a", "c", KNOWN_PLATFORMS), "c", KNOWN_PLATFORMS
        ).contacts
    ] == ["b"]


def test_a_todo_of_the_terminal_is_the_contacts_after_linking(
    tmp_path: Path, environment: dict[str, str]
):
    def bellhop(*words: str) -> str:
        done = run_loaded([*words, "--home", str(tmp_path)], environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    assert bellhop("init")
    assert "bread" in bellhop("chat", "--once", "add a todo: bread")
    assert "Added kit: Tester" in bellhop("contacts", "add", "Tester", "--id", "kit")
    assert "terminal-local-tester is kit now: 1 todo moved." in bellhop(
        "contacts", "link", "kit", "terminal:tester"
    )
    assert "bread" in bellhop("chat", "--once", "list my todos")


def test_the_list_warns_of_what_is_not_used(home: Path):
    (home / "contacts.yaml").write_text(
        "- id: anna\n  name: Anna\n  role: Freind\n  ids: {discord: [anna b.]}\n"
    )
    told = contacts(home, "list")
    assert told.exit_code == 0
    assert "warning: contacts.yaml, line 3: unknown role 'Freind'" in told.stderr
    assert "warning: contacts.yaml, line 4: 'anna b.' is no Discord id" in told.stderr
    assert "Anna" in told.stdout


def test_a_new_contact_gets_an_id_that_nobody_had(home: Path):
    added = contacts(home, "add", "Discord 43", "--role", "Friend", "--account", "discord:44")
    assert added.exit_code == 0
    people = json.loads(contacts(home, "list", "--json").output)
    assert GENERATED.fullmatch(people[-1]["id"])
    assert people[-1]["ids"] == {"discord": ["44"]}
    chosen = contacts(home, "add", "Zoe", "--id", "zoe")
    assert "Added zoe: Zoe" in chosen.output
    before = (home / "contacts.yaml").read_text()
    for words in (("Discord 43", "--role", "Friend", "--account", "discord:44"), ("Zoe",)):
        again = contacts(home, "add", *words)
        assert "is there already" in again.output, "a line that was cut off is typed once more"
    assert "is there already" in contacts(home, "add", "Zoe", "--id", "zoe").output
    assert (home / "contacts.yaml").read_text() == before
    for wanted, remedy in (
        ("p-aaaaaaaaaaaa", "the form of ids that Bellhop makes"),
        ("ben", "`bellhop contacts set` changes them"),
        ("discord-45", "an account on discord has by itself"),
    ):
        refused = contacts(home, "add", "Eve", "--id", wanted)
        assert refused.exit_code
        assert remedy in refused.stderr


def test_an_id_is_given_once_and_taken_over_by_an_act(home: Path):
    (home / "data").mkdir()
    contacts(home, "set", "ben", "--role", "Friend")  # its record begins
    contacts(home, "remove", "anna")
    for words in (("add", "Zoe", "--id", "anna"), ("set", "Anna", "--name", "Zoe")):
        refused = contacts(home, *words)
        assert refused.exit_code
        assert "was somebody's id" in refused.stderr
    with (home / "contacts.yaml").open("a") as file:
        file.write("- {id: anna, name: Zoe, ids: {discord: ['77']}}\n")
    told = contacts(home, "list")
    assert "the id 'anna' belonged to discord:42" in told.stderr
    assert "bellhop contacts take-over anna anna" in told.stderr
    assert "anna" in told.stdout
    checked = CliRunner().invoke(app, ["doctor", "--home", str(home)])
    assert "the id 'anna' belonged to discord:42" in checked.output.replace("\n", " ")
    listed = contacts(home, "take-over", "anna", "anna").output
    assert "Under `anna` I keep: nothing." in listed
    assert "I ask discord:42 first" in listed
    assert "I have asked discord:42" in contacts(home, "take-over", "anna", "anna", "--yes").output
    assert "wait for the answer" in contacts(home, "take-over", "anna", "anna", "--yes").output


def test_an_account_that_is_added_keeps_its_earlier_things_apart(home: Path):
    (home / "data").mkdir()
    contacts(home, "set", "ben", "--role", "Friend")
    linked = contacts(home, "link", "anna", "discord:43").output
    assert "stays apart until: bellhop contacts take-over discord:43 anna" in linked
    assert "I ask discord:43 first" in contacts(home, "take-over", "discord:43", "anna").output
    assert "no account of ben" in contacts(home, "take-over", "discord:43", "ben").output


def test_a_name_at_the_terminal_is_no_id_and_the_ids_with_that_name_are_told(tmp_path: Path):
    """People choose their names on platforms, so a name makes nobody somebody else here."""
    added = contacts(tmp_path, "add", "Ann Lee").output
    made = added.removeprefix("Added ").partition(":")[0]
    line = ["tools", "why", "send", "--as", "Ann Lee", "--home", str(tmp_path)]
    refused = CliRunner().invoke(app, line)
    assert refused.exit_code == 1
    told = f"--as: contacts.yaml has no id 'Ann Lee'; it knows {made} (Ann Lee)"
    assert told in refused.stderr
