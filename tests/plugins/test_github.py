"""github_search and github_issues with the real client, against a strict GitHub."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.domain.places import AT_TERMINAL, Location, Reach
from bot.domain.runs import RunKind, RunShape
from bot.domain.tool_context import ToolScope
from bot.domain.tool_outcomes import ForAsker
from bot.errors import ToolError
from bot.plugins.github.connector import (
    SHOWN_COMMENTS,
    GitHubConnector,
    GithubIssuesArguments,
    _repository,
)
from bot.testing.account_town import ServiceDesk, service_desk
from bot.testing.services.github_accounts import GitHubAccounts
from bot.testing.shipped_tools import shipped_tool
from bot.tools.native.registry import NativeTools
from bot.tools.toolset.toolset import may_run_again

ANN = "ann@example.com"
WEB = "acme/web"


Desk: TypeAlias = ServiceDesk[GitHubAccounts]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    github = GitHubAccounts()
    github.add_repository(WEB, ANN)
    github.add_repository("ben/secret", "ben@example.com")
    async with service_desk(tmp_path, "github", github, GitHubConnector) as desk:
        yield desk


async def issues(desk: Desk, action: str, **arguments: Any) -> Any:
    return await desk.call("github_issues", action=action, **arguments)


async def test_issues_and_pulls_and_repositories_and_code_are_found(desk: Desk):
    desk.api.add_issue(WEB, "Login fails")
    desk.api.add_issue(WEB, "Mend the login", pull_request={})
    desk.api.add_issue("ben/secret", "Login of Ben")
    desk.api.repositories[WEB].files["login.py"] = "def login(): ..."
    found = await desk.call("github_search", query="login")
    assert found["total"] == 1
    assert found["issues"][0] == {
        "repo": WEB,
        "number": 1,
        "title": "Login fails",
        "state": "open",
        "by": "octo",
        "updated": "2026-11-21T09:00:00Z",
        "url": "https://github.com/acme/web/issues/1",
    }
    pulls = await desk.call("github_search", query="login", kind="pulls")
    assert [one["number"] for one in pulls["pulls"]] == [2]
    code = await desk.call("github_search", query="login", kind="code")
    assert code["code"][0]["matches"] == ["def login(): ..."]
    repositories = await desk.call("github_search", query="web", kind="repositories")
    assert [one["repo"] for one in repositories["repositories"]] == [WEB]
    secret = await desk.call("github_search", query="secret", kind="repositories")
    assert secret["repositories"] == []


async def test_an_issue_is_opened_read_commented_closed_and_reopened(desk: Desk):
    made = await issues(
        desk, "create", repo=WEB, title="Login fails", body="since today", labels=["bug"]
    )
    assert made == {"number": 1, "state": "open", "url": "https://github.com/acme/web/issues/1"}
    said = await issues(desk, "comment", repo=WEB, number=1, body="me too")
    assert said == {"url": "https://github.com/acme/web/issues/1#issuecomment-1"}
    read = await issues(desk, "read", repo=WEB, number=1)
    assert (read["title"], read["body"], read["labels"]) == ("Login fails", "since today", ["bug"])
    assert read["comments"] == [{"by": ANN, "at": "2026-11-21T09:00:00Z", "body": "me too"}]
    assert (await issues(desk, "close", repo=WEB, number=1))["state"] == "closed"
    assert (await issues(desk, "list", repo=WEB))["issues"] == []
    closed = (await issues(desk, "list", repo=WEB, state="closed"))["issues"]
    assert [one["number"] for one in closed] == [1]
    assert (await issues(desk, "reopen", repo=WEB, number=1))["state"] == "open"


async def test_what_was_read_is_its_persons_alone_and_what_was_written_is_not(desk: Desk):
    desk.api.add_issue(WEB, "Login fails")
    calls: list[tuple[str, JsonObject, bool]] = [
        ("github_search", {"query": "login"}, True),
        ("github_issues", {"action": "list", "repo": WEB}, True),
        ("github_issues", {"action": "read", "repo": WEB, "number": 1}, True),
        ("github_issues", {"action": "comment", "repo": WEB, "number": 1, "body": "So?"}, False),
        ("github_issues", {"action": "close", "repo": WEB, "number": 1}, False),
    ]
    for name, arguments, alone in calls:
        found = await desk.result(name, **arguments)
        assert (found.private, found.effects) == (alone, (ForAsker(),) if alone else ())


async def test_lists_say_when_there_is_more_and_long_texts_are_cut(desk: Desk):
    for number in range(35):
        desk.api.add_issue(
            WEB, f"Issue {number}", assignees=[{"login": ANN}] if number == 7 else []
        )
    found = await issues(desk, "list", repo=WEB)
    assert len(found["issues"]) == 30
    assert "github_search" in found["more"]
    (own,) = (await issues(desk, "list"))["issues"]
    assert (own["repo"], own["number"]) == (WEB, 8)
    desk.api.repositories[WEB].issues[1]["body"] = "x" * 60_000
    for number in range(45):
        desk.api.add_comment(WEB, 1, f"comment {number} " + "y" * 1000)
    read = await issues(desk, "read", repo=WEB, number=1)
    assert read["body"].endswith("[55,000 more characters]")
    assert len(read["comments"]) == SHOWN_COMMENTS
    assert read["comments"][-1]["body"].startswith("comment 44 ")
    assert read["comments"][0]["body"].startswith("comment 25 ")
    assert read["left_out"] == "the 25 oldest comments"
    assert len(json.dumps(read)) < 16_000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"action": "create", "title": "T"}, "create needs repo"),
        ({"action": "create", "repo": WEB}, "create needs title"),
        ({"action": "comment", "repo": WEB, "number": 1}, "comment needs body"),
        ({"action": "close", "repo": WEB}, "close needs number"),
        ({"action": "read", "repo": "acme/../user", "number": 1}, "is no repository"),
        ({"action": "list", "repo": "https://github.com/acme/web"}, "is no repository"),
    ],
)
async def test_a_wrong_call_asks_nobody_and_says_what_is_missing(
    desk: Desk, arguments: Any, words: str
):
    with pytest.raises(ToolError, match=words):
        await issues(desk, **arguments)
    assert desk.api.calls == []


async def test_refusals_and_limits_are_told_and_no_write_is_repeated(desk: Desk):
    with pytest.raises(ToolError, match="there is no such thing") as refused:
        await issues(desk, "read", repo="ben/secret", number=1)
    assert "ignore" not in str(refused.value)
    desk.api.dropped = 1
    with pytest.raises(ToolError, match="Whether the call took effect is unknown"):
        await issues(desk, "create", repo=WEB, title="Once")
    assert len(desk.api.repositories[WEB].issues) == 1
    desk.api.faults = [(403, {"Retry_After": "4"}), (403, {"x_ratelimit_remaining": "0"})]
    with pytest.raises(ToolError, match="limits how often"):
        await issues(desk, "list", repo=WEB)
    desk.api.faults = [(429, {"Retry_After": "2"})]
    assert (await issues(desk, "create", repo=WEB, title="After the limit"))["number"] == 2


@pytest.mark.parametrize("action", ["list", "read", "create", "comment", "close", "reopen"])
async def test_a_call_that_was_cut_off_is_made_again_where_it_only_reads(desk: Desk, action: str):
    definition = shipped_tool("shared/github_issues")
    handler = desk.tools()["github_issues"]
    assert may_run_again(definition, handler, {"action": action}) is (action in {"list", "read"})


async def test_the_tools_are_there_for_who_connected(desk: Desk):
    assert desk.tools().keys() == {"github_search", "github_issues"}
    assert desk.tools(desk.at.ben) == {}


@given(st.text(max_size=30) | st.text("ab./-_%?#\\", min_size=3, max_size=12))
def test_a_repository_never_leads_to_another_path(text: str):
    try:
        path = _repository(GithubIssuesArguments(action="list", repo=text or None))
    except ToolError:
        return
    assert path.count("/") == 3
    assert not {"..", "."} & set(path.split("/"))
    assert not set(path) & set("%?#\\")


async def test_a_run_that_an_event_started_reads_no_account_aloud_in_a_channel(desk: Desk):
    connector = GitHubConnector(desk.at.connections.usable, desk.at.client)
    natives = NativeTools(connector.registrations())
    channel = Location("discord", "w", "room", "", frozenset({Reach.PUBLIC}))

    def there(shape: RunShape, location: Location) -> bool:
        scope = ToolScope(desk.at.ann, "assistant", RunKind(shape), location=location)
        return bool(natives.handlers(scope))

    assert not there(RunShape.TRIGGERED, channel)
    assert there(RunShape.TRIGGERED, AT_TERMINAL)
    assert there(RunShape.CHAT, channel)
    assert there(RunShape.SCHEDULED, channel), "its person asked for it there"
