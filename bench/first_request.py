"""Bytes of a session's first request, by role, provider and unlock mode.

    python bench/first_request.py

The body is the one that the real client would send, with the shipped tools, but without those that
the model reads only when it refers to them; memory and other people's messages apart. Exits with 1
where one is above its goal.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any
from uuid import uuid4

from figures import Figures

from bot.domain.access import Role
from bot.domain.models import Unlock
from bot.llm.endpoint import Endpoint, resolve
from bot.llm.requests import encode_body, request_body
from bot.llm.settings import ModelSettings
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, say

GOAL = 11_000
ROLES = [role for role in Role if role is not Role.BANNED]
PROVIDERS: dict[str, dict[str, Any]] = {
    "anthropic": {"provider": "anthropic"},
    "compatible": {"provider": "compatible", "base_url": "http://bench.invalid", "name": "bench"},
}
MODES = ("auto", *Unlock)


def endpoint_of(provider: str, mode: str) -> Endpoint:
    settings = ModelSettings.model_validate({**PROVIDERS[provider], "unlock": mode})
    return resolve(settings, lambda _: "sk-ant-bench-0123456789")


async def first_bodies(endpoint: Endpoint, home: Path) -> dict[Role, dict[str, Any]]:
    """The body of the first request of a session of each role."""
    model = ScriptedModel([say("Hello.")] * len(ROLES), capabilities=endpoint.capabilities)
    people = [
        {"id": f"p{role.rank}-{role}", "name": "Pat", "role": str(role), "ids": {"discord": [role]}}
        for role in ROLES
    ]
    (home / "contacts.yaml").write_text(json.dumps(people))
    found: dict[Role, dict[str, Any]] = {}
    async with running_app(home, model) as house:
        for role in ROLES:
            await house.ask(str(role), "what is on my list today?", key=f"{uuid4()}")
            found[role] = request_body(endpoint, model.requests[-1])
    return found


def sizes_of(bodies: dict[Role, dict[str, Any]]) -> dict[Role, int]:
    return {role: len(encode_body(read(body))) for role, body in bodies.items()}


def read(body: dict[str, Any]) -> dict[str, Any]:
    """Without deferred tools, which the model reads only once they are referred to."""
    tools = [tool for tool in body["tools"] if not tool.get("defer_loading")]
    return {**body, "tools": tools}


def parts(body: dict[str, Any]) -> str:
    sizes = {name: len(encode_body(body[name])) for name in ("tools", "system", "messages")}
    return ", ".join(f"{name} {size:,}" for name, size in sizes.items())


async def main() -> int:
    figures = Figures()
    largest: tuple[int, dict[str, Any]] = (0, {})
    for provider in PROVIDERS:
        for mode in MODES:
            endpoint = endpoint_of(provider, mode)
            with tempfile.TemporaryDirectory() as folder:
                bodies = await first_bodies(endpoint, Path(folder))
            sizes = sizes_of(bodies)
            role = max(sizes, key=lambda role: sizes[role])
            largest = max(largest, (sizes[role], bodies[role]), key=lambda found: found[0])
            rest = ", ".join(f"{one} {sizes[one]:,}" for one in ROLES if one is not role)
            figures.at_most(f"{provider}, {mode}", sizes[role], GOAL, "bytes", f"({role}; {rest})")
    figures.told("parts of the largest", parts(read(largest[1])))
    return figures.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
