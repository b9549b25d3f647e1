"""policy.yaml in a running house, and yeses that hold for more than one call, across restarts.

See docs/rules.md#approvals.
"""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.domain.messages import Choice
from bot.domain.models import ModelReply, ModelRequest
from bot.errors import SettingsError
from bot.log import register_secret
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import appends_to, lines_of, rewrite, write_mail_tool, write_tool
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import call, say

SECRET = "hunter2-registered-secret"
TOKEN = "xoxb-" + "1234567890-planted"
RULES = """\
rules:
  - name: nobody at attack
    tools: mail_*
    arguments: {to: "*@attack.example"}
    decision: deny
"""


def told(request: ModelRequest) -> ModelReply:
    """An answer that repeats the newest result or outcome that the model was shown."""
    blocks = [
        json.dumps(block, ensure_ascii=False)
        for message in request.messages
        for block in message["content"]
    ]
    shown = [text for text in blocks if "tool_result" in text or "approval outcome" in text][-1]
    return say(f"told: {shown}")


def mail(to: str) -> list[PlanStep]:
    return [
        call("tool_search", {"pattern": "mail_out"}),
        call("mail_out", {"to": to, "text": "hi"}),
        told,
    ]


VIEW = {"path": "/preferences/permissions.md"}
PLANS: dict[str, list[PlanStep]] = {
    "bo": mail("Bo <bo@example.org>"),
    "cy": mail("cy@example.org"),
    "eve": mail("eve@attack.example"),
    "leak": [call("tool_search", {"pattern": "leak"}), call("leak", {}), told],
    "rules": [call("read_file", VIEW), call("write_file", {**VIEW, "content": RULES}), told],
    "amend": [
        call("edit_file", {**VIEW, "old": "*@attack.example", "new": "*@*.example"}),
        told,
    ],
    "wrong": [call("write_file", {**VIEW, "content": "rools: []"}), told],
    "approval outcome": [told],
}


@dataclass
class Desk:
    house: Harness
    model: PlanModel
    home: Path

    @property
    def sent(self) -> list[str]:
        return [line["to"] for line in lines_of(self.home / "sent.txt")]

    async def do(self, who: str, plan: str) -> list[str]:
        """Let somebody ask for something; gives all that was posted until the house is quiet."""
        return await self.house.tell(who, f"do:{plan}")

    def button(self, verb: str) -> Choice:
        """A button of the newest card."""
        return next(one for one in self.house.cards[-1].choices if one.verb == verb)

    async def click(self, who: str, verb: str) -> list[str]:
        return await self.house.press(who, self.button(verb))


@asynccontextmanager
async def desk(
    home: Path, chat: FakeChat | None = None, clock: FakeClock | None = None
) -> AsyncGenerator[Desk]:
    write_mail_tool(home, appends_to(home / "sent.txt", "mailed"))
    write_tool(home, "leak", f"cat '{home}/record.txt'", takes={})
    model = PlanModel(PLANS)
    async with running_app(home, model, chat, clock or FakeClock()) as house:
        yield Desk(house, model, home)


async def put_policy(at: Desk, text: str) -> None:
    rewrite(at.home / "policy.yaml", text)
    await at.house.app.house.written.policy.reload_changed()


async def test_no_tool_passes_for_a_card_of_the_house(home: Path):
    names = ("extend_budget", "pair_person", "several_calls", "share_words")
    for name in names:
        write_tool(home, name, "echo done", takes={"more": {}}, risk="external-write")
    model = PlanModel({name: [call(name, {"more": 9}), told] for name in names})
    async with running_app(home, model) as house:
        for name in names:
            assert f"there is no tool named '{name}'" in await house.ask("ann", f"do:{name}")
        assert house.cards == []


async def test_a_yes_for_a_target_lasts_for_it_alone_until_revoked(home: Path):
    chat, clock = FakeChat(), FakeClock()
    async with desk(home, chat, clock) as at:
        assert at.sent == []
        await at.do("ann", "bo")
        assert at.button("approve_target").label == "Always for bo@example.org"
        assert any(
            text.startswith("OK, I'll do it. From now on")
            for text in await at.click("ann", "approve_target")
        )
        assert at.sent == ["Bo <bo@example.org>"]
    async with desk(home, chat, clock) as at:
        cards = len(chat.cards)
        assert "mailed" in (await at.do("ann", "bo"))[-1]
        assert len(chat.cards) == cards
        assert at.sent == ["Bo <bo@example.org>"] * 2
        await at.do("ann", "cy")
        assert len(chat.cards) == cards + 1
        await at.do("ben", "bo")
        assert len(chat.cards) == cards + 2
        assert "allow, grant:" not in await at.house.command("ben", "why")
        listed = await at.house.command("ann", "grants")
        ref = listed.split()[1].rstrip(":")
        assert "mail_out to bo@example.org, always" in listed
        assert "no grant" in await at.house.command("ben", "grants", f"revoke {ref}")
        assert "I ask again before mail_out" in await at.house.command(
            "ann", "grants", f"revoke {ref}"
        )
        assert "revoked already" in await at.house.command("ann", "grants", f"revoke {ref}")
        await at.do("ann", "bo")
        assert len(chat.cards) == cards + 3
        assert at.sent == ["Bo <bo@example.org>"] * 2


async def test_a_yes_for_the_session_ends_with_it(home: Path):
    async with desk(home) as at:
        await at.do("ann", "bo")
        await at.click("ann", "approve_session")
        assert "mailed" in (await at.do("ann", "cy"))[-1]
        assert at.sent == ["Bo <bo@example.org>", "cy@example.org"]
        trail = await at.house.command("ann", "why")
        assert "allowed by grant:g" in trail
        await at.house.command("ann", "new")
        await at.do("ann", "cy")
        assert len(at.sent) == 2


async def test_a_denial_beats_a_grant_and_the_model_hears_the_exact_words(home: Path):
    async with desk(home) as at:
        await at.do("ann", "eve")
        await at.click("ann", "approve_target")
        assert at.sent == ["eve@attack.example"]
        await put_policy(at, RULES)
        answer = (await at.do("ann", "eve"))[-1]
        assert "tool blocked by policy" in answer
        assert "nobody at attack" not in answer
        assert at.sent == ["eve@attack.example"]
        assert "refused by the rule policy:nobody at attack" in await at.house.command("ann", "why")


async def test_an_approved_call_is_denied_when_the_policy_changed_meanwhile(home: Path):
    async with desk(home) as at:
        await at.do("ann", "eve")
        await put_policy(at, RULES)
        answer = await at.click("ann", "approve")
        assert any("tool blocked by policy" in text and "it failed" in text for text in answer)
        assert at.sent == []


async def test_an_allowing_rule_spares_the_question_and_a_stricter_one_wins(home: Path):
    async with desk(home) as at:
        allow = (
            '  - {name: house, roles: Friend+, decision: allow, arguments: {to: "*example.org*"}}\n'
        )
        await put_policy(at, RULES + allow)
        assert "mailed" in (await at.do("ann", "bo"))[-1]
        assert "allowed by policy:house" in await at.house.command("ann", "why")
        ask = (
            "  - {name: look, tools: mail_out, decision: ask, approver: Partner, reason: look "
            "first}\n"
        )
        await put_policy(at, RULES + allow + ask)
        await at.do("ann", "bo")
        card = at.house.chat.cards[-1]
        assert "look first" in card.text
        assert "asked about by policy:look" in await at.house.command("ann", "why")
        ref = at.button("approve").ref
        assert "can decide this" in await at.house.command("ann", "approve", ref)
        assert len(at.sent) == 1


async def test_a_broken_policy_is_reported_keeps_the_last_one_and_stops_a_start(home: Path):
    async with desk(home) as at:
        await put_policy(at, RULES)
        await put_policy(at, "rules:\n  - nome: x\n    decision: deny")
        assert any("policy.yaml, line 2" in problem for problem in at.house.app.problems())
        assert "tool blocked by policy" in (await at.do("ann", "eve"))[-1]
    with pytest.raises(SettingsError, match="line 2"):
        async with desk(home):
            pass


async def test_tool_output_is_redacted_of_secrets_and_by_policy(home: Path):
    register_secret(SECRET)
    (home / "record.txt").write_text(
        f"card 1234 5678 9012 3456, key {SECRET}, token {TOKEN}, token: page-2"
    )
    async with desk(home) as at:
        answer = (await at.do("ann", "leak"))[-1]
        assert "card 1234" in answer
        assert "token: page-2" in answer
        await put_policy(at, "outputs:\n  - {name: cards, patterns: {regex: '(\\d{4} ){3}\\d{4}'}}")
        answer = (await at.do("ann", "leak"))[-1]
        assert "tool output redacted by policy" in answer
        assert "is_error" not in answer
        assert "output withheld by policy:cards" in await at.house.command("ann", "why")
        everything = json.dumps(
            [[request.system, request.messages] for request in at.model.requests]
        )
        read = at.house.app.database.read
        tables = [await read("SELECT * FROM steps"), await read("SELECT * FROM cycle_events")]
        tables.append(await read("SELECT * FROM transcript"))
        rows = [json.dumps([dict(row) for row in table], default=str) for table in tables]
        for secret in (SECRET, TOKEN):
            assert secret not in everything
            assert not any(secret in row for row in rows)
        assert sum(row.count("1234 5678") for row in rows[:2]) > 0  # before the rule was there


async def test_the_policy_view_is_read_and_written_after_a_partners_yes(home: Path):
    async with desk(home) as at:
        await at.do("ben", "rules")
        assert "approve_session" not in [choice.verb for choice in at.house.cards[-1].choices]
        assert not (home / "policy.yaml").exists()
        answer = await at.click("ben", "approve")
        assert any("replaced /preferences/permissions.md" in text for text in answer), answer
        assert (home / "policy.yaml").read_text() == RULES
        assert "tool blocked by policy" in (await at.do("ann", "eve"))[-1]
        cards = len(at.house.chat.cards)
        answer = await at.do("ben", "wrong")
        assert "the policy would not be valid: policy.yaml, line 1" in answer[-1]
        assert len(at.house.chat.cards) == cards
        assert (home / "policy.yaml").read_text() == RULES


async def test_only_partners_see_and_change_the_policy(home: Path):
    (home / "policy.yaml").write_text(RULES)
    async with desk(home) as at:
        await at.do("ann", "rules")
        requests = json.dumps([request.messages for request in at.model.requests])
        assert "nobody at attack" not in requests.replace(json.dumps(RULES)[1:-1], "")
        ref = at.button("approve").ref
        assert "can decide this" in await at.house.command("ann", "approve", ref)


async def test_a_partners_yes_makes_the_policy_change_a_friend_asked_for(home: Path):
    (home / "policy.yaml").write_text(RULES)
    async with desk(home) as here:
        await here.do("ann", "amend")
        assert (home / "policy.yaml").read_text() == RULES, "nothing changes before the yes"
        await here.house.command("ann", "approve", here.button("approve").ref)
        assert (home / "policy.yaml").read_text() == RULES, "who asked is no Partner"
        ref = here.button("approve").ref
        shown = await here.house.command("ben", "approve", ref)
        assert "is not decided yet" in shown, "no card was where this Partner reads"
        assert (home / "policy.yaml").read_text() == RULES
        answer = await here.click("ben", "approve")
        assert any("changed 1 place in /preferences/permissions.md" in text for text in answer), (
            answer
        )
    assert "*@*.example" in (home / "policy.yaml").read_text()
