"""The lines between Bellhop and a specialist in its own process (docs/running.md)."""

import json
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bot.domain.json_types import JsonObject

LINE_BYTES = 1024 * 1024
"""The longest line in either direction, its end included."""
ERROR_CHARS = 500


class SpecialistFailed(Exception):
    """The program failed, not the agent: the reason follows `subprocess <name>: `.

    `own_words`: the program gave the reason, so it is text from outside.
    """

    def __init__(self, reason: str, *, own_words: bool = False) -> None:
        super().__init__(reason)
        self.own_words = own_words


class _Line(BaseModel):
    """Ignores unknown fields: Bellhop measures telemetry itself and needs no timestamps."""

    model_config = ConfigDict(frozen=True, strict=True)

    id: str


class ProgressLine(_Line):
    status: Literal["progress"]
    turn: int = 0
    max_turns: int = 0


class ModelCallLine(_Line):
    status: Literal["model_call"]


class ToolCallLine(_Line):
    status: Literal["tool_call"]
    call: str
    tool_name: str
    tool_input: Any


class CompleteLine(_Line):
    status: Literal["complete"]
    success: bool
    result: str
    artefact_paths: tuple[str, ...] = Field(default=(), strict=False)
    """Files that it made in its `artefact_dir`, for its caller."""


class ErrorLine(_Line):
    status: Literal["error"]
    error: str = Field(min_length=1)


Terminal: TypeAlias = CompleteLine | ErrorLine
SpecialistLine: TypeAlias = ProgressLine | ModelCallLine | ToolCallLine | Terminal
_LINES: TypeAdapter[SpecialistLine] = TypeAdapter(
    Annotated[SpecialistLine, Field(discriminator="status")]
)


def read_line(line: bytes, request: str) -> SpecialistLine:
    """One line of the program that serves `request`.

    Raises SpecialistFailed, without a word of the line.
    """
    try:
        found = _LINES.validate_json(line)
    except ValidationError as error:
        where = error.errors(include_url=False, include_input=False)[0]
        what = where["type"].replace("_", " ")
        place = (
            ".".join(str(part) for part in where["loc"])[:80] if where["type"] == "missing" else ""
        )
        raise SpecialistFailed(
            f"sent a line that can't be read ({f'{place} ' if place else ''}{what})"
        ) from None
    if found.id != request:
        raise SpecialistFailed("sent a line with the id of another request")
    return found


def write_line(request: str, kind: str, **fields: Any) -> bytes:
    """A line for the program. Raises SpecialistFailed when it is too long."""
    value: JsonObject = {"id": request, "type": kind, **fields}
    line = json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace") + b"\n"
    if len(line) > LINE_BYTES:
        raise SpecialistFailed(f"can't be sent its {kind}: the line is longer than 1 MiB")
    return line


def shown_error(text: str) -> str:
    """The program's error as one line."""
    folded = " ".join(text.split())
    return folded if len(folded) <= ERROR_CHARS else folded[: ERROR_CHARS - 1] + "…"
