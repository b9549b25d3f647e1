"""Rules of bot/connectors: each module is a connector or shared, and all are listed."""

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import Any

import bot.connectors
from bot.app import every_connector
from bot.testing.shipped_tools import CONNECTOR_SKILLS
from bot.tools.native.registry import Needs

SHIPPED = every_connector(Path("nowhere"))
SHARED = {"accounts", "calendars", "due_dates", "mailboxes", "native", "records", "slugs"}
"""Modules that connectors are made of; they are no connectors and import none."""
FOLDER = Path(bot.connectors.__file__).parent


def modules() -> set[str]:
    return {module.name for module in pkgutil.iter_modules(bot.connectors.__path__)} - {"shipped"}


def connectors_in(name: str) -> list[type[Any]]:
    place = f"{name}.connector" if (FOLDER / name / "connector.py").exists() else name
    module = importlib.import_module(f"bot.connectors.{place}")
    own = (item for _, item in inspect.getmembers(module, inspect.isclass))
    return [
        item
        for item in own
        if item.__module__.startswith(f"bot.connectors.{name}") and hasattr(item, "registrations")
    ]


def imported(path: Path) -> set[str]:
    """First names below bot.connectors that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found.update(name.split(".")[2] for name in names if name.startswith("bot.connectors."))
    return found


def test_every_connector_is_listed_once_and_every_module_holds_one():
    found = {name: connectors_in(name) for name in modules() - SHARED}
    assert all(found.values()), [name for name, classes in found.items() if not classes]
    kinds = {*map(type, SHIPPED)}
    of_plugins = {kind for kind in kinds if kind.__module__.startswith("bot.plugins.")}
    assert {item for classes in found.values() for item in classes} == kinds - of_plugins
    ids = [connector.id for connector in SHIPPED]
    assert len(ids) == len(set(ids))


def test_every_listed_class_is_a_connector():
    for connector in SHIPPED:
        for member in ("registrations", "file_sources", "prompt_section"):
            assert callable(getattr(connector, member)), (connector, member)
        assert isinstance(connector.needs, Needs), connector


def test_skills_lie_in_the_folder_of_their_connector():
    skills = {connector.id: connector.skills for connector in SHIPPED if connector.skills}
    assert skills == CONNECTOR_SKILLS


def test_reserved_names_are_those_of_reserved_tools():
    tools = (tool for one in SHIPPED for each in one.registrations() for tool in each.tools)
    assert {tool.name for tool in tools if tool.reserved} == {"get_calendar"}


def test_no_connector_knows_another():
    for name in modules():
        place = FOLDER / name
        files = list(place.glob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
        allowed = SHARED if name in SHARED else SHARED | {name}
        for path in files:
            assert imported(path) <= allowed, path


def test_sql_stands_only_in_stores():
    for path in FOLDER.rglob("*.py"):
        if path.name != "store.py":
            assert "SELECT " not in path.read_text(encoding="utf-8"), path
