"""docs/plugins.md: its package installs and works, and everything else that it shows is right."""

import asyncio
import inspect
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from bot.app import AppOptions, open_app
from bot.assembly.home_settings import load_settings
from bot.automations.trigger_file import read_trigger
from bot.knowledge.file_text import ReadingLimits
from bot.plugin.plugin import AnyPlugin, Plugin
from bot.testing.fake_chat import FakeChat

GUIDE = Path(__file__).parents[2] / "docs" / "plugins.md"
BLOCKS: list[tuple[str, str]] = re.findall(
    r"^```(\w+)\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL
)
FILE = re.compile(r"(?:#|<!--) ((?:[\w.-]+/)*[\w-]+\.(?:py|md|toml))(?: -->)?\n")


def files() -> dict[str, str]:
    """The files of the package that the guide makes, by their paths."""
    found: dict[str, str] = {}
    for _, block in BLOCKS:
        if named := FILE.match(block):
            found[named[1]] = block  # with the line that names it, as a reader copies it
    return found


def blocks(kind: str) -> list[str]:
    return [text for one, text in BLOCKS if one == kind and not FILE.match(text)]


async def test_the_connector_of_the_guide_is_installed_and_called(
    tmp_path: Path,
    examples: Path,
    install_from: Callable[[Path, Path], None],
    monkeypatch: pytest.MonkeyPatch,
):
    for path, text in files().items():
        (tmp_path / "source" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "source" / path).write_text(text)
    await asyncio.to_thread(install_from, tmp_path / "source", tmp_path / "site")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    shown = next(text for text in blocks("yaml") if "plugins: [dice]" in text)
    home = tmp_path / "home"
    home.mkdir()
    tried = next(text for text in blocks("yaml") if "plugins: [dice, parrot]" in text)
    (home / "bellhop.yaml").write_text(shown.replace("plugins: [dice]\n", "") + tried)
    chat = FakeChat()
    async with open_app(AppOptions(home, adapters=[chat])) as app:
        assert not [str(one) for one in app.house.tooling.catalog.problems if "dice" in str(one)]
        running = asyncio.create_task(app.run())
        chat.attach(app.accept)
        (wish,) = (line for text in blocks("sh") for line in re.findall(r"--once '(.*)'", text))
        thrown = await chat.say_and_wait("ann", wish)
        refused = await chat.say_and_wait("ann", 'run throw_dice {"dice": 9}')
        again = await chat.say_and_wait("ann", 'run throw_dice {"dice": 2} twice {or more}')
        running.cancel()
    assert re.search(r"It says: [1-6] [1-6] [1-6]", thrown)
    assert "at most 6 dice are thrown at once" in refused
    assert re.fullmatch(r"It says: [1-6] [1-6]", again)


@pytest.mark.parametrize("block", blocks("python"))
def test_each_piece_of_code_of_the_guide_makes_a_plugin(block: str):
    names: dict[str, Any] = {}
    exec(compile(block, "docs/plugins.md", "exec"), names)  # noqa: S102 - the guide is ours
    kinds = [one for one in names.values() if inspect.isclass(one) and one is not Plugin]
    (plugin,) = [cast("AnyPlugin", one()) for one in kinds if issubclass(one, Plugin)]
    assert plugin.name == type(plugin).__name__.lower()
    for reader in plugin.readers:
        found = names[reader.read.partition(":")[2]](b"said", ReadingLimits(name="a.srt"))
        assert [one.text for one in found.sections] == ["said"]


@pytest.mark.parametrize("block", [one for one in blocks("yaml") if "with the examples" in one])
def test_the_settings_of_the_guide_are_read(block: str, tmp_path: Path, examples: Path):
    (tmp_path / "bellhop.yaml").write_text(block)
    assert load_settings(tmp_path).plugins


def test_the_trigger_of_the_guide_is_read():
    (block,) = [one for one in blocks("yaml") if "event: plugin" in one]
    trigger = read_trigger(f"---\n{block}---\n\nSay so.\n", "door.md", sources=("rings",))
    assert trigger.filter.source == "rings"


def test_every_block_of_the_guide_is_tried():
    tried = [*files().values(), *blocks("python")]
    assert tomllib.loads(files()["pyproject.toml"])["project"]["entry-points"]
    assert len(tried) == sum(kind in {"python", "toml", "markdown"} for kind, _ in BLOCKS)
    assert sum(kind == "yaml" for kind, _ in BLOCKS) == 5
