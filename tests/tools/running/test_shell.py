"""Scripts: arguments on standard input, a bare environment, and nothing left running."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from bot.clock import SystemClock
from bot.domain.origins import Trust
from bot.domain.tool_outcomes import ToolOutcome, ToolResult
from bot.domain.tools import ShellImplementation, ToolDefinition
from bot.testing.tools import ToolFolder, a_call, a_context, a_toolset
from bot.testing.waiting import runs, until
from bot.tools.native.registry import NativeTools
from bot.tools.running.executor import ToolExecutor
from bot.tools.running.shell import ShellRoute
from bot.tools.settings import ShellSettings

pytestmark = pytest.mark.both_loops

SETTINGS, MOST_CHARS = ShellSettings(sandbox="none"), 2_000


async def run(
    files: ToolFolder, script: str, timeout_s: float = 20, **arguments: Any
) -> ToolResult:
    outcome = await start(files, script, timeout_s, **arguments)
    assert isinstance(outcome, ToolResult)
    return outcome


async def start(
    files: ToolFolder, script: str, timeout_s: float = 20, **arguments: Any
) -> ToolOutcome:
    path = files.put("shared/thing").with_suffix(".sh")
    path.write_text(script)
    catalog = await files.loaded()
    definition = ToolDefinition(
        "thing", "x", {"type": "object"}, "shared", ShellImplementation(path), timeout_s=timeout_s
    )
    route = ShellRoute(SETTINGS, MOST_CHARS, SystemClock())
    natives = NativeTools(routes={ShellImplementation: route})
    executor = ToolExecutor(natives, SystemClock(), MOST_CHARS)
    return await executor.execute(
        definition, a_context(a_toolset(catalog), a_call("thing", **arguments))
    )


async def until_gone(pid: int) -> None:
    """Return when the process has ended, or is a zombie waiting for its new parent."""
    await until(lambda: not runs(pid))


def in_the_table(pid: int) -> bool:
    """Whether it runs, or ended and nobody has looked at its status."""
    return Path(f"/proc/{pid}").exists()


async def test_arguments_arrive_as_json_whatever_they_hold(files: ToolFolder):
    nasty: dict[str, Any] = {"text": "$(touch /tmp/x); `id` \"' \n -rf * é", "n": 3}
    result = await run(files, "cat", **nasty)
    assert json.loads(result.content) == nasty
    assert (result.is_error, result.origin.trust, result.origin.source) == (
        False,
        Trust.EXTERNAL,
        "tool:thing",
    )


async def test_arguments_stand_in_the_environment_too_unless_they_are_long(files: ToolFolder):
    result = await run(files, 'printf "%s" "$BELLHOP_ARGUMENTS"', text="$(id) é\n")
    assert json.loads(result.content) == {"text": "$(id) é\n"}
    assert (
        await run(files, 'echo "${BELLHOP_ARGUMENTS-none}"', text="x" * 200_000)
    ).content == "none"


async def test_the_environment_is_bare_and_the_folder_private(
    files: ToolFolder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    result = await run(files, "env | sort; echo here=$(pwd); touch left; ls -ld .")
    names = {line.split("=")[0] for line in result.content.splitlines() if "=" in line}
    assert {"PATH", "HOME", "LANG", "BELLHOP_TOOL", "BELLHOP_PERSON", "BELLHOP_ROLE"} <= names
    assert "sk-secret" not in result.content
    assert "BELLHOP_ROLE=Friend" in result.content
    assert "drwx------" in result.content
    here = next(
        line for line in result.content.splitlines() if line.startswith("here=")
    ).removeprefix("here=")
    assert not await asyncio.to_thread(Path(here).exists)


async def test_a_failing_script_shows_its_status_and_the_end_of_its_errors(files: ToolFolder):
    result = await run(files, "echo partly; echo 'what went wrong' >&2; exit 3")
    assert result.is_error
    assert result.content == "ERROR: the script ended with exit status 3\nwhat went wrong\npartly"


async def test_warnings_of_a_good_script_are_shown_apart(files: ToolFolder):
    assert (await run(files, "echo fine; echo careful >&2")).content == "fine\n\n[stderr]\ncareful"


async def test_a_shebang_is_honoured_when_the_script_is_executable(files: ToolFolder):
    path = files.put("shared/thing").with_suffix(".sh")
    path.write_text("placeholder")
    path.chmod(0o755)
    assert (await run(files, "#!/usr/bin/env -S sh -e\necho $0\n")).content.endswith("thing.sh")


async def test_a_script_that_cannot_be_started_is_an_error_result(files: ToolFolder):
    path = files.put("shared/thing").with_suffix(".sh")
    path.write_text("placeholder")
    path.chmod(0o755)
    result = await run(files, "#!/nowhere/interpreter\n")
    assert result.is_error
    assert "can't be started" in result.content


async def test_a_script_that_reads_nothing_and_much_input_are_no_problem(files: ToolFolder):
    assert (await run(files, "echo done", text="x" * 300_000)).content == "done"


async def test_a_flood_is_cut_while_it_runs(files: ToolFolder):
    result = await run(files, "echo begin; head -c 30000000 /dev/zero | tr '\\0' x; echo; echo end")
    assert result.content.startswith("begin")
    assert result.content.endswith("end")
    assert len(result.content) <= 2_000
    assert "cut" in result.content


async def test_bytes_that_are_no_text_are_replaced(files: ToolFolder):
    assert (await run(files, "printf 'a\\377b\\000c'")).content == "a\ufffdb\ufffdc"


async def test_a_script_that_hangs_is_ended_with_all_its_children(
    files: ToolFolder, tmp_path: Path
):
    pids = tmp_path / "pids"
    result = await run(
        files,
        (
            f"trap '' TERM; sleep 300 & echo $! > {pids}; echo $$ >> {pids}; while :; do sleep "
            "300; done"
        ),
        timeout_s=1.5,  # the script notes its processes within it
    )
    child, script = (int(pid) for pid in pids.read_text().split())
    assert not in_the_table(script), "its end has to be seen before the call is over"
    assert result.content.startswith("ERROR: thing did not finish within 1.5 seconds.")
    await until_gone(child)


async def test_a_child_left_in_the_background_does_not_outlive_the_call(
    files: ToolFolder, tmp_path: Path
):
    pids = tmp_path / "pids"
    result = await run(files, f"sleep 300 & echo $! > {pids}; echo done")
    assert result.content == "done"
    await until_gone(int(pids.read_text()))


async def test_a_stop_ends_the_script(files: ToolFolder, tmp_path: Path):
    pids = tmp_path / "pids"
    task = asyncio.create_task(
        start(files, f"echo $$ > {pids}.new; mv {pids}.new {pids}; sleep 300")
    )
    async with asyncio.timeout(60):
        while not pids.exists():
            await asyncio.to_thread(os.sched_yield)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until_gone(int(pids.read_text()))
