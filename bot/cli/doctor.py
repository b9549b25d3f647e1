"""`bellhop doctor`: finds problems, and names the file and the remedy."""

import asyncio
import difflib
import shutil
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from bot import __version__
from bot.agents.delegation.specialist_programs import SpecialistPrograms
from bot.agents.prompt.system_prompt import PromptParts
from bot.agents.settings import AgentSettings
from bot.app import unusable_plugin_tools
from bot.assembly import plugins
from bot.assembly.database import opened
from bot.assembly.home_settings import load_settings
from bot.assembly.plugged import table_findings
from bot.assembly.plugins import (
    known_platforms,
    known_services,
    plugins_of,
    secret_names_of,
    unsent,
)
from bot.automations.showing import hindrances
from bot.cli import connection_findings, database_findings, examples_add, model_findings
from bot.cli.home_files import agents_of, manifests_of, memory_of, skills_of
from bot.cli.init import secret_names
from bot.cli.looking import catalog_of, judged_contacts
from bot.cli.options import NO_HOME, AnyHome, AsJson, no_folder
from bot.cli.preflight import require_open_files
from bot.cli.printing import inert, print_json
from bot.cli.tool_findings import (
    rules_without_platforms,
    rules_without_tools,
    unknown_names,
    unseen,
)
from bot.domain.automations import EventKind
from bot.domain.health import Check, State
from bot.endpoints.control import connect
from bot.endpoints.peer import Disconnected
from bot.errors import BotError, HomeInUse, SettingsError
from bot.settings import Settings, read_env
from bot.storage.backup import left_out
from bot.storage.home import HomeLock
from bot.storage.home_id import home_id
from bot.storage.ownership import loose_modes, require_own
from bot.storage.putting_back import RESTORING
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.policy.book import POLICY_FILE, PolicyBook
from bot.tools.running.sandbox import Sandbox
from bot.tools.settings import ToolSettings

_LEAST_FREE = 100 * 2**20
_NOT_RUNNING = Check("running", "ok", "no; start it with `bellhop chat` or `bellhop run`")
_MARKS: dict[State, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "warning": ("!", "yellow"),
    "error": ("✗", "red"),
}


async def doctor(
    as_json: AsJson = False,
    live: Annotated[
        bool,
        typer.Option("--live", help="Also ask the model, the chat platforms, the running Bellhop."),
    ] = False,
    canary: Annotated[
        str,
        typer.Option(
            "--canary", help="With --live: post and delete a message in discord:ID or slack:ID."
        ),
    ] = "",
    home: AnyHome = NO_HOME,
) -> None:
    """Check this home; exit 1 on errors.

    It looks at settings, people, tools, agents, memory, skills, database, model and chats.
    """
    findings = await examine(home, live=live, canary=canary)
    if live:
        findings += await _live(home)
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        _print(home, findings)
    if any(finding.state == "error" for finding in findings):
        raise typer.Exit(1)


def _print(home: Path, findings: list[Check]) -> None:
    typer.secho(f"Bellhop {__version__} in {home}", bold=True)
    width = max(len(finding.check) for finding in findings)
    for finding in findings:
        mark, colour = _MARKS[finding.state]
        first, *rest = inert(finding.text).splitlines() or [""]
        typer.echo(f"{typer.style(mark, fg=colour)} {finding.check.ljust(width)}  {first}")
        for line in rest:
            typer.echo(f"  {' ' * width}  {line}")


async def examine(home: Path, *, live: bool, canary: str = "") -> list[Check]:
    try:
        settings = await asyncio.to_thread(load_settings, home)
    except SettingsError as error:
        findings = [Check("settings", "error", str(error))]
        settings = None
    else:
        findings = [
            _settings_file(home, settings),
            *await asyncio.to_thread(_misnamed, home, settings),
        ]
    try:
        catalog = await catalog_of(home)
    except SettingsError as error:  # of a plug-in: without it nobody knows which tools there are
        findings.append(Check("plug-ins", "error", str(error)))
        return [*findings, *await asyncio.to_thread(examine_folder, home), await _owner(home)]
    if settings is not None:
        findings += [
            *model_findings.configured(settings),
            Check("time zone", "ok", settings.timezone),
        ]
        findings.append(await _contacts(home))
        findings.append(await _policy(settings, catalog))
    findings += [finding async for finding in _definitions(home, settings, catalog)]
    if settings is not None:
        findings += await asyncio.to_thread(database_findings.examined, settings)
        findings += connection_findings.configured(settings)
        findings += await asyncio.to_thread(plugins.findings, settings)
        findings += connection_findings.accounts_set_up(settings)
        if live:
            findings += await model_findings.asked(settings)
            findings += await connection_findings.asked(settings)
        findings += await plugins.asked(settings, live=live)
        if live and canary:
            findings.append(await connection_findings.canary(settings, canary))
        findings.append(await _scripts(settings))
        findings += await examples_add.examined(home)
        findings += await _kept(settings)
    findings += await asyncio.to_thread(examine_folder, home)
    findings.append(await _owner(home))
    return findings


def examine_folder(home: Path) -> list[Check]:
    """Check the folder's owner, readers, links and disk, and the limit of open files."""
    if not home.is_dir():
        return []
    findings: list[Check] = []
    for look in (lambda: require_own(home), lambda: home_id(home), require_open_files):
        try:
            look()
        except BotError as error:
            findings.append(Check("folder", "error", str(error)))
    if loose := list(loose_modes(home)):
        findings.append(Check("folder", "warning", "\n".join(loose)))
    if names := left_out(home):
        text = f"a backup leaves out {', '.join(names)}: it follows no links there; put the files"
        findings.append(Check("folder", "warning", f"{text} themselves there"))
    if (left := home / RESTORING).exists():
        text = f"{left} is of a restore that ended before it changed anything; run it again, or"
        findings.append(Check("folder", "warning", f"{text} delete that folder"))
    free = shutil.disk_usage(home).free
    if free < _LEAST_FREE:
        text = (
            f"the disk of {home} has {free >> 20} MB free; make room: on a full disk messages are"
            " refused"
        )
        findings.append(Check("folder", "error" if free < 2**20 else "warning", text))
    return findings or [Check("folder", "ok", "yours, and closed to others")]


def _settings_file(home: Path, settings: Settings) -> Check:
    if settings.ignored:
        return Check("settings", "warning", "\n".join(settings.ignored))
    if (home / "bellhop.yaml").exists():
        return Check("settings", "ok", "bellhop.yaml")
    if not home.is_dir():
        return Check("settings", "error", no_folder(home))
    text = "no bellhop.yaml, so everything has its default; `bellhop init` writes one"
    return Check("settings", "ok", text)


def _misnamed(home: Path, settings: Settings) -> list[Check]:
    """Names in .env that are close to a missing one, so probably misspelt."""
    known = [*secret_names(), *secret_names_of(settings)]
    missing = [name for name in known if not settings.secret(name)]
    others = [name for name in read_env(home) if name not in known]
    close = {name: difflib.get_close_matches(name, missing, n=1, cutoff=0.75) for name in others}
    lines = [
        f".env: {name} is not read by anything; did you mean {near[0]}?"
        for name, near in close.items()
        if near
    ]
    return [Check("secrets", "warning", "\n".join(lines))] if lines else []


async def _contacts(home: Path) -> Check:
    try:
        contacts = await judged_contacts(home)
    except BotError as error:
        return Check("contacts", "error", str(error))
    people = len(contacts.people)
    fine = f"{people} {'person' if people == 1 else 'people'}"
    return Check.of("contacts", contacts.problems, fine)


async def _policy(settings: Settings, catalog: ToolCatalog) -> Check:
    book = PolicyBook(settings.home / POLICY_FILE)
    await book.load()
    if book.problems:
        return Check("policy", "error", "\n".join(book.problems))
    idle = rules_without_tools(book.policy, catalog)
    idle += rules_without_platforms(book.policy, known_platforms(settings))
    count = len(book.policy.rules) + len(book.policy.outputs)
    return Check.of("policy", idle, f"{count} {'rule' if count == 1 else 'rules'}")


async def _definitions(
    home: Path, settings: Settings | None, catalog: ToolCatalog
) -> AsyncIterator[Check]:
    of_agents = settings.get(AgentSettings) if settings is not None else AgentSettings()
    agents = await agents_of(home, of_agents)
    warnings = [str(problem) for problem in catalog.problems if problem.warning]
    warnings += await asyncio.to_thread(unseen, home, catalog, agents)
    warnings += await asyncio.to_thread(unusable_plugin_tools, home, catalog)
    errors = [str(problem) for problem in catalog.problems if not problem.warning]
    yield _files("tools", len(catalog.snapshot.tools), errors, warnings)
    parts = PromptParts((home / "prompts",))
    problems = [*agents.problems, *await asyncio.to_thread(parts.problems)]
    if settings is not None and (problem := agents.missing(of_agents.default)):
        problems.append(f"agents.default: {problem}")
    of_files = [*agents.idle, *unknown_names(catalog, agents), *await _programs(settings)]
    yield _files("agents", len(agents.all()), problems, of_files)
    yield Check.of("memory", await memory_of(home).problems(), "each file can be read", "error")
    skills = await skills_of(home)
    manifests = await manifests_of(home)
    yield _files("skills", len(skills.all()), [*skills.problems, *manifests.problems], [])


async def _programs(settings: Settings | None) -> list[str]:
    """Why agents can't run as the configured programs."""
    if settings is None:
        return []
    shell = settings.get(ToolSettings).shell
    programs = SpecialistPrograms(settings.get(AgentSettings), Sandbox(shell, settings.home))
    return await programs.problems()


async def _kept(settings: Settings) -> list[Check]:
    """Findings in the database: automations that can't start, lapsed accounts, plug-ins' tables."""
    try:
        async with opened(settings, read_only=True) as database:
            count, broken = await hindrances(database, settings.secret, _unsent(settings))
            found = await connection_findings.accounts_lapsed(settings, database)
            found += await connection_findings.accounts_narrow(settings, database)
            found += await table_findings(settings, database)
    except BotError:
        return []  # the database has its own line
    if broken:
        return [*found, Check("automations", "warning", "\n".join(broken))]
    return [*found, Check("automations", "ok", str(count))] if count else found


def _unsent(settings: Settings) -> frozenset[EventKind]:
    """A calendar that somebody connected also tells of what begins soon."""
    there = plugins_of(settings)
    calendars = {EventKind.MEETING_PREP} if known_services(there) else set[EventKind]()
    return unsent(there) - calendars


def _files(check: str, count: int, errors: list[str], warnings: list[str]) -> Check:
    if not (errors or warnings or count) and check != "skills":
        errors = [f"no {check} were found; the installation is incomplete, install Bellhop again"]
    return Check.of(check, [*errors, *warnings], str(count), "error" if errors else "warning")


async def _owner(home: Path) -> Check:
    if not await asyncio.to_thread((home / "data").is_dir):
        return _NOT_RUNNING
    lock = HomeLock(home / "data" / "bellhop.lock")
    try:
        await asyncio.to_thread(lock.acquire)
    except HomeInUse as error:
        try:
            async with connect(home / "data" / "bellhop.sock") as client:
                status = cast("dict[str, Any]", await client.call("status", timeout_s=5.0))
        except BotError:
            silent = f"{error} (it does not answer on its control socket)"
            return Check("running", "warning", silent)
        process = f"process {status['pid']}, version {status['version']}, {status['model']}"
        return Check("running", "ok", process)
    except OSError as error:
        text = f"{home / 'data'}: {error.strerror}; make it a folder you may write to"
        return Check("running", "error", text)
    lock.release()
    return _NOT_RUNNING


async def _live(home: Path) -> list[Check]:
    """The health of the running Bellhop. It probes its platforms, and a silent one is deaf."""
    try:
        async with connect(home / "data" / "bellhop.sock") as client:
            health = cast("dict[str, Any]", await client.call("health"))
    except Disconnected:
        text = "nothing runs here yet, so no connection was asked; after `bellhop run`, look again"
        return [Check("live", "warning", text)]
    except BotError as error:
        return [Check("live", "error", str(error))]
    turns = health["turns"]
    text = (
        f"{health['status']}, up {health['uptime_s']:.0f} s, database {health['database']}, "
        f"{turns['running']} turns"
        f" running, {turns['waiting']} waiting, {health['outbox_pending']} sends pending"
    )
    state: State = (
        "ok" if health["status"] == "ok" else "error" if health["database"] != "ok" else "warning"
    )
    return [
        Check("live", state, text),
        *(_platform(name, item) for name, item in health["platforms"].items()),
    ]


def _platform(name: str, item: dict[str, Any]) -> Check:
    parts = [str(item["state"])]
    if (age := item["last_frame_age_s"]) is not None:
        parts.append(f"last heard {age:.0f} s ago")
    if (age := item["last_probe_age_s"]) is not None:
        parts.append(f"answered {age:.0f} s ago")
    if item["restarts"]:
        parts.append(f"restarted {item['restarts']} times; the log says why")
    if item.get("unreadable"):
        parts.append(f"could not read {item['unreadable']} of its objects; the log says which")
    states: dict[str, State] = {"serving": "ok", "deaf": "error"}
    return Check(f"live {name}", states.get(item["state"], "warning"), ", ".join(parts))


async def _scripts(settings: Settings) -> Check:
    sandbox = Sandbox(settings.get(ToolSettings).shell, settings.home)
    await sandbox.probe()
    if sandbox.hindrance is not None:
        return Check("scripts", "warning", sandbox.off)
    if not sandbox.wanted:
        text = (
            "no sandbox (tools.shell.sandbox: none): scripts can read the database and .env of "
            f"this home; {sandbox.off}"
        )
        return Check("scripts", "warning", text)
    return Check("scripts", "ok", "each runs in a bubblewrap sandbox")
