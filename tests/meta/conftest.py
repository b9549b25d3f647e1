"""What the house rules are checked on: the checkout's own files."""

import ast
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import typer

from bot.cli.main import app

ROOT = Path(__file__).parents[2]


def _sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def bot_files() -> list[Path]:
    return _sources("bot")


@pytest.fixture(scope="session")
def test_files() -> list[Path]:
    return _sources("tests")


@pytest.fixture(scope="session")
def imports(bot_files: list[Path]) -> Mapping[Path, Sequence[ast.Import | ast.ImportFrom]]:
    """What each file of the product imports, wherever in it."""
    return {
        path: [
            node
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        for path in bot_files
    }


@pytest.fixture(scope="session")
def understood() -> Callable[[list[str]], None]:
    """Raises click's error for a command, an option or a value that there is not."""
    return _understood


def _understood(words: list[str]) -> None:
    command: Any = typer.main.get_command(app)
    context = command.make_context("bellhop", list(words))
    while hasattr(command, "resolve_command"):
        rest = [*context._protected_args, *context.args]
        name, command, rest = command.resolve_command(context, rest)
        context = command.make_context(name, rest, parent=context)
