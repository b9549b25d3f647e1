"""A loopback Messages API in a process of its own: first a call of current_time, then a sentence.

    python bench/loopback/model_server.py [CALLS]

Prints its URL. CALLS is JSON, such as `[["read_file", {"path": "/a.md"}]]`: the calls to make
instead, one in each turn of a conversation, the last of them again and again.

A bot that discloses its tools by name only (it offers get_capabilities, and not current_time) is
first asked for current_time's parameters, once in a conversation, as a model has to.
"""

import asyncio
import json
import sys
from typing import Any, cast

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
planned: list[tuple[str, JsonObject]] = []
"""The calls that the command line asks for."""


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
    if planned:
        return call(*planned[min(calls_made(body), len(planned) - 1)])
    offered = {tool["name"] for tool in body["tools"]}
    unlocked = "current_time" in offered or UNLOCKED in json.dumps(body["messages"][:6])
    if "get_capabilities" in offered and not unlocked:
        return call("get_capabilities", {"names": ["current_time"]})
    return call("current_time", {})


def calls_made(body: JsonObject) -> int:
    contents: list[Any] = [message["content"] for message in body["messages"]]
    return sum(
        block["type"] == "tool_use"
        for content in contents
        if isinstance(content, list)
        for block in cast("list[JsonObject]", content)
    )


async def main() -> None:
    planned.extend(json.loads(sys.argv[1]) if len(sys.argv) > 1 else ())
    async with MessagesApi(respond=respond, strict=False) as api:
        sys.stdout.write(api.base_url + "\n")
        sys.stdout.flush()
        while True:
            # Bodies of a long run would fill this process's memory; nobody looks at them.
            await asyncio.sleep(1)
            api.requests.clear()


if __name__ == "__main__":
    asyncio.run(main())
