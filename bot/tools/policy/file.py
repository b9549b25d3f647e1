"""policy.yaml: rules about calls and outputs, read by hand-written names with file and line.

See docs/rules.md#order-of-checks.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from bot.domain.access import Access, Role
from bot.domain.places import PlaceName
from bot.domain.runs import RunShape
from bot.errors import SettingsError
from bot.place_settings import PlaceNames, PlaceTerms
from bot.settings import Section, explain
from bot.tools.policy.places import PlaceRule
from bot.tools.policy.rules import FileRule, OutputRule, RuleScope
from bot.tools.policy.verdicts import Strictness
from bot.tools.text.patterns import TextPattern
from bot.yaml_file import YamlDocument, kind_of, parse_yaml

NAME_CHARS = 80
_DECISIONS = {"allow": Strictness.ALLOW, "ask": Strictness.ASK, "deny": Strictness.DENY}


class PatternEntry(Section):
    """A text is a glob; `{regex: …}` is a regular expression."""

    glob: str | None = None
    regex: str | None = None

    @model_validator(mode="after")
    def _readable(self) -> "PatternEntry":
        TextPattern(self.glob, self.regex)
        return self


def _patterns(value: object) -> object:
    given = cast("list[object]", value) if isinstance(value, list) else [value]
    return [
        {"glob": one} if isinstance(one, str | int | float) and not isinstance(one, bool) else one
        for one in given
    ]


def _words(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _roles(value: object) -> object:
    text = ",".join(map(str, cast("list[object]", value))) if isinstance(value, list) else value
    if not isinstance(text, str):
        raise ValueError("write roles like Friend+ or [Guest, Business]")  # noqa: TRY004 - pydantic tells ValueErrors
    Access.parse(text)
    return text


def _role(value: object) -> object:
    return Role.parse(str(value)).value


Patterns = Annotated[list[PatternEntry], BeforeValidator(_patterns), Field(min_length=1)]
Words = Annotated[list[str], BeforeValidator(_words), Field(min_length=1)]


class ScopeEntry(Section):
    """The fields that rules about calls and about outputs share."""

    name: Annotated[str, Field(min_length=1, max_length=NAME_CHARS)]
    tools: Patterns | None = None
    roles: Annotated[str | None, BeforeValidator(_roles)] = None
    agents: Words | None = None
    runs: Annotated[list[RunShape], BeforeValidator(_words), Field(min_length=1)] | None = None
    places: Annotated[PlaceNames, Field(min_length=1)] | None = None


class RuleEntry(ScopeEntry):
    """A rule about calls, as a person writes it."""

    arguments: dict[str, Patterns] = Field(default_factory=dict)
    decision: Literal["allow", "ask", "deny"]
    reason: str = ""
    approver: Annotated[str | None, BeforeValidator(_role)] = None


class OutputEntry(ScopeEntry):
    """A rule about outputs: matching ones are hidden from everybody, including the model."""

    patterns: Patterns


class PlaceEntry(PlaceTerms):
    """The settings of some places."""

    name: Annotated[str, Field(min_length=1, max_length=NAME_CHARS)]
    where: Annotated[PlaceNames, Field(min_length=1)]


class PolicyEntry(Section):
    """The whole file."""

    rules: list[RuleEntry] = Field(default_factory=list[RuleEntry])
    outputs: list[OutputEntry] = Field(default_factory=list[OutputEntry])
    places: list[PlaceEntry] = Field(default_factory=list[PlaceEntry])


@dataclass(frozen=True)
class Policy:
    """The content of policy.yaml; empty without the file."""

    rules: tuple[FileRule, ...] = ()
    outputs: tuple[OutputRule, ...] = ()
    places: tuple[PlaceRule, ...] = ()

    def without_allowing(self) -> "Policy":
        """The policy without rules that waive a question."""
        return replace(
            self, rules=tuple(rule for rule in self.rules if rule.decision is not Strictness.ALLOW)
        )

    @property
    def count(self) -> int:
        """The total number of rules."""
        return len(self.rules) + len(self.outputs) + len(self.places)


def is_blank(text: str) -> bool:
    """Whether a file is empty except for comments; it may have been cut off."""
    return all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines())


def parse_policy(text: str, file: str) -> Policy:
    """Read the text of a policy file.

    Raises SettingsError with a line for each mistake: file, line, field, remedy.
    """
    document = parse_yaml(text, file)
    value: object = document.value
    if value is None:
        return Policy()
    if not isinstance(value, dict):
        raise SettingsError(
            f"{file}, line 1: must hold `rules:`, `outputs:` and `places:`, not a {kind_of(value)}"
        )
    try:
        entry = PolicyEntry.model_validate(_without_blanks(cast("Mapping[str, Any]", value)))
    except ValidationError as error:
        told = [_at(document, path, text) for path, text in explain(error, PolicyEntry)]
        raise SettingsError("\n".join(dict.fromkeys(told))) from error
    problems = [*_unsound(document, entry), *_twice(document, entry)]
    if problems:
        raise SettingsError("\n".join(problems))
    return Policy(
        tuple(
            _rule(rule, f"{file}, line {document.line(('rules', at))}")
            for at, rule in enumerate(entry.rules)
        ),
        tuple(map(_output, entry.outputs)),
        tuple(
            _place(place, f"{file}, line {document.line(('places', at))}")
            for at, place in enumerate(entry.places)
        ),
    )


def _without_blanks(value: Mapping[str, Any]) -> dict[str, Any]:
    """`rules:` with nothing below it means none; a blank inside a rule is a mistake."""
    return {str(key): item for key, item in value.items() if item is not None}


def _at(document: YamlDocument, path: Sequence[Hashable], text: str) -> str:
    where = [str(part) for part in path if part not in {"glob", "regex"}]
    return f"{document.file}, line {document.line(path)}: {'.'.join(where)}: {text}"


def _unsound(document: YamlDocument, entry: PolicyEntry) -> list[str]:
    """Problems of valid entries that would not do what they seem to say."""
    problems: list[str] = []
    for index, rule in enumerate(entry.rules):
        path = ("rules", index)
        if rule.decision == "allow" and rule.roles is None:
            text = (
                "an allow skips the approval; name for whom, with roles: Friend+ (or Guest+ "
                "for everybody)"
            )
            problems.append(_at(document, path, text))
        if rule.decision != "ask" and rule.approver is not None:
            problems.append(
                _at(document, (*path, "approver"), "only a rule with decision: ask has an approver")
            )
        if rule.approver == Role.BANNED.value:
            problems.append(
                _at(
                    document,
                    (*path, "approver"),
                    "nobody who is Banned can say yes; name another role",
                )
            )
        for name in rule.arguments:
            if not all(name.split(".")):
                text = "has an empty step; write a path like to, options.path or items.*.url"
                problems.append(_at(document, (*path, "arguments", name), text))
    return problems


def _twice(document: YamlDocument, entry: PolicyEntry) -> list[str]:
    problems: list[str] = []
    seen: dict[str, int] = {}
    places = [*(("rules", n, one.name) for n, one in enumerate(entry.rules))]
    places += [("outputs", n, one.name) for n, one in enumerate(entry.outputs)]
    places += [("places", n, one.name) for n, one in enumerate(entry.places)]
    for kind, index, name in places:
        line = document.line((kind, index, "name"))
        first = seen.setdefault(name.casefold(), line)
        if first != line:
            text = (
                f"the name {name!r} is there twice (first on line {first}); refusals are found by "
                "their rule's name"
            )
            problems.append(_at(document, (kind, index, "name"), text))
    return problems


def _rule(entry: RuleEntry, source: str) -> FileRule:
    return FileRule(
        name=entry.name,
        decision=_DECISIONS[entry.decision],
        scope=_scope(entry),
        arguments={path: _compiled(patterns) for path, patterns in entry.arguments.items()},
        reason=" ".join(entry.reason.split()),
        approver_rank=Role.parse(entry.approver).rank if entry.approver else 0,
        source=source,
    )


def _place(entry: PlaceEntry, source: str) -> PlaceRule:
    return PlaceRule(entry.name, tuple(map(PlaceName.parse, entry.where)), entry, source)


def _output(entry: OutputEntry) -> OutputRule:
    return OutputRule(entry.name, _compiled(entry.patterns), _scope(entry))


def _scope(entry: ScopeEntry) -> RuleScope:
    return RuleScope(
        tools=_compiled(entry.tools or ()),
        roles=Access.parse(entry.roles).roles if entry.roles is not None else None,
        agents=frozenset(entry.agents) if entry.agents is not None else None,
        runs=frozenset(entry.runs) if entry.runs is not None else None,
        places=tuple(map(PlaceName.parse, entry.places)) if entry.places is not None else None,
    )


def _compiled(entries: Sequence[PatternEntry]) -> tuple[TextPattern, ...]:
    return tuple(TextPattern(entry.glob, entry.regex) for entry in entries)
