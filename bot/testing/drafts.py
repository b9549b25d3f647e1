"""Arguments for `create_tool`, as a model gives them in tests."""

from bot.domain.json_types import JsonObject


def ticket_draft(name: str = "find_ticket") -> JsonObject:
    """Return a request with two passing cases; testing it needs no sandbox."""
    return {
        "name": name,
        "description": "Look up a ticket by its number.",
        "parameters": {
            "type": "object",
            "properties": {"number": {"type": "integer"}},
            "required": ["number"],
        },
        "access": "Partner+",
        "implementation": "http: GET https://tracker.example.org/tickets/{number}",
        "cases": [
            {
                "arguments": {"number": 7},
                "expect": {"contains": "GET https://tracker.example.org/tickets/7"},
            },
            {"arguments": {}, "expect": {"is_error": True}},
        ],
    }
