"""The real program in its own processes."""

import os
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import pytest

from bot.testing.loaded_program import loaded
from bot.testing.postgres_server import postgres_programs

# tests/conftest.py says in a line that these were left out.
collect_ignore_glob = [] if postgres_programs() else ["test_postgresql*.py"]

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "USER": "tester",
}

Running = Callable[[Path], AbstractContextManager[subprocess.Popen[str]]]


@contextmanager
def _running(command: list[str], home: Path) -> Generator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*command, "run", "--home", str(home)], stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    assert process.stderr is not None
    try:
        while "| ready" not in (line := process.stderr.readline()):
            assert line, "it ended before it was ready"
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def wide_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of output are not wrapped."""
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def running() -> Running:
    """`bellhop run`, from the moment at which it says that it is ready."""
    return partial(_running, [sys.executable, "-m", "bot"])


@pytest.fixture
def beside() -> Running:
    """The same for tests of commands beside it: it starts sooner, and has another process id."""
    return partial(_running, loaded())


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of a person without keys and settings."""
    return dict(ENVIRONMENT)
