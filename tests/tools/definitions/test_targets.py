"""Targets of calls: marks in files, readings, and values that never count as equal."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.domain.targets import Target, TargetKind, without_marks
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.tools.definitions.definition import parse_tool_file
from bot.tools.definitions.sections import ToolFileError
from bot.tools.definitions.targets import MAX_TARGETS, mark_problem, targets_of, typed


def tool(properties: dict[str, Any], **more: Any) -> ToolDefinition:
    schema = {"type": "object", "properties": properties, **more}
    return ToolDefinition("thing", "Does things.", schema, "shared", NativeImplementation("thing"))


def values(definition: ToolDefinition, **arguments: Any) -> list[tuple[str, str, str]]:
    return [
        (target.field, target.kind.value, target.value)
        for target in targets_of(definition, arguments)
    ]


def test_only_marked_arguments_are_targets_wherever_they_are_nested():
    definition = tool(
        {
            "to": {"type": "string", "x-target": "email"},
            "subject": {"type": "string"},
            "guests": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"mail": {"type": "string", "x-target": "email"}},
                },
            },
            "copies": {"type": "array", "items": {"type": "string"}, "x-target": "email"},
            "place": {"$ref": "#/$defs/place"},
            "either": {
                "anyOf": [
                    {"type": "string", "x-target": "id"},
                    {"type": "integer", "x-target": "id"},
                ]
            },
            "pair": {"type": "array", "prefixItems": [{}, {"type": "string", "x-target": "id"}]},
            "map": {
                "type": "object",
                "additionalProperties": {"type": "string", "x-target": "channel"},
            },
        },
        **{
            "$defs": {
                "place": {
                    "type": "object",
                    "properties": {"url": {"type": "string", "x-target": "url"}},
                }
            }
        },
    )
    assert values(
        definition,
        to="Ann <Ann@Example.org>, ben@example.org",
        subject="eve@evil.example",
        guests=[{"mail": "c@x.org"}, {"mail": "d@x.org", "name": "eve@evil.example"}],
        copies=["e@x.org", None],
        place={"url": "HTTPS://X.org:443"},
        either=7,
        pair=["no", "yes"],
        map={"a": "#General"},
    ) == [
        ("to", "email", "ann@example.org"),
        ("to", "email", "ben@example.org"),
        ("guests[0].mail", "email", "c@x.org"),
        ("guests[1].mail", "email", "d@x.org"),
        ("copies[0]", "email", "e@x.org"),
        ("place.url", "url", "https://x.org/"),
        ("either", "id", "7"),
        ("pair[1]", "id", "yes"),
        ("map.a", "channel", "general"),
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("https://x.org/a", "url"),
        ("ann@x.org", "email"),
        ("#general", "channel"),
        ("/a/b.txt", "path"),
        ("page-7", "id"),
    ],
)
def test_a_mark_without_a_kind_takes_the_one_that_the_value_looks_like(text: str, kind: str):
    found = targets_of(tool({"it": {"type": "string", "x-target": True}}), {"it": text})
    assert [target.kind for target in found] == [TargetKind(kind)]


SAME = [
    ("email", "Ann@Example.ORG", "ann@example.org"),
    ("email", "Ann Lee <ann@example.org>", "ann@example.org"),
    ("email", "ann@bücher.example", "ann@xn--bcher-kva.example"),
    ("url", "https://Example.org", "https://example.org:443/"),
    ("url", "https://example.org/a#part", "https://example.org/a"),
    ("url", "https://example.org./a", "https://example.org/a"),
    ("channel", "#General", "general"),
    ("account", "DE44 5001 0517 5407 3249 31", "DE44500105175407324931"),
    ("path", "/a//b/./c", "/a/b/c"),
]


@pytest.mark.parametrize(("kind", "one", "other"), SAME)
def test_spellings_of_the_same_thing_are_equal(kind: str, one: str, other: str):
    first, second = typed("f", TargetKind(kind), one), typed("f", TargetKind(kind), other)
    assert first == second
    assert first.sound


DIFFERENT = [
    ("email", "ann@example.org", "\u0430nn@example.org"),
    ("email", "ann@example.org", "ann@example.org.evil.example"),
    ("email", "ann@example.org", "ann+evil@example.org"),
    ("email", "ann@example.org", "ann@ex\u0430mple.org"),
    ("email", "ann@strasse.example", "ann@straße.example"),
    ("email", "ann@example.org", "ann@example.org@evil.example"),
    ("email", "ann@example.org", "ann@example.org\nBcc: eve@evil.example"),
    ("url", "https://example.org/", "https://example.org@evil.example/"),
    ("url", "https://example.org/", "https://example.org.evil.example/"),
    ("url", "https://example.org/", "https://evil.example/?https://example.org/"),
    ("url", "https://example.org/", "https://evil.example\\@example.org/"),
    ("url", "https://example.org/", "http://example.org/"),
    ("url", "https://example.org/", "https://example.org:8443/"),
    ("url", "https://example.org/a", "https://example.org/A"),
    ("url", "https://example.org/", "https://\uff45xample.org/"),
    ("url", "https://example.org/", "https://ex%61mple.org/"),
    ("path", "/a/b", "/a/x/../b"),
    ("path", "/a/b", "/a%2fb"),
    ("path", "/a/b", "\\a\\b"),
    ("account", "ann.lee", "annlee"),
    ("account", "ann", "Ann"),
    ("id", "13", "June 13"),
    ("id", "13", "013"),
    ("id", "Ab1", "aB1"),
]


@pytest.mark.parametrize(("kind", "wanted", "lookalike"), DIFFERENT)
def test_lookalike_targets_differ(kind: str, wanted: str, lookalike: str):
    assert (
        typed("f", TargetKind(kind), wanted).value != typed("f", TargetKind(kind), lookalike).value
    )


def test_unreadable_and_too_many_targets_are_unsound():
    definition = tool({"to": {"type": "array", "items": {"type": "string"}, "x-target": "email"}})
    assert not any(
        target.sound
        for target in targets_of(definition, {"to": ["", "nobody", "a@b@c.d", "a@x.org\r\n"]})
    )
    many = targets_of(definition, {"to": [f"a{number}@x.org" for number in range(MAX_TARGETS + 5)]})
    assert len(many) == MAX_TARGETS + 1
    assert not many[-1].sound


@given(st.sampled_from(TargetKind), st.text(max_size=60))
def test_reading_any_text_never_fails_and_is_stable(kind: TargetKind, text: str):
    target = typed("f", kind, text)
    if target.sound:
        assert typed("f", kind, target.value) == Target("f", kind, target.value)


# --- marks and what models see ---

PLACES = st.recursive(
    st.sampled_from(["leaf", "marked"]).map(lambda name: (name,)),
    lambda inner: st.tuples(st.sampled_from(["properties", "items", "anyOf", "$defs"]), inner),
    max_leaves=6,
)


def schema_at(place: Any, *, marks: bool) -> JsonObject:
    """A schema with a deep mark (or none), and properties and defaults that resemble marks."""
    if len(place) == 1:
        mark = {"x-target": "email"} if marks and place[0] == "marked" else {}
        return {"type": "string", **mark, "default": {"x-target": 1}}
    key, below = place
    inner = schema_at(below, marks=marks)
    if key in {"properties", "$defs"}:
        return {"type": "object", key: {"x-target": inner}}
    return {"items": inner} if key == "items" else {"anyOf": [inner, {"type": "null"}]}


@given(PLACES)
def test_models_see_the_same_schema_without_the_marks(place: Any):
    definition = ToolDefinition(
        "t", "d", schema_at(place, marks=True), "shared", NativeImplementation("t")
    )
    assert json.dumps(definition.declaration()["input_schema"]) == json.dumps(
        schema_at(place, marks=False)
    )


def test_a_schema_without_marks_is_declared_as_it_is():
    schema = {"type": "object", "properties": {"x-target": {"type": "string"}}}
    assert without_marks(schema) is schema


FILE = """# thing

## Description
Does it.

## Parameters
{{
  "type": "object",
  "properties": {{
    "to": {{"type": "string", "x-target": "email"}},
    "it": {{"type": "{kind}",
           "x-target": {mark}}}
  }}
}}
"""


@pytest.mark.parametrize(
    ("kind", "mark", "said"),
    [
        ("string", '"e-mail"', "must be true, false or one of email, url"),
        ("string", "[]", "must be true, false or one of"),
        ("string", '"id", "x-kind": 3', "needs a kind of record"),
        ("string", '"id", "x-kind": "An Event"', "needs a kind of record"),
        ("boolean", "true", "marks a boolean"),
        ("integer", '"url"', "the argument is a number"),
    ],
)
def test_a_wrong_mark_makes_the_file_invalid_naming_its_line(kind: str, mark: str, said: str):
    with pytest.raises(ToolFileError, match=said) as caught:
        parse_tool_file(FILE.format(kind=kind, mark=mark), path=Path("thing.md"), folder="shared")
    assert caught.value.problem.line == 12
    assert "properties.it" in str(caught.value)


def test_marking_everything_at_once_is_refused():
    text = '# thing\n\n## Description\nIt.\n\n## Parameters\n{"type": "object", "x-target": true}\n'
    with pytest.raises(ToolFileError, match="mark the single ones"):
        parse_tool_file(text, path=Path("thing.md"), folder="shared")


def test_a_well_marked_file_is_taken():
    text = FILE.format(kind="string", mark="true")
    assert (
        len(
            targets_of(
                parse_tool_file(text, path=Path("thing.md"), folder="shared"),
                {"to": "a@b.c", "it": "x"},
            )
        )
        == 2
    )


def test_an_argument_an_open_schema_does_not_declare_is_unsound():
    marked = {"type": "object", "properties": {"to": {"type": "string", "x-target": "email"}}}
    definition = tool({})
    closed = replace(definition, parameters=marked)
    opened = replace(definition, parameters={**marked, "additionalProperties": True})
    arguments = {"to": "a@x.org", "bcc": "evil@x.org", "note": {"a": 1}}
    assert [target.field for target in targets_of(closed, arguments)] == ["to"]
    found = targets_of(opened, arguments)
    assert [(target.field, target.value, target.sound) for target in found] == [
        ("to", "a@x.org", True),
        ("bcc", "evil@x.org", False),
        ("note", '{"a": 1}', False),
    ]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            {
                "dependentSchemas": {
                    "to": {"properties": {"cc": {"type": "string", "x-target": "email"}}}
                }
            },
            "not read",
        ),
        (
            {"properties": {"to": {"type": "object", "propertyNames": {"x-target": "email"}}}},
            "names of arguments",
        ),
        (
            {
                "properties": {
                    "to": {"$ref": "#/$defs/gone"},
                    "cc": {"type": "string", "x-target": "email"},
                }
            },
            "can't be followed",
        ),
        (
            {
                "properties": {
                    "to": {"$dynamicRef": "#meta"},
                    "cc": {"type": "string", "x-target": "email"},
                }
            },
            "can't be followed",
        ),
    ],
)
def test_a_mark_that_would_not_be_read_makes_the_file_invalid(more: dict[str, object], said: str):
    problem = mark_problem({"type": "object", **more})
    assert problem is not None
    assert said in problem[1]


def test_an_argument_may_be_called_as_a_keyword():
    named = {"dependentSchemas": {"type": "string", "x-target": "email"}}
    assert mark_problem({"type": "object", "properties": named}) is None
