"""The floors of the house: pyproject.toml holds the contracts, and they hold."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

STANDARD = sys.stdlib_module_names


def contracts(root: Path) -> list[dict[str, Any]]:
    found = tomllib.loads((root / "pyproject.toml").read_text())
    return found["tool"]["importlinter"]["contracts"]


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def test_all_import_contracts_hold(root: Path):
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (
        f"{done.stdout[-4000:]}{done.stderr}\nMove the code to the room that may know both, or "
        "hand the thing down as an argument from bot/app.py; don't loosen the contract in "
        "pyproject.toml."
    )


SHARED = {"accounts", "calendars", "due_dates", "mailboxes", "native", "records", "slugs"}
"""What connectors may all use: no service or surface of its own."""


def test_every_connector_is_named_in_the_independence_contract(root: Path):
    named = {
        *next(contract for contract in contracts(root) if contract["id"] == "connectors-apart")[
            "modules"
        ]
    }
    folder = root / "bot" / "connectors"
    found = {
        path.name.removesuffix(".py") for path in folder.iterdir() if not path.name.startswith("_")
    }
    connectors = {f"bot.connectors.{name}" for name in found - SHARED - {"shipped"}}
    assert connectors == named, (
        f"{connectors ^ named}: name each connector in the contract `connectors-apart` of "
        "pyproject.toml, and what they share in SHARED here"
    )


def test_the_domain_needs_nothing_but_the_standard_library(bot_files: list[Path]):
    for path in bot_files:
        if path.parent.name == "domain":
            outside = {
                name
                for name in imported(path)
                if name.split(".")[0] not in STANDARD
                and not name.startswith(("bot.domain", "bot.errors", "bot.translations"))
            }
            assert not outside, (
                f"{path} imports {outside}; the domain holds plain dataclasses and Protocols only"
            )


def test_only_bot_testing_is_exempt_from_the_floors(root: Path):
    house = next(contract for contract in contracts(root) if contract["id"] == "house")
    assert house["exhaustive"]
    assert house["exhaustive_ignores"] == ["testing"], (
        "give a new package its floor instead of ignoring it"
    )


OF_ACCOUNTS = (
    *(f"bot.plugins.{name}.mailbox" for name in ("google", "outlook")),
    *(f"bot.plugins.{name}.connector" for name in ("github", "notion", "slack")),
)
"""Connectors of accounts that people connect."""
OF_MAIL = tuple(f"bot.plugins.mail.{name}" for name in ("connector", "inbound", "resend"))
SOMETIMES = (
    *OF_ACCOUNTS,
    *OF_MAIL,
    *(f"bot.plugins.swarm.{name}" for name in ("batch", "reports", "session", "worker")),
    *(f"bot.plugins.postgresql.{name}" for name in ("connecting", "schema", "server")),
    *(
        "aiohttp",
        "authlib",
        "bot.chat.catch_up",
        "bot.chat.remote",
        *(f"bot.plugins.{name}_chat.adapter" for name in ("discord", "slack", "telegram")),
        "bot.plugins.importing.reading",
        "bot.workshop.review.audit_rules",
        "bot.workshop.review.importer",
        "cryptography",
        "dateparser",
        "discord",
        "docx",
        "json5",
        "jsonschema",
        "lxml",
        "markdown_it",
        "mcp",
        "openpyxl",
        "PIL",
        "pptx",
    ),
    *(
        "opentelemetry",
        "playwright",
        "procrastinate",
        "prometheus_client",
        "prompt_toolkit",
        "psycopg",
        "psycopg_pool",
        "pypdf",
        "referencing",
        "rich",
        "slack_bolt",
        "slack_sdk",
        "striprtf",
        "trafilatura",
    ),
)
"""Modules of what only some homes use; who uses one imports it then."""


def test_importing_the_house_loads_nothing_that_only_some_homes_use():
    loaded = ", ".join(f"bot.cli.{one}" for one in ("chat", "doctor", "serve", "tools"))
    script = (
        f"import sys, bot.app, {loaded}\n"
        f"print([name for name in {SOMETIMES} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_plain_home_loads_no_connector_of_accounts_and_mail(tmp_path: Path):
    script = (
        "import asyncio, sys; from pathlib import Path;"
        "from bot.app import AppOptions, open_app\n"
        "async def start():\n"
        "    async with open_app(AppOptions(Path(sys.argv[1]))):\n"
        f"        print([name for name in {OF_ACCOUNTS + OF_MAIL} if name in sys.modules])\n"
        "asyncio.run(start())"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
