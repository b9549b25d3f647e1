"""Schemas are sound, and wrong arguments are named with what was expected."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bot.tools.plain_schema import is_plain
from bot.tools.validation import MAX_CHARS, ArgumentChecker, schema_problem

SCHEMA = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": ["add", "list"]},
        "limit": {"type": "integer", "minimum": 1},
        "items": {
            "type": "array",
            "items": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        },
        "either": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
    },
    "required": ["action"],
}  # fmt: skip


def problem(arguments: Any, schema: Any = SCHEMA) -> str | None:
    return ArgumentChecker().problem(schema, arguments)


def test_fitting_arguments_have_no_problem():
    assert problem({"action": "add", "limit": 3, "items": [{"id": "a"}], "either": [1]}) is None


def test_null_for_an_optional_argument_counts_as_not_given():
    assert problem({"action": "add", "limit": None}) is None
    assert problem({"action": None}) is not None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "missing action"),
        ({"action": "drop"}, 'action must be one of "add", "list", not "drop"'),
        ({"action": "add", "limit": "3"}, 'limit must be an integer, not "3"'),
        ({"action": "add", "limit": 0}, "limit: 0 is less than the minimum of 1 (expected minimum 1)"),
        ({"action": "add", "items": [{"id": "a"}, {}]}, "missing items[1].id"),
        ({"action": "add", "either": [1, "x"]}, 'either[1] must be an integer, not "x"'),
    ],
)
def test_a_mismatch_names_the_argument_and_what_was_expected(arguments: Any, words: str):
    assert problem(arguments) == words


def test_unknown_arguments_are_named_with_the_known_ones():
    told = problem({"a": 1, "b": 2}, {"type": "object", "properties": {"a": {}}, "additionalProperties": False})
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


def test_a_schema_that_refers_to_itself_without_end_is_a_problem_and_no_crash():
    looping = {"type": "object", "$ref": "#"}
    assert schema_problem(looping) is not None
    assert problem({}, looping) is not None


KEYWORDS = ["type", "properties", "items", "required", "enum", "default", "minimum", "maxLength", "minItems", "title",
            "description", "additionalProperties", "format", "$ref", "pattern", "x"]  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.sampled_from(["string", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(KEYWORDS), VALUES, max_size=5))
def test_no_plain_schema_is_refused_by_the_meta_schema(schema: dict[str, Any]):
    if is_plain(schema):
        Draft202012Validator.check_schema(schema)
