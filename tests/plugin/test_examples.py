"""Connector, platform and model from a package of somebody else, installed with pip."""

from pathlib import Path

from bot.app import AppOptions, open_app
from bot.assembly.home_settings import load_settings
from bot.testing.running import running
from bot.testing.waiting import until

HOME = """\
plugins: [lunch, postbox, parrot]
model: {{provider: parrot}}
parrot:
  answers: {{hello: "Hello to you."}}
postbox: {{enabled: true, folder: "{folder}"}}
"""


class Town:
    """A home with the three plug-ins, and the folder of its postbox."""

    def __init__(self, path: Path) -> None:
        self.home, self.folder = path / "home", path / "post"
        self.home.mkdir()
        self.folder.mkdir()
        (self.home / "bellhop.yaml").write_text(HOME.format(folder=self.folder))

    def post(self, who: str, name: str, text: str) -> None:
        folder = self.folder / "in" / who
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.part").write_text(text)
        (folder / f"{name}.part").rename(folder / f"{name}.txt")

    def answers(self, who: str) -> str:
        return "\n".join(
            path.read_text() for path in sorted((self.folder / "out" / who).glob("*.md"))
        )


async def test_a_message_goes_through_platform_model_and_connector(tmp_path: Path, examples: Path):
    town = Town(tmp_path)
    async with running(AppOptions(town.home, platforms=True)) as app:
        town.post("ann", "1", "hello there")
        await until(lambda: "Hello to you." in town.answers("ann"))
        town.post("ann", "2", 'run lunch {"action": "add", "name": "The Green Door"}')
        await until(lambda: "added" in town.answers("ann"))
        town.post("bob", "1", 'run lunch {"action": "draw"}')
        await until(lambda: '"chosen": "The Green Door"' in town.answers("bob"))
        town.post("bob", "2", "/lunch")
        await until(lambda: "- The Green Door" in town.answers("bob").splitlines())
        rows = await app.database.read("SELECT name, added_by, draws FROM lunch_places")
    assert [dict(row) for row in rows] == [
        {"name": "The Green Door", "added_by": "postbox-ann", "draws": 1}
    ]
    assert not list(town.folder.glob("in/*/*.txt"))


async def test_a_second_start_finds_the_tables(tmp_path: Path, examples: Path):
    town = Town(tmp_path)
    for _ in range(2):
        async with open_app(AppOptions(town.home)) as app:
            rows = await app.database.read(
                "SELECT plugin, number FROM plugin_migrations WHERE plugin = 'lunch'"
            )
            assert [tuple(row.values()) for row in rows] == [("lunch", 1)]


def test_the_sections_of_plugins_are_read_like_others(tmp_path: Path, examples: Path):
    town = Town(tmp_path)
    settings = load_settings(town.home)
    assert settings.plugins == ("lunch", "postbox", "parrot")
    assert settings.section("lunch").model_dump() == {"most": 50}
