"""Calls that wait for a yes: who may give it, what runs then, and what does not.

See docs/rules.md#approvals.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.app import AppOptions
from bot.domain.approvals import ApprovalState
from bot.domain.json_types import JsonObject
from bot.domain.messages import Addressed, Command, MessageKind, Place
from bot.domain.models import ModelReply, ModelRequest
from bot.errors import DeliveryError
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import appends_to, write_agent, write_tool
from bot.testing.plan_model import PlanModel
from bot.testing.running import running
from bot.testing.scripted_model import call, calls, say
from bot.testing.scripted_terminal import chat_on
from bot.testing.scripted_view import ScriptedView
from bot.testing.waiting import until

ARGUMENTS: JsonObject = {
    "to": 'Zoë "the $(rm -rf /)" \u2028 O\'Hara',
    "more": {"z": [1, 2.5, None, True], "a": "\n\t"},
}


def outcome(request: ModelRequest) -> ModelReply:
    """Repeats what the model was told about the approval, if an answer is due."""
    texts = [
        block["text"]
        for message in request.messages
        for block in message["content"]
        if "text" in block
    ]
    told = [text for text in texts if 'kind="approval outcome"' in text][-1]
    assert "person what came of it" not in told, (
        "what to do stands in a note, never in a quoted block"
    )
    notes = json.dumps(request.messages)
    if "if nothing is left, finish_task, silent." in notes:
        assert " was rejected by " in told
        return call("finish_task", {"answer": "-", "status": "silent"})
    assert "tell the person what came of it" in notes
    return say(" / ".join(told.splitlines()[1:-1]))


PLANS = {
    "publish": [
        call("tool_search", {"pattern": "publish"}),
        call("publish", ARGUMENTS),
        say("It waits."),
    ],
    "wipe": [call("tool_search", {"pattern": "wipe"}), call("wipe", {"to": "x"}), say("It waits.")],
    "two": [
        call("tool_search", {"pattern": "publish"}),
        calls(
            ("publish", {"to": "one"}),
            ("current_time", {}),
            ("publish", {"to": "two"}),
        ),
        say("Both wait."),
    ],
    "clerk": [
        call("tool_search", {"pattern": "agent_clerk"}),
        call("agent_clerk", {"instruction": "do:stamp"}),
        say("The clerk waits."),
    ],
    "stamp": [
        call("tool_search", {"pattern": "stamp"}),
        call("stamp", {"to": "letter"}),
        say("It needs a yes."),
    ],
    "approval outcome": [outcome],
}


@dataclass
class Desk:
    """A running house with tools that need a yes, and the files they append arguments to."""

    house: Harness
    model: PlanModel
    clock: FakeClock
    ran: Path

    @property
    def lines(self) -> list[str]:
        return self.ran.read_text().splitlines() if self.ran.exists() else []

    def refs(self) -> list[str]:
        choices = [choice for card in self.house.cards for choice in card.choices]
        return [choice.ref for choice in choices if choice.verb == "approve"]

    async def asked(self, who: str = "ann", plan: str = "publish") -> str:
        """Let somebody ask for a call that waits; gives the reference of the approval."""
        assert len(await self.house.tell(who, f"do:{plan}")) >= 2, "an answer and a card"
        return self.refs()[-1]

    async def after(self, posts: int, *acts: Awaitable[object]) -> list[str]:
        """Posts after some acts, sorted, because different lanes have no common order."""
        said = await self.house.posts_after(asyncio.gather(*acts))
        assert len(said) == posts, said
        return sorted(said)

    async def state(self, ref: str) -> ApprovalState:
        stored = await self.house.app.approvals.get(ref)
        assert stored is not None
        return stored.state


def furnish(home: Path) -> None:
    takes = {"to": {"type": "string"}, "more": {}}
    for folder, name, risk in (
        ("shared", "publish", "external-write"),
        ("shared", "wipe", "destructive"),
        ("clerk", "stamp", "external-write"),
    ):
        script, more = appends_to(home / "ran.txt", f"{name} ran"), {"access": "Friend+"}
        write_tool(home, name, script, folder=folder, takes=takes, needs=("to",), risk=risk, **more)
    write_agent(home, "clerk", does="Stamps things.", turns=5)


@asynccontextmanager
async def desk(
    home: Path, chat: FakeChat | None = None, clock: FakeClock | None = None
) -> AsyncGenerator[Desk]:
    furnish(home)
    model, clock = PlanModel(PLANS), clock or FakeClock()
    async with running_app(home, model, chat, clock) as house:
        yield Desk(house, model, clock, home / "ran.txt")


async def test_a_risky_call_waits_for_the_model_and_shows_the_person_a_card(home: Path):
    async with desk(home) as at:
        ref = await at.asked()
        answer, card = at.house.chat.posts
        assert answer.text == "It waits."
        result = json.dumps(at.model.requests[2].messages[-1])
        assert f"waiting for approval {ref}" in result
        assert "It is not done yet" in result
        assert (
            json.dumps(ARGUMENTS, ensure_ascii=False, indent=2).replace("\u2028", "\\u2028")
            in card.text
        )
        assert card.text.startswith(
            "**Ann asks to run `publish`**, which changes something outside of Bellhop."
        )
        assert "Ann was asked." in result
        assert f"/approve {ref}" in card.text
        assert f"/reject {ref}" in card.text
        assert [choice.verb for choice in card.message.choices] == [
            "approve",
            "approve_session",
            "reject",
        ]
        assert at.lines == []
        assert f"Approval {ref} waits: publish" in await at.house.command("ann", "status")


async def test_other_peoples_sessions_see_a_cards_tool_but_not_its_arguments(home: Path):
    async with desk(home) as at:
        await at.house.tell("ann", "do:publish", where="room", place=Place.CHANNEL)
        await at.house.ask("ben", "what is going on here?", where="room", place=Place.CHANNEL)
        read = json.dumps(at.model.requests[-1].messages, ensure_ascii=False)
        assert f"[you, to ann] Ann asks to run publish. Approval {at.refs()[-1]}." in read.replace(
            "`", ""
        )
        assert "O'Hara" not in read


@pytest.mark.parametrize("way", ["command", "click"])
async def test_the_one_who_asked_says_yes_and_the_stored_call_runs_byte_for_byte(
    way: str, home: Path
):
    async with desk(home) as at:
        ref, chat = await at.asked(), at.house.chat
        typed = way == "command"
        posts = await at.after(
            1 + typed,
            chat.command("ann", "approve", ref) if typed else chat.click("ann", ref, "approve"),
        )
        assert posts == [
            f"Approval {ref} for publish was approved by ann; it ran. / publish ran",
            *([f"Approval {ref}: approved."] if typed else ()),
        ]
        assert at.lines == [json.dumps(ARGUMENTS)]
        assert await at.state(ref) is ApprovalState.DONE


@pytest.mark.parametrize(
    ("said", "runs", "told"),
    [
        ("Yes, go ahead!", 1, "OK, I'll do it."),
        ("ok", 1, "OK, I'll do it."),
        ("No.", 0, "OK, I won't do it."),
        pytest.param("/reject", 0, "OK, I won't do it.", id="a command without a reference"),
        pytest.param(
            "/approve   {REF} please", 1, "Approval {ref}: approved.", id="a reference in capitals"
        ),
    ],
)
async def test_one_open_card_is_decided_by_words_and_loosely_written_commands(
    said: str, runs: int, told: str, home: Path
):
    async with desk(home) as at:
        ref, chat = await at.asked(), at.house.chat
        name, _, args = said.removeprefix("/").replace("{REF}", ref.upper()).partition(" ")
        act = chat.command("ann", name, args) if said[0] == "/" else chat.say("ann", said)
        posts = await at.after(1 + runs, act)
        assert posts[-1] == told.format(ref=ref)
        assert len(at.lines) == runs


async def test_words_of_others_with_more_in_them_or_below_two_cards_decide_nothing(home: Path):
    async with desk(home) as at:
        ref = await at.asked()
        await at.after(1, at.house.chat.say("ben", "yes"))
        await at.after(1, at.house.chat.say("ann", "yes, and tell Ben do:hello"))
        assert await at.state(ref) is ApprovalState.OPEN
        await at.asked(plan="two")
        await at.after(1, at.house.chat.say("ann", "yes"))
        assert at.lines == []
        assert (await at.house.command("ann", "reject")).startswith("Say which one: ")


async def test_a_call_that_waits_already_has_its_card_shown_again(home: Path):
    async with desk(home) as at:
        ref = await at.asked()
        await at.after(2, at.house.chat.say("ann", "do:publish"))
        assert at.refs() == [ref] * at.refs().count(ref)
        assert [bool(post.message.choices) for post in at.house.chat.posts] == [False, True] * 2
        assert f"waiting for approval {ref} already" in json.dumps(
            at.model.requests[-1].messages[-1]
        )
        why = await at.house.command("ann", "why", ref)
        assert (
            f"Approval {ref} for `publish`, asked because it changes something outside of Bellhop: "
            "open"
        ) in why


async def test_only_who_asked_decides_an_external_write_and_their_no_is_told_and_stays(home: Path):
    async with desk(home) as at:
        ref, chat = await at.asked(), at.house.chat
        refusal = f"Only the person who asked for it can decide approval {ref}."
        assert await at.after(1, chat.command("ben", "approve", ref)) == [refusal]
        assert await at.after(1, chat.click("owner", ref, "reject")) == [refusal]
        assert await chat.click("troll", ref, "approve") == "ignored"
        assert await at.after(0, chat.click("ann", ref, "reject")) == []
        await until(lambda: chat.closed)
        assert list(chat.closed.values()) == [["Rejected by Ann"]]
        assert await at.after(1, chat.click("ann", ref, "approve")) == [
            f"Approval {ref} is already rejected."
        ]
        assert at.lines == []


async def test_a_no_below_a_card_that_one_person_alone_sees_among_others_is_told(home: Path):
    async with desk(home) as at:
        ref, chat = await at.asked(), at.house.chat
        said = chat.message("ann", "", where="room", place=Place.CHANNEL)
        shown = replace(
            said,
            kind=MessageKind.COMMAND,
            command=Command("approvals", ref),
            addressed=Addressed.COMMAND,
            reply_to=replace(said.reply_to, ephemeral_to="ann"),
        )
        await at.after(1, chat.deliver(shown))
        assert chat.cards[-1].target.ephemeral_to == "ann"
        click = chat.click("ann", ref, "reject", where="room", place=Place.CHANNEL)
        assert await at.after(1, click) == ["OK, I won't do it."]


async def test_a_no_by_a_click_is_told_once_where_no_card_can_show_it(home: Path):
    async with desk(home) as at:
        ref, chat = await at.asked(), at.house.chat
        chat.refuse = lambda message: DeliveryError("it is gone") if message.choices else None
        before = len(chat.posts)
        await chat.click("ann", ref, "reject")
        await chat.until(before + 1)
        await at.house.until_idle()
        assert chat.texts[before:] == ["OK, I won't do it."]
        assert not chat.closed


@pytest.mark.parametrize("said", ["3", "no", "/reject"])
async def test_a_no_in_a_pipe_is_answered_and_ends_the_wait(said: str, home: Path):
    furnish(home)
    view = ScriptedView("do:publish", said, "/exit")
    chat = chat_on(view, home, serial=True)
    async with running(AppOptions(home, [chat], PlanModel(PLANS), FakeClock())):
        await until(lambda: view.closed)
    assert view.said[-1] == "OK, I won't do it."
    assert not any("ended without an answer" in one for one in view.notices)


async def test_who_could_not_read_a_card_reads_it_before_their_yes_counts(home: Path):
    with (home / "bellhop.yaml").open("a") as settings:
        settings.write("approvals: {notify: conversation}\n")
    async with desk(home) as at:
        await at.house.tell("ann", "do:wipe")
        (waiting,) = await at.house.app.approvals.newest()
        ref, chat = waiting.ref, at.house.chat
        (shown,) = await at.after(1, chat.command("owner", "approve", ref))
        assert shown.startswith(f"Approval {ref} is not decided yet: this is all of it.")
        assert await at.state(ref) is ApprovalState.OPEN
        await at.after(2, chat.command("owner", "approve", ref))
        assert at.lines


async def test_the_asker_is_told_of_a_no_by_somebody_else(home: Path):
    async with desk(home) as at:
        ref, chat = await at.asked(plan="wipe"), at.house.chat
        assert await at.after(1, chat.click("owner", ref, "reject")) == [
            f"Approval {ref} for wipe was rejected by owner; it did not run."
        ]
        assert chat.posts[-1].message.target.conversation.id == "dm-ann"


async def test_a_low_rank_can_only_ask_and_the_owner_decides_elsewhere(home: Path):
    async with desk(home) as at:
        ref, chat = await at.asked(plan="wipe"), at.house.chat
        assert await at.after(1, chat.command("ann", "approve", ref)) == [
            "Only a MasterAdmin can decide this; I have asked Olga."
        ]
        assert ref in await at.house.command("owner", "approve")
        before = len(chat.posts)
        await at.after(2, chat.command("owner", "approve", ref))
        places = [post.message.target.conversation.id for post in chat.posts[before:]]
        assert sorted(places) == ["dm-ann", "dm-owner"]
        assert at.lines == ['{"to": "x"}']


async def test_an_approval_expires(home: Path):
    async with desk(home) as at:
        ref, before = await at.asked(), len(at.house.chat.posts)
        await at.clock.advance(29 * 60)
        await at.clock.advance(2 * 60)
        async with asyncio.timeout(60):
            while len(at.house.chat.posts) == before:  # the round that looks for what is overdue
                await at.clock.advance(10)
        assert "nobody decided in time" in at.house.chat.texts[before]
        [answer] = await at.after(1, at.house.chat.command("ann", "approve", ref))
        assert "expired" in answer
        assert at.lines == []


async def test_a_yes_that_comes_too_late_counts_for_nothing_before_anybody_has_looked(home: Path):
    async with desk(home) as at:
        ref = await at.asked()
        at.clock.jump(31 * 60)  # the round that looks for what is overdue still sleeps
        answer = f"Approval {ref} has expired; ask for it again."
        assert await at.after(1, at.house.chat.click("ann", ref, "approve")) == [answer]
        assert at.lines == []


async def test_two_decisions_at_once_run_it_once(home: Path):
    async with desk(home) as at:
        ref, chat = await at.asked(), at.house.chat
        posts = await at.after(4, *(chat.command("ann", "approve", ref) for _ in range(3)))
        assert f"Approval {ref}: approved." in posts
        assert len(at.lines) == 1
        [late] = await at.after(1, chat.command("ann", "approve", ref))
        assert "already" in late
        assert len(at.lines) == 1


async def test_an_approval_outlives_its_session_and_the_process(home: Path):
    chat, clock = FakeChat(), FakeClock()
    async with desk(home, chat, clock) as at:
        ref = await at.asked()
        assert await at.house.command("ann", "new") == "Started afresh."
    async with desk(home, chat, clock) as at:
        posts = await at.after(1, chat.click("ann", ref, "approve"))
        assert "it ran" in posts[0]
        assert at.lines == [json.dumps(ARGUMENTS)]


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        pytest.param("role", "no tool named 'publish'", id="the role of who asked"),
        pytest.param("tool", "publish", id="the tool itself"),
    ],
)
async def test_what_was_lost_meanwhile_stops_the_approved_call(lost: str, words: str, home: Path):
    async with desk(home) as at:
        ref = await at.asked()
        if lost == "role":
            await at.house.change_contacts("role: Friend", "role: Guest")
        else:
            (home / "prompts/tools/shared/publish.md").unlink()
            await at.house.app.house.tooling.catalog.reload_changed()
        posts = await at.after(2, at.house.chat.command("ann", "approve", ref))
        assert "it failed" in posts[0]
        assert words in posts[0]
        assert at.lines == []


async def test_a_person_banned_meanwhile_gets_no_answer(home: Path):
    async with desk(home) as at:
        ref, chat = await at.asked(plan="wipe"), at.house.chat
        await at.house.change_contacts("role: Friend", "role: Banned")
        requests = len(at.model.requests)
        assert await at.after(1, chat.command("owner", "approve", ref)) == [
            f"Approval {ref}: approved."
        ]
        assert at.lines == []
        assert len(at.model.requests) == requests


@pytest.mark.parametrize(
    ("said", "ran", "closed"),
    [
        ("approve", ['{"to": "one"}', '{"to": "two"}'], "Approved by Ann"),
        ("approve 2", ['{"to": "two"}'], "Approved by Ann: 2, not 1"),
        pytest.param(
            "approve the only one 2", ['{"to": "two"}'], "Approved by Ann: 2, not 1", id="no ref"
        ),
        ("reject", [], "Rejected by Ann"),
    ],
)
async def test_risky_calls_of_a_turn_share_one_card(
    said: str, ran: list[str], closed: str, home: Path
):
    async with desk(home) as at:
        ref, chat = await at.asked(plan="two"), at.house.chat
        [card] = chat.cards
        assert card.text.startswith("**Ann asks to make 2 calls** (it ")
        assert f"`/approve {ref} 1` runs only some of them" in card.text
        assert [choice.verb for choice in card.choices] == ["approve", "reject"]
        assert await at.house.command("ann", "approvals") == f"- {ref}: 2 calls"
        verb, _, line = said.partition(" ")
        only = line.removeprefix("the only one ")
        args = f"{ref} {line}" if line == only else only
        posts = await at.after(1 + bool(ran), chat.command("ann", verb, args))
        assert at.lines == ran
        assert any(text.startswith(f"Approval {ref}: {verb}") for text in posts)
        told = json.dumps(at.model.requests[-1].messages)
        assert told.count("; it ran.") == len(ran)
        states = [one.state for one in await at.house.app.approvals.newest()]
        assert states.count(ApprovalState.DONE) == len(ran) + (1 if ran else 0)
        assert ApprovalState.OPEN not in states
        await until(lambda: chat.closed)
        assert list(chat.closed.values()) == [[closed]]


async def test_a_call_that_shares_a_card_names_it(home: Path):
    async with desk(home) as at:
        ref = await at.asked(plan="two")
        own = [one for one in await at.house.app.approvals.newest() if one.bundle]
        found = {await at.house.command("ann", "approve", one.ref) for one in own}
        assert found == {
            f"Approval {one.ref} is call {line} of {ref}: use `/approve {ref} {line}`."
            for one, line in zip(
                sorted(own, key=lambda one: str(one.arguments)), (1, 2), strict=True
            )
        }
        assert at.lines == []


async def test_a_delegated_agents_call_has_a_card_and_runs_with_its_tools(home: Path):
    async with desk(home) as at:
        ref, chat = await at.asked(plan="clerk"), at.house.chat
        posts = await at.after(1, chat.click("ann", ref, "approve"))
        assert "stamp was approved by ann; it ran. / stamp ran" in posts[0]
        assert at.lines == ['{"to": "letter"}']


async def test_an_unknown_reference_is_answered_in_words(home: Path):
    async with desk(home) as at:
        assert await at.house.command("ann", "approve") == "No approval is waiting for you."
        for ref in ("a2345678z", "nonsense", "'; DROP TABLE approvals; --"):
            said = f"There is no approval {ref.partition(' ')[0]}."
            assert await at.house.command("ann", "approve", ref) == said
