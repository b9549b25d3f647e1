"""Names for JSON values, as they travel to models, platforms and the journal."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object that was parsed or is about to be written; treated as immutable once shared."""
JsonValue: TypeAlias = Any
"""Any JSON value: what a journalled step may return."""
FrozenJson: TypeAlias = Mapping[str, Any]
JsonArray: TypeAlias = Sequence[Any]
