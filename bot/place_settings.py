"""What can be set for a place, in policy.yaml and in the `channels:` of a platform."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias, cast

from pydantic import AfterValidator, BeforeValidator, Field

from bot.domain.places import NameKind, PlaceName
from bot.settings import Section

GLOB_CHARS = 200
Answer: TypeAlias = Literal["mention", "all", "off"]


class ReplyTo(StrEnum):
    """Whom Bellhop answers in a place."""

    MENTION = "mention"
    """Who mentions it, replies to it, or writes in a thread that it is in."""
    FREE = "free"
    """Everybody who doesn't speak to somebody else."""
    QUIET = "quiet"
    """Nobody: messages are kept as context; commands still work."""


class Guests(StrEnum):
    """What becomes of messages of Guests, the strictest last."""

    ANSWER = "answer"
    RESTRICT = "restrict"
    """Answered in words, with no tool but those that the answer itself needs."""
    IGNORE = "ignore"


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _place(text: str) -> str:
    return str(PlaceName.parse(text))


def _places(value: object) -> object:
    given = cast("list[object]", value) if isinstance(value, list) else [value]
    return [str(item) for item in given]


Glob = Annotated[str, Field(min_length=1, max_length=GLOB_CHARS)]
Globs = Annotated[tuple[Glob, ...], BeforeValidator(_listed)]
PlaceNames = Annotated[tuple[Annotated[str, AfterValidator(_place)], ...], BeforeValidator(_places)]


class PlaceTools(Section):
    """Globs over tool names; only `*` is special."""

    allow: Globs | None = None
    """No other tool exists there, but for those that an answer itself needs."""
    deny: Globs = ()


class PlaceBudget(Section):
    """A channel's daily budget for all people together; beside `budgets.per_channel_day`."""

    day_usd: float | None = Field(default=None, gt=0)
    day_model_calls: int | None = Field(default=None, ge=1)
    day_tool_calls: int | None = Field(default=None, ge=1)


class PlaceTerms(Section):
    """What differs in a place; what is left out is as everywhere else."""

    tools: PlaceTools = PlaceTools()
    agent: str | None = None
    """Who answers there, in place of `agents.default`."""
    reply: ReplyTo | None = None
    change_reply: bool = True
    """Whether a Partner may choose `reply` there with /mode."""
    guests: Guests | None = None
    budget: PlaceBudget = PlaceBudget()
    learn: bool = True
    """Whether anything may be learned from what is said there."""


class AnsweredPlace(PlaceTerms):
    """A place of a platform where a mention is usual; omitted settings are as everywhere else."""

    answer: Answer | None = None
    """Who is answered: those who mention the bot, or write in a thread that it is in; everybody; or
    nobody, and `off` takes no notice at all.
    """

    @property
    def answered(self) -> Answer | None:
        """`answer`, else its value from `reply`: who is answered without a mention."""
        if self.answer is not None or self.reply is None:
            return self.answer
        return "all" if self.reply is ReplyTo.FREE else "mention"


Answered: TypeAlias = dict[str, AnsweredPlace]
NAMED = frozenset({"dm", "private", "public"})


def place_of_key(key: str) -> PlaceName:
    """The place that a key of `channels:` names: an id stands for a channel.

    Raises ValueError for no place.
    """
    name = PlaceName.parse(key if ":" in key or key in NAMED else f"channel:{key}")
    if name.kind is NameKind.PLATFORM:
        raise ValueError(f"{key}: the section is of one platform; name a channel of it")
    return name


def checked_keys(keys: Iterable[str]) -> None:
    """Raises ValueError for a key of `channels:` that names no place."""
    for key in keys:
        place_of_key(key)


def checked_answers(places: Answered, by: str = "channel id") -> Answered:
    """The same places. Raises ValueError for one that no id names, and that has an `answer`."""
    checked_keys(places)
    for key, place in places.items():
        if place.answer and place_of_key(key).kind != "channel":
            raise ValueError(f"{key}: answer is set by {by}; use reply for {key}")
    return places


def answer_in(places: Answered, channel: str) -> Answer:
    """How messages of a channel are treated."""
    known = places.get(channel)
    return (known and known.answered) or "mention"
