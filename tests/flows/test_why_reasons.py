"""`/why` names the reason of every refusal and card, each from a real request."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.domain.messages import Place
from bot.domain.models import ModelReply
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import call, say
from bot.testing.tools import NO_SANDBOX

TOOL = """\
# {name}

## Description
Do {name} when somebody asks for it.

## Parameters
{{"type": "object",
 "properties": {{"to": {{"type": "string", "x-target": "email"}}}}, "required": ["to"]}}

## Access
{access}
{more}
## Implementation
{how}
"""
RISKY = "\n## Risk\nexternal-write\n"
CLERK = "---\ndescription: Files letters.\n---\n\nYou are the clerk.\n"
SKILL = (
    "---\nname: report\ndescription: Writes the report.\ncommand: report\nallowed-tools: "
    "read_file\n---\nRead it.\n"
)
POLICY = """\
rules:
  - {name: no stamps, tools: stamp, decision: deny}
  - {name: look twice, tools: glance, decision: ask}
  - {name: trusted press, roles: Friend+, tools: press, decision: allow}
places:
  - {name: no sums, where: "channel:quiet", tools: {deny: calculate}}
"""
TO = {"to": "bo@example.org"}


def tries(name: str, **arguments: object) -> Sequence[ModelReply]:
    return [call(name, arguments), say("That is all.")]


PLANS: Mapping[str, Sequence[PlanStep]] = {
    **{
        name: tries(name, **TO)
        for name in ("stamp", "glance", "press", "publish", "seal", "file_letter")
    },
    **{name: tries(name, **TO) for name in ("web_search", "linked", "unserved", "no_such_tool")},
    "misfit": tries("publish", to=7),
    "calculate": tries("calculate", expression="1+1"),
    "todo": tries("manage_todos", action="list"),
    "elsewhere": tries("send", text="hi", to="#general"),
    "often": [*(call("list_directory", {"path": "/"}) for _ in range(4)), say("Enough.")],
}


def furnish(home: Path) -> None:
    prompts = home / "prompts"
    shared, clerks = prompts / "tools" / "shared", prompts / "tools" / "clerk"
    for folder in (shared, clerks, prompts / "agents", home / "skills" / "report"):
        folder.mkdir(parents=True)

    def put(folder: Path, name: str, more: str = "", access: str = "Guest+", how: str = "") -> None:
        how = how or f"shell: {name}.sh"
        (folder / f"{name}.md").write_text(
            TOOL.format(name=name, more=more, access=access, how=how)
        )
        (folder / f"{name}.sh").write_text("echo done\n")

    for name in ("stamp", "glance", "web_search"):
        put(shared, name)
    for name in ("publish", "press"):
        put(shared, name, RISKY)
    put(shared, "seal", access="Partner+")
    put(shared, "linked", "\n## Requires\ncalendar\n")
    put(shared, "unserved", how="native: unserved")
    put(clerks, "file_letter")
    (prompts / "agents" / "clerk.md").write_text(CLERK)
    (home / "skills" / "report" / "SKILL.md").write_text(SKILL)
    (home / "policy.yaml").write_text(POLICY)


@asynccontextmanager
async def house_of(home: Path, settings: str = "") -> AsyncGenerator[Harness]:
    furnish(home)
    (home / "bellhop.yaml").write_text(NO_SANDBOX + settings)
    async with running_app(home, PlanModel(PLANS), clock=FakeClock()) as house:
        yield house


async def told(house: Harness, who: str, text: str, *, reader: str = "", **where: object) -> str:
    """What `/why` says about a request, to who made it or to another reader."""
    await house.tell(who, text, key="discord:asked" + text + who, **where)
    return await house.command(reader or who, "why", "discord:asked" + text + who)


REASONS = [
    ("stamp", "Tool `stamp`: refused by the rule policy:no stamps (policy.yaml, line 2)"),
    (
        "glance",
        "Tool `glance`: not run then, asked about by policy:look twice (policy.yaml, line 3)",
    ),
    ("press", "Tool `press`: ok, allowed by policy:trusted press (policy.yaml, line 4)"),
    ("publish", "Tool `publish`: not run then, asked about by risk:external-write"),
    (
        "publish",
        (
            "asked because it changes something outside of Bellhop, and its to comes from no text "
            "here: open"
        ),
    ),
    ("misfit", "Tool `publish`: refused by the rule schema: its arguments did not fit"),
    (
        "web_search",
        "Tool `web_search`: refused by the rule absent:run: it does not exist in this kind of run",
    ),
    (
        "linked",
        (
            "Tool `linked`: refused by the rule absent:integration: a service that it needs is not "
            "connected"
        ),
    ),
    ("unserved", "Tool `unserved`: refused by the rule absent:unserved: nothing here can run it"),
    (
        "often",
        "Tool `list_directory`: refused by the rule repeated: this exact call was made too often",
    ),
]
HIDDEN = [
    ("seal", "refused by the rule absent:role: the person's role lacks it"),
    ("file_letter", "refused by the rule absent:folder: it belongs to another agent"),
    ("no_such_tool", "refused by the rule absent:unknown: no tool has this name"),
]


async def test_each_refusal_and_card_of_a_conversation_names_its_reason(home: Path):
    async with house_of(home) as house:
        heard = {plan: await told(house, "ann", f"do:{plan}") for plan in dict(REASONS)}
        for plan, reason in REASONS:
            assert reason in heard[plan], f"{plan}: {heard[plan]}"
        for plan, reason in HIDDEN:
            asked = await told(house, "ann", f"do:{plan}")
            assert "A tool that is not here: refused" in asked
            assert plan not in asked.replace(f"do:{plan}", "")
            by_owner = await house.command("owner", "why", f"discord:askeddo:{plan}ann")
            assert f"Tool `{plan}`: {reason}" in by_owner


async def test_a_place_a_guest_and_a_skill_are_named(home: Path):
    async with house_of(home) as house:
        quiet = await told(house, "ann", "do:calculate", where="quiet", place=Place.CHANNEL)
        assert "Tool `calculate`: refused by the rule place:no sums (policy.yaml, line 6)" in quiet
        guest = await told(house, "stranger", "do:elsewhere")
        assert (
            "refused by the rule elsewhere: a guest can't have anything posted elsewhere" in guest
        )
        await house.command("ann", "report", "do:todo")
        held = await house.command("ann", "why")
        assert (
            "refused by the rule confined:the skill report: the skill report does not allow it"
            in held
        )


@pytest.mark.parametrize(
    ("span", "measure", "reason"),
    [
        ("per_turn", "tool_calls", "the tool calls for one request are used up"),
        ("per_turn", "model_calls", "the model calls for one request are used up"),
        (
            "per_person_day",
            "model_calls",
            "the model calls for one person and day are used up",
        ),
    ],
)
async def test_a_budget_is_named_with_the_question_for_more(
    home: Path, span: str, measure: str, reason: str
):
    async with house_of(home, f"budgets: {{{span}: {{{measure}: 1}}}}\n") as house:
        text = await told(house, "ann", "do:often")
        assert f"refused by the rule budget:{span}_{measure}: {reason}" in text
        assert "for `extend_budget`, asked because" in text
        assert text.count("Approval ") == 1
