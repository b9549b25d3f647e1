"""Schemas are sound, and wrong arguments are named with what was expected."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bot.tools.schemas.arguments import MAX_CHARS, ArgumentCheck
from bot.tools.schemas.declared import MAX_WORK, RemainingWork, TooMuchWork
from bot.tools.schemas.metered import Validator
from bot.tools.schemas.validation import is_plain, schema_problem

SCHEMA = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": ["add", "list"]},
        "limit": {"type": "integer", "minimum": 1},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string"}},
                "required": ["id"],
            },
        },
        "either": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
    },
    "required": ["action"],
}


def problem(arguments: Any, schema: Any = SCHEMA) -> str | None:
    return ArgumentCheck(schema).problem(arguments)


def test_fitting_arguments_have_no_problem():
    assert problem({"action": "add", "limit": 3, "items": [{"id": "a"}], "either": [1]}) is None


def test_a_number_that_the_database_can_not_hold_is_refused():
    anything: Any = {"type": "object", "properties": {"a": {}}}
    for value in (10**19, [10**19], {"b": -(10**19)}):
        assert "too large a number" in str(problem({"a": value}, anything))


def test_null_for_an_optional_argument_counts_as_not_given():
    assert problem({"action": "add", "limit": None}) is None
    assert problem({"action": None}) is not None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "missing action"),
        ({"action": "drop"}, 'action must be one of "add", "list", not "drop"'),
        ({"action": "add", "limit": "3"}, 'limit must be an integer, not "3"'),
        (
            {"action": "add", "limit": 0},
            "limit: 0 is less than the minimum of 1 (expected minimum 1)",
        ),
        ({"action": "add", "items": [{"id": "a"}, {}]}, "missing items[1].id"),
        ({"action": "add", "either": [1, "x"]}, 'either[1] must be an integer, not "x"'),
    ],
)
def test_a_mismatch_names_the_argument_and_what_was_expected(arguments: Any, words: str):
    assert problem(arguments) == words


def test_unknown_arguments_are_named_with_the_known_ones():
    told = problem(
        {"a": 1, "b": 2}, {"type": "object", "properties": {"a": {}}, "additionalProperties": False}
    )
    assert told is not None
    assert "'b' was unexpected" in told
    assert "known arguments: a" in told


def test_deep_huge_and_impossible_arguments_are_refused():
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    assert "nested" in str(problem({"action": deep}))
    assert "characters" in str(problem({"action": "x" * MAX_CHARS}))
    assert "not JSON" in str(problem({"action": object()}))


def test_an_endlessly_recursive_schema_is_a_problem_not_a_crash():
    looping = {"type": "object", "$ref": "#"}
    assert schema_problem(looping) is not None
    assert problem({}, looping) is not None


def test_a_word_in_place_of_true_or_false_is_named_as_a_word():
    told = problem({"a": "maybe"}, {"type": "object", "properties": {"a": {"type": "boolean"}}})
    assert told == "a must be true or false, not 'maybe'"


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "arguments", "words"),
    [
        (closed(to={}), {"to": 1, "bcc": 2}, "'bcc' was unexpected (known arguments: to)"),
        ({"type": "object"}, {"bcc": 2}, "'bcc' was unexpected (known arguments: none)"),
        (
            closed(mail=closed(to={})),
            {"mail": {"bcc": 2}},
            "mail: 'bcc' was unexpected (known arguments: to)",
        ),
        (
            closed(mails={"type": "array", "items": closed(to={})}),
            {"mails": [{"to": 1}, {"bcc": 2, "cc": 3}]},
            "mails[1]: 'bcc', 'cc' were unexpected (known arguments: to)",
        ),
        ({**closed(to={}), "anyOf": [closed(cc={})]}, {"to": 1, "cc": 2}, None),
        (
            {**closed(to={}), "$ref": "#/$defs/more", "$defs": {"more": closed(cc={})}},
            {"to": 1, "cc": 2},
            None,
        ),
        ({**closed(to={}), "additionalProperties": True}, {"bcc": 2}, None),
        ({**closed(to={}), "patternProperties": {"^x-": {}}}, {"x-a": 2}, None),
        (closed(labels={"type": "object"}), {"labels": {"any": {"thing": 1}}}, None),
        (closed(to={}), {"bcc": None}, None),
    ],
)
def test_a_schema_is_closed_unless_it_says_otherwise(
    schema: Any, arguments: Any, words: str | None
):
    assert schema_problem(schema) is None
    assert problem(arguments, schema) == words


def recursive(depth: int) -> tuple[Any, Any]:
    node: Any = {"type": "object", "properties": {"x": {"$ref": "#/$defs/n"}}}
    schema = {
        **closed(x={"$ref": "#/$defs/n"}),
        "$defs": {"n": {"anyOf": [node, {**node, "required": ["q"]}]}},
    }
    value: Any = 1
    for _ in range(depth):
        value = {"x": value}
    return schema, value


HOSTILE: dict[str, tuple[Any, Any]] = {
    "pattern": (closed(a={"pattern": "^(a+)+$"}), {"a": "a" * 40 + "!"}),
    "wide pattern": (closed(a={"pattern": "[ab]*a[ab]{400}c"}), {"a": "ab" * 190_000}),
    "named pattern": (
        {"type": "object", "patternProperties": {"^(a+)+$": {}}},
        {"a" * 40 + "!": 1},
    ),
    "unique objects": (
        closed(a={"uniqueItems": True}),
        {"a": [{"n": i, "m": {"k": i}} for i in range(4000)]},
    ),
    "recursive alternatives": recursive(28),
    "alternatives of themselves": (
        {
            **closed(a={"$ref": "#/$defs/n"}),
            "$defs": {"n": {"anyOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/n"}]}},
        },
        {"a": 1},
    ),
    "many rules": (closed(a={"items": {"allOf": [{"type": "string"}] * 50}}), {"a": [1] * 30_000}),
    "many alternatives": (
        closed(a={"anyOf": [{"type": "string"}] * 300}),
        {"a": {"b": ["x" * 100] * 3000}},
    ),
    "many options": (
        closed(a={"enum": [[[i] * 20] * 20 for i in range(9)]}),
        {"a": [[[1] * 20] * 20] * 60},
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_check_ends_after_a_bounded_amount_of_work(name: str):
    schema, arguments = HOSTILE[name]
    assert schema_problem(schema) is None
    work = RemainingWork()
    try:
        Validator(schema).errors(arguments, work)
    except TooMuchWork:
        told = problem(arguments, schema)
        assert told is not None
        assert "send less in one call" in told
    else:
        assert 0 <= work.left < MAX_WORK


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (closed(a={"pattern": "(?=x)y"}), "RE2"),
        (closed(a={"type": [{"a": number} for number in range(4000)]}), "no name"),
        ({**closed(), "required": [{"a": number} for number in range(4000)]}, "no name"),
        (closed(a={"$schema": "http://json-schema.org/draft-04/schema#"}), "$schema"),
        (closed(a={"unevaluatedItems": False}), "unevaluatedItems"),
        (closed(a={"allOf": [{"pattern": f"a{number}"} for number in range(300)]}), "patterns"),
        (closed(a={"description": "x" * 100_000}), "characters"),
    ],
)
def test_a_schema_that_costs_too_much_to_examine_is_refused(schema: Any, words: str):
    told = schema_problem(schema)
    assert told is not None
    assert words in told


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-2, 2)
        | st.floats(-2, 2)
        | st.text("ab", max_size=2),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text("ab", max_size=2), inner)
        ),
        max_leaves=8,
    ).filter(lambda value: isinstance(value, list))
)
def test_equal_items_are_those_that_json_schema_holds_equal(items: Any):
    schema = closed(a={"uniqueItems": True})
    stock: Any = Draft202012Validator(schema)
    assert (problem({"a": items}, schema) is None) is stock.is_valid({"a": items})


KEYWORDS = [
    "type",
    "properties",
    "items",
    "required",
    "enum",
    "default",
    "minimum",
    "maxLength",
    "minItems",
    "title",
    "description",
    "additionalProperties",
    "format",
    "$ref",
    "pattern",
    "x",
]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False)
    | st.sampled_from(["string", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(KEYWORDS), VALUES, max_size=5))
def test_no_plain_schema_is_refused_by_the_meta_schema(schema: dict[str, Any]):
    if is_plain(schema):
        Draft202012Validator.check_schema(schema)
