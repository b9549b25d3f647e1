"""How a tool is called, in a line: `schedule_task(name, prompt, cron)`."""

from bot.domain.json_types import JsonObject, as_object, as_values
from bot.domain.tools import ToolDefinition

_ARGUMENTS_CHARS = 60
_VALUES_CHARS = 25
_OPTIONAL_SHOWN = 3


def call_of(tool: ToolDefinition) -> str:
    """Its name and what a call needs, or the first few arguments where nothing is required.

    So it can be called at once, without its definition.
    No arguments for a tool that takes nothing, and for a schema that isn't made of properties.
    """
    properties = as_object(tool.parameters.get("properties"))
    required = [str(name) for name in as_values(tool.parameters.get("required"))]
    optional = [name for name, one in properties.items() if "default" not in as_object(one)]
    named = required or optional[:_OPTIONAL_SHOWN]
    text = ", ".join(_argument(name, as_object(properties.get(name))) for name in named)
    if len(text) > _ARGUMENTS_CHARS:
        text = ", ".join(named)
    return f"{tool.name}({text})" if 0 < len(text) <= _ARGUMENTS_CHARS else tool.name


def _argument(name: str, schema: JsonObject) -> str:
    """Its name, with the few words that it may be."""
    words = "|".join(str(value) for value in as_values(schema.get("enum")))
    return f"{name}: {words}" if words and len(words) <= _VALUES_CHARS else name
