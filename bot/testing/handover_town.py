"""Tasks handed from one person to another in a thread, with secrets that must not cross."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.domain.messages import Place, Visibility
from bot.domain.models import ModelReply, ModelRequest
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import know
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.tools import NO_SANDBOX

LOOK_UP = "Where a server is."
_TOOL = """# {name}

## Description
{description}

## Parameters
{{"type": "object", "properties": {{"name": {{"type": "string"}}}}}}

## Access
{access}

## Implementation
shell: {name}.sh
"""
_ECHO = '#!/bin/sh\nread -r given\necho "found for $given: {found}"\n'
UNFINISHED = "I have to ask Ann."


@dataclass(frozen=True)
class Finished:
    """How the tasks ended."""

    tasks: int
    finished: int
    """Tasks that the second person finished without asking the first."""
    leaks: int
    """Requests of the second person that held something not theirs."""
    withheld: int
    """Tasks in which the second person read that something belongs to somebody else."""


async def finish_tasks(home: Path, tasks: int) -> Finished:
    """Let Ann begin this many tasks and Ben finish them, in a fresh home."""
    _prepare(home)
    model, chat = ScriptedModel(), FakeChat()
    finished = leaks = withheld = 0
    async with running_app(home, model, chat) as house:
        for number in range(tasks):
            await _begin(house, model, number)
            before = len(model.requests)
            model.add(_going_on(address(number)))
            said = await house.ask("ben", f"please go on with task {number}", **_thread(number))
            await house.until_idle()
            read = [
                json.dumps(request.messages, ensure_ascii=False)
                for request in model.requests[before:]
            ]
            finished += said.endswith(address(number))
            leaks += sum(secret(number) in text or salary(number) in text for text in read)
            withheld += any("2 results belong to somebody else" in text for text in read)
    return Finished(tasks, finished, leaks, withheld)


def address(number: int) -> str:
    return f"10.0.{number}.7"


def secret(number: int) -> str:
    return f"vault{number}x4711"


def salary(number: int) -> str:
    return f"{81_000 + number}"


def _prepare(home: Path) -> None:
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    know(home, ann="Partner", ben="Friend")
    (home / "bellhop.yaml").write_text(NO_SANDBOX)
    for name, access, found in (
        ("where_is", "Friend+", "it is at 10.0.$(echo \"$given\" | tr -dc 0-9).7"),
        ("pay_of", "Partner+", "8$((1000 + $(echo \"$given\" | tr -dc 0-9)))"),
    ):  # fmt: skip
        tool = folder / f"{name}.md"
        tool.write_text(_TOOL.format(name=name, description=f"{name}: {LOOK_UP}", access=access))
        script = folder / f"{name}.sh"
        script.write_text(_ECHO.format(found=found))
        script.chmod(0o755)


async def _begin(house: Harness, model: ScriptedModel, number: int) -> None:
    """Let Ann look up an address, and save it next to something of hers or of her role."""
    mine: list[ModelReply] = [
        call(
            "manage_notes",
            {"action": "add", "is_agent_note": False, "title": f"code {secret(number)}"},
        ),
        call("save_fact", {"key": "vault code", "value": secret(number)}),
    ]
    laundered = [
        call("where_is", {"name": secret(number)}),
        call("save_fact", {"key": "found", "value": secret(number)}),
    ]
    pay = [
        call("pay_of", {"name": f"web{number}"}),
        call("save_fact", {"key": "pay", "value": salary(number)}),
    ]
    kinds = (mine, laundered, pay)
    model.add(call("tool_search", {"pattern": "*_*"}))
    model.add(*kinds[number % 3], *kinds[(number + 1) % 3])
    model.add(call("where_is", {"name": f"web{number}"}))
    model.add(call("save_fact", {"key": f"address of web{number}", "value": address(number)}))
    model.add(say("I have begun."))
    await house.ask("ann", f"task {number}: where is web{number}? Have a look.", **_thread(number))
    await house.until_idle()


def _going_on(wanted: str) -> Callable[[ModelRequest], ModelReply]:
    def answer(request: ModelRequest) -> ModelReply:
        known = wanted in json.dumps(request.messages)
        return say(f"Done with {wanted}" if known else UNFINISHED)

    return answer


def _thread(number: int) -> dict[str, object]:
    return {"where": f"t{number}", "place": Place.THREAD, "visibility": Visibility.PUBLIC}
