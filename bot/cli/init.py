"""`bellhop init`: a home folder with commented files, ready to be edited."""

import re
import shlex
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

import typer
import yaml
from pydantic import BaseModel

from bot.assembly.home_settings import load_settings
from bot.assembly.own_plugins import OWN, OWN_PLATFORMS
from bot.assembly.sections import SECTIONS
from bot.cli.commands import run_async
from bot.cli.contacts import claim_code
from bot.cli.guide import guide
from bot.cli.model_findings import OPENAI_KEY, OPENAI_TOLD
from bot.cli.options import NO_HOME, AnyHome
from bot.cli.templates import template
from bot.errors import SettingsError, StorageError
from bot.plugin.chat import Secret
from bot.settings import LogSettings
from bot.storage.confined import make_file
from bot.tools.budget.budgets import guests_have
from bot.tools.budget.settings import BudgetSettings

FOLDERS = ("prompts/tools/shared", "prompts/agents", "skills", "memory", "data")

_OWN_KEYS = ("BELLHOP_SECRET_KEY", "BELLHOP_WEBHOOK_KEY", "BELLHOP_METRICS_KEY")


def secret_names() -> list[str]:
    """The names that Bellhop itself reads from .env."""
    return [line.removesuffix("=") for line in _env().splitlines() if line.endswith("=")] + [
        *_OWN_KEYS
    ]


def _env() -> str:
    chats = [
        _secrets_below(f"{one.traits.title}{one.secrets_note}", one.secrets)
        for one in OWN_PLATFORMS
        if one.secrets
    ]
    plugins = [_secrets_below(one.secrets_note, one.secrets) for one in OWN if one.secrets]
    return "\n".join((template("env"), *chats, *plugins))


def _secrets_below(note: str, secrets: Sequence[Secret]) -> str:
    return f"# {note}\n" + "".join(f"{secret.name}=\n" for secret in secrets)


def _contacts() -> str:
    ids = [f'#     {one.name}: ["{one.traits.id_example}"]\n' for one in OWN_PLATFORMS]
    terminal = "#     terminal: [anna]        # the name of the system's user, or of --as\n"
    return "".join((template("contacts.yaml"), *ids, terminal))


_IGNORE = """\
.env
/data/
/imports/
/.locks/
"""

_NEXT = """\
  bellhop chat            # talk with it here (the offline model answers until there is a key)
  cp {home}/.env.example {home}/.env
                          # and put your ANTHROPIC_API_KEY there, or set model.base_url in
                          # bellhop.yaml
  bellhop doctor          # checks everything; with --live it asks the model and the chats, too"""


def init(
    folder: Annotated[
        Path | None, typer.Argument(help="The home folder to make.", show_default="--home")
    ] = None,
    discord_app_id: Annotated[
        str | None,
        typer.Option(
            "--discord-app-id",
            metavar="ID",
            help="For the link that invites the bot to a Discord server.",
        ),
    ] = None,
    questions: Annotated[
        bool | None,
        typer.Option(
            "--questions/--no-questions",
            help="Ask for model, chats and zone. Default: only at a terminal.",
        ),
    ] = None,
    home: AnyHome = NO_HOME,
) -> None:
    """Make a home, a folder of commented files.

    At a terminal it asks, and tries each answer at once.

    Existing files stay.
    """
    if discord_app_id is not None and not discord_app_id.isdecimal():
        raise typer.BadParameter(
            "--discord-app-id is a number: Developer Portal, General Information, Application ID"
        )
    place = (folder or home).expanduser().resolve()
    if not place.exists():
        _make(place)
        place.chmod(0o700)
    for name, text in (
        ("bellhop.yaml", settings_text()),
        ("contacts.yaml", _contacts()),
        (".env.example", _env()),
        (".gitignore", _IGNORE),
    ):
        typer.echo(f"  {'wrote' if _write(place / name, text) else 'kept '}  {name}")
    for name in FOLDERS:
        _make(place / name)
    asked = discord_app_id is None and sys.stdin.isatty() and sys.stdout.isatty()
    if asked if questions is None else questions:
        _guided(place)
        return
    typer.echo(f"\n{place} is Bellhop's home now. Type next:")
    _how_to_reach(place)
    typer.echo(_NEXT.format(home=shlex.quote(str(place))))
    typer.echo(
        f"  Model calls cost money: {guests_have(BudgetSettings())} (budgets: in bellhop.yaml)."
    )
    _say_of_openai(place)
    for platform in OWN_PLATFORMS:
        typer.echo(f"\nTo use {platform.traits.title}:")
        for step in platform.steps(discord_app_id or ""):
            typer.echo(f"  {step}")


def _say_of_openai(place: Path) -> None:
    """The key of another API alone gives no model: better said now than guessed later."""
    secret = load_settings(place).secret
    if secret(OPENAI_KEY) and not secret("ANTHROPIC_API_KEY"):
        typer.echo(f"  {OPENAI_TOLD}")


def _guided(place: Path) -> None:
    """Ask what a home needs, and end with what to type next."""
    again = f"bellhop init {shlex.quote(str(place))}"
    try:
        tries = guide(place)
    except typer.Abort:
        typer.echo(f"\n\nStopped. What you answered so far is kept; to go on, type:\n  {again}")
        raise typer.Exit(130) from None
    except SettingsError as error:
        raise SettingsError(
            f"{error}\nNo question was asked yet. Mend that line, then type: {again}"
        ) from None
    typer.echo(f"\n{place} is Bellhop's home now. Type next:")
    _how_to_reach(place)
    for line in [*tries, "bellhop doctor --live   # checks everything"]:
        typer.echo(f"  {line}")
    _show_claim_code(place)


def _show_claim_code(place: Path) -> None:
    """How to become the owner on the chats that were set up just now."""
    if words := run_async(claim_code(place)):
        typer.echo(f"\nWhen `bellhop run` is running:\n{words}")


def _how_to_reach(place: Path) -> None:
    if place != Path.cwd():
        typer.echo(f"  export BELLHOP_HOME={shlex.quote(str(place))}   # or give --home each time")


def _write(path: Path, text: str) -> bool:
    _make(path.parent)
    try:
        make_file(path, text.encode())
    except FileExistsError:
        return False
    except OSError as error:
        raise StorageError(
            f"cannot write {path}: {error.strerror}; choose a folder you may write to"
        ) from error
    return True


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise StorageError(
            f"cannot make the folder {folder}: a file has that name; choose another with --home"
        ) from None
    except OSError as error:
        raise StorageError(
            f"cannot make the folder {folder}: {error.strerror}; choose another with --home"
        ) from error


# --- bellhop.yaml ---


def settings_text() -> str:
    """Every setting with its default, commented out, so that only changed lines count."""
    lines = [
        (
            "# Settings of this Bellhop. Each line shows a default: remove its # and change the "
            "value."
        ),
        "# Unknown names are refused. Secrets do not belong here; they go into .env.",
        "",
        "# timezone: UTC    # for people without one of their own, e.g. Europe/Berlin",
        "# plugins: []    # what `bellhop plugins` lists, by name",
    ]
    steps = {platform.name: platform.steps() for platform in OWN_PLATFORMS}
    for name, section in {**SECTIONS, "log": LogSettings}.items():
        lines += [
            "",
            f"# {_about(section.__doc__ or '')}",
            *(f"# {step}" for step in steps.get(name, [])),
            f"# {name}:",
            *(f"# {line}" for line in _fields(section(), 1)),
        ]
    return "\n".join(lines) + "\n"


def _about(docstring: str) -> str:
    """The first line of a section's docstring, without its name and internal references."""
    first = re.sub(
        r"^`\w+:` |\s*\((?:ruling|research)[^)]*\)", "", docstring.strip().split("\n")[0]
    )
    return f"{first[:1].upper()}{first[1:]}"


def _fields(section: BaseModel, depth: int) -> list[str]:
    lines: list[str] = []
    indent = "  " * depth
    for name, field in type(section).model_fields.items():
        value: object = getattr(section, name)
        if isinstance(value, BaseModel):
            lines += [f"{indent}{name}:", *_fields(value, depth + 1)]
            continue
        choices = _choices(field.annotation)
        lines.append(
            f"{indent}{name}: {_yaml(value)}{f'    # {choices}' if choices else ''}".rstrip()
        )
    return lines


def _yaml(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        value = str(value)  # a member of a StrEnum, too
    elif isinstance(value, tuple):
        value = list(cast("tuple[object, ...]", value))
    elif isinstance(value, dict):
        value = {str(key): one for key, one in cast("dict[str, object]", value).items()}
    return (
        yaml.safe_dump(value, default_flow_style=True, width=10_000).removesuffix("...\n").strip()
    )


def _choices(annotation: Any) -> str:
    """`a | b | c` for a setting that takes one of a few words."""
    origin = get_origin(annotation)
    if origin is Literal:
        return " | ".join(str(choice) for choice in get_args(annotation))
    if origin in {Union, types.UnionType}:
        return next((found for part in get_args(annotation) if (found := _choices(part))), "")
    return ""
