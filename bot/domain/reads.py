"""The read-only calls of a tool that also writes."""

from dataclasses import dataclass

from bot.domain.json_types import JsonObject


@dataclass(frozen=True)
class Reads:
    """Calls are read-only if their `argument` has one of these values."""

    argument: str
    values: frozenset[str]

    def covers(self, arguments: JsonObject) -> bool:
        value = arguments.get(self.argument)
        return isinstance(value, str) and value in self.values
