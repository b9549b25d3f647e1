"""What the Bot API says when it does not do something."""


class Refusal(Exception):
    """An answer `ok: false`, with an HTTP status of the same code."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters


def bad(description: str) -> Refusal:
    """Return a refusal as a bad request."""
    return Refusal(400, f"Bad Request: {description}")
