"""The questions of `bellhop init`: model, time zone, chat platforms.

Each answer is tried at once and then written.
"""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen
from zoneinfo import available_timezones

import typer
import yaml

from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import platforms_of
from bot.cli.home_files import set_secret
from bot.cli.model_findings import OPENAI_KEY, OPENAI_TOLD
from bot.cli.printing import ask, confirm
from bot.dates.zone_names import folded_zone, no_zone, zones_by_name
from bot.domain.health import Check
from bot.domain.json_types import as_object, as_objects
from bot.domain.models import ModelRequest, ModelSize
from bot.errors import BotError, ModelError, ModelTrouble, SettingsError
from bot.llm.build import build_model
from bot.llm.endpoint import nearby
from bot.llm.settings import ModelSettings
from bot.plugin.chat import AnyPlatform, Secrets
from bot.settings import Settings
from bot.yaml_file import parse_yaml, read_text, read_yaml

PATIENCE_S = 10.0
_ANSWERED_S, _ASKED_TOKENS = 60.0, 256
"""Of the one try of a model."""
_LISTED = 40
_NOT_THERE = frozenset({404, 405, 501})
_ENDINGS = ("/v1/messages", "/v1/chat/completions", "/v1/models", "/v1")


def address_of(text: str) -> str:
    """`localhost:11434` is http://localhost:11434. Raises ValueError with a sentence."""
    said = text.strip().strip("<>\"'")
    if not said or any(char.isspace() for char in said):
        raise ValueError("An address has no spaces; write one like http://localhost:11434.")
    if said.isdigit():
        raise ValueError(
            f"{text!r} is a number alone; write the host, too: http://localhost:11434."
        )
    try:
        if "://" not in said:
            near = nearby(urlsplit(f"//{said}").hostname or "")
            said = f"{'http' if near else 'https'}://{said}"
        parts = urlsplit(said)
        port = parts.port
    except ValueError:
        raise ValueError(f"{text!r} has no port between 1 and 65535 behind its colon.") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0:
        raise ValueError(f"{text!r} is no http(s) address; write one like http://localhost:11434.")
    said = f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")
    return next((said.removesuffix(end) for end in _ENDINGS if said.endswith(end)), said)


@dataclass(frozen=True)
class ModelServer:
    """What answers at an address."""

    problem: str = ""
    """Why it can't be used, as a sentence; empty if it can."""
    models: tuple[str, ...] = ()
    """The models that it lists, if it lists any."""


def look_at(address: str) -> ModelServer:
    """Connect, ask which models there are, and find out whether it speaks the Messages API.

    Sends no text and no key; blocks for at most some seconds.
    """
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), PATIENCE_S).close()
    except (OSError, UnicodeError) as error:
        return ModelServer(_unreachable(str(parts.hostname), port, error))
    try:
        return _spoken(address)
    except (OSError, HTTPException) as error:
        wrong = "https" if parts.scheme == "http" else "http"
        return ModelServer(
            f"Something listens at {parts.netloc}, but it doesn't answer as {parts.scheme} "
            f"({_reason(error)}). Perhaps it is {wrong}://, or another port."
        )


def _unreachable(host: str, port: int, error: Exception) -> str:
    match error:
        case socket.gaierror() | UnicodeError():
            return f"There is no machine called {host}: a mistyped name, or no network."
        case ConnectionRefusedError():
            return f"Nothing listens at {host} on port {port}. Is the server running?"
        case TimeoutError():
            return f"{host} did not answer on port {port} within {PATIENCE_S:.0f} seconds."
        case _:
            return f"{host} can't be reached on port {port}: {_reason(error)}."


def _spoken(address: str) -> ModelServer:
    listed, body = _status(f"{address}/v1/models")
    models = _names(body) if listed == 200 else ()
    if _status(f"{address}/v1/messages", b"{}")[0] not in _NOT_THERE:
        return ModelServer(models=models)
    if _status(f"{address}/v1/chat/completions", b"{}")[0] not in _NOT_THERE:
        return ModelServer(
            "This server speaks only /v1/chat/completions, and Bellhop needs the Messages API "
            "(/v1/messages). LiteLLM's proxy translates: put it before this server, and give its "
            "address.",
            models,
        )
    return ModelServer(
        "Something answers there, but it has no /v1/messages: it is no server of the Messages "
        "API, or the address lacks a part of its path."
    )


def _status(url: str, body: bytes | None = None) -> tuple[int, bytes]:
    headers = {"content-type": "application/json", "anthropic-version": "2023-06-01"}
    request = Request(url, body, headers)  # noqa: S310 - http and https alone, see address_of
    try:
        with urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310 - as above
            return int(answer.status), answer.read(1_000_000)
    except HTTPError as error:
        error.close()
        return error.code, b""


def _names(body: bytes) -> tuple[str, ...]:
    with suppress(ValueError):
        named = [one.get("id") for one in as_objects(as_object(json.loads(body)).get("data"))]
        return tuple(one for one in named[:_LISTED] if isinstance(one, str) and one)
    return ()


def _reason(error: Exception) -> str:
    """The system's words for an error, and never how Python writes it."""
    inner = error.reason if isinstance(error, URLError) else error
    return str(getattr(inner, "strerror", None) or "no sensible answer")


# --- one try ---


async def try_model(settings: ModelSettings, secret: Callable[[str], str | None]) -> Check:
    """Ask the model of these settings once; never raises for what it finds."""
    try:
        model = build_model(settings, secret, attempts=1)
    except BotError as error:
        return Check("model", "error", str(error))
    words = {"role": "user", "content": [{"type": "text", "text": "Say hello in one word."}]}
    request = ModelRequest((), (), (words,), _ASKED_TOKENS, ModelSize.MAIN)
    try:
        async with asyncio.timeout(_ANSWERED_S):
            await model.sample(request, lambda _: None)
    except TimeoutError:
        label = model.capabilities.label
        return Check("model", "error", f"{label} did not answer within {_ANSWERED_S:.0f} s")
    except ModelError as error:
        return Check("model", "error", _failed(model.capabilities.label, error.trouble))
    finally:
        await model.close()
    return Check("model", "ok", f"{model.capabilities.label} answers")


def _failed(label: str, trouble: ModelTrouble) -> str:
    """Why there was no answer; of a lost connection only what a person can act on."""
    match trouble.kind:
        case "unreachable":
            return f"{label} can't be reached from this machine: is there a network, and no proxy?"
        case "auth":
            return f"{label} did not take the key; copy it once more ({trouble.detail})"
        case _:
            return f"{label} did not answer: {trouble.detail}"


_MARKS = {"ok": "✓", "warning": "!", "error": "✗"}
_TRYING = "  trying …"
_CHOICES = {
    **dict.fromkeys(("1", "anthropic", "claude", "api"), "1"),
    **dict.fromkeys(("2", "ollama", "server", "local", "lm studio", "vllm", "llama.cpp"), "2"),
    **dict.fromkeys(("3", "none", "offline", "n", "no", "nein", "later", "skip"), "3"),
}
"""What people type for a number of the list."""
_MODELS = """
Which model answers?
  1  Anthropic's API (you need a key: console.anthropic.com > API keys)
  2  a server that speaks the Messages API, such as Ollama on this machine
  3  none for now: the offline model, which only follows simple rules"""


def guide(home: Path) -> list[str]:
    """Ask, try and write; gives what to try at the end.

    What the files already set is not asked. Raises BotError.
    """
    settings = load_settings(home)
    typer.echo(
        "\nA few questions; Enter takes the answer in [brackets], Ctrl-C stops and keeps the "
        "answers so far."
    )
    book = _Book(home)
    tries = ["bellhop chat            # and type: add a todo: buy milk"]
    if "model" not in book.there and not settings.secret("ANTHROPIC_API_KEY"):
        _model(settings, book)
    if "timezone" not in book.there:
        book.write("timezone", _zone())
    for platform in platforms_of(settings):
        if _wants(platform, settings, book):
            tries += _platform(platform, settings, book)
    return tries


def _wants(platform: AnyPlatform, settings: Settings, book: "_Book") -> bool:
    """Whether to set up a platform: enabled without a token, or the person wants it."""
    title = platform.traits.title
    if platform.name not in book.there:
        return confirm(f"\nUse {title}?", default=False)
    asked = next((secret.name for secret in platform.secrets), "")
    enabled = settings.get(platform.settings).enabled
    if not enabled or not asked or settings.secret(asked):
        return False
    typer.echo(f"\n{title} is switched on, but {asked} is missing.")
    return True


class _Book:
    """bellhop.yaml and .env of the home, as far as the questions write them."""

    def __init__(self, home: Path) -> None:
        self._home = home
        found: object = read_yaml(home / "bellhop.yaml").value
        self.there = frozenset(map(str, found)) if isinstance(found, dict) else frozenset[str]()  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        """The sections that bellhop.yaml sets."""

    def write(self, name: str, value: object) -> None:
        """Add a section at the end of bellhop.yaml, unless it has one."""
        if name in self.there:
            return
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
        if not confirm("  Try again with other answers?", default=True):
            return confirm("  Write them as they are?", default=False)


def _secret(label: str) -> str:
    shown = f"  {label} (it is not shown)"
    return str(typer.prompt(shown, hide_input=True, default="", show_default=False)).strip()


def _model(settings: Settings, book: _Book) -> None:
    if settings.secret(OPENAI_KEY):
        typer.echo(f"\n{OPENAI_TOLD}")
    typer.echo(_MODELS)
    choice, given = _choice()
    if choice == "3":
        return
    section: dict[str, str] = {}
    secrets: dict[str, str] = {}

    def ask_all() -> Sequence[Check]:
        nonlocal given
        first, given = given, ""
        if choice == "1":
            secrets["ANTHROPIC_API_KEY"] = first or _key()
        else:
            section.update(_server(first))
        wanted = settings.get(ModelSettings).model_copy(update=section)
        typer.echo(_TRYING)
        return [
            asyncio.run(try_model(wanted, lambda name: secrets.get(name) or settings.secret(name)))
        ]

    try:
        wanted = _tried(ask_all)
    except _WithoutModel:
        typer.echo("  Then the offline model answers for now; `bellhop init` asks again.")
        return
    if wanted:
        book.keep(secrets)
        if section:
            book.write("model", dict(section))


class _WithoutModel(Exception):
    """The person goes on without a model."""


def _choice() -> tuple[str, str]:
    """1, 2 or 3, and what was given instead of the number: a key or an address."""
    while True:
        said = str(typer.prompt("  Number", default="3")).strip()
        word = said.casefold().rstrip(".)")
        if (choice := _CHOICES.get(word)) is not None:
            return choice, ""
        if said.startswith("sk-ant-"):
            return "1", said
        if ":" in said or "/" in said:
            return "2", said
        typer.echo("  Write 1, 2 or 3.")


def _key() -> str:
    while True:
        key = _secret("Key")
        if not key:
            typer.echo("  That was empty: paste the key, or press Ctrl-C to stop.")
        elif any(char.isspace() for char in key):
            typer.echo("  A key has no spaces in it; copy it once more.")
        elif key.startswith("sk-") and not key.startswith("sk-ant-"):
            typer.echo("  That is no key of Anthropic; theirs begin with sk-ant-.")
        else:
            return key


def _server(given: str) -> dict[str, str]:
    """The address, judged before the model's name is asked for, and that name."""
    models: Sequence[str] = ()

    def judge(text: str) -> str:
        nonlocal models
        if _CHOICES.get(text.casefold()) == "3":
            raise _WithoutModel
        address = address_of(text)
        typer.echo("  looking …")
        found = look_at(address)
        if found.problem:
            text = f"{_MARKS['error']} {found.problem}"
            raise ValueError(f"{text}\n  Type another address, or “none” to go on without a model.")
        typer.echo(f"  {_MARKS['ok']} a server of the Messages API answers at {address}")
        models = found.models
        return address

    address = ""
    if given:
        try:
            address = judge(given)
        except ValueError as error:
            typer.echo(f"  {error}")
    address = address or ask("  Address", judge, "http://localhost:11434")
    if models:
        typer.echo(f"  Its models: {', '.join(models)}")
    name = ask("  Model, as the server calls it", _model_name, models[0] if models else "")
    return {"provider": "compatible", "base_url": address, "name": name}


def _model_name(text: str) -> str:
    if not text or any(char.isspace() for char in text):
        raise ValueError("A model's name has no spaces, such as qwen3:14b.")
    return text


def _platform(platform: AnyPlatform, settings: Settings, book: _Book) -> list[str]:
    for step in platform.steps()[: platform.first_steps]:
        typer.echo(f"  {step}")
    typer.echo("  Paste tokens here and they are kept in .env; Enter alone leaves this for later.")
    wanted = settings.get(platform.settings).model_copy(update={"enabled": True})
    secrets: dict[str, str] = {}

    def ask() -> Sequence[Check]:
        for secret in platform.secrets:
            if secret.label and not (secrets and not any(secrets.values())):
                secrets[secret.name] = _secret(secret.label)
        if not any(secrets.values()):
            return []
        if problems := platform.problems(wanted, _of(secrets)):
            return [Check(platform.name, "error", problem) for problem in problems]
        typer.echo(_TRYING)
        return asyncio.run(_examined(platform.examine(wanted, _of(secrets))))

    if not _tried(ask):
        return []
    if not any(secrets.values()):
        typer.echo(f"  {platform.traits.title} is left for later; `bellhop init` asks again.")
        return []
    book.keep(secrets)
    book.write(platform.name, {"enabled": True})
    return [f"bellhop run             # {platform.try_it}"]


def _of(secrets: Mapping[str, str]) -> Secrets:
    return lambda name: secrets.get(name, "")


async def _examined(checks: Awaitable[Sequence[Check]]) -> Sequence[Check]:
    return await checks


# --- time zones ---


def _zone() -> str:
    while True:
        wanted = str(
            typer.prompt("\nTime zone, for people without one of their own", default=local_zone())
        )
        if (found := zones_by_name().get(folded_zone(wanted))) is not None:
            return found
        typer.echo(f"  {no_zone(wanted)}")


def local_zone() -> str:
    """The zone of this machine, as far as it tells; else UTC."""
    parts = Path("/etc/localtime").resolve().parts
    name = "/".join(parts[parts.index("zoneinfo") + 1 :]) if "zoneinfo" in parts else ""
    return name if name in available_timezones() else "UTC"
