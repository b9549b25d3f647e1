"""The set `jira` in a whole Bellhop, against a stand-in for Jira Cloud."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.cli.example_sets import example_set, take_over
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply
from bot.testing.harness import Harness, running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, result_texts, say
from bot.testing.services.jira_cloud import JIRA_ACCOUNT, JiraCloud
from bot.testing.services.vendor import serving

FIND = ("tool_search", {"pattern": "jira_*"})


@dataclass
class Tracker:
    """A running house with the set, and its Jira."""

    house: Harness
    model: PlanModel
    plans: dict[str, Sequence[ModelReply]]

    async def tries(self, who: str, said: str, *steps: tuple[str, JsonObject]) -> list[str]:
        calls = [call(name, arguments) for name, arguments in (FIND, *steps)]
        self.plans["work"] = [*calls, say("Done.")]
        await self.house.tell(who, f"{said} do:work")
        return result_texts(self.model.requests[-1])[-len(steps) :]


@asynccontextmanager
async def tracker(home: Path, jira: JiraCloud, token: str = "") -> AsyncGenerator[Tracker]:
    take_over(example_set("jira"), home, keep=False, replace=False)
    names = ["JIRA_EMAIL", "JIRA_TOKEN"]
    settings = {
        "tools": {"http": {"secrets": names, "servers": {"jira": jira.url}}},
        "web": {"allow_private": ["127.0.0.1"]},
    }
    (home / "bellhop.yaml").write_text(json.dumps(settings))
    (home / ".env").write_text(f"JIRA_EMAIL={JIRA_ACCOUNT}\nJIRA_TOKEN={token or jira.key}\n")
    plans: dict[str, Sequence[ModelReply]] = {}
    model = PlanModel(plans)
    async with running_app(home, model) as house:
        yield Tracker(house, model, plans)


async def test_issues_are_found_and_read(home: Path):
    async with serving(JiraCloud()) as jira, tracker(home, jira) as at:
        found, one, unbounded, missing = await at.tries(
            "ann",
            "look",
            ("jira_search", {"jql": "project = SHOP", "maxResults": 5}),
            ("jira_issue", {"key": "SHOP-1"}),
            ("jira_search", {"jql": "text ~ login"}),
            ("jira_issue", {"key": "SHOP-99"}),
        )
    assert "Login fails" in found
    assert '"id": "31"' in one
    assert "Unbounded JQL" in unbounded
    assert missing.startswith("ERROR: HTTP 404")
    assert jira.key not in str(at.model.requests)


async def test_an_ordered_issue_is_filed_with_its_description_as_a_document(home: Path):
    async with serving(JiraCloud()) as jira, tracker(home, jira) as at:
        wanted = {
            "project": "SHOP",
            "type": "Bug",
            "summary": "Cart is empty",
            "description": "It **fails**:\n\n- open\n- see [log](https://log.example.org)\n",
        }
        [told] = await at.tries(
            "ben", "create an issue in project SHOP: Cart is empty.", ("jira_create", wanted)
        )
        if "waiting for approval" in told:
            [waiting] = await at.house.app.approvals.newest()
            at.plans["approval outcome"] = [say("It is filed.")]
            await at.house.order("ben", "approve", waiting.ref)
    made = jira.issues["SHOP-2"]
    assert made["summary"] == "Cart is empty"
    assert [one["type"] for one in made["description"]["content"]] == ["paragraph", "bulletList"]


async def test_what_nobody_ordered_waits_for_a_yes(home: Path):
    async with serving(JiraCloud()) as jira, tracker(home, jira) as at:
        [told] = await at.tries(
            "ben", "what is new?", ("jira_transition", {"key": "SHOP-1", "transition": "31"})
        )
        assert "waiting for approval" in told
        assert jira.issues["SHOP-1"]["status"] == {"name": "To Do"}
        [waiting] = await at.house.app.approvals.newest()
        at.plans["approval outcome"] = [say("It is done.")]
        await at.house.order("ben", "approve", waiting.ref)
    assert jira.issues["SHOP-1"]["status"] == {"name": "Done"}


async def test_who_may_not_write_does_not(home: Path):
    comment = {"key": "SHOP-1", "text": "hello"}
    async with serving(JiraCloud()) as jira, tracker(home, jira) as at:
        for who in ("stranger", "ann"):
            [told] = await at.tries(who, "comment hello on SHOP-1", ("jira_comment", comment))
            assert told.startswith("ERROR"), who
    assert jira.issues["SHOP-1"]["comments"] == []


async def test_a_wrong_token_is_told_without_it(home: Path):
    async with serving(JiraCloud()) as jira, tracker(home, jira, "wrong-token-4") as at:
        [told] = await at.tries("ann", "look", ("jira_issue", {"key": "SHOP-1"}))
    assert "HTTP 401" in told
    assert "wrong-token-4" not in str(at.model.requests)
