"""What somebody who says yes has seen, compared byte for byte with the call that runs."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any, cast

from bot.domain.approvals import Approval
from bot.domain.json_types import JsonObject
from bot.log import holds_secret, redact, redact_json
from bot.tools.permission.plans_store import has_lines, lines_of

NOT_SHOWN = "not run: the call is not the one that was shown when somebody approved it"


def calls_of(approval: Approval) -> list[tuple[str, JsonObject]]:
    """The calls that a yes lets run, in order."""
    if has_lines(approval):
        return [(str(line["tool"]), line["arguments"]) for line in lines_of(approval)]
    return [(approval.tool, approval.arguments)]


def digest_of(calls: Iterable[tuple[str, JsonObject]]) -> str:
    """Identifies calls by each byte of their arguments; the order of names matters."""
    return hashlib.sha256(json.dumps([list(call) for call in calls]).encode()).hexdigest()


def digest_of_approval(approval: Approval) -> str:
    """What a card must have shown for a yes to count."""
    return digest_of(calls_of(approval))


def shows_line(plan: Approval, number: int, tool: str, arguments: JsonObject) -> bool:
    """Whether the approved plan, as it was shown, has this very call in this line."""
    calls = calls_of(plan)
    return (
        plan.shown == digest_of(calls)
        and 1 <= number <= len(calls)
        and digest_of([calls[number - 1]]) == digest_of([(tool, arguments)])
    )


def hides(approval: Approval) -> bool:
    """Whether something in it looks like a secret, so that places that others read don't show it.

    The patterns of the log decide; they may only make this more careful.
    """
    return any(
        redact(name) != name or concealed(arguments) != _plain(arguments)
        for name, arguments in calls_of(approval)
    )


def concealed(arguments: JsonObject) -> str:
    """Arguments as JSON without what looks like a secret."""
    return redact(_plain(redact_json(arguments)))


def secret_arguments(arguments: JsonObject) -> tuple[str, ...]:
    """The names of arguments that contain a secret of this installation."""
    return tuple(
        name
        for name, value in arguments.items()
        if any(holds_secret(text) for text in (name, *_texts(value)))
    )


def _texts(value: Any) -> Iterable[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, item in cast("JsonObject", value).items():
                yield name
                yield from _texts(item)
        case list():
            for item in cast("list[Any]", value):
                yield from _texts(item)
        case _:
            yield json.dumps(value)


def _plain(arguments: JsonObject) -> str:
    return json.dumps(arguments, ensure_ascii=False, indent=2)
