"""The offline model as a Messages API: answers a request body with a message or its events."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable

from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.llm.blocks import as_objects, blocks_of
from bot.llm.offline.rules import script_for
from bot.llm.offline.script import Say, Script, decide
from bot.llm.offline.situation import Situation
from bot.llm.sse import encode, stream_events, words
from bot.llm.unlocking import through_dispatcher

_TRANSCRIPT = re.compile(r'\A<quoted kind="transcript"[^>\n]*>\n(.*)\n</quoted>\Z', re.DOTALL)
_SAID = re.compile(r"^\[(person:[^\]\n]+|you)\] (.+)$", re.MULTILINE)
_ENTRIES = 40
_ENTRY_CHARS = 200


def _no_script(_situation: Situation) -> Script | None:
    return None


class OfflineServer:
    """Stateless: the same request gets the same reply (except for the day of `tomorrow`).

    `first` may give the script for a situation; else the rules do.
    """

    def __init__(
        self, clock: Clock, first: Callable[[Situation], Script | None] = _no_script
    ) -> None:
        self._clock = clock
        self._first = first

    async def stream(self, body: JsonObject) -> AsyncIterator[bytes]:
        """The reply as an event stream."""
        message = await asyncio.to_thread(self.reply, body)
        for event in stream_events(message):
            yield encode(event)
            # Other tasks may run between two words, as with a network.
            await asyncio.sleep(0)

    def _script(self, situation: Situation) -> Script:
        return self._first(situation) or script_for(situation, self._clock.now())

    def reply(self, body: JsonObject) -> JsonObject:
        """The reply as one message of the Messages API."""
        situation = Situation.read(body)
        summary = _extract(body)
        step = Say(summary) if summary else decide(situation, self._script(situation))
        content: list[JsonObject]
        if isinstance(step, Say):
            content = [{"type": "text", "text": step.text}]
        else:
            content = [
                {
                    "type": "tool_use",
                    "id": f"toolu_offline_{number}",
                    "name": call.name,
                    "input": call.arguments,
                }
                for number, call in enumerate(step.calls, situation.calls_before + 1)
            ]
            content = list(through_dispatcher(content, as_objects(body.get("tools"))))
        text = step.text if isinstance(step, Say) else str(content)
        return {
            "id": f"msg_offline_{situation.calls_before}",
            "type": "message",
            "role": "assistant",
            "model": str(body.get("model")),
            "content": content,
            "stop_reason": "end_turn" if isinstance(step, Say) else "tool_use",
            "stop_sequence": None,
            # Nothing is counted or paid here, so each word of the reply counts as a token.
            "usage": {"input_tokens": 0, "output_tokens": len(words(text))},
        }


def _extract(body: JsonObject) -> str | None:
    """In place of a summary: first lines of the newest messages in a quoted transcript.

    None if there is none.
    """
    messages = as_objects(body.get("messages"))
    if len(messages) != 1:
        return None
    for block in blocks_of(messages[0]):
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
