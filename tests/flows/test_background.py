"""Background agents: one answer, in the place where they were started, whatever happens."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Place
from bot.domain.models import ModelReply, ModelRequest, Unlock
from bot.testing.background_lives import HeldModel, furnish
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import CAPABILITIES, call, calls, say

UNLOCK = call("get_capabilities", {"names": ["call_agent"]})
WRITTEN = "scribe has finished “do:scribble”:\n\nIt is written."
SCRIBBLE: Sequence[PlanStep] = (say("It is written."),)


def start(agent: str = "scribe", task: str = "do:scribble") -> ModelReply:
    return call("call_agent", {"agent": agent, "task": task, "async": True})


def held(plans: Mapping[str, Sequence[PlanStep]]) -> HeldModel:
    delegate = [UNLOCK, start(), say("It is under way.")]
    return HeldModel({"delegate": delegate, "scribble": SCRIBBLE, **plans})


@pytest.fixture
def crew(home: Path) -> Path:
    furnish(home)
    return home


async def begun(house: Harness, model: HeldModel, **options: object) -> None:
    """Ann's request is answered, and the scribe is at work."""
    await house.chat.say("ann", "do:delegate", **options)
    await model.asked.wait()
    await house.chat.until(1)
    assert house.chat.texts == ["It is under way."]


async def delivered(house: Harness, model: HeldModel, posts: int) -> str:
    model.go.set()
    await house.chat.until(posts)
    await house.until_idle()
    assert len(house.chat.posts) == posts
    assert (
        house.chat.posts[-1].message.target.conversation
        == house.chat.posts[0].message.target.conversation
    )
    return house.chat.texts[-1]


async def test_the_answer_comes_later_in_the_same_conversation(crew: Path):
    model = held({})
    async with running_app(crew, model) as house:
        await begun(house, model)
        status = await house.meanwhile(house.chat.command("ann", "status"))
        assert "- In the background: agent scribe (" in status
        assert "at work): do:scribble" in status
        assert await delivered(house, model, 3) == WRITTEN
        assert "In the background" not in await house.command("ann", "status")
        await house.ask("ann", "what did it say?")
        assert "It is written." in str(model.requests[-1].messages[-2:])


async def test_the_answer_comes_after_the_session_ended_and_others_wrote(crew: Path):
    model = held({})
    there = {"where": "general", "place": Place.CHANNEL}
    async with running_app(crew, model) as house:
        await begun(house, model, **there)
        await house.chat.command("ann", "new", **there)
        assert (await house.chat.until(2))[-1].text == "Started afresh."
        assert await house.meanwhile(house.chat.say("ben", "hello", **there)) == "Done."
        assert await delivered(house, model, 4) == WRITTEN


async def test_the_answer_comes_once_after_a_restart(crew: Path):
    chat = FakeChat()
    model = held({})
    async with running_app(crew, model, chat) as house:
        await begun(house, model)
    model.restarted()
    async with running_app(crew, model, chat) as house:
        assert await delivered(house, model, 2) == WRITTEN
    async with running_app(crew, model, chat) as house:
        await house.until_idle()
        assert len(chat.posts) == 2


@pytest.mark.parametrize("how", ["stop", "cancel_agent"])
async def test_it_is_stopped_by_a_command_or_by_the_model(crew: Path, how: str):
    refs: list[str] = []

    def cancel(request: ModelRequest) -> ModelReply:
        return call("cancel_agent", {"ref": refs[0]})

    model = held({"cancel": [cancel, say("It is cancelled.")]})
    async with running_app(crew, model) as house:
        await begun(house, model)
        [open_one] = await house.app.house.crew.background.open_of("ann")
        refs.append(open_one.task.ref)
        if how == "stop":
            await house.chat.command("ann", "stop")
        else:
            await house.chat.say("ann", "do:cancel")
        await house.chat.until(3)
        await house.until_idle()
        stopped = "scribe was stopped while it worked in the background on “do:scribble”."
        assert sorted(house.chat.texts[1:]) == sorted(
            ["Stopping." if how == "stop" else "It is cancelled.", stopped]
        )
        assert not await house.app.house.crew.background.open_of("ann")


async def test_one_that_waits_for_the_one_before_it_is_taken_back(crew: Path):
    model = held({"again": [start(task="do:second"), say("Another one.")]})
    async with running_app(crew, model) as house:
        await begun(house, model)
        assert await house.meanwhile(house.chat.say("ann", "do:again")) == "Another one."
        assert [one.waits for one in await house.app.house.crew.background.open_of("ann")] == [
            False,
            True,
        ]
        await house.order("ann", "stop")
        assert not await house.app.house.crew.background.open_of("ann")
        assert len(house.chat.posts) == 4


async def test_its_facts_reach_the_session_also_after_failure(crew: Path):
    saved = call("save_fact", {"key": "colour", "value": "blue"})
    model = held({"scribble": [saved, *[call("current_time", {}) for _ in range(4)]]})
    async with running_app(crew, model) as house:
        await begun(house, model)
        text = await delivered(house, model, 2)
        assert text.startswith(
            "scribe worked in the background on “do:scribble” and came to no answer (agent_scribe:"
        )
        session = (await house.rows("SELECT id FROM sessions"))[0]["id"]
        facts = await house.app.house.records.facts.load(session)
        assert facts["colour"].value == "blue"


@pytest.mark.parametrize("unlock", [Unlock.APPEND, Unlock.INLINE, Unlock.REFERENCE])
async def test_two_that_begin_declare_the_tool_to_cancel_them_once(crew: Path, unlock: Unlock):
    both = calls(
        *(
            ("call_agent", {"agent": agent, "task": "do:scribble", "async": True})
            for agent in ("scribe", "clerk")
        )
    )
    (crew / "prompts" / "agents" / "clerk.md").write_text(
        "---\ndescription: Files.\n---\n\nYou are the clerk.\n"
    )
    plans = {"delegate": [both, say("Both are under way.")], "scribble": SCRIBBLE}
    model = PlanModel(plans, capabilities=replace(CAPABILITIES, unlock=unlock))
    async with running_app(crew, model) as house:
        await house.chat.say("ann", "do:delegate")
        await house.chat.until(3)
        await house.ask("ann", "do:delegate")
    last = [request for request in model.requests if "You are the" not in str(request.system)][-1]
    declared = re.findall(r"'name': 'cancel_agent', 'desc", str(last.tools) + str(last.messages))
    assert len(declared) == 1


async def test_why_tells_of_it_by_the_reference_that_a_failure_names(crew: Path):
    model = held({"scribble": [call("publish", {}), *[call("current_time", {}) for _ in range(4)]]})
    async with running_app(crew, model) as house:
        await begun(house, model)
        text = await delivered(house, model, 2)
        ref = text.rpartition("`/why ")[2].partition("`")[0]
        told = await house.command("ann", "why", ref)
        assert "agent scribe in the background, key `delegation:" in told
        assert "Tool `current_time`: ok" in told
        assert "A tool that is not here: refused" in told
        assert "Outcome: no answer" in told
        assert await house.command("ben", "why", ref) == Phrase(
            "I remember nothing of '{ref}'. References look like t3f; /why alone tells about your "
            "last message."
        ).said(Language.EN, ref=ref)
        assert "scribe: Tool `current_time`: ok" in await house.command("ann", "why", "discord:1")


async def test_a_person_who_was_banned_since_gets_nothing_and_nothing_runs(crew: Path):
    model = held({})
    async with running_app(crew, model) as house:
        await begun(house, model)
    contacts = crew / "contacts.yaml"
    contacts.write_text(contacts.read_text().replace("role: Friend", "role: Banned"))
    model.restarted()
    model.go.set()
    asked = len(model.requests)
    async with running_app(crew, model, house.chat) as house:
        await house.until_idle()
        assert len(house.chat.posts) == 1
        assert len(model.requests) == asked


async def test_a_person_has_so_many_at_once_and_no_more(
    crew: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.agents.delegation.background.OPEN_AT_ONCE", 1)
    results: list[JsonObject] = []

    def tell(request: ModelRequest) -> ModelReply:
        results.extend(request.messages[-1]["content"])
        return say("Not now.")

    model = held({"again": [start(task="do:second"), tell]})
    async with running_app(crew, model) as house:
        await begun(house, model)
        assert await house.meanwhile(house.chat.say("ann", "do:again")) == "Not now."
        assert "1 agents work in the background already, which is the most" in str(results)
        assert await delivered(house, model, 3) == WRITTEN
