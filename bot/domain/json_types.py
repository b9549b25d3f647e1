"""Types of JSON values for models, platforms and the journal."""

from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object. Treat it as immutable once it is shared."""
JsonValue: TypeAlias = Any
"""Any JSON value: what a journalled step may return."""
