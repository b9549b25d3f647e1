"""Reads the play of a skill, `play.yaml` beside its SKILL.md: how it is tried, and how it went.

A play is a small scene: what is there, what somebody asks, what a model that follows the skill
replies, what its answer must hold. `played:` is the record of a real one, with and without it.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.errors import DefinitionError, SettingsError, raised_as
from bot.settings import explain
from bot.yaml_file import parse_yaml

PLAY_FILE = "play.yaml"
PERSON, BELLHOP = "me", "bellhop"
"""Who speaks in `history:`; every other name is a colleague."""

Text = Annotated[str, Field(min_length=1, max_length=8_000)]


class PlayVerdict(StrEnum):
    """What the real play said about the skill."""

    KEPT = "kept"
    """With it the result was better, or as good for less."""
    DROPPED = "dropped"


class _Part(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, coerce_numbers_to_str=True
    )


class PlayCall(_Part):
    """One call of a tool."""

    call: Text
    given: JsonObject = Field(default={}, alias="with")


class PlayReply(_Part):
    """What the model replies to one request: an answer, or calls of tools, after some text."""

    say: str = ""
    call: str = ""
    given: JsonObject = Field(default={}, alias="with")
    calls: Sequence[PlayCall] = ()
    """Several at once, in place of `call`."""

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if bool(self.call) and bool(self.calls):
            raise ValueError("has call and calls; keep one of them")
        if not (self.say or self.call or self.calls):
            raise ValueError("says and calls nothing; give say, call or calls")
        return self

    @property
    def all_calls(self) -> Sequence[PlayCall]:
        one = {"call": self.call, "with": self.given}
        return [PlayCall.model_validate(one)] if self.call else self.calls


class PlayGiven(_Part):
    """What is there before."""

    role: Role = Role.FRIEND
    place: Annotated[str, Field(pattern="^(dm|channel)$")] = "dm"
    files: Mapping[str, str] = {}
    """The person's files by path, such as /documents/plan.md or /preferences/global.md."""
    calls: Sequence[PlayCall] = ()
    """Calls that were made for the person before: their todos, notes and facts."""
    history: Sequence[Mapping[str, str]] = ()
    """Messages before, each `name: words`; what `me` says is answered by a following `bellhop`."""
    tools: Mapping[str, str] = {}
    """What tools of the world outside answer in place of it."""


class PlayTurn(_Part):
    """A further message of the person, and the replies to it."""

    asked: Text
    replies: Annotated[Sequence[PlayReply], Field(min_length=1)]


class PlayResult(_Part):
    """What holds at the end."""

    has: Sequence[str] = ()
    """In the answers to the person."""
    lacks: Sequence[str] = ()
    done: Sequence[str] = ()
    """In the results of tools."""
    calls: Sequence[str] = ()
    """The tools that may be called, besides the one that reads the skill."""


class PlayCost(_Part):
    calls: Annotated[int, Field(ge=0)]
    """Requests to the model."""
    bytes: Annotated[int, Field(ge=0)]
    """Of all of these requests."""


class Played(_Part):
    """One real play, with a model that read and decided."""

    day: date = Field(alias="date")
    model: Text
    with_: PlayCost = Field(alias="with")
    without: PlayCost
    verdict: PlayVerdict
    why: Annotated[str, Field(min_length=1, max_length=300)]
    """What was better, in a few words."""


class Play(_Part):
    """The whole file."""

    given: PlayGiven = PlayGiven()
    asked: Text
    replies: Annotated[Sequence[PlayReply], Field(min_length=1)]
    then: Sequence[PlayTurn] = ()
    result: PlayResult
    played: Played | None = None

    @property
    def turns(self) -> Sequence[PlayTurn]:
        return (PlayTurn(asked=self.asked, replies=self.replies), *self.then)


def read_play(path: Path) -> Play | None:
    """The play in a file; None where there is none.

    Raises DefinitionError with file, line and remedy.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    return parse_play(text, str(path))


def parse_play(text: str, file: str) -> Play:
    """Raises DefinitionError with file, line and remedy."""
    with raised_as(DefinitionError, SettingsError):
        document = parse_yaml(text, file)
    value: Any = document.value
    try:
        return Play.model_validate(value)
    except ValidationError as error:
        where, problem = explain(error, Play)[0]
        name = ".".join(str(part) for part in where) or "the play"
        raise DefinitionError(f"{file}, line {document.line(where)}: {name} {problem}") from None
