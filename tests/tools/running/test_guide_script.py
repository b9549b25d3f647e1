"""The first tool of docs/writing-tools.md gives right answers inside the sandbox."""

import re
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import ShellImplementation
from bot.testing.tools import ToolFolder, a_call, a_context, a_toolset
from bot.tools.native.registry import NativeTools
from bot.tools.running.executor import ToolExecutor
from bot.tools.running.output import OUTPUT_CHARS
from bot.tools.running.sandbox import Sandbox
from bot.tools.running.shell import ShellRoute
from bot.tools.settings import ShellSettings

GUIDE = Path(__file__).parents[3] / "docs" / "writing-tools.md"
SHOWN = re.compile(
    r"`prompts/tools/shared/(on_call\.\w+)`[^`]*```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL
)
CASES = {
    "2026-11-23": "Ann",
    "2026-11-29": "Ann",
    "2026-11-30": "Bob",
    "2026-11-22": "nobody is planned for 2026-11-22",
}


@pytest.mark.parametrize("day", CASES)
async def test_it_says_who_is_on_call(tmp_path: Path, day: str):
    shown = dict(SHOWN.findall(GUIDE.read_text()))
    assert set(shown) == {"on_call.md", "on_call.sh", "on_call.csv"}
    files, settings = ToolFolder(tmp_path), ShellSettings()
    path = files.put("shared/on_call", shown["on_call.md"], root="home")
    for name in ("on_call.sh", "on_call.csv"):
        (path.parent / name).write_text(shown[name])
    sandbox = Sandbox(settings, files.home)
    await sandbox.probe()
    route = ShellRoute(settings, OUTPUT_CHARS, SystemClock(), sandbox)
    executor = ToolExecutor(NativeTools(routes={ShellImplementation: route}), SystemClock())
    catalog = await files.loaded()
    (tool,) = catalog.snapshot.tools
    result = await executor.execute(
        tool.definition, a_context(a_toolset(catalog), a_call("on_call", day=day))
    )
    assert isinstance(result, ToolResult)
    if sandbox.hindrance is None:
        assert (result.is_error, result.content.strip()) == (False, CASES[day])
    else:
        assert "scripts are off" in result.content
