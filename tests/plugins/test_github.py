"""github_search and github_issues with the real client, against a strict GitHub."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.access import Person
from bot.domain.json_types import JsonObject
from bot.domain.origins import Trust
from bot.domain.places import AT_TERMINAL, Location, Reach
from bot.domain.runs import RunKind, RunShape
from bot.domain.tool_context import NativeTool, ToolScope
from bot.domain.tool_outcomes import ForAsker
from bot.errors import ToolError
from bot.plugins.github.connector import GitHubConnector
from bot.plugins.github.issues import SHOWN_COMMENTS, GithubIssuesArguments, _repository
from bot.testing.account_town import AccountTown, account_town
from bot.testing.services.github_accounts import GitHubAccounts
from bot.testing.shipped_tools import shipped_tool
from bot.tools.native.registry import NativeTools
from bot.tools.toolset.toolset import may_run_again

ANN = "ann@example.com"
WEB = "acme/web"


@dataclass
class Desk:
    at: AccountTown
    github: GitHubAccounts

    def tools(self, person: Person) -> dict[str, NativeTool[Any]]:
        return self.at.tools(GitHubConnector, person)

    async def call(self, name: str, **arguments: Any) -> Any:
        found = await self.at.call(GitHubConnector, name, arguments)
        assert (found.origin.trust, found.origin.source) == (Trust.EXTERNAL, "github")
        return json.loads(found.content)

    async def issues(self, **arguments: Any) -> Any:
        return await self.call("github_issues", **arguments)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with account_town(tmp_path, "github") as at:
        github = GitHubAccounts()
        at.provider.api = github
        github.add_repository(WEB, ANN)
        github.add_repository("ben/secret", "ben@example.com")
        await at.connect(at.ann)
        yield Desk(at, github)


async def test_issues_and_pulls_and_repositories_and_code_are_found(desk: Desk):
    desk.github.add_issue(WEB, "Login fails")
    desk.github.add_issue(WEB, "Mend the login", pull_request={})
    desk.github.add_issue("ben/secret", "Login of Ben")
    desk.github.repositories[WEB].files["login.py"] = "def login(): ..."
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
    assert (await desk.call("github_search", query="secret", kind="repositories"))[
        "repositories"
    ] == []


async def test_an_issue_is_opened_read_commented_closed_and_reopened(desk: Desk):
    made = await desk.issues(
        action="create", repo=WEB, title="Login fails", body="since today", labels=["bug"]
    )
    assert made == {"number": 1, "state": "open", "url": "https://github.com/acme/web/issues/1"}
    said = await desk.issues(action="comment", repo=WEB, number=1, body="me too")
    assert said == {"url": "https://github.com/acme/web/issues/1#issuecomment-1"}
    read = await desk.issues(action="read", repo=WEB, number=1)
    assert (read["title"], read["body"], read["labels"]) == ("Login fails", "since today", ["bug"])
    assert read["comments"] == [{"by": ANN, "at": "2026-11-21T09:00:00Z", "body": "me too"}]
    assert (await desk.issues(action="close", repo=WEB, number=1))["state"] == "closed"
    assert (await desk.issues(action="list", repo=WEB))["issues"] == []
    assert [
        one["number"]
        for one in (await desk.issues(action="list", repo=WEB, state="closed"))["issues"]
    ] == [1]
    assert (await desk.issues(action="reopen", repo=WEB, number=1))["state"] == "open"


async def test_what_was_read_is_its_persons_alone_and_what_was_written_is_not(desk: Desk):
    desk.github.add_issue(WEB, "Login fails")
    calls: list[tuple[str, JsonObject, bool]] = [
        ("github_search", {"query": "login"}, True),
        ("github_issues", {"action": "list", "repo": WEB}, True),
        ("github_issues", {"action": "read", "repo": WEB, "number": 1}, True),
        ("github_issues", {"action": "comment", "repo": WEB, "number": 1, "body": "So?"}, False),
        ("github_issues", {"action": "close", "repo": WEB, "number": 1}, False),
    ]
    for name, arguments, alone in calls:
        found = await desk.at.call(GitHubConnector, name, arguments)
        assert (found.private, found.effects) == (alone, (ForAsker(),) if alone else ())


async def test_lists_say_when_there_is_more_and_long_texts_are_cut(desk: Desk):
    for number in range(35):
        desk.github.add_issue(
            WEB, f"Issue {number}", assignees=[{"login": ANN}] if number == 7 else []
        )
    found = await desk.issues(action="list", repo=WEB)
    assert len(found["issues"]) == 30
    assert "github_search" in found["more"]
    (own,) = (await desk.issues(action="list"))["issues"]
    assert (own["repo"], own["number"]) == (WEB, 8)
    desk.github.repositories[WEB].issues[1]["body"] = "x" * 60_000
    for number in range(45):
        desk.github.add_comment(WEB, 1, f"comment {number} " + "y" * 1000)
    read = await desk.issues(action="read", repo=WEB, number=1)
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
        await desk.issues(**arguments)
    assert desk.github.calls == []


async def test_refusals_and_limits_are_told_and_no_write_is_repeated(desk: Desk):
    with pytest.raises(ToolError, match="there is no such thing") as refused:
        await desk.issues(action="read", repo="ben/secret", number=1)
    assert "ignore" not in str(refused.value)
    desk.github.dropped = 1
    with pytest.raises(ToolError, match="Whether the call took effect is unknown"):
        await desk.issues(action="create", repo=WEB, title="Once")
    assert len(desk.github.repositories[WEB].issues) == 1
    desk.github.faults = [(403, {"Retry_After": "4"}), (403, {"x_ratelimit_remaining": "0"})]
    with pytest.raises(ToolError, match="limits how often"):
        await desk.issues(action="list", repo=WEB)
    desk.github.faults = [(429, {"Retry_After": "2"})]
    assert (await desk.issues(action="create", repo=WEB, title="After the limit"))["number"] == 2


@pytest.mark.parametrize("action", ["list", "read", "create", "comment", "close", "reopen"])
async def test_a_call_that_was_cut_off_is_made_again_where_it_only_reads(desk: Desk, action: str):
    await desk.at.connect(desk.at.ann)
    definition = shipped_tool("shared/github_issues")
    handler = desk.tools(desk.at.ann)["github_issues"]
    assert may_run_again(definition, handler, {"action": action}) is (action in {"list", "read"})


async def test_the_tools_are_there_for_who_connected(desk: Desk):
    assert desk.tools(desk.at.ann).keys() == {"github_search", "github_issues"}
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
