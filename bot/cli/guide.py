"""The questions of `bellhop init`: model, time zone, chat platforms.

Each answer is tried at once and then written.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, available_timezones

import typer

from bot.cli.env_file import set_secret
from bot.domain.checks import Check
from bot.errors import SettingsError

if TYPE_CHECKING:
    from bot.plugin.chat import AnyPlatform, Secrets
    from bot.settings import Settings

_MARKS = {"ok": "✓", "warning": "!", "error": "✗"}
_TRYING = "  trying …"
_MODELS = """
Which model answers?
  1  Anthropic's API (you need a key: console.anthropic.com > API keys)
  2  a server that speaks the Messages API, such as Ollama on this machine
  3  none for now: the offline model, which only follows simple rules"""


def guide(home: Path) -> list[str]:
    """Ask, try and write; gives what to try at the end.

    What the files already set is not asked. Raises BotError.
    """
    from bot.app import load_settings  # noqa: PLC0415 - imports the house
    from bot.assembly.plugins import platforms_of  # noqa: PLC0415

    typer.echo(
        "\nA few questions; Enter takes the answer in [brackets], Ctrl-C stops and keeps the "
        "answers so far."
    )
    settings = load_settings(home)
    book = _Book(home)
    tries = ["bellhop chat          and type: add a todo: buy milk"]
    if "model" not in book.there and not settings.secret("ANTHROPIC_API_KEY"):
        _model(settings, book)
    if "timezone" not in book.there:
        book.write("timezone", _zone())
    for platform in platforms_of(settings):
        if _wants(platform, settings, book):
            tries += _platform(platform, settings, book)
    return tries


def _wants(platform: "AnyPlatform", settings: "Settings", book: "_Book") -> bool:
    """Whether to set up a platform: enabled without a token, or the person wants it."""
    title = platform.traits.title
    if platform.name not in book.there:
        return typer.confirm(f"\nUse {title}?", default=False)
    asked = next((secret.name for secret in platform.secrets), "")
    enabled = settings.get(platform.settings).enabled
    if not enabled or not asked or settings.secret(asked):
        return False
    typer.echo(f"\n{title} is switched on, but {asked} is missing.")
    return True


class _Book:
    """bellhop.yaml and .env of the home, as far as the questions write them."""

    def __init__(self, home: Path) -> None:
        from bot.yaml_file import read_yaml  # noqa: PLC0415 - imports yaml

        self._home = home
        found: object = read_yaml(home / "bellhop.yaml").value
        self.there = frozenset(map(str, found)) if isinstance(found, dict) else frozenset[str]()  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        """The sections that bellhop.yaml sets."""

    def write(self, name: str, value: object) -> None:
        """Add a section at the end of bellhop.yaml, unless it has one."""
        if name in self.there:
            return
        import yaml  # noqa: PLC0415 - not for --help

        from bot.yaml_file import parse_yaml, read_text  # noqa: PLC0415

        path = self._home / "bellhop.yaml"
        text = yaml.safe_dump({name: value}, sort_keys=False, allow_unicode=True)
        try:
            parse_yaml(f"{read_text(path)}\n{text}", path.name)
        except SettingsError:  # everything stands in one pair of braces
            typer.echo(
                f"  Nothing can be appended to bellhop.yaml; write this into it: {text.strip()}"
            )
            return
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{text}")

    def keep(self, secrets: Mapping[str, str]) -> None:
        for name, value in secrets.items():
            set_secret(self._home / ".env", name, value)


def _tried(ask: Callable[[], Sequence[Check]]) -> bool:
    """Ask and try until it works or the person moves on; whether to write the answers."""
    while True:
        findings = ask()
        for finding in findings:
            typer.echo(f"  {_MARKS[finding.state]} {finding.text}")
        if all(finding.state != "error" for finding in findings):
            return True
        if not typer.confirm("  Try again with other answers?", default=True):
            return typer.confirm("  Write them as they are?", default=False)


def _secret(label: str) -> str:
    return str(typer.prompt(f"  {label} (it is not shown)", hide_input=True)).strip()


def _model(settings: "Settings", book: _Book) -> None:
    from bot.cli.model_check import try_model  # noqa: PLC0415 - imports the house
    from bot.cli.model_findings import OPENAI_KEY, OPENAI_TOLD  # noqa: PLC0415
    from bot.llm.settings import ModelSettings  # noqa: PLC0415

    if settings.secret(OPENAI_KEY):
        typer.echo(f"\n{OPENAI_TOLD}")
    typer.echo(_MODELS)
    while (choice := str(typer.prompt("  Number", default="3")).strip()) not in {"1", "2", "3"}:
        typer.echo("  Write 1, 2 or 3.")
    section: dict[str, str] = {}
    secrets: dict[str, str] = {}

    def ask() -> Sequence[Check]:
        section.clear()
        if choice == "1":
            secrets["ANTHROPIC_API_KEY"] = _secret("Key")
        else:
            section["provider"] = "compatible"
            section["base_url"] = str(
                typer.prompt("  Address", default="http://localhost:11434")
            ).strip()
            section["name"] = str(typer.prompt("  Model, as the server calls it")).strip()
        wanted = settings.get(ModelSettings).model_copy(update=section)
        typer.echo(_TRYING)
        return [
            asyncio.run(try_model(wanted, lambda name: secrets.get(name) or settings.secret(name)))
        ]

    if choice != "3" and _tried(ask):
        book.keep(secrets)
        if section:
            book.write("model", dict(section))


def _platform(platform: "AnyPlatform", settings: "Settings", book: _Book) -> list[str]:
    for step in platform.steps()[: platform.first_steps]:
        typer.echo(f"  {step}")
    wanted = settings.get(platform.settings).model_copy(update={"enabled": True})
    secrets: dict[str, str] = {}

    def ask() -> Sequence[Check]:
        for secret in platform.secrets:
            if secret.label:
                secrets[secret.name] = _secret(secret.label)
        if problems := platform.problems(wanted, _of(secrets)):
            return [Check(platform.name, "error", problem) for problem in problems]
        typer.echo(_TRYING)
        return asyncio.run(_examined(platform.examine(wanted, _of(secrets))))

    if not _tried(ask):
        return []
    book.keep(secrets)
    book.write(platform.name, {"enabled": True})
    return [f"bellhop run           {platform.try_it}"]


def _of(secrets: Mapping[str, str]) -> "Secrets":
    return lambda name: secrets.get(name, "")


async def _examined(checks: Awaitable[Sequence[Check]]) -> Sequence[Check]:
    return await checks


# --- time zones ---


def _zone() -> str:
    while True:
        wanted = str(
            typer.prompt("\nTime zone, for people without one of their own", default=local_zone())
        ).strip()
        if wanted in available_timezones():
            return ZoneInfo(wanted).key
        near = zones_like(wanted)
        typer.echo(
            f"  {wanted!r} is no time zone; "
            f"{f'did you mean {near}?' if near else 'write one like Europe/Berlin'}"
        )


def zones_like(name: str) -> str:
    """The zones whose city is called so: `Berlin` asks for Europe/Berlin."""
    city = name.strip().replace(" ", "_").casefold()
    found = sorted(
        zone
        for zone in available_timezones()
        if "/" in zone and zone.rpartition("/")[2].casefold() == city
    )
    return " or ".join(found[:3])


def local_zone() -> str:
    """The zone of this machine, as far as it tells; else UTC."""
    parts = Path("/etc/localtime").resolve().parts
    name = "/".join(parts[parts.index("zoneinfo") + 1 :]) if "zoneinfo" in parts else ""
    return name if name in available_timezones() else "UTC"
