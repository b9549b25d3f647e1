"""Finds the plug-ins that a home switches on, and loads them: nothing of the others is imported."""

import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points
from itertools import chain
from pathlib import Path
from traceback import extract_tb
from typing import Any, cast

from pydantic import ValidationError

from bot.agents.settings import AgentSettings
from bot.assembly.own_commands import TAKEN_COMMANDS
from bot.assembly.own_plugins import KNOWN_PLATFORMS, OWN
from bot.assembly.plugin_shape import in_code_of, misshapen
from bot.assembly.sections import SECTIONS
from bot.connections.services import Service
from bot.domain.automations import EventKind
from bot.domain.clock import Clock
from bot.domain.health import Check
from bot.domain.models import Model
from bot.domain.platforms import KnownPlatforms
from bot.endpoints.settings import ConsoleSettings
from bot.errors import SettingsError, StorageError
from bot.llm.settings import ModelSettings, OneModel
from bot.log import register_secret
from bot.plugin.chat import AnyPlatform
from bot.plugin.imports import AUTO, SkillImporter
from bot.plugin.models import ModelParts
from bot.plugin.plugin import API_VERSION, AnyPlugin, HomeImporter, NoSettings, Plugin, Setup
from bot.plugin.readers import FileReaders
from bot.settings import Section, Settings, named_plugins
from bot.storage.plugin_tables import table_files
from bot.web.service import service_client
from bot.web.settings import WebSettings

GROUP = "bellhop.plugins"
OFF = "-"
"""Before the name of one of our own plug-ins, `plugins:` switches it off."""
_TAKEN_SECTIONS = frozenset({*SECTIONS, "log", "timezone", "plugins"})


@dataclass(frozen=True)
class Installed:
    """A plug-in of an installed package; it need not be switched on."""

    name: str
    package: str
    """Name and version of its package."""
    entry: EntryPoint


def installed_plugins() -> list[Installed]:
    """The plug-ins of all installed packages, by name; nothing of them is imported."""
    return list(_installed(tuple(sys.path))[0])


def installed_names() -> frozenset[str]:
    """The names of the plug-ins of all installed packages."""
    return frozenset(one.name for one in installed_plugins())


@lru_cache(maxsize=4)
def _installed(_path: tuple[str, ...]) -> tuple[tuple[Installed, ...], tuple[str, ...]]:
    """Also the packages that don't say what they have, because their list of it is broken.

    `_path`: where packages are looked for, so that another path is looked at anew.
    """
    broken: list[str] = []
    try:
        entries: Iterable[EntryPoint] = entry_points(group=GROUP)
    except Exception:  # noqa: BLE001 - whatever the reader makes of a list; those of others count
        entries = list(chain.from_iterable(_entries(one, broken) for one in distributions()))
    found = [
        Installed(entry.name, f"{of.name} {of.version}" if (of := entry.dist) else "?", entry)
        for entry in entries
    ]
    return tuple(sorted(found, key=lambda one: (one.name, one.package))), tuple(broken)


def _entries(package: Distribution, broken: list[str]) -> Iterable[EntryPoint]:
    try:
        return package.entry_points.select(group=GROUP)
    except Exception:  # noqa: BLE001 - as above
        broken.append(package.name)
        return ()


def plugins_of(settings: Settings) -> tuple[AnyPlugin, ...]:
    """Our own plug-ins, then those that are switched on, in the order of `plugins:`.

    Raises SettingsError.
    """
    return (*own_plugins(settings.plugins), *plugins_named(settings.plugins))


def own_plugins(names: Sequence[str]) -> tuple[AnyPlugin, ...]:
    """Our own plug-ins without those that these names switch off, such as `-booking`."""
    return tuple(one for one in OWN if f"{OFF}{one.name}" not in names)


def switched_off(home: Path) -> tuple[str, ...]:
    """What a home names of our own plug-ins to switch them off, such as `-booking`."""
    off = {f"{OFF}{one.name}" for one in OWN}
    return tuple(name for name in _named_in(home) if name in off)


def plugins_named(names: Sequence[str]) -> tuple[AnyPlugin, ...]:
    """The plug-ins of others with these names.

    Raises SettingsError with a line for each that is unknown, fails, or is at odds with another.
    """
    if not names:
        return ()
    return _plugins_named(tuple(names), tuple(sys.path))


def usable_plugins(home: Path) -> tuple[AnyPlugin, ...]:
    """The plug-ins that a home names; none if one can't be used, which `doctor` reports."""
    return _usable(_named_in(home))


def plugins_in(home: Path) -> tuple[AnyPlugin, ...]:
    """As `plugins_of`, for a home whose settings may be broken."""
    names = _named_in(home)
    return (*own_plugins(names), *_usable(names))


def _named_in(home: Path) -> tuple[str, ...]:
    try:
        return named_plugins(home)
    except SettingsError:
        return ()


def _usable(names: Sequence[str]) -> tuple[AnyPlugin, ...]:
    try:
        return plugins_named(names)
    except SettingsError:
        return ()


@lru_cache(maxsize=16)
def _plugins_named(names: tuple[str, ...], _path: tuple[str, ...]) -> tuple[AnyPlugin, ...]:
    found: list[AnyPlugin] = []
    problems: list[str] = []
    for name in names:
        if name.startswith(OFF):
            problems += _not_ours(name.removeprefix(OFF))
            continue
        try:
            found.append(_load(name))
        except SettingsError as error:
            problems.append(str(error))
    if problems := problems or list(_at_odds(found)):
        raise SettingsError("\n".join(problems))
    return tuple(found)


def _not_ours(name: str) -> Iterable[str]:
    ours = [one.name for one in OWN]
    if name not in ours:
        yield f"Bellhop has no plug-in {name!r} of its own, only {', '.join(ours)}; write {OFF}NAME"


def _load(name: str) -> AnyPlugin:
    mine = [one for one in installed_plugins() if one.name == name]
    if not mine:
        there = ", ".join(dict.fromkeys(one.name for one in installed_plugins()))
        but = f", only {there}" if there else ""
        if broken := ", ".join(_installed(tuple(sys.path))[1]):
            but += f" (entry_points.txt of {broken} can't be read; install that again)"
        raise SettingsError(
            f"no plug-in {name!r} is installed{but}; install its package into the Python of "
            f"Bellhop ({sys.executable} -m pip install …), or remove the name"
        )
    if len(mine) > 1:
        packages = " and ".join(one.package for one in mine)
        raise SettingsError(f"{packages} both have a plug-in {name!r}; uninstall one of them")
    (one,) = mine
    return _made(one)


def _made(one: Installed) -> AnyPlugin:
    who = f"the plug-in {one.name!r} of {one.package}"
    remedy = f"update {one.package.split()[0]}, or remove {one.name} from plugins"
    try:
        loaded: object = one.entry.load()
    except (Exception, SystemExit) as error:
        # The code of others may raise anything at all while it is imported.
        reason = f"({type(error).__name__}: {error}){_raised_at(error)}"
        raise SettingsError(f"{who} can't be imported {reason}; {remedy}") from error
    if not (inspect.isclass(loaded) and issubclass(loaded, Plugin)):
        raise SettingsError(f"{who} is no class derived from bot.plugin.plugin.Plugin; {remedy}")
    kind = cast("type[AnyPlugin]", loaded)
    api = cast("object", kind.api)
    if not isinstance(api, int):
        raise SettingsError(f"{who} needs version {api!r} of bot.plugin, which is none; {remedy}")
    if api > API_VERSION:
        raise SettingsError(
            f"{who} needs version {api} of bot.plugin, and this Bellhop has {API_VERSION}; "
            f"update Bellhop, or remove {one.name} from plugins"
        )
    if getattr(kind, "name", None) != one.name or not _is_plain(one.name):
        raise SettingsError(
            f"{who} calls itself {getattr(kind, 'name', None)!r}: both names must be the same, of "
            f"small letters, digits and underscores; {remedy}"
        )
    try:
        made = kind()
        if problem := misshapen(made):
            raise SettingsError(f"{who} can't be used: {problem}; {remedy}")
        made.settings()
    except SettingsError:
        raise
    except ValidationError as error:
        fields = ", ".join(".".join(map(str, one["loc"])) for one in error.errors())
        raise SettingsError(
            f"{who} has settings without a default ({fields}): its author gives each one; {remedy}"
        ) from error
    except (Exception, SystemExit) as error:
        # As above.
        raise SettingsError(f"{who} can't be made ({error}); {remedy}") from error
    return made


def _raised_at(error: BaseException) -> str:
    """Where code of the package raised this; nothing if its module was not even found."""
    frames = extract_tb(error.__traceback__)
    last = [one for one in frames if not one.filename.startswith("<frozen ")][-1]
    return "" if last.filename == importlib.__file__ else f" in {last.filename}, line {last.lineno}"


def _is_plain(name: str) -> bool:
    return name.isascii() and name.isidentifier() and name == name.lower()


def _at_odds(plugins: Sequence[AnyPlugin]) -> Iterable[str]:
    """What two plug-ins, or one and the house, both want to be."""
    for plugin in plugins:
        if any(plugin.name == one.name for one in OWN):
            yield f"a plug-in of ours is called {plugin.name!r}, too; its author must rename it"
    kinds: Mapping[str, tuple[Iterable[str], Callable[[AnyPlugin], Iterable[str]]]] = {
        "section": (_TAKEN_SECTIONS, _sections),
        "chat platform": ((known.name for known in KNOWN_PLATFORMS), _platform_names),
        "service": ((), lambda one: (service.id for service in one.services)),
        "model provider": (HOUSE_PROVIDERS, lambda one: (model.name for model in one.models)),
        "format of skills": (
            (AUTO,),
            lambda one: (name for reads in one.skill_importers for name in reads.formats),
        ),
        "home to import": ((), lambda one: (reads.name for reads in one.importers)),
        "command": (TAKEN_COMMANDS, lambda one: (command.name for command in one.commands)),
        "scheme of database.url": (
            ("sqlite",),
            lambda one: (scheme for engine in one.databases for scheme in engine.schemes),
        ),
    }
    for what, (of_house, of) in kinds.items():
        owners = dict.fromkeys((*of_house, *chain.from_iterable(map(of, OWN))), "Bellhop")
        for plugin in plugins:
            for name in of(plugin):
                if name in owners:
                    yield (
                        f"the plug-in {plugin.name!r} has a {what} {name!r}, which "
                        f"{owners[name]} has, too; remove one of them from plugins"
                    )
                owners[name] = f"the plug-in {plugin.name!r}"


def _platform_names(plugin: AnyPlugin) -> Iterable[str]:
    return (platform.name for platform in plugin.platforms)


def _sections(plugin: AnyPlugin) -> list[str]:
    own = [] if plugin.settings is NoSettings else [plugin.name]
    return [*own, *_platform_names(plugin)]


HOUSE_PROVIDERS = ("auto", "anthropic", "compatible")
"""What `model.provider` may be without any plug-in."""


def sections_of_plugins(names: Sequence[str]) -> Mapping[str, type[Section]]:
    """The sections of bellhop.yaml that plug-ins add. Raises SettingsError."""
    found: dict[str, type[Section]] = {}
    for plugin in plugins_named(names):
        if plugin.settings is not NoSettings:
            found[plugin.name] = plugin.settings
        for platform in plugin.platforms:
            found[platform.name] = platform.settings
    return found


def idle_sections(settings: Settings) -> tuple[str, ...]:
    """A line for each section of a plug-in of our own that is switched off."""
    on = own_plugins(settings.plugins)
    return tuple(
        f"{settings.where((plugin.name,))}: {plugin.name} does not count while the plug-in is off; "
        f"take {OFF}{plugin.name} out of plugins, or remove the section"
        for plugin in OWN
        if plugin not in on and plugin.settings is not NoSettings
        if (plugin.name,) in settings.lines
    )


def require_platforms(settings: Settings) -> None:
    """Raises SettingsError for a platform that is enabled while its plug-in is switched off."""
    on = own_plugins(settings.plugins)
    problems = [
        f"{settings.where((platform.name, 'enabled'))}: {platform.name}.enabled is true, and "
        f"plugins has {OFF}{plugin.name}; remove one of them"
        for plugin in OWN
        if plugin not in on
        for platform in plugin.platforms
        if settings.get(platform.settings).enabled
    ]
    if problems:
        raise SettingsError("\n".join(problems))


def unsent(plugins: Iterable[AnyPlugin]) -> frozenset[EventKind]:
    """The kinds of events of automations that none of these plug-ins tells of."""
    told = {kind for one in plugins for kind in one.starts}
    return frozenset(kind for kind in EventKind if kind.of_plugins and kind not in told)


def platforms_of(settings: Settings) -> tuple[AnyPlatform, ...]:
    """The chat platforms that this home could serve: ours, then those of its plug-ins."""
    return tuple(one for plugin in plugins_of(settings) for one in plugin.platforms)


def known_platforms(settings: Settings) -> KnownPlatforms:
    """The traits of all platforms of this home, and of the terminal."""
    more = [one.traits for plugin in plugins_named(settings.plugins) for one in plugin.platforms]
    return KnownPlatforms((*KNOWN_PLATFORMS, *more)) if more else KNOWN_PLATFORMS


def readers_of(plugins: Iterable[AnyPlugin]) -> FileReaders:
    """The readers of files; those of others are asked before ours."""
    others_first = sorted(plugins, key=lambda one: one in OWN)
    return FileReaders([reader for plugin in others_first for reader in plugin.readers])


def importers_of(plugins: Iterable[AnyPlugin]) -> list[HomeImporter]:
    """The homes of other assistants that can be read."""
    return [importer for plugin in plugins for importer in plugin.importers]


def skill_importers_of(plugins: Iterable[AnyPlugin]) -> list[SkillImporter]:
    """What reads skills from elsewhere."""
    return [importer for plugin in plugins for importer in plugin.skill_importers]


def plugin_skills(plugins: Iterable[AnyPlugin]) -> Mapping[str, Path]:
    """The folders of the skills of plug-ins, by the connector that they belong to."""
    folders = {one.skills_with or one.name: one.folder / "skills" for one in plugins}
    return {name: folder for name, folder in folders.items() if folder.is_dir()}


def tool_roots(plugins: Iterable[AnyPlugin]) -> list[Path]:
    """The folders of plug-ins that hold `tools/`."""
    return [one.folder for one in plugins if (one.folder / "tools").is_dir()]


def agent_roots(plugins: Iterable[AnyPlugin]) -> list[Path]:
    """The folders of plug-ins with agents' files."""
    folders = [one.folder / "agents" for one in plugins]
    return [folder for folder in folders if folder.is_dir()]


def known_services(plugins: Iterable[AnyPlugin]) -> tuple[Service, ...]:
    """All services that people could connect in a home with these plug-ins."""
    return tuple(service for one in plugins for service in one.services)


def setup_of(settings: Settings, plugin: AnyPlugin) -> Setup[Any]:
    """What the files of a home say about a plug-in."""
    return Setup(
        _settings_of(settings, plugin),
        secrets_of_plugin(settings, plugin),
        client_at=partial(service_client, settings.get(WebSettings)),
        addressed=any(one.email for one in settings.get(AgentSettings).overrides.values()),
        listens=bool(settings.get(ConsoleSettings).port),
    )


def _settings_of(settings: Settings, plugin: AnyPlugin) -> Section:
    if plugin.settings is NoSettings:
        return NoSettings()
    return settings.section(plugin.name)


def secrets_of_plugin(settings: Settings, plugin: AnyPlugin) -> Callable[[str], str]:
    """The secrets that a plug-in declares, and those that its settings name."""
    declared = {*_secret_names(settings, plugin)}

    def secret(name: str) -> str:
        if name not in declared:
            raise SettingsError(
                f"the plug-in {plugin.name!r} reads the secret {name}, which its `secrets` don't "
                "name; its author has to add it there"
            )
        return settings.secret(name) or ""

    return secret


def secret_names_of(settings: Settings) -> list[str]:
    """The names of all secrets of plug-ins and their platforms."""
    plugins = plugins_of(settings)
    of_platforms = (secret for one in plugins for of in one.platforms for secret in of.secrets)
    return [
        *(name for one in plugins for name in _secret_names(settings, one)),
        *(secret.name for secret in of_platforms),
    ]


def _secret_names(settings: Settings, plugin: AnyPlugin) -> list[str]:
    with in_code_of(plugin, "can't say which secrets it reads"):
        named = [*plugin.named_secrets(_settings_of(settings, plugin))]
    return [*(secret.name for secret in plugin.secrets), *named]


def hide_secrets(settings: Settings) -> None:
    """Keep the values of the secrets of plug-ins out of every text, whatever they are called."""
    for name in secret_names_of(settings):
        if value := settings.secret(name):
            register_secret(value)


def require_provider(settings: Settings, provider: str) -> None:
    """Raises SettingsError for a `model.provider` that neither Bellhop nor a plug-in has."""
    of_plugins = (model.name for one in plugins_of(settings) for model in one.models)
    known = [*HOUSE_PROVIDERS, *of_plugins]
    if provider not in known:
        *most, last = map(repr, known)
        raise SettingsError(
            f"{settings.where(('model', 'provider'))}: model.provider: must be {', '.join(most)} "
            f"or {last}; it is {provider!r}"
        )


def provided_model(
    settings: Settings, provider: str, wanted: OneModel, clock: Clock
) -> Model | None:
    """The model of a plug-in's provider; None if no plug-in has it. Raises SettingsError."""
    for plugin in plugins_of(settings):
        for one in plugin.models:
            if one.name == provider:
                secret = secrets_of_plugin(settings, plugin)
                alone = ModelSettings(**wanted.model_dump(exclude={"fallback"}))
                parts = ModelParts(_settings_of(settings, plugin), alone, secret, clock)
                with in_code_of(plugin, "can't make its model"):
                    return one.build(parts)
    return None


def findings(settings: Settings) -> list[Check]:
    """The plug-ins that are on, and what is wrong with their set-up."""
    found: list[Check] = []
    for plugin in plugins_of(settings):
        check = f"plug-in {plugin.name}"
        try:
            with in_code_of(plugin, "can't say how it is set up"):
                problems = [*plugin.problems(setup_of(settings, plugin))]
                state = plugin.state(setup_of(settings, plugin))
            table_files(plugin.name, plugin.folder / "migrations")
        except (SettingsError, StorageError) as error:
            found.append(Check(check, "error", str(error)))
            continue
        if plugin in OWN:
            found += [Check(plugin.name, "warning", problem) for problem in problems]
            found += [Check(plugin.name, "ok", state)] if state and not problems else []
            continue
        package = next(one.package for one in installed_plugins() if one.name == plugin.name)
        found.append(Check.of(check, problems, f"{state or 'on'}, {package}"))
    return found


async def asked(settings: Settings, *, live: bool = True) -> list[Check]:
    """The services' own answers, asked one after the other."""
    found: list[Check] = []
    for plugin in plugins_of(settings):
        if live or plugin.always_examined:
            try:
                with in_code_of(plugin, "can't be examined"):
                    found += [*await plugin.examine(setup_of(settings, plugin))]
            except SettingsError as error:
                found.append(Check(f"plug-in {plugin.name}", "error", str(error)))
    return found
