"""What a model hands to `create_tool` in tests of making tools."""

from bot.domain.json_types import JsonObject


def ticket_draft(name: str = "find_ticket") -> JsonObject:
    """A request with two cases that pass; no sandbox is needed to test it."""
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
