"""A home's tools end to end: sandboxed scripts, requests with a secret, projects."""

import json
from pathlib import Path
from typing import Any

from bot.domain.models import ModelRequest
from bot.testing.harness import running_app
from bot.testing.home_files import write_tool
from bot.testing.scripted_model import ScriptedModel, call, result_texts, say, told, unlock
from bot.testing.web_site import answer, web_site


def fetch_page(home: Path) -> None:
    url = {"url": {"type": "string"}}
    write_tool(home, "fetch_page", takes=url, needs=("url",), implementation="http: GET {url}")


def results(request: ModelRequest) -> str:
    return "\n".join(result_texts(request))


async def test_a_script_sees_nothing_of_the_house_or_does_not_exist(home: Path):
    (home / "bellhop.yaml").write_text("")
    (home / ".env").write_text("TRACKER_TOKEN=tok-1234567\n")
    looks = f'echo looked; cat "{home}/.env" "{home}/data/bellhop.db"; ls "{home}"; env'
    write_tool(home, "peek", looks)
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
        secretly = "header: Authorization: Bearer {secret:TRACKER_TOKEN}"
        request = f"http: GET {site.url}/tickets/{{number}}\n{secretly}"
        number = {"number": {"type": "integer"}}
        write_tool(home, "find_ticket", takes=number, needs=("number",), implementation=request)
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
        fetch_page(home)
        steps = [
            call("tool_search", {"pattern": "fetch_page"}),
            call("fetch_page", {"url": f"{site.url}/x"}),
            say("It waits."),
            say("It was refused."),
        ]
        model = ScriptedModel(steps, strict=True)
        async with running_app(home, model) as house:
            await house.ask("ann", "fetch that page")
            assert site.connections == 0
            [waiting] = await house.app.approvals.newest()
            await house.order("ann", "approve", waiting.ref)
    assert site.connections == 0
    assert "not on the public internet" in str(model.requests[-1].messages)


async def test_an_address_in_the_persons_own_words_still_meets_the_guard(home: Path):
    async with web_site(lambda _: answer("inside")) as site:
        fetch_page(home)
        fetch = call("fetch_page", {"url": f"{site.url}/x"})
        steps = [call("tool_search", {"pattern": "fetch_page"}), fetch, say("No.")]
        model = ScriptedModel(steps, strict=True)
        async with running_app(home, model) as house:
            assert await house.ask("ann", f"fetch {site.url}/x") == "No."
    assert site.connections == 0
    assert "not on the public internet" in results(model.requests[2])


def building(*more: Any) -> ScriptedModel:
    begin = (
        unlock("activate_skill"),
        call("activate_skill", {"skill_id": "webdev"}),
    )
    return ScriptedModel([*begin, *more], strict=True)


async def test_a_partner_builds_and_runs_a_project(home: Path):
    (home / "bellhop.yaml").write_text("{}\n")
    scripted = building(
        call("pm_write_file", {"project": "shop", "path": "add.py", "content": "print(19 + 23)\n"}),
        call("pm_shell", {"project": "shop", "command": "python3 add.py | tee out.txt"}),
        say("It says 42."),
    )
    async with running_app(home, scripted) as house:
        works = house.app.house.ground.sandbox.hindrance is None
        assert await house.ask("ben", "build it") == "It says 42."
    assert (
        home / "data" / "workspaces" / "ben" / "shop" / "add.py"
    ).read_text() == "print(19 + 23)\n"
    assert "created add.py in shop" in told(scripted.requests[3])
    assert ("42" in told(scripted.requests[4])) == works


async def test_a_friend_gets_none_of_its_tools_and_no_name_of_them(home: Path):
    scripted = building(say("I can't."))
    async with running_app(home, scripted) as house:
        await house.ask("ann", "build it")
    assert "can't be activated: none of its tools is available here" in told(scripted.requests[2])
    assert "pm_shell" not in json.dumps([request.messages for request in scripted.requests])


async def test_without_a_sandbox_files_work_and_the_shell_is_reported_missing(home: Path):
    scripted = building(say("Only files."))
    async with running_app(home, scripted) as house:
        await house.ask("ben", "build it")
    assert "Missing here: pm_shell" in told(scripted.requests[2])
    assert not (home / "data" / "workspaces").exists()
