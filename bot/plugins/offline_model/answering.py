"""The reply to a request of the Messages API, made by rules."""

import re
from collections.abc import Callable
from datetime import datetime

from bot.plugin.models import (
    OFFLINE_NAME,
    JsonObject,
    ModelReply,
    ModelRequest,
    Usage,
    as_objects,
    blocks_of,
    through_dispatcher,
)
from bot.plugins.offline_model.rules import script_for
from bot.plugins.offline_model.script import Round, Say, Script, decide
from bot.plugins.offline_model.situation import Situation

_WORD = re.compile(r"\s*\S+|\s+\Z")
_TRANSCRIPT = re.compile(r'\A<quoted kind="transcript"[^>\n]*>\n(.*)\n</quoted>\Z', re.DOTALL)
_SAID = re.compile(r"^\[(person:[^\]\n]+|you)\] (.+)$", re.MULTILINE)
_ENTRIES = 40
_ENTRY_CHARS = 200


def answer(
    request: ModelRequest,
    now: datetime,
    first: Callable[[Situation], Script | None] = lambda _situation: None,
) -> ModelReply:
    """The same request gets the same reply, except for the day of `tomorrow`.

    `first` may give the script for a situation; else the rules do.
    """
    situation = Situation.read(request)
    if summary := _extract(request):
        return _said(summary)
    match decide(situation, first(situation) or script_for(situation, now)):
        case Say(text):
            return _said(text)
        case step:
            return _calling(step.calls, situation.calls_before, request)


def request_of(body: JsonObject) -> ModelRequest:
    """What a body of the Messages API asks."""
    return ModelRequest(
        tuple(blocks_of({"content": body.get("system")})),
        tuple(as_objects(body.get("tools"))),
        tuple(as_objects(body.get("messages"))),
        int(body.get("max_tokens", 0)),
    )


def words(text: str) -> list[str]:
    """Word-sized pieces that join to exactly this text."""
    return _WORD.findall(text)


def _said(text: str) -> ModelReply:
    return _reply(({"type": "text", "text": text},), "end_turn", text)


def _calling(calls: Round, before: int, request: ModelRequest) -> ModelReply:
    uses: list[JsonObject] = [
        {
            "type": "tool_use",
            "id": f"toolu_offline_{number}",
            "name": call.name,
            "input": call.arguments,
        }
        for number, call in enumerate(calls, before + 1)
    ]
    content = through_dispatcher(uses, request.tools)
    return _reply(content, "tool_use", str(list(content)))


def _reply(content: tuple[JsonObject, ...], stop_reason: str, text: str) -> ModelReply:
    # Nothing is counted or paid here, so each word of the reply counts as a token.
    usage = Usage(output_tokens=len(words(text)))
    return ModelReply(content, stop_reason, usage, OFFLINE_NAME, "req_offline")


def _extract(request: ModelRequest) -> str | None:
    """In place of a summary: first lines of the newest messages in a quoted transcript.

    None if there is none.
    """
    if len(request.messages) != 1:
        return None
    for block in blocks_of(request.messages[0]):
        if found := _TRANSCRIPT.match(str(block.get("text") or "")):
            lines = [f"- {who}: {_short(text)}" for who, text in _SAID.findall(found[1])]
            told = "\n".join(lines[-_ENTRIES:]) or "- nothing in words"
            return (
                "<summary>\n## Said (an extract: the offline model can't "
                f"summarise)\n{told}\n</summary>"
            )
    return None


def _short(text: str) -> str:
    return text if len(text) <= _ENTRY_CHARS else text[: _ENTRY_CHARS - 1] + "…"
