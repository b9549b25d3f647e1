"""What Bellhop takes of a server's schema, and what it leaves to the server."""

from typing import Any

from bot.plugins.mcp.schemas import adopted
from bot.tools.schemas.arguments import ArgumentCheck
from bot.tools.schemas.validation import schema_problem


def test_patterns_that_only_the_server_can_read_are_left_to_it():
    given: Any = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {
            "a": {"type": "string", "pattern": "(?!x)a"},
            "pattern": {"type": "string", "pattern": "^b$"},
        },
    }
    schema, dropped = adopted(given)
    assert dropped == 1
    assert schema == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "pattern": {"type": "string", "pattern": "^b$"}},
    }
    assert schema_problem(schema) is None


def test_a_server_marks_no_targets_since_that_would_spare_questions():
    schema, _ = adopted({"properties": {"to": {"type": "string", "x-target": "email"}}})
    assert schema["properties"] == {"to": {"type": "string"}}


def test_a_servers_schema_is_closed_where_it_does_not_open_itself():
    schema, _ = adopted({"properties": {"to": {"type": "string"}}})
    assert ArgumentCheck(schema).problem({"to": "a", "bcc": "b"}) is not None


def test_data_of_a_schema_is_kept_as_it_is():
    options: Any = [{"pattern": "(?!x)", "$schema": 1}]
    schema, dropped = adopted({"properties": {"a": {"enum": options}}})
    assert (schema["properties"], dropped) == ({"a": {"enum": options}}, 0)
