"""The play of a drafted skill: written from the conversation that the skill comes from.

It is read like any other play. `bellhop skills check` plays it once the skill is live.
"""

from collections.abc import Callable, Iterator, Sequence

import yaml

from bot.domain.json_types import JsonObject
from bot.errors import DefinitionError
from bot.skills.play_file import PLAY_FILE, Play, parse_play
from bot.workshop.making.draft import Draft


def play_text(
    asked: str, calls: Sequence[tuple[str, JsonObject]], answer: str, has: Sequence[str]
) -> str:
    """A play of one request: the calls that were made for it, and the answer that was liked."""
    replies: list[JsonObject] = [{"call": name, "with": given} for name, given in calls]
    play = {
        "asked": asked,
        "replies": [*replies, {"say": answer}],
        "result": {"has": list(has), "calls": list(dict.fromkeys(name for name, _ in calls))},
    }
    return yaml.safe_dump(play, allow_unicode=True, sort_keys=False, width=100)


def play_problems(draft: Draft, is_tool: Callable[[str], bool]) -> Iterator[str]:
    """What speaks against the play of a draft; nothing where it has none."""
    if (text := draft.files.get(PLAY_FILE)) is None:
        return
    try:
        play = parse_play(text, PLAY_FILE)
    except DefinitionError as error:
        yield f"play: {error}"
        return
    for name in _called(play):
        if not is_tool(name):
            yield f"play: there is no tool {name}; name the calls that were really made"
    answer = "\n".join(reply.say for reply in play.replies).casefold()
    for wanted in play.result.has:
        if wanted.casefold() not in answer:
            yield f"play: {wanted!r} is not in the answer; `has` names what every good one holds"
    if not play.result.has:
        yield "play: say in `has` what every good answer holds"


def _called(play: Play) -> list[str]:
    calls = [one.call for reply in play.replies for one in reply.all_calls]
    return list(dict.fromkeys(calls))
