"""The floor with the SDKs: discord.py, anthropic, one list per channel, one tool.

With PLAIN in the environment it is as their documents show it: on asyncio, with the HTTP client
that the SDK makes itself, and discord.py's own way to post. Otherwise it has the event loop, the
HTTP client and the bare posts that Bellhop has.
"""

import asyncio
import os
import sys
import time
from typing import Any

import anthropic
import discord
import uvloop
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

Route.BASE = os.environ["API_BASE"]
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["GATEWAY_URL"])

PLAIN = "PLAIN" in os.environ
TOOL: Any = {"name": "current_time", "description": "The time.", "input_schema": {"type": "object"}}
histories: dict[int, list[Any]] = {}
model = anthropic.AsyncAnthropic(
    api_key="bench",
    base_url=os.environ["MODEL_URL"],
    max_retries=0,
    http_client=None if PLAIN else anthropic.DefaultAioHttpClient(),
)
intents = discord.Intents.default()
intents.message_content = True
client = discord.Client(intents=intents)


async def sample(messages: list[Any]) -> Any:
    async with model.messages.stream(
        model="bench", max_tokens=1000, messages=messages, tools=[TOOL], system="Be brief."
    ) as stream:
        return await stream.get_final_message()


@client.event
async def on_message(message: discord.Message) -> None:
    if message.author.bot:
        return
    messages = histories.setdefault(message.channel.id, [])
    messages.append({"role": "user", "content": message.content})
    reply = await sample(messages)
    while reply.stop_reason == "tool_use":
        messages.append(
            {"role": "assistant", "content": [block.to_dict() for block in reply.content]}
        )
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": time.ctime()}
            for block in reply.content
            if block.type == "tool_use"
        ]
        messages.append({"role": "user", "content": results})
        reply = await sample(messages)
    messages.append({"role": "assistant", "content": [block.to_dict() for block in reply.content]})
    text = "".join(block.text for block in reply.content if block.type == "text")
    if PLAIN:
        await message.channel.send(text)
        return
    # The bare call, as Bellhop makes it, without discord.py's objects for what comes back.
    route = Route("POST", "/channels/{channel_id}/messages", channel_id=message.channel.id)
    await client.http.request(route, json={"content": text})


if __name__ == "__main__":
    run = asyncio.run if PLAIN else uvloop.run
    run(client.start(sys.argv[1]))
