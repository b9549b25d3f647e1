"""bellhop.yaml and the environment: read once, checked, then handed to the rooms as frozen models.

No room is imported here: each declares its own `Section` in its `settings.py`, and `build_app`
hands them to `load`.
"""

import difflib
import io
import os
import re
import types
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin
from zoneinfo import ZoneInfo

from dotenv.parser import Binding, parse_stream
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from bot.dates.zone_names import no_zone
from bot.errors import SettingsError
from bot.log import is_secret_name, redact, register_secret
from bot.retired_settings import Retired, carried_over
from bot.yaml_file import YamlDocument, YamlPath, kind_of, read_text, read_yaml

FILE = "bellhop.yaml"
ENV_FILE = ".env"
_REFERENCE = re.compile(r"(?:bearer|basic|token)\s+\$\{\w+\}", re.IGNORECASE)
"""`Bearer ${NAME}`: names a secret and holds none."""


class Section(BaseModel):
    """One top-level section of bellhop.yaml.

    Unknown keys are refused; every field needs a default.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)


def _absolute(paths: tuple[str, ...]) -> tuple[str, ...]:
    for path in paths:
        if not Path(path).is_absolute() or Path(path) == Path("/"):
            raise ValueError(
                f"{path!r} must be the absolute path of a folder or file, such as /srv/shared"
            )
    return paths


AbsolutePaths = Annotated[tuple[str, ...], AfterValidator(_absolute)]
"""Folders and files of this machine; never all of it."""


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


class LogSettings(Section):
    """`log:` how much is logged on standard error, and in which format."""

    level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_upper)] = "INFO"
    """The least weight of what is logged."""
    format: Literal["text", "json"] = "text"
    """`text` or `json`, one line for each event."""
    tool_io: bool = True
    """Whether the cycle log keeps redacted tool inputs and outputs (2,000 characters each)."""


S = TypeVar("S", bound=Section)
_PLAIN = ("plugins", "timezone")
"""Settings outside sections."""


@dataclass(frozen=True)
class Settings:
    """What an installation wants.

    `get(ModelSettings)` gives that section, with defaults where the file is silent.
    """

    home: Path
    timezone: str
    """IANA name; where people have none of their own."""
    sections: Mapping[str, Section]
    plugins: tuple[str, ...] = ()
    """Names of the plug-ins that are switched on."""
    lines: Mapping[YamlPath, int] = field(default_factory=dict[YamlPath, int], repr=False)
    """Where everything stands in bellhop.yaml."""
    ignored: tuple[str, ...] = ()
    """A line for each setting of an earlier version that the file still has: what holds now.

    And one for each section of a plug-in that is off.
    """
    _secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)

    def where(self, path: YamlPath) -> str:
        """File and line of a setting, for people."""
        line = self.lines.get(path)
        return FILE if line is None else f"{FILE}, line {line}"

    def get(self, kind: type[S]) -> S:
        """The section of this type. Raises SettingsError when `load` was not told about it."""
        for section in self.sections.values():
            if type(section) is kind:
                return section
        raise SettingsError(
            f"{kind.__name__} was not handed to settings.load; add it to the sections of build_app"
        )

    def section(self, name: str) -> Section:
        """The section of this name. Raises SettingsError for one that `load` was not told about."""
        if name not in self.sections:
            raise SettingsError(
                f"there is no section {name!r}; known are {', '.join(sorted(self.sections))}"
            )
        return self.sections[name]

    def secret(self, name: str) -> str | None:
        """A secret from the environment, else from <home>/.env, else None.

        It never shows up in logs afterwards.
        """
        return self._secrets.get(name) or None


def _no_sections(_plugins: Sequence[str]) -> Mapping[str, type[Section]]:
    return {}


def load(
    home: Path,
    sections: Mapping[str, type[Section]],
    env: Mapping[str, str] | None = None,
    of_plugins: Callable[[Sequence[str]], Mapping[str, type[Section]]] = _no_sections,
    installed: Callable[[], Collection[str]] = frozenset,
    retired: Mapping[str, Retired] = MappingProxyType({}),
) -> Settings:
    """Read <home>/bellhop.yaml and <home>/.env; both may be missing.

    `env` stands in for the environment. `of_plugins` gives the sections of the plug-ins that the
    file names, and raises SettingsError for one that can't be used. `installed` names all that
    there are: the section of one that is off may stay. `retired` says of settings of earlier
    versions (`*` stands for any name) what became of them.

    Raises SettingsError with one line for each thing that is wrong: file, line, field and remedy.
    """
    secrets = _read_secrets(home, os.environ if env is None else env)
    document = read_yaml(home / FILE)
    _require_mapping(document.value)
    reader = _Reader(document, {"log": LogSettings, **sections})
    written = cast("dict[str, Any]", document.value or {})
    values, ignored = reader.without_retired(written, retired)
    plugins = reader.plugins(values.get("plugins"), of_plugins)
    known = reader.known
    ignored += reader.check_names(values, plugins, installed)
    found = {name: reader.section(name, kind, values.get(name)) for name, kind in known.items()}
    zone = reader.timezone(values.get("timezone"))
    reader.raise_problems()
    kept = {name: section for name, section in found.items() if section}
    return Settings(home, zone, kept, plugins, reader.lines, tuple(ignored), _secrets=secrets)


def named_plugins(home: Path) -> tuple[str, ...]:
    """The plug-ins that bellhop.yaml names, whatever else stands there.

    Raises SettingsError for a file that is no YAML.
    """
    values = read_yaml(home / FILE).value
    named = cast("dict[str, Any]", values).get("plugins") if isinstance(values, dict) else None
    return tuple(map(str, cast("list[Any]", named))) if isinstance(named, list) else ()


def _require_mapping(value: object) -> None:
    if value is not None and not isinstance(value, dict):
        raise SettingsError(f"{FILE}, line 1: must hold `section:` lines, not a {kind_of(value)}")


_FOLDERS = frozenset({"PWD", "OLDPWD"})
"""Every shell sets them; they hold paths, not passwords."""


def _read_secrets(home: Path, env: Mapping[str, str]) -> dict[str, str]:
    secrets = {name: value.strip() for name, value in read_env(home).items() if value}
    secrets.update({name: value.strip() for name, value in env.items() if value.strip()})
    for name, value in secrets.items():
        if is_secret_name(name) and name not in _FOLDERS:
            register_secret(value)
    return secrets


def read_env(home: Path) -> dict[str, str]:
    """What `.env` says, names to values. Raises SettingsError with each line that says nothing."""
    read = list(parse_stream(io.StringIO(read_text(home / ENV_FILE))))
    # A line may hold a secret, so the error doesn't quote it.
    if wrong := [_line_of(one) for one in read if one.error or (one.key and one.value is None)]:
        raise SettingsError(
            "\n".join(
                f"{ENV_FILE}, line {line}: must be NAME=value; check `=` and the quotes"
                for line in wrong
            )
        )
    return {one.key: one.value for one in read if one.key and one.value is not None}


def _line_of(binding: Binding) -> int:
    """Where its own text begins; blank lines before it belong to a binding."""
    text = binding.original.string
    return binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")


class _Reader:
    """Turns the parsed file into sections and collects everything that is wrong with it."""

    def __init__(self, document: YamlDocument, known: Mapping[str, type[Section]]) -> None:
        self._document = document
        self.known = known
        """Sections by name; `plugins` adds those of plug-ins."""
        self._problems: list[tuple[int, str]] = []
        self._secrets: set[YamlPath] = set()

    def without_retired(
        self, values: dict[str, Any], retired: Mapping[str, Retired]
    ) -> tuple[dict[str, Any], list[str]]:
        """The values without settings of earlier versions, and a line for each of those."""
        carried = carried_over(values, retired)
        told = [self._line(path, f" {text}") for path, text in carried.told]
        for at, to, _ in carried.moved:
            self._document = self._document.also_at(to, at)
        for path, text in carried.refused:
            self._add(path, text)
        return carried.values, told

    @property
    def lines(self) -> Mapping[YamlPath, int]:
        """Where everything stands in the file, also below its name of today."""
        return self._document.lines

    def check_names(
        self,
        values: Mapping[str, Any],
        on: Collection[str],
        installed: Callable[[], Collection[str]],
    ) -> list[str]:
        """Refuse names that nothing has; a line for each section of a plug-in that is off."""
        self._check_secrets(values, ())
        known = {*self.known, *_PLAIN}
        unknown = [x for x in map(str, values) if x not in known and (x,) not in self._secrets]
        off = {*installed()} - {*on} if unknown else set[str]()
        for name in unknown:
            if name not in off:
                hint = _hint(name, sorted(known))
                self._add(
                    (name,), f"is not a setting of Bellhop or of an installed plug-in; {hint}"
                )
        text = " does not count while the plug-in is off; name it in plugins, or remove the section"
        return [self._line((name,), text) for name in unknown if name in off]

    def plugins(
        self, value: Any, of_plugins: Callable[[Sequence[str]], Mapping[str, type[Section]]]
    ) -> tuple[str, ...]:
        """The names in `plugins:`. Raises SettingsError for one that can't be used."""
        if value is None:
            return ()
        items = cast("list[Any]", value) if isinstance(value, list) else [value]
        if not isinstance(value, list) or not all(isinstance(item, str) for item in items):
            self._add(("plugins",), "must be a list of names, such as [lunch]")
            return ()
        named = tuple(dict.fromkeys(cast("list[str]", items)))
        try:
            self.known = {**self.known, **of_plugins(named)}
        except SettingsError as error:
            # Nothing else can be judged: sections of plug-ins would be unknown.
            line = self._document.line(("plugins",))
            where = f"{self._document.file}, line {line}: plugins"
            lines = str(error).splitlines()
            raise SettingsError("\n".join(f"{where}: {text}" for text in lines)) from error
        return named

    def section(self, name: str, kind: type[Section], value: Any) -> Section | None:
        try:
            return kind.model_validate(_without_blanks({} if value is None else value))
        except ValidationError as error:
            for path, text in explain(error, kind, (name,)):
                if path not in self._secrets:  # refused with a better reason
                    self._add(path, text)
            return None

    def timezone(self, value: Any) -> str:
        if value is None:
            return "UTC"
        try:
            return ZoneInfo(str(value)).key
        except (ValueError, OSError, KeyError):  # ZoneInfo raises all three
            self._add(("timezone",), no_zone(str(value)))
            return "UTC"

    def raise_problems(self) -> None:
        if self._problems:
            unique = dict.fromkeys(text for _, text in sorted(self._problems))
            raise SettingsError("\n".join(unique))

    def _check_secrets(self, value: Any, path: YamlPath) -> None:
        """A secret may be in the environment or in .env only, never in a file that people share."""
        if isinstance(value, dict):
            for key, item in cast("dict[Hashable, Any]", value).items():
                self._check_secrets(item, (*path, str(key)))
        elif isinstance(value, list):
            for index, item in enumerate(cast("list[Any]", value)):
                self._check_secrets(item, (*path, index))
        elif self._looks_secret(path, value):
            self._secrets.add(path)
            name = _env_name(path)
            self._add(
                path,
                f"secrets do not belong in {FILE}; put it in the environment or in .env as {name}",
            )

    def _looks_secret(self, path: YamlPath, value: object) -> bool:
        if (
            value is None
            or not path
            or str(value).startswith("$")
            or _REFERENCE.fullmatch(str(value))
        ):
            return False
        return is_secret_name(str(path[-1])) or redact(str(value)) != str(value)

    def _add(self, path: Sequence[Hashable], text: str) -> None:
        self._problems.append((self._document.line(path), self._line(path, f": {text}")))

    def _line(self, path: Sequence[Hashable], text: str) -> str:
        """Where a setting stands, its name, and what is said of it."""
        where = f"{self._document.file}, line {self._document.line(path)}"
        return f"{where}: {'.'.join(map(str, path))}{text}"


def explain(
    error: ValidationError, kind: type[BaseModel], path: YamlPath = ()
) -> list[tuple[YamlPath, str]]:
    """Problems of a hand-written value for people: (where, problem and remedy) for each mistake.

    `path` is where the value stands in its file.
    """
    return [
        ((*path, *detail["loc"]), _explain(detail, kind, path))
        for detail in error.errors(include_url=False)
    ]


def _explain(detail: ErrorDetails, kind: type[BaseModel], path: YamlPath) -> str:
    found: object = detail["input"]
    if detail["type"] == "extra_forbidden":
        return (
            f"is not a setting; {_hint(str(detail['loc'][-1]), _fields(kind, detail['loc'][:-1]))}"
        )
    if detail["type"] == "missing":
        return "is missing; add it"
    if detail["type"] in {"model_type", "dict_type", "model_attributes_type"}:
        return f"must hold `key: value` lines, not a {kind_of(found)}"
    must, shown = _wanted(detail, kind), _shown((*path, *detail["loc"]), found)
    quotes_it = detail["type"] == "value_error" and isinstance(found, str) and shown in must
    return must if quotes_it else f"{must}; it is {shown}"


def _wanted(detail: ErrorDetails, kind: type[BaseModel]) -> str:
    """What a value must be, in the words of the check, or plainer ones."""
    if detail["type"] in {"bool_parsing", "bool_type"}:
        return "must be true or false"
    if detail["type"] == "string_pattern_mismatch" and (examples := _examples(kind, detail["loc"])):
        return f"must be written like {examples[0]!r}"
    message, _, _ = detail["msg"].partition(", unable to ")
    problem = message.removeprefix("Value error, ").removeprefix("Input should be ")
    wanted = problem if problem != message else f"{problem[:1].lower()}{problem[1:]}"
    return f"must be {wanted}" if message.startswith("Input should be ") else wanted


def _hint(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known are {', '.join(known)}" if known else "remove it"


def _without_blanks(value: object) -> object:
    """`key:` with nothing behind it means the default."""
    if not isinstance(value, dict):
        return value
    items = cast("dict[str, object]", value).items()
    return {key: _without_blanks(item) for key, item in items if item is not None}


def _fields(model: type[BaseModel], path: Sequence[str | int]) -> list[str]:
    """Names allowed at `path` below a model; follows nested models, lists and dictionaries."""
    current: Any = model
    for part in path:
        current = _inner(current, part)
    return (
        sorted(current.model_fields)
        if isinstance(current, type) and issubclass(current, BaseModel)
        else []
    )


def _examples(model: type[BaseModel], path: Sequence[str | int]) -> list[Any]:
    """What a field gives as examples of its value."""
    current: Any = model
    for part in path[:-1]:
        current = _inner(current, part)
    fields = getattr(current, "model_fields", {})
    return (fields[path[-1]].examples or []) if path and path[-1] in fields else []


def _inner(kind: Any, part: str | int) -> Any:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        found = kind.model_fields.get(str(part))
        return _model_in(found.annotation) if found else None
    return _model_in(get_args(kind)[-1]) if get_args(kind) else None


def _model_in(kind: Any) -> Any:
    origin = get_origin(kind)
    if origin is Annotated:
        return _model_in(get_args(kind)[0])
    if origin in {Union, types.UnionType}:
        return next((_model_in(arg) for arg in get_args(kind) if arg is not type(None)), None)
    return kind


def _env_name(path: YamlPath) -> str:
    if path[0] == "model" and "fallback" not in path:
        return "ANTHROPIC_API_KEY"
    return "_".join(str(part) for part in path if str(part) not in {"connectors", "env"}).upper()


def _shown(path: YamlPath, value: Any) -> str:
    if is_secret_name(str(path[-1])):
        return "not shown here"
    return redact(repr(value))[:80]
