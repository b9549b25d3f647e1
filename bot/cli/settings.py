"""`bellhop settings`: what can be set in bellhop.yaml, as the settings models say it."""

import ast
import difflib
import re
import textwrap
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from functools import lru_cache
from inspect import cleandoc, getsourcefile
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

import typer
from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bot.assembly.sections import SECTIONS
from bot.cli.options import NO_HOME, AnyHome, AsJson
from bot.cli.printing import print_json, print_table
from bot.cli.templates import template
from bot.errors import SettingsError
from bot.place_settings import PlaceTerms
from bot.settings import LogSettings, Section

Fields = Mapping[str, str]
_MANY = 6
"""A longer list is shown by its beginning."""


@dataclass(frozen=True)
class Setting:
    """One setting, in words for people."""

    name: str
    """Its whole path, such as `tools.shell.sandbox`."""
    default: str
    values: str
    meaning: str


@dataclass(frozen=True)
class Described:
    """A section of bellhop.yaml with all its settings."""

    name: str
    meaning: str
    settings: tuple[Setting, ...]


PLAIN = (
    Setting("timezone", "UTC", "IANA name", "Zone of people that have none of their own."),
    Setting(
        "plugins",
        "none",
        "list",
        "Names of the plug-ins of others that are on, and -NAME for each of Bellhop's own that is "
        "off (docs/plugins.md); `bellhop plugins` lists all.",
    ),
)
"""Settings outside sections."""


def described(sections: Mapping[str, type[Section]]) -> tuple[Described, ...]:
    """Every section, in the order of the mapping; `log` comes last."""
    known = {**sections, "log": LogSettings}
    return tuple(_section(name, model) for name, model in known.items())


def _section(name: str, model: type[Section]) -> Described:
    kinds = [_model_in(field.annotation) for field in model.model_fields.values()]
    meaning = _plain(model.__doc__ or "").removeprefix(f"`{name}:` ")
    meaning = meaning[:1].upper() + meaning[1:]
    if len(kinds) > 1 and kinds[0] is not None and len(set(kinds)) == 1:
        names = ", ".join(sorted(model.model_fields))
        rows = tuple(_settings(kinds[0], f"{name}.NAME"))
        return Described(name, f"{meaning} NAME stands for one of {names}.", rows)
    return Described(name, meaning, tuple(_settings(model, name)))


def _settings(model: type[BaseModel], prefix: str) -> Iterator[Setting]:
    said = _meanings(model)
    for name, field in model.model_fields.items():
        path = f"{prefix}.{name}"
        inner = _model_in(field.annotation)
        again = inner is not None and issubclass(model, inner)
        named = _is_table(field.annotation)
        figures = inner is not None and not again and _has_numbers_alone(inner)
        if inner is None or again or figures or named:
            values = f"table of {', '.join(inner.model_fields)}" if inner and figures else ""
            yield Setting(path, _default(field), values or _values(field), said.get(name, ""))
        # What a place may have is the same everywhere: docs/people.md lists it once. What a model
        # extends was just listed, and a limit or a price is one thing of a few numbers.
        if inner is not None and not again and not figures and not issubclass(inner, PlaceTerms):
            yield from _settings(inner, f"{path}.NAME" if named else path)


def _meanings(model: type[BaseModel]) -> Fields:
    """The docstrings below the fields of a model and of the models that it extends."""
    found: dict[str, str] = {}
    for kind in reversed(model.__mro__):
        if issubclass(kind, BaseModel) and kind is not BaseModel:
            found |= _written(getsourcefile(kind) or "").get(kind.__name__, {})
    return found


@lru_cache
def _written(file: str) -> Mapping[str, Fields]:
    """By class and field: the string that stands below the field."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {
        one.name: dict(_strings(one.body)) for one in tree.body if isinstance(one, ast.ClassDef)
    }


def _strings(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for field, below in pairwise(body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, _plain(text)
            case _:
                continue


def _plain(text: str) -> str:
    return " ".join(cleandoc(text).split())


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    return _shown(field.get_default(call_default_factory=True))


def _shown(value: object) -> str:
    match value:
        case None | "" | () | {} if not value:
            return "none"
        case bool():
            return str(value).lower()
        case Enum():
            return str(value.value)
        case BaseModel():
            return _shown(value.model_dump(exclude_none=True))
        case dict():
            given = cast("dict[str, object]", value)
            return ", ".join(f"{name}: {_shown(one)}" for name, one in given.items())
        case float():
            return f"{value:g}"
        case tuple():
            items = [str(one) for one in cast("tuple[object, ...]", value)]
            more = f", … ({len(items)} in all)" if len(items) > _MANY else ""
            return ", ".join(items[:3] if more else items) + more
        case _:
            return str(value)


def _values(field: FieldInfo) -> str:
    """What may be written, in words."""
    kind = _bare(field.annotation)
    if field.examples:
        return f"like {field.examples[0]}"
    kinds = [one for one in _alternatives(kind) if one is not type(None)]
    words = [word for one in kinds for word in _words(one, _limits(field))]
    return ", ".join(dict.fromkeys(words))


def _words(kind: Any, limits: str) -> Iterator[str]:
    origin = get_origin(kind)
    if origin is Literal:
        yield from map(str, get_args(kind))
    elif kind is bool:
        yield from ("true", "false")
    elif kind in {int, float}:
        whole = "whole number" if kind is int else "number"
        yield f"{whole}, {limits}" if limits else whole
    elif isinstance(kind, type) and issubclass(kind, Enum):
        yield from (_shown(one) for one in kind)
    elif origin in {tuple, list, frozenset}:
        yield "list"
    elif origin is dict or kind is dict or (isinstance(kind, type) and issubclass(kind, BaseModel)):
        yield "table"
    else:
        yield "text"


def _limits(field: FieldInfo) -> str:
    low: str = ""
    high: str = ""
    for rule in field.metadata:
        match rule:
            case Ge(ge=number):
                low = _shown_number(number)
            case Gt(gt=number):
                low = f"more than {_shown_number(number)}"
            case Le(le=number) | Lt(lt=number):
                high = _shown_number(number)
            case _:
                continue
    if low and high:
        return f"{low} to {high}" if low[0].isdigit() else f"{low}, at most {high}"
    if low:
        return low if not low[0].isdigit() else f"at least {low}"
    return f"at most {high}" if high else ""


def _shown_number(number: object) -> str:
    return f"{number:g}" if isinstance(number, float) else str(number)


def _bare(kind: Any) -> Any:
    return _bare(get_args(kind)[0]) if get_origin(kind) is Annotated else kind


def _alternatives(kind: Any) -> tuple[Any, ...]:
    if get_origin(kind) in {Union, types.UnionType}:
        return tuple(_bare(one) for one in get_args(kind))
    return (kind,)


def _has_numbers_alone(model: type[BaseModel]) -> bool:
    kinds = [_alternatives(_bare(field.annotation)) for field in model.model_fields.values()]
    return all({*kind} <= {int, float, type(None)} for kind in kinds)


def _is_table(kind: Any) -> bool:
    return get_origin(_bare(kind)) is dict


def _model_in(kind: Any) -> type[BaseModel] | None:
    """The model that a field is, or that the entries of its table are."""
    bare = _bare(kind)
    if _is_table(bare):
        return _model_in(get_args(bare)[-1])
    for one in _alternatives(bare):
        if isinstance(one, type) and issubclass(one, BaseModel):
            return one
    return None


# --- the command and the page ---


def settings(
    section: Annotated[
        str, typer.Argument(help="A section or setting, such as `sessions` or `tools.shell`.")
    ] = "",
    as_json: AsJson = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the page docs/settings.md.")
    ] = False,
    _home: AnyHome = NO_HOME,
) -> None:
    """Show what can be set in bellhop.yaml.

    Each setting has its default, its value and its meaning.
    """
    everything = described(SECTIONS)
    if markdown:
        typer.echo(page(PLAIN, everything), nl=False)
        return
    rows = [*PLAIN, *(one for each in everything for one in each.settings)]
    wanted = section.strip().strip(".").lower()
    found = [one for one in rows if _is_below(one.name, wanted)]
    if not found:
        raise SettingsError(f"there is no setting {section!r}; {_near(wanted, everything)}")
    if as_json:
        print_json([asdict(one) for one in found])
    elif wanted:
        typer.echo("\n".join(_paragraphs(found)))
    else:
        print_table(
            ("setting", "default", "meaning"),
            [(one.name, one.default, one.meaning) for one in found],
            empty="",
        )


def _is_below(name: str, wanted: str) -> bool:
    low = name.lower()
    return not wanted or low == wanted or low.startswith(f"{wanted}.")


def _near(wanted: str, everything: Sequence[Described]) -> str:
    known = [one.name for one in everything]
    full = [one.name for each in everything for one in each.settings]
    near = difflib.get_close_matches(wanted, [*known, *full], n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else f"the sections are {', '.join(known)}"


def _paragraphs(found: Sequence[Setting]) -> Iterator[str]:
    for one in found:
        yield typer.style(one.name, bold=True)
        yield f"    {one.values}; default: {one.default}"
        yield textwrap.fill(
            one.meaning, 96, initial_indent="    ", subsequent_indent="    ", break_long_words=False
        )


def page(plain: Sequence[Setting], everything: Sequence[Described]) -> str:
    """docs/settings.md: a table for each section."""
    parts = [template("settings.md"), "## Outside sections\n", _table(plain)]
    for one in everything:
        parts += [f"## {one.name}\n", f"{_linked(one.meaning)}\n", _table(one.settings)]
    return "\n".join(parts)


def _table(settings: Sequence[Setting]) -> str:
    lines = ["| setting | default | values | meaning |", "|---|---|---|---|"]
    for one in settings:
        cells = (f"`{one.name}`", _linked(one.default), _linked(one.values), _linked(one.meaning))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _linked(text: str) -> str:
    """For a page in docs: documents become links, and nothing ends a cell."""
    return re.sub(r"(?<![\w/`])docs/([\w-]+)\.md(#[\w-]+)?", _link, text.replace("|", "\\|"))


def _link(found: re.Match[str]) -> str:
    anchor = found[2] or ""
    said = anchor.removeprefix("#") or found[1]
    return f"[{said.replace('-', ' ')}]({found[1]}.md{anchor})"
