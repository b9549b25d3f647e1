"""Each tool as people use it: from the terminal, Discord and Slack, through the whole house."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.app import App, AppOptions
from bot.domain.json_types import JsonObject
from bot.plugins.discord_chat.rates import Pace
from bot.testing import surfaces
from bot.testing.discord_town import QUICK
from bot.testing.outside_town import OutsideTown, outside_town
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.services.github_accounts import GitHubAccounts
from bot.testing.services.google_accounts import GoogleAccounts
from bot.testing.services.notion_accounts import NotionAccounts
from bot.testing.services.slack_accounts import SlackAccounts
from bot.testing.tools import NO_SANDBOX
from bot.testing.waiting import until

Opened = Callable[[Path, Pace], AbstractAsyncContextManager[surfaces.Surface]]
Step = tuple[str, JsonObject, str]
"""A tool, its arguments, and words of its result."""
SURFACES = (surfaces.terminal, surfaces.discord, surfaces.slack)
TRAIN = {"content": "Ann takes the train.", "type": "fact", "importance": 0.8}
BLUE = {"path": "/documents/plan.md", "old": "Paint.", "new": "Paint it blue."}
REVIEW = {"action": "add", "title": "Review", "people": ["Ann"], "text": "We ship."}
INDEX = {"project": "site", "path": "index.html"}
HOUSEHOLD: dict[str, tuple[Step, ...]] = {
    "find tools": (
        ("tool_search", {"pattern": "MANAGE_*"}, "manage_notes"),
        ("tool_search", {"query": "what is the time in Tokyo"}, "current_time"),
        ("get_capabilities", {"names": ["document_versions"]}, "document_versions"),
        ("get_capabilities", {"include": ["agents"]}, "researcher"),
        ("current_time", {"timezone": "Tokyo"}, "Asia/Tokyo"),
        ("calculate", {"expression": "17 % of 249"}, "42.33"),
    ),
    "keep todos and notes": (
        ("manage_todos", {"action": "create", "title": "Call the landlord"}, "Call the landlord"),
        ("manage_todos", {"action": "list"}, "Call the landlord"),
        ("manage_notes", {"action": "add", "is_agent_note": False, "title": "Wifi"}, "Wifi"),
        ("manage_notes", {"action": "list", "is_agent_note": False}, "Wifi"),
        ("manage_notes", {"action": "add", "is_agent_note": True, "title": "Own"}, "Own"),
    ),
    "remember": (
        ("knowledge_store", TRAIN, '"stored": true'),
        ("knowledge_search", {"query": "train"}, "Ann takes the train."),
        ("save_fact", {"key": "server A", "value": "192.168.1.10"}, "server A"),
        ("remember", {"query": "train"}, "Ann takes the train."),
    ),
    "work with files": (
        ("write_file", {"path": "/documents/plan.md", "content": "# Plan\n\nPaint.\n"}, "plan.md"),
        ("read_file", {"path": "/documents/plan.md"}, "Paint."),
        ("edit_file", BLUE, "plan.md"),
        ("document_versions", {"action": "list", "path": "/documents/plan.md"}, "2"),
        ("list_directory", {"path": "/documents"}, "plan.md"),
        ("search", {"query": "blue", "entityType": "document"}, "plan.md"),
        ("delete_file", {"path": "/documents/plan.md"}, "plan.md"),
    ),
    "look up people and meetings": (
        ("people", {"action": "find", "query": "me"}, "Ann"),
        ("meetings", REVIEW, "Review"),
        ("meetings", {"action": "find", "query": "review"}, "Review"),
        ("search", {"query": "review", "entityType": "meeting"}, "Review"),
        ("search", {"query": "Ann", "entityType": "person"}, "Ann"),
        ("search", {"query": "landlord", "entityType": "todo"}, "Call the landlord"),
        ("search", {"query": "keep todos", "entityType": "chat"}, "keep todos and notes"),
    ),
    "do it later": (
        ("schedule_task", {"name": "look", "prompt": "Look.", "cron": "0 9 * * 1"}, "look"),
        ("schedule_task", {"action": "list"}, "look"),
        ("read_file", {"path": "/skills/standup/SKILL.md"}, "List my todos"),
        ("list_directory", {"path": "/automations/schedules"}, "look"),
        ("write_file", {"path": "/preferences/private.md", "content": "Be brief.\n"}, "private"),
    ),
    "use sets of tools": (
        ("activate_skill", {"skill_id": "webdev"}, "pm_write_file"),
        ("pm_write_file", {**INDEX, "content": "<p>"}, "index.html"),
        ("deactivate_skill", {"skill_id": "webdev"}, "webdev"),
        ("activate_skill", {"skill_id": "security-auditing"}, "file_secrets"),
        ("pm_list_files", {"project": "site"}, "index.html"),
        ("pm_read_file", INDEX, "<p>"),
        ("file_secrets", {"project": "site"}, "nothing was found in 1 files"),
        ("activate_skill", {"skill_id": "infrastructure"}, "host_report"),
        ("host_report", {}, "load"),
    ),
    "ask specialists": (
        ("agent_observer", {"instruction": "What happened?"}, "I saw your requests."),
        ("recall_recent", {}, "[running]"),
        ("inspect_cycle", {"cycle_id": "00000000"}, "cycle not found"),
        ("", {}, "I saw your requests."),
        ("agent_researcher", {"instruction": "Read.", "context": "For Ann."}, "Nothing to read."),
        ("read_skill", {"name": "plain-language"}, "sentence"),
        ("finish_task", {"answer": "Nothing to read."}, ""),
    ),
}
ANN = "ann@example.com"
TOMORROW = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%dT{:02}:00:00Z")
CANVAS = {"action": "append", "canvas": "F000000001"}
ISSUE = {"repo": "acme/web", "title": "We ship"}
PAGE = "https://93.184.215.14/page"
MAIL = {"to": "bob@x.example", "subject": "Friday", "body": "See you at ten."}
LUNCH = {"summary": "Lunch", "startTime": TOMORROW.format(12), "endTime": TOMORROW.format(13)}
SERVICES: dict[str, tuple[Step, ...]] = {
    "write to bob@x.example that we meet at ten": (("send_email", MAIL, "bob@x.example"),),
    "put lunch into my calendar": (("create_event", LUNCH, "htmlLink"),),
    "read my mail and my calendar": (
        ("read_inbox", {}, "no mail"),
        ("read_emails", {"query": "lease"}, "The lease"),
        ("read_calendar", {"days": 7}, "Lunch"),
        ("get_calendar", {"days": 7, "query": "lunch"}, "Lunch"),
    ),
    "look into Notion, GitHub and Slack": (
        ("notion_read", {"action": "list"}, "Roadmap"),
        ("github_search", {"query": "parser"}, "The parser hangs"),
        ("github_issues", {"action": "list", "repo": "acme/web"}, "The parser hangs"),
        ("slack_search", {"query": "launch"}, "The launch is on Monday"),
        ("slack_canvas", {"query": "plan"}, "Launch plan"),
        ("slack_list", {"query": "venues"}, "Venues"),
    ),
    f"read {PAGE} and research bellhops": (
        ("web_scrape", {"url": PAGE}, "Welcome to the page"),
        ("agent_researcher", {"instruction": "Research bellhops."}, "They carry bags."),
        ("web_search", {"query": "bellhop"}, "A bell"),
        ("", {}, "They carry bags."),
    ),
}
"""What people ask of their services, and the calls for it."""


def furnish(home: Path, person: str) -> None:
    (home / "contacts.yaml").write_text(
        f"- {{id: ann, name: Ann, role: MasterAdmin, ids: {{{person}}}}}\n"
    )


def results(model: ScriptedModel) -> dict[str, tuple[str, bool]]:
    """Return what each call gave and whether that was an error, by the call's id."""
    blocks: list[dict[str, Any]] = [
        block
        for request in model.requests
        for message in request.messages
        for block in message["content"]
    ]
    return {
        block["tool_use_id"]: (
            "\n".join(part.get("text", "") for part in block["content"]),
            bool(block.get("is_error")),
        )
        for block in blocks
        if block["type"] == "tool_result"
    }


async def ask(
    here: surfaces.Surface, app: App, model: ScriptedModel, said: str, steps: tuple[Step, ...]
) -> list[str]:
    """Have the model do these steps for one message; return what did not give its words."""
    ids = [f"toolu_{len(model.requests)}_{at}" for at in range(len(steps))]
    model.add(
        *(
            call(name, given, id=ident) if name else say(words)
            for ident, (name, given, words) in zip(ids, steps, strict=True)
        ),
        say(f"Done: {said}."),
    )
    here.say(said)
    await here.reads(f"Done: {said}.")
    await until(lambda: not app.engine.busy)
    given = results(model)
    return [
        f"{name}: {given.get(ident)}"
        for ident, (name, _, words) in zip(ids, steps, strict=True)
        if name not in {"", "finish_task"}
        and (given.get(ident, ("", True))[1] or words not in given[ident][0])
    ]


@pytest.mark.parametrize("surface", SURFACES, ids=lambda one: one.__name__)
async def test_tools_of_the_house_do_what_they_say(surface: Opened, tmp_path: Path):
    model, wrong = ScriptedModel(), list[str]()
    (tmp_path / "bellhop.yaml").write_text(NO_SANDBOX)
    async with surface(tmp_path, QUICK) as here:
        furnish(tmp_path, here.person)
        async with running(AppOptions(tmp_path, [here.chat], model)) as app:
            await until(here.ready)
            for said, steps in HOUSEHOLD.items():
                wrong += await ask(here, app, model, said, steps)
    assert not wrong, "\n".join(wrong)


async def prepare(town: OutsideTown, app: App) -> str:
    """Ann has connected everything, and there is something in each account.

    Returns the id of her page at Notion.
    """
    google, notion = town.apis["google"], town.apis["notion"]
    github, slack = town.apis["github"], town.apis["slack"]
    assert isinstance(google, GoogleAccounts)
    assert isinstance(notion, NotionAccounts)
    assert isinstance(github, GitHubAccounts)
    assert isinstance(slack, SlackAccounts)
    google.deliver(ANN, "zoe@example.com", "The lease of the office")
    page = notion.add_page("Roadmap", [], ANN)
    github.add_repository("acme/web", ANN)
    github.add_issue("acme/web", "The parser hangs")
    slack.add_message(slack.add_channel("general", ANN), "The launch is on Monday")
    slack.canvases.add("Launch plan", "Paint the bell", ANN)
    slack.lists.add("Venues", ANN, [{"key": "name", "name": "Name", "type": "text"}])
    town.firecrawl.pages[PAGE] = "Welcome to the page"
    town.brave.results = [{"title": "A bell", "url": PAGE, "description": "About bells."}]
    for service in ("google", "notion", "github", "slack"):
        await app.house.accounts.credentials.store(
            "ann", service, town.providers[service].token_of(ANN)
        )
    return page


@pytest.mark.parametrize("surface", SURFACES, ids=lambda one: one.__name__)
async def test_tools_of_services_do_what_they_say(surface: Opened, tmp_path: Path):
    model, wrong = ScriptedModel(), list[str]()
    async with outside_town() as town, surface(tmp_path, QUICK) as here:
        town.write_home(tmp_path)
        with (tmp_path / ".env").open("a") as secrets:
            secrets.write(f"RESEND_WEBHOOK_SECRET={town.resend.secret}\n")
        furnish(tmp_path, here.person)
        async with running(AppOptions(tmp_path, [here.chat], model)) as app:
            await until(here.ready)
            await prepare(town, app)
            for said, steps in SERVICES.items():
                wrong += await ask(here, app, model, said, steps)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("surface", SURFACES, ids=lambda one: one.__name__)
async def test_what_nobody_named_waits_for_a_yes_in_words(surface: Opened, tmp_path: Path):
    model = ScriptedModel()
    async with outside_town() as town, surface(tmp_path, QUICK) as here:
        town.write_home(tmp_path)
        furnish(tmp_path, here.person)
        async with running(AppOptions(tmp_path, [here.chat], model)) as app:
            await until(here.ready)
            page = {"pageId": await prepare(town, app)}
            steps: tuple[Step, ...] = (
                ("slack_post", {"channel": "general", "text": "We ship."}, ""),
                ("github_issues", {"action": "create", **ISSUE}, ""),
                ("slack_canvas_write", {**CANVAS, "content": "We ship."}, ""),
                ("notion_write", {"action": "append", "content": "We ship.", **page}, ""),
            )
            await ask(here, app, model, "tell the others everywhere", steps)
            assert not town.writes()
            model.add(say("They know."))
            here.say("yes")
            await here.reads("They know.")
            await until(lambda: not app.engine.busy)
        assert sorted(one[0] for one in town.writes()) == ["github", "notion", "slack", "slack"]
