"""A home's tools end to end: a sandboxed script, and a request with a secret."""

from pathlib import Path

from bot.domain.models import ModelRequest
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.web_site import answer, web_site

PEEK = """\
# peek

## Description
Look around when asked to.

## Implementation
shell: peek.sh
"""
TICKET = """\
# find_ticket

## Description
Look up a ticket by its number.

## Parameters
{"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}

## Implementation
http: GET %s/tickets/{number}
header: Authorization: Bearer {secret:TRACKER_TOKEN}
"""
FETCH = """\
# fetch_page

## Description
Fetch a page of the web by its address.

## Parameters
{"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}

## Implementation
http: GET {url}
"""


def put(home: Path, name: str, text: str) -> None:
    path = home / "prompts" / "tools" / "shared" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def results(request: ModelRequest) -> str:
    blocks = [
        block
        for message in request.messages
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    return "\n".join(str(block["content"]) for block in blocks)


async def test_a_script_sees_nothing_of_the_house_or_does_not_exist(home: Path):
    (home / "bellhop.yaml").write_text("")
    (home / ".env").write_text("TRACKER_TOKEN=tok-1234567\n")
    put(home, "peek.md", PEEK)
    put(
        home,
        "peek.sh",
        f'echo looked; cat "{home}/.env" "{home}/data/bellhop.db"; ls "{home}"; env',
    )
    model = ScriptedModel(
        [call("tool_search", {"pattern": "peek"}), call("peek", {}), say("Looked.")], strict=True
    )
    async with running_app(home, model) as house:
        assert await house.ask("ann", "look around") == "Looked."
        off = house.app.house.ground.sandbox.hindrance
    said = results(model.requests[2])
    assert "tok-1234567" not in said
    assert "SQLite" not in said
    assert ("looked" in said) == (off is None)
    assert ("there is no tool named" in said) == (off is not None)


async def test_a_request_carries_its_secret_and_the_model_never_sees_it(home: Path):
    async with web_site(
        lambda asked: answer(f'{{"by": "{asked.headers["authorization"]}"}}')
    ) as site:
        (home / "bellhop.yaml").write_text(
            "tools: {http: {secrets: [TRACKER_TOKEN]}}\nweb: {allow_private: [127.0.0.1]}\n"
        )
        (home / ".env").write_text("TRACKER_TOKEN=tok-1234567\n")
        put(home, "find_ticket.md", TICKET % site.url)
        steps = [
            call("tool_search", {"pattern": "find_ticket"}),
            call("find_ticket", {"number": 7}),
            say("Found."),
        ]
        model = ScriptedModel(steps, strict=True)
        async with running_app(home, model) as house:
            assert await house.ask("ann", "find ticket 7") == "Found."
    assert site.asked[0].path == "/tickets/7"
    assert site.asked[0].headers["authorization"] == "Bearer tok-1234567"
    assert "HTTP 200 OK" in results(model.requests[2])
    assert "tok-1234567" not in str(model.requests)


async def test_any_address_waits_for_a_yes_and_then_still_meets_the_guard(home: Path):
    async with web_site(lambda _: answer("inside")) as site:
        put(home, "fetch_page.md", FETCH)
        steps = [
            call("tool_search", {"pattern": "fetch_page"}),
            call("fetch_page", {"url": f"{site.url}/x"}),
            say("It waits."),
            say("It was refused."),
        ]
        model = ScriptedModel(steps, strict=True)
        async with running_app(home, model) as house:
            await house.ask("ann", "fetch that page")
            await house.until_idle()
            assert site.connections == 0
            [waiting] = await house.app.approvals.newest()
            await house.chat.command("ann", "approve", waiting.ref)
            await house.chat.until(len(house.chat.posts) + 1)
            await house.until_idle()
    assert site.connections == 0
    assert "not on the public internet" in str(model.requests[-1].messages)


async def test_an_address_in_the_persons_own_words_still_meets_the_guard(home: Path):
    async with web_site(lambda _: answer("inside")) as site:
        put(home, "fetch_page.md", FETCH)
        fetch = call("fetch_page", {"url": f"{site.url}/x"})
        steps = [call("tool_search", {"pattern": "fetch_page"}), fetch, say("No.")]
        model = ScriptedModel(steps, strict=True)
        async with running_app(home, model) as house:
            assert await house.ask("ann", f"fetch {site.url}/x") == "No."
    assert site.connections == 0
    assert "not on the public internet" in results(model.requests[2])
