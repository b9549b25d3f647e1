"""Bytes and estimated tokens of requests 1 and 20, by part (goal: first at most 11 KB).

    python bench/first_request.py

A chat session of a MasterAdmin, whose request is the largest, with the shipped tools, without
memory tiers and other people's messages. Also what a prefix cache would serve over the session.
"""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from bot.loopback.messages_api import MessagesApi
from bot.testing.harness import running_app
from bot.testing.scripted_model import call, say

GOAL = 11_000
BYTES_PER_TOKEN = 4


def size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def parts(body: dict[str, Any]) -> dict[str, int]:
    sizes = {"tools": size(body.get("tools", [])), "system": size(body.get("system", []))}
    sizes["messages"] = size(body["messages"])
    sizes["whole body"] = size(body)
    return sizes


async def main() -> None:
    turns = [
        call("tool_search", {"pattern": "*_time"}),
        call("manage_todos", {"action": "list"}),
        say("None."),
    ]
    turns += [say(f"Answer {number}.") for number in range(17)]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        async with MessagesApi(turns) as api:
            (home / "bellhop.yaml").write_text(
                f"model: {{provider: compatible, name: bench, base_url: '{api.base_url}', unlock: "
                f"inline,"
                " system_notes: true}\n"
            )
            (home / "contacts.yaml").write_text(
                "- {id: pat, name: Pat, role: MasterAdmin, ids: {discord: [pat]}}\n"
            )
            async with running_app(home, None) as house:
                for number in range(18):
                    await house.ask("pat", f"message {number}: what is on my list today?")
            report(api)


def report(api: MessagesApi) -> None:
    first, last = api.bodies[0], api.bodies[-1]
    for name, body in (("request 1", first), (f"request {len(api.bodies)}", last)):
        print(name)
        for part, count in parts(body).items():
            print(f"  {part:<12}{count:>8} bytes{count // BYTES_PER_TOKEN:>7} tokens (estimated)")
    print("tools of request 1, largest first:")
    for tool in sorted(first["tools"], key=size, reverse=True):
        print(f"  {tool['name']:<28}{size(tool):>6}")
    print(
        f"a prefix cache would serve {api.cache.share:.1%} of the bytes over {len(api.bodies)} "
        f"requests"
    )
    whole = size(first)
    print(f"goal: at most {GOAL} bytes -> {'met' if whole <= GOAL else 'MISSED'} ({whole})")


if __name__ == "__main__":
    asyncio.run(main())
