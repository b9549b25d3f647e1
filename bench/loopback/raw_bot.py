"""The floor without any SDK: a gateway socket and two endpoints on aiohttp, one tool."""

import asyncio
import json
import os
import sys
import time
from typing import Any

import aiohttp
import uvloop

TOOL: Any = {"name": "current_time", "description": "The time.", "input_schema": {"type": "object"}}
INTENTS = 1 << 9 | 1 << 12 | 1 << 15
"""Messages in servers and in direct messages, with their content."""


class RawBot:
    def __init__(self, http: aiohttp.ClientSession, token: str) -> None:
        self._http = http
        self._token = token
        self._api = os.environ["API_BASE"]
        self._model = os.environ["MODEL_URL"]
        self._histories: dict[str, list[Any]] = {}
        self._working: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        url = f"{os.environ['GATEWAY_URL']}?v=10&encoding=json"
        async with self._http.ws_connect(url, max_msg_size=0) as socket:
            async for packet in socket:
                event = json.loads(packet.data)
                if event["op"] == 10:
                    await socket.send_json({"op": 2, "d": self._identity()})
                elif event["op"] == 1:
                    await socket.send_json({"op": 1, "d": event.get("s")})
                elif event["t"] == "MESSAGE_CREATE" and not event["d"]["author"].get("bot"):
                    task = asyncio.create_task(self._answer(event["d"]))
                    self._working.add(task)
                    task.add_done_callback(self._working.discard)

    def _identity(self) -> Any:
        system = {"os": "linux", "browser": "raw", "device": "raw"}
        return {"token": self._token, "intents": INTENTS, "properties": system}

    async def _sample(self, messages: list[Any]) -> tuple[list[Any], str]:
        body = {"model": "bench", "max_tokens": 1000, "messages": messages, "tools": [TOOL],
                "system": "Be brief.", "stream": True}  # fmt: skip
        headers = {"x-api-key": "bench", "anthropic-version": "2023-06-01"}
        blocks: list[Any] = []
        stop = ""
        async with self._http.post(
            f"{self._model}/v1/messages", json=body, headers=headers
        ) as reply:
            async for line in reply.content:
                if not line.startswith(b"data:"):
                    continue
                event = json.loads(line[5:])
                match event["type"]:
                    case "content_block_start":
                        blocks.append({**event["content_block"], "partial": ""})
                    case "content_block_delta":
                        delta = event["delta"]
                        blocks[-1]["partial"] += delta.get("text") or delta.get("partial_json", "")
                    case "message_delta":
                        stop = event["delta"]["stop_reason"]
                    case _:
                        pass
        return [_whole(block) for block in blocks], stop

    async def _answer(self, message: Any) -> None:
        messages = self._histories.setdefault(message["channel_id"], [])
        messages.append({"role": "user", "content": message["content"]})
        content, stop = await self._sample(messages)
        while stop == "tool_use":
            messages.append({"role": "assistant", "content": content})
            results = [
                {"type": "tool_result", "tool_use_id": block["id"], "content": time.ctime()}
                for block in content
                if block["type"] == "tool_use"
            ]
            messages.append({"role": "user", "content": results})
            content, stop = await self._sample(messages)
        messages.append({"role": "assistant", "content": content})
        text = "".join(block["text"] for block in content if block["type"] == "text")
        url = f"{self._api}/channels/{message['channel_id']}/messages"
        headers = {"Authorization": f"Bot {self._token}"}
        async with self._http.post(url, json={"content": text}, headers=headers) as posted:
            await posted.read()


def _whole(block: Any) -> Any:
    partial = block.pop("partial")
    if block["type"] == "tool_use":
        return {**block, "input": json.loads(partial or "{}")}
    return {**block, "text": partial}


async def main() -> None:
    async with aiohttp.ClientSession() as http:
        await RawBot(http, sys.argv[1]).run()


if __name__ == "__main__":
    uvloop.run(main())
