"""Reads one tool file into a ToolDefinition."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar, cast

from bot.domain.access import Access
from bot.domain.confinement import Confinement
from bot.domain.json_types import JsonObject
from bot.domain.lasting import LastingRule
from bot.domain.targets import MARK, TargetKind, has_marks
from bot.domain.tools import (
    HttpImplementation,
    Implementation,
    NativeImplementation,
    Reads,
    Risk,
    ShellImplementation,
    ToolDefinition,
    one_line,
)
from bot.tools.definitions.guard_text import near_guard, reads_like_roles, stray_access
from bot.tools.definitions.guards import CLOSED, Guards
from bot.tools.definitions.http_template import secrets_of
from bot.tools.definitions.implementation import (
    ImplementationError,
    is_reading,
    native_of,
    parse_implementation,
)
from bot.tools.definitions.natives import KnowsNatives, NoNatives
from bot.tools.definitions.section_values import (
    NAME,
    SectionError,
    access_of,
    confinement_of,
    description_of,
    names_of,
    no_parameters,
    parameters_of,
    parse_lasting,
    parse_reads,
    plain_text,
    result_of,
    risk_of,
    runs_of,
    timeout_of,
    words_of,
    yes_of,
)
from bot.tools.definitions.sections import (
    Document,
    FileSection,
    ToolFileError,
    ToolProblem,
    cut,
    normalise,
    unfenced,
    without_code,
)

_TITLES = (
    *("Description", "Listed as", "Parameters", "Result", "Access", "Aliases", "Words", "Risk"),
    *("Implementation", "Reads", "Lasting", "Requires", "Runs", "Timeout", "Idempotent", "Hosts"),
    *("Paths", "Disabled"),
)
_SECTIONS = {title.replace(" ", "").casefold(): title for title in _TITLES}
_SECTIONS["allowedroles"] = "Access"
_GUARDS = frozenset({"Access", "Risk", "Lasting", "Requires", "Runs", "Disabled", "Hosts", "Paths"})
"""Sections that restrict a tool; a misspelt heading must not open the tool."""
_ALLOWED_ROLES = re.compile(r"\s*[*_]*allowed[ _-]?roles[*_]*\s*:[*_]*\s*(.*)", re.IGNORECASE)
NO_NATIVES = NoNatives()
_GUARDED_RISKS = frozenset({Risk.DESTRUCTIVE, Risk.POLICY_WRITE})

T = TypeVar("T")


@dataclass(frozen=True)
class ToolFile:
    """The content of a tool file. `definition` is None when it only disables a shipped file."""

    definition: ToolDefinition | None
    explicit_implementation: bool = False
    """False: without a native handler, a script of the same name beside the file serves it."""
    warnings: tuple[ToolProblem, ...] = ()


def parse_tool_file(
    text: str, *, path: Path | str, folder: str, natives: KnowsNatives = NO_NATIVES
) -> ToolDefinition:
    """Read a tool file.

    Raises DefinitionError, naming file, line, section and remedy; also for a switched-off file.
    """
    definition = read_tool_file(text, path=path, folder=folder, natives=natives).definition
    if definition is None:
        raise ToolFileError(
            ToolProblem(Path(path), 0, "the tool is switched off; remove ## Disabled to use it")
        )
    return definition


def read_guards(text: str, *, path: Path | str, folder: str) -> Guards:
    """The access and risk in an otherwise invalid file; CLOSED if they are unreadable too."""
    try:
        return _Reader(cut(normalise(text)), os.fspath(path), folder).guards()
    except ToolFileError:
        return CLOSED


def read_tool_file(
    text: str,
    *,
    path: Path | str,
    folder: str,
    natives: KnowsNatives = NO_NATIVES,
    has_script: bool = False,
) -> ToolFile:
    """Read a tool file with its warnings. Raises ToolFileError.

    A tool that one of `natives` serves has the parameters of its model. `has_script`: a script of
    its name lies beside the file.
    """
    return _Reader(cut(normalise(text)), os.fspath(path), folder, natives, has_script).read()


def read_problems(
    text: str,
    *,
    path: Path | str,
    folder: str,
    natives: KnowsNatives = NO_NATIVES,
    has_script: bool = False,
) -> tuple[ToolProblem, ...]:
    """Every mistake of a tool file that can be seen before others are fixed, and its warnings."""
    return _Reader(cut(normalise(text)), os.fspath(path), folder, natives, has_script).problems()


@dataclass
class _Reader:
    document: Document
    path: str
    folder: str
    natives: KnowsNatives = NO_NATIVES
    has_script: bool = False
    warnings: list[ToolProblem] = field(default_factory=list[ToolProblem])
    sections: dict[str, FileSection] = field(default_factory=dict[str, FileSection])

    def read(self) -> ToolFile:
        self._sort_sections()
        roles = self._allowed_roles_lines()
        if self._disabled():
            return ToolFile(None, warnings=tuple(self.warnings))
        name, description = self._name(), self._description()
        parameters = self._parameters(name)
        implementation = self._implementation(name, parameters)
        definition = ToolDefinition(
            name=name,
            description=description,
            parameters=self._stored(parameters, implementation),
            folder=self.folder,
            implementation=implementation,
            access=self._access(roles),
            aliases=self._value(
                "Aliases",
                lambda section: tuple(alias for alias in names_of(section) if alias != name),
                (),
            ),
            words=self._value("Words", words_of, ()),
            risk=self._value("Risk", risk_of, None),
            reads=self._value("Reads", partial(self._reads, name), None),
            lasting=self._value("Lasting", partial(self._lasting, name), ()),
            requires=self._value("Requires", names_of, ()),
            runs=self._value("Runs", runs_of, None),
            timeout_s=self._value("Timeout", timeout_of, None),
            idempotent=self._value("Idempotent", yes_of, is_reading(implementation)),
            source=self.path,
            confinement=self._confinement(name, implementation),
            result=self._value("Result", result_of, None),
            listed_as=self._value("Listed as", lambda section: one_line(section.body), ""),
        )
        self._check_guarded(definition)
        return ToolFile(definition, "Implementation" in self.sections, tuple(self.warnings))

    def guards(self) -> Guards:
        """Only the guards of a tool file.

        Raises ToolFileError when they can't be read, and for a disabled tool.
        """
        self._sort_sections()
        roles = self._allowed_roles_lines()
        if self._disabled():
            return CLOSED
        return Guards(
            self._access(roles),
            self._value("Risk", risk_of, None),
            self._value("Requires", names_of, ()),
            self._value("Runs", runs_of, None),
            self._confinement(self._stem, NativeImplementation(self._stem)),
            self._value("Lasting", partial(self._lasting, None), ()),
        )

    def problems(self) -> tuple[ToolProblem, ...]:
        """All problems, each section checked by itself, in the order of the file."""
        found: list[ToolProblem] = []

        def tried(look: Callable[[], object]) -> None:
            try:
                look()
            except ToolFileError as error:
                found.append(error.problem)

        for section in self.document.sections:
            tried(partial(self._sort, section))
        tried(self._check_headings)
        implementation: Implementation = NativeImplementation(self._stem)
        for look in (
            lambda: self._access(self._allowed_roles_lines()),
            self._name,
            self._description,
            lambda: self._parameters(self._stem),
            lambda: self._value("Aliases", names_of, ()),
            lambda: self._value("Risk", risk_of, None),
            lambda: self._value("Reads", partial(self._reads, self._stem), None),
            lambda: self._value("Lasting", partial(self._lasting, self._stem), ()),
            lambda: self._value("Requires", names_of, ()),
            lambda: self._value("Runs", runs_of, None),
            lambda: self._value("Timeout", timeout_of, None),
            lambda: self._value("Idempotent", yes_of, False),
            lambda: self._confinement(self._stem, implementation),
        ):
            tried(look)
        return tuple(
            sorted({*found, *self.warnings}, key=lambda problem: (problem.line, problem.message))
        )

    # --- the file as a whole ---

    @property
    def _stem(self) -> str:
        return os.path.split(self.path)[1].removesuffix(".md")

    def _sort_sections(self) -> None:
        for section in self.document.sections:
            self._sort(section)
        self._check_headings()

    def _sort(self, section: FileSection) -> None:
        known = _known(section.title)
        if known is None:
            self._ignore(section)
        elif known in self.sections:
            raise self._bad(section.line, f"## {known} appears twice; keep one of them")
        else:
            self.sections[known] = section

    def _check_headings(self) -> None:
        for title, line in (*self.document.deep, *self.document.titles[1:]):
            if (known := _known(title)) in _GUARDS:
                raise self._bad(line, f"{title!r} must be a heading of level 2; write ## {known}")
        for title, line in self.document.titles[1:]:
            self._warn(line, f"a second title {title!r}; only the first names the tool")
        if (stray := stray_access(self._loose_lines())) is not None:
            raise self._bad(
                stray, "this reads like roles, but is under no heading; write them below ## Access"
            )

    def _ignore(self, section: FileSection) -> None:
        """Raises ToolFileError for a section that seems to restrict the tool but is unknown."""
        if (meant := near_guard(section.title)) is not None:
            raise self._bad(
                section.line,
                f"## {section.title} is not a section; did you mean ## {_SECTIONS[meant]}?",
            )
        if reads_like_roles(section.body):
            raise self._bad(
                section.line, f"## {section.title} holds roles; write them below ## Access"
            )
        self._warn(
            section.line, f"## {section.title} is not a section of tool files; it was ignored"
        )

    def _loose_lines(self) -> list[tuple[int, str]]:
        """Lines outside of code fences and of the section about roles."""
        found = [(number, text) for text, number in self.document.preamble]
        for section in self.document.sections:
            if _known(section.title) != "Access":
                found += without_code(section)
                found.append((section.line, ""))
        if not self.document.names_allowed:
            return found
        return [(number, text) for number, text in found if _allowed_roles(text) is None]

    def _allowed_roles_lines(self) -> list[tuple[str, int]]:
        if not self.document.names_allowed:
            return []
        found = [
            (given, line)
            for text, line in self.document.preamble
            if (given := _allowed_roles(text)) is not None
        ]
        for section in self.document.sections:
            for line, text in list(without_code(section)):
                if (given := _allowed_roles(text)) is not None:
                    found.append((given, line))
                    access = _known(section.title) == "Access"
                    section.lines[line - section.line - 1] = given if access else ""
        return [item for item in found if not self._inside_access(item[1])]

    def _inside_access(self, line: int) -> bool:
        access = self.sections.get("Access")
        return access is not None and access.line < line <= access.line + len(access.lines)

    def _disabled(self) -> bool:
        section = self.sections.get("Disabled")
        return section is not None and plain_text(section.body).casefold() not in {"no", "false"}

    def _name(self) -> str:
        if not self.document.titles:
            raise self._bad(1, "the tool has no name; begin the file with a line `# tool_name`")
        title, line = self.document.titles[0]
        name = plain_text(title)
        if not NAME.fullmatch(name):
            raise self._bad(
                line, f"{title!r} can't be a tool's name; use 1 to 64 letters, digits, _ and -"
            )
        if name != self._stem:
            self._warn(
                line,
                f"the tool is named {name} but its file {Path(self.path).name}; rename one of them",
            )
        return name

    def _check_guarded(self, definition: ToolDefinition) -> None:
        if definition.risk in _GUARDED_RISKS and definition.access.roles is None:
            line = self.sections["Risk"].line
            raise self._bad(
                line,
                f"a {definition.risk} tool must say who may use it; add ## Access with its roles",
            )

    # --- sections ---

    def _value(self, name: str, read: Callable[[FileSection], T], default: T) -> T:
        section = self.sections.get(name)
        return default if section is None else self._placed(lambda: read(section))

    def _placed(self, read: Callable[[], T]) -> T:
        """Read; an error of a section gets the path of the file."""
        try:
            return read()
        except SectionError as error:
            raise self._bad(error.line, str(error)) from None

    def _native(self, name: str) -> str | None:
        """The native tool that serves the file; None for a script, a request or a server."""
        section = self.sections.get("Implementation")
        if self.natives.reserves(name):
            return name
        if section is None:
            return None if self.has_script else name
        return native_of(unfenced(section.body)[0])

    def _parameters(self, name: str) -> JsonObject:
        """The schema of the native tool that serves the file, else the one in the file."""
        native = self._native(name)
        made = None if native is None else self.natives.parameters(native)
        section = self.sections.get("Parameters")
        if made is None:
            if section is None:
                return no_parameters()
            return self._placed(lambda: parameters_of(section))
        if section is not None:
            raise self._bad(
                section.line,
                f"## Parameters: those of the native tool {native} are its own; remove the section",
            )
        return made

    def _stored(self, parameters: JsonObject, implementation: Implementation) -> JsonObject | str:
        """The schema as its definition keeps it: as the text of the file, if that says it all."""
        section = self.sections.get("Parameters")
        made = _with_target(parameters, implementation)
        if section is None or made is not parameters or not parameters.get("properties"):
            return made
        return unfenced(section.body)[0]

    def _implementation(self, name: str, parameters: JsonObject) -> Implementation:
        section = self.sections.get("Implementation")
        if section is None:
            return NativeImplementation(name)
        if self.natives.reserves(name):
            if native_of(unfenced(section.body)[0]) != name:
                self._warn(section.line, f"## Implementation is ignored: {name} is reserved")
            return NativeImplementation(name)
        text, skipped = unfenced(section.body)
        try:
            found = parse_implementation(text, os.path.split(self.path)[0], parameters)
            if lacking := self.natives.lacks(found):
                raise ImplementationError(lacking)
        except ImplementationError as error:
            line = section.body_line + skipped + error.offset
            raise self._bad(line, f"## Implementation: {error}") from None
        if (
            isinstance(found, HttpImplementation)
            and found.url.startswith("http:")
            and secrets_of(found)
        ):
            self._warn(
                section.body_line,
                "## Implementation: a secret goes over http:// for all to read; use https://",
            )
        return found

    def _description(self) -> str:
        return self._placed(lambda: description_of(self.sections.get("Description")))

    def _access(self, lines: list[tuple[str, int]]) -> Access:
        return self._placed(lambda: access_of(self.sections.get("Access"), lines))

    def _confinement(self, name: str, implementation: Implementation) -> Confinement | None:
        script = isinstance(implementation, ShellImplementation)
        return self._placed(lambda: confinement_of(name, self.sections, script=script))

    def _reads(self, name: str, section: FileSection) -> Reads:
        try:
            known = self._known_parameters(name)
            return parse_reads(plain_text(section.body), known, "Risk" in self.sections)
        except ValueError as error:
            raise self._bad(section.body_line, f"## Reads: {error}") from None

    def _lasting(self, name: str | None, section: FileSection) -> tuple[LastingRule, ...]:
        """Without a name its parameters are not read, which may be unreadable."""
        try:
            known = None if name is None else self._known_parameters(name)
            return parse_lasting(plain_text(section.body), known)
        except ValueError as error:
            raise self._bad(section.body_line, f"## Lasting: {error}") from None

    def _known_parameters(self, name: str) -> JsonObject | None:
        """The parameters; None if they are a native tool's whose service is switched off."""
        if "Parameters" not in self.sections and (native := self._native(name)) is not None:
            return self.natives.parameters(native)
        return self._parameters(name)

    # --- telling ---

    def _bad(self, line: int, message: str) -> ToolFileError:
        return ToolFileError(ToolProblem(Path(self.path), line, message))

    def _warn(self, line: int, message: str) -> None:
        self.warnings.append(ToolProblem(Path(self.path), line, message, warning=True))


@lru_cache(maxsize=256)
def _known(title: str) -> str | None:
    return _SECTIONS.get(re.sub(r"[\s_-]+", "", title.strip(" *:`")).casefold())


def _allowed_roles(line: str) -> str | None:
    """The roles of a line such as `AllowedRoles: Partner`; None for any other line."""
    match = _ALLOWED_ROLES.fullmatch(line) if ":" in line else None
    return None if match is None else match[1]


def _with_target(parameters: JsonObject, implementation: Implementation) -> JsonObject:
    """The schema in which an argument that is a whole address is a target, marked or not.

    See docs/rules.md#trust.
    """
    if not isinstance(implementation, HttpImplementation) or not implementation.free:
        return parameters
    name = implementation.url.strip("{}")
    properties = cast("JsonObject", parameters["properties"])
    if not isinstance(properties[name], dict) or has_marks(properties[name]):
        return parameters
    return {
        **parameters,
        "properties": {**properties, name: {**properties[name], MARK: TargetKind.URL.value}},
    }
