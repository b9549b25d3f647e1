"""A loopback Messages API in a process of its own: first a call of current_time, then a sentence. Prints its URL."""

import asyncio
import json
import sys

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply
from bot.testing.messages_api import MessagesApi
from bot.testing.scripted_model import call, say


def respond(body: JsonObject) -> ModelReply:
    """One tool call per turn: the answer follows the tool's result."""
    last = next(message for message in reversed(body["messages"]) if message["role"] == "user")
    answered = "tool_result" in json.dumps(last["content"])
    return say("It is about noon, and here is the sentence that answers you.") if answered else call("current_time", {})


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
