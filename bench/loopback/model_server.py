"""A loopback Messages API in a process of its own: first a call of current_time, then a sentence.

Prints its URL.

A bot that discloses its tools by name only (it offers get_capabilities, and not current_time) is
first asked for current_time's parameters, once in a conversation, as a model has to.
"""

import asyncio
import json
import sys

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply
from bot.loopback.messages_api import MessagesApi, Slow
from bot.testing.scripted_model import call, say

UNLOCKED = "IANA name such as Asia/Tokyo"
"""What only the parameters of current_time say."""


SLOW = "(slow)"
"""In what a person says: each reply of that turn takes SLOW_S seconds."""
SLOW_S = 2.0
HANGS = "(hangs)"
"""The first request with this never gets its reply; later ones do, at once."""
hung: list[str] = []


def respond(body: JsonObject) -> ModelReply | Slow:
    reply = answer(body)
    said = next(
        words
        for message in reversed(body["messages"])
        if message["role"] == "user" and "tool_result" not in (words := json.dumps(message))
    )
    go = asyncio.Event()
    if HANGS in said and not hung:
        hung.append(said)
        return Slow(reply, go, after=0)
    if SLOW not in said:
        return reply
    asyncio.get_running_loop().call_later(SLOW_S, go.set)
    return Slow(reply, go, after=0)


def answer(body: JsonObject) -> ModelReply:
    """One tool call per turn: the answer follows the tool's result."""
    last = next(message for message in reversed(body["messages"]) if message["role"] == "user")
    results = json.dumps(last["content"])
    if "tool_result" in results and UNLOCKED not in results:
        return say("It is about noon, and here is the sentence that answers you.")
    offered = {tool["name"] for tool in body["tools"]}
    unlocked = "current_time" in offered or UNLOCKED in json.dumps(body["messages"][:6])
    if "get_capabilities" in offered and not unlocked:
        return call("get_capabilities", {"names": ["current_time"]})
    return call("current_time", {})


async def main() -> None:
    async with MessagesApi(respond=respond, strict=False) as api:
        sys.stdout.write(api.base_url + "\n")
        sys.stdout.flush()
        while True:
            # Bodies of a long run would fill this process's memory; nobody looks at them.
            await asyncio.sleep(1)
            api.requests.clear()


if __name__ == "__main__":
    asyncio.run(main())
