"""The documents name every command, setting and tool, and their examples work."""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
import yaml
from typer.core import TyperGroup
from typer.testing import CliRunner

from bot.assembly.own_commands import OWN_COMMANDS
from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.assembly.sections import SECTIONS
from bot.cli.commands import COMMANDS
from bot.cli.main import app as command_line
from bot.cli.settings import PLAIN, described, page
from bot.plugin.command_line import CommandGroup
from bot.retired_settings import RETIRED, Renamed
from bot.sessions.people.contacts_file import parse_contacts
from bot.settings import load
from bot.testing.shipped_tools import shipped_files
from bot.tools.definitions.definition import parse_tool_file
from bot.tools.policy.file import parse_policy

BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
DOCUMENTS = (
    "README.md",
    "docs/architecture.md",
    "docs/decisions.md",
    "docs/commands.md",
    "docs/daily-use.md",
    "docs/people.md",
    "docs/running.md",
    "docs/security.md",
    "docs/setting-up.md",
    "docs/settings.md",
)


def documents(root: Path) -> list[Path]:
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def commands() -> Iterator[str]:
    """Each command of the house and of our own plug-ins, and those of groups."""
    for own in OWN_COMMANDS:
        if isinstance(own, CommandGroup):
            yield from (f"bellhop {own.name} {one.name}" for one in own.commands)
        else:
            yield f"bellhop {own.name}"
    for listed in COMMANDS:
        command = listed.load()
        if isinstance(command, TyperGroup):
            yield from (f"bellhop {listed.name} {name}" for name in command.commands)
        else:
            yield f"bellhop {listed.name}"


def test_every_command_is_described(root: Path):
    text = (root / "docs" / "commands.md").read_text()
    names = list(commands())
    missing = [name for name in names if name not in text]
    assert names
    assert not missing, f"describe {missing} in docs/commands.md, or remove the command"


def test_the_page_of_settings_is_that_of_the_models(root: Path):
    written = (root / "docs" / "settings.md").read_text()
    assert written == page(PLAIN, described(SECTIONS)), (
        "write it anew: bellhop settings --markdown > docs/settings.md"
    )


def test_the_page_of_skills_is_that_of_the_files(root: Path, tmp_path: Path):
    told = CliRunner().invoke(
        command_line, ["skills", "list", "--markdown", "--home", str(tmp_path)]
    )
    assert told.output == (root / "docs" / "skills.md").read_text(), (
        "write it anew: bellhop skills list --markdown > docs/skills.md"
    )


def test_every_setting_says_what_it_is_for():
    silent = [one.name for each in described(SECTIONS) for one in each.settings if not one.meaning]
    assert not silent, f"write a docstring below {silent}"


def test_a_setting_that_nothing_reads_is_marked_so(root: Path, bot_files: list[Path]):
    code = "\n".join(path.read_text() for path in bot_files if path.name != "settings.py")
    # These two also have what is worked out of settings.
    for room in ("memory", "tools/budget"):
        code += (root / "bot" / room / "settings.py").read_text()
    rows = [one for each in described(SECTIONS) for one in each.settings]
    unread = {
        one.name for one in rows if not re.search(rf"\.{one.name.rsplit('.', 1)[-1]}\b", code)
    }
    marked = {one.name for one in rows if "not used yet" in one.meaning}
    assert unread == marked, (
        f"{unread ^ marked}: use the setting, remove it, or say `not used yet` in its docstring"
    )


def test_every_shipped_tool_is_in_the_documents(root: Path):
    text = (root / "docs" / "writing-tools.md").read_text()
    tools = sorted(path.stem for path in shipped_files())
    missing = [name for name in tools if f"`{name}`" not in text]
    assert not missing, f"add {missing} to the table of docs/writing-tools.md"


def test_every_example_in_the_documents_works(root: Path, tmp_path: Path):
    tried = 0
    for path in documents(root):
        if path.name == "plugins.md":
            continue  # tests/plugin/test_guide.py installs and runs what it shows
        for kind, shown in BLOCK.findall(path.read_text()):
            block = dedent(shown)
            first = block.partition("\n")[0]
            if kind == "yaml" and "bellhop.yaml" in first:
                (tmp_path / "bellhop.yaml").write_text(block)
                load(tmp_path, SECTIONS, {})
            elif kind == "yaml" and "contacts.yaml" in first:
                assert not parse_contacts(block, path.name, KNOWN_PLATFORMS).problems
            elif kind == "yaml" and "policy.yaml" in first:
                assert parse_policy(block, path.name).count
            elif kind == "markdown" and first.startswith("# "):
                parse_tool_file(
                    block, path=tmp_path / f"{first.removeprefix('# ').strip()}.md", folder="shared"
                )
            elif kind == "yaml":
                assert list(yaml.safe_load_all(block)), f"{path.name}: {first}"
            else:
                continue
            tried += 1
    assert tried > 20, "the documents should show bellhop.yaml, contacts.yaml and a tool file"


def test_links_between_documents_lead_somewhere(root: Path):
    for path in documents(root):
        for target in LINK.findall(path.read_text()):
            assert (path.parent / target).exists(), (
                f"{path} links to {target}, which does not exist"
            )


def test_each_page_opens_with_who_it_is_for(root: Path):
    """One sentence below the title: readers see at once whether they are on the right page."""
    pages = sorted((root / "docs").glob("*.md"))
    assert len(pages) > 20
    silent = [
        page.name for page in pages if not re.match(r"# .+\n\nFor [^.]+[.:]\s", page.read_text())
    ]
    assert not silent, f"begin {silent} with a sentence such as `For operators who …`"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_documents_are_there(root: Path, name: str):
    assert (root / name).stat().st_size > 500, f"{name} says nothing yet"


def test_folders_that_the_readme_names_exist(root: Path):
    for name in re.findall(r"^\| `([\w./]+/)` \|", (root / "README.md").read_text(), re.MULTILINE):
        assert (root / name).is_dir(), f"README.md names {name}, which does not exist"


def test_a_retired_setting_is_none_and_moved_or_listed_in_the_changelog(root: Path):
    settings = {one.name for each in described(SECTIONS) for one in each.settings}
    changes = (root / "CHANGELOG.md").read_text()
    for name, fate in RETIRED.items():
        assert name.replace("*", "NAME") not in settings
        if isinstance(fate, Renamed):
            new = fate.to.replace("*", "NAME")
            assert new in settings or new.rpartition(".")[0] in settings, new
        else:
            assert f"`{name.replace('*', 'NAME')}`" in changes, name
