"""Commands that plug-ins add to `bellhop`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.assembly.home_settings import load_settings
from bot.assembly.own_commands import HOUSE_COMMANDS, OWN_COMMANDS
from bot.assembly.own_plugins import OWN
from bot.cli.commands import COMMANDS
from bot.cli.main import app
from bot.errors import SettingsError
from tests.plugin.conftest import Install

ROLL = """
from typing import Annotated
from bot.plugin.command_line import *

class RollSettings(Section):
    sides: int = 6

def roll(
    who: str,
    setup: Setup[RollSettings],
    home: Path,
    dice: Annotated[int, Parameter("How many.", least=1, most=9)] = 2,
    loud: Annotated[bool, Parameter("Say it loudly.", "--loud/--soft")] = False,
) -> None:
    "Throw dice."
    if who == "nobody":
        raise BadParameter("nobody throws no dice; name somebody")
    if who == "cheat":
        raise SettingsError("these dice are loaded")
    said = f"{who} rolls {dice} with {setup.settings.sides} sides in {home.name}"
    print(said.upper() if loud else said)

class It(Plugin):
    name = "one"
    settings = RollSettings
    commands = (CommandLine("roll-dice", roll),)
"""


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("BELLHOP_HOME", raising=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return home_with(tmp_path, "plugins: [one]\none: {sides: 20}\n")


def home_with(path: Path, text: str) -> Path:
    home = path / "home"
    home.mkdir(exist_ok=True)
    (home / "bellhop.yaml").write_text(text)
    return home


def command(name: str, body: str = "print('done')") -> str:
    """A plug-in with one command."""
    return (
        f"from bot.plugin.command_line import *\ndef go() -> None:\n    {body}\n"
        f"class It(Plugin):\n    name = 'one'\n    commands = (CommandLine({name!r}, go),)\n"
    )


def bellhop(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_example_tells_what_it_was_taught(tmp_path: Path, examples: Path):
    home = home_with(tmp_path, "plugins: [parrot]\nparrot: {answers: {hello: Hello to you.}}\n")
    assert bellhop("parrot", "oh hello", "--home", home).output == "Hello to you.\n"


def test_a_command_is_listed_where_the_home_names_its_plugin(
    home: Path, tmp_path: Path, install: Install, monkeypatch: pytest.MonkeyPatch
):
    install("one", ROLL.replace("from typing", "from pathlib import Path\nfrom typing"))
    listed = "  roll-dice  "
    assert listed in bellhop("--home", home, "--help").output
    assert "Throw dice." in bellhop("--home", home, "--help").output
    assert listed not in bellhop("--home", tmp_path, "--help").output
    assert bellhop("--home", tmp_path, "roll-dice", "ann").exit_code == 2
    monkeypatch.setenv("BELLHOP_HOME", str(home))
    assert listed in bellhop("--help").output
    assert "ann rolls 2" in bellhop("roll-dice", "ann").output


def test_its_options_are_those_of_the_function(home: Path, install: Install):
    install("one", ROLL.replace("from typing", "from pathlib import Path\nfrom typing"))

    def roll(*line: str | Path) -> Result:
        return bellhop("roll-dice", *line, f"--home={home}")

    assert roll("ann").output == "ann rolls 2 with 20 sides in home\n"
    assert roll("ann", "--dice", "3", "--loud").output == "ANN ROLLS 3 WITH 20 SIDES IN HOME\n"
    for wrong in (("ann", "--dice", "10"), ("ann", "--dice", "many"), (), ("nobody",)):
        assert roll(*wrong).exit_code == 2
    assert "nobody throws no dice; name somebody" in roll("nobody").stderr
    refused = roll("cheat")
    assert (refused.exit_code, refused.stderr) == (1, "bellhop: these dice are loaded\n")
    told = roll("--help").output
    assert all(text in told for text in ("Throw dice.", "How many.", "--loud", "--soft", "--home"))
    assert "--home" not in bellhop("demo", "--help").output, "ours needs no home to be found"


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("plugins: [one", "", "bellhop.yaml, line 1: is not valid YAML"),
        ("plugins: [other]", "", "no plug-in 'other' is installed"),
        ("plugins: [one]", "raise OSError('no disk')\n", "can't be imported (OSError: no disk)"),
        ("plugins: [one]", command("Roll Dice"), "a command is called 'Roll Dice'"),
        (
            "plugins: [one]",
            command("roll").replace("go()", "go(at: 'Nowhere' = 0)"),
            "the command 'roll' of the plug-in 'one' can't be made",
        ),
        (
            "plugins: [one]",
            command("chat"),
            "has a command 'chat', which Bellhop has, too",
        ),
    ],
)
def test_what_is_broken_is_told_and_breaks_no_other_command(
    tmp_path: Path, install: Install, text: str, code: str, reason: str
):
    install("one", code or command("roll"))
    home = home_with(tmp_path, text)
    helped = bellhop("--home", home, "--help")
    assert helped.exit_code == 0
    assert "  contacts  " in helped.stdout
    assert helped.stderr.startswith("bellhop: commands of plug-ins are missing: ")
    assert reason in helped.stderr
    assert reason in bellhop("--home", home, "roll").stderr
    explained = bellhop("--home", home, "chat", "--help")
    assert (explained.exit_code, explained.stderr) == (0, "")


SHELF = """\
from typing import Annotated
from bot.plugin.command_line import *
from bot.plugin.plugin import Parts

async def put(what: str, *, ask: Ask) -> bool:
    "Put something on the shelf."
    print((await ask("put", {"what": what}))["text"])
    return what != "nothing"

async def look(what: Annotated[str, Parameter("", argument=True)] = "", *, look: Ask) -> Listing:
    "Look at the shelf."
    return Listing((await look("all", {"what": what}))["rows"], {"what": "thing"}, "It is empty.")

class It(Plugin):
    name = "one"
    commands = (
        CommandGroup("shelf", "Things.", (CommandLine("put", put), CommandLine("look", look))),
    )

    def build(self, given):
        async def put(params):
            return {"text": f"put {params['what']}"}

        async def all(params):
            return {"rows": [{"what": one, "more": 1} for one in params["what"].split()]}

        return Parts(answers={"put": put, "all": all})
"""


def test_commands_of_a_group_ask_the_house(tmp_path: Path, install: Install):
    install("one", SHELF)
    home = home_with(tmp_path, "plugins: [one]\nmodel: {provider: offline}\n")
    listed = bellhop("--home", home, "shelf", "--help").output
    assert all(text in listed for text in ("Things.", "put", "Look at the shelf."))
    assert "  shelf  " in bellhop("--home", home, "--help").output
    done = bellhop("shelf", "put", "books", "--home", home)
    assert (done.output, done.exit_code) == ("put books\n", 0)
    assert bellhop("shelf", "put", "nothing", "--home", home).exit_code == 1
    found = bellhop("shelf", "look", "a b", "--home", home).output
    assert found.split() == ["THING", "a", "b"]
    assert bellhop("shelf", "look", "--home", home).output == "It is empty.\n"
    asked = bellhop("shelf", "look", "a", "--json", "--home", home)
    assert json.loads(asked.output) == [{"what": "a", "more": 1}]


def test_a_name_that_is_taken_is_refused_with_both_owners(tmp_path: Path, install: Install):
    install("one", command("chat"))
    with pytest.raises(SettingsError) as refused:
        load_settings(home_with(tmp_path, "plugins: [one]\n"))
    assert "the plug-in 'one' has a command 'chat', which Bellhop has, too" in str(refused.value)


def test_help_imports_of_plugins_nothing_but_their_commands():
    script = (
        "import sys, bot.cli.main\n"
        "print(*sorted(name for name in sys.modules if name.startswith('bot.plugin')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [
        "bot.plugin",
        "bot.plugin.command_line",
        "bot.plugins",
        "bot.plugins.collections",
        "bot.plugins.collections.command",
        "bot.plugins.demo",
        "bot.plugins.demo.command",
    ]


def test_the_lists_of_names_are_those_of_the_commands():
    assert tuple(one for plugin in OWN for one in plugin.commands) == OWN_COMMANDS
    assert {one.name for one in COMMANDS} == HOUSE_COMMANDS
