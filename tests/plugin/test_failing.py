"""A plug-in whose parts fail, or are not what they must be, is named."""

from pathlib import Path

import pytest

from bot.app import AppOptions, open_app
from bot.domain.database import Unit, Write
from bot.errors import SettingsError
from tests.plugin.conftest import Install
from tests.plugin.test_finding import home_with, it, start


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("    def build(self, given): return given.nothing\n", "can't be built (AttributeError: "),
        (
            "    def build(self, given): return None\n",
            "can't be built (TypeError: it made NoneType in place of Parts)",
        ),
        (
            "    def build(self, given): return Parts(connectors=(object(),))\n",
            "can't be built (TypeError: its connectors must be collections.abc.Sequence[bot.",
        ),
        (
            "    def build(self, given): return Parts(tasks=[3])\n",
            "can't be built (TypeError: its tasks must be collections.abc.Sequence[",
        ),
        (
            "    def build(self, given): return Parts(late=lambda ground: None)\n",
            "can't be built (TypeError: it made NoneType in place of LateParts)",
        ),
        (
            "    def build(self, given): return Parts(agent_tools=lambda ground: ['x'])\n",
            "can't be built (TypeError: its tools must be collections.abc.Sequence[bot.",
        ),
        (
            "    def build(self, given): return Parts(places=lambda ground: 1 / 0)\n",
            "can't be built (ZeroDivisionError: ",
        ),
        ("    def build(self, given): raise SystemExit(4)\n", "can't be built (SystemExit: 4)"),
        (
            "    def build(self, given): return Parts(load=self.load)\n"
            "    async def load(self): 1 / 0\n",
            "can't begin (ZeroDivisionError: ",
        ),
        (
            "    def named_secrets(self, settings): 1 / 0\n",
            "can't say which secrets it reads (Zero",
        ),
    ],
)
async def test_a_plugin_that_fails_while_it_is_built_is_named(
    tmp_path: Path, install: Install, code: str, said: str, caplog: pytest.LogCaptureFixture
):
    install("one", it(code))
    with pytest.raises(SettingsError) as refused:
        await start(home_with(tmp_path, "plugins: [one]\n"))
    assert f"the plug-in 'one' {said}" in str(refused.value)
    assert "update its package, or remove one from plugins" in str(refused.value)
    assert "plugin=<one> | its code failed\nTraceback" in caplog.text  # for its author


async def test_a_plugin_that_cannot_read_anew_what_another_process_changed_stops_no_other(
    tmp_path: Path, install: Install, caplog: pytest.LogCaptureFixture
):
    install(
        "one",
        it(
            "    def build(self, given): return Parts(load=self.load)\n"
            "    begun = False\n"
            "    async def load(self):\n"
            "        if self.begun: 1 / 0\n"
            "        self.begun = True\n"
        ),
    )
    async with open_app(AppOptions(home_with(tmp_path, "plugins: [one]\n"))) as app:
        changes = app.house.ground.changes
        changes.shared = True
        table = Write("CREATE TABLE changes (topic TEXT PRIMARY KEY, number INTEGER)")
        await app.database.write(Unit.of(table))  # as on a database that several processes share
        await changes.tell("one")
        await changes.catch_up()
    assert "plugin=<one> | its code failed\nTraceback" in caplog.text
