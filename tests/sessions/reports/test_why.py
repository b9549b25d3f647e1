"""`/why` tells every fate of a message to its sender and MasterAdmins, and no others' words."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.cycles import CycleEvent, CycleEventType
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Addressed, OutgoingMessage, Place, Visibility
from bot.domain.turns import AskedQuestion, TurnRecord
from bot.errors import DeliveryError, ModelError, ModelTrouble
from bot.sessions.outbox.outbox_store import KeptSend
from bot.sessions.reports.trail import MOST_LINES, Trail, meaning
from bot.sessions.reports.trails import NOTHING_HERE
from bot.sessions.reports.why import render
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.waiting import until
from bot.tools.budget.budgets import Measure, Span
from bot.tools.toolset.view import ToolStanding

CONTACTS = """\
- {id: ann, name: Ann, role: Friend, ids: {discord: ["ann"]}}
- {id: owner, name: Olga, role: MasterAdmin, ids: {discord: ["owner"]}}
- {id: troll, name: Troll, role: Banned, ids: {discord: ["troll"]}}
"""
AT = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
RECORD = TurnRecord(
    id=111,
    ref="t3f",
    session="discord|w|dm-ann|ann|",
    key="discord:1",
    body={
        "kind": "message",
        "message": {"addressed": "mention", "text": "the secret plan", "private": False},
    },
    state="done",
    attempts=1,
    error=None,
    stop=False,
    due=None,
    accepted_at=AT,
    settled_at=AT,
)

ANSWERED = {
    "model": "m",
    "stop_reason": "tool_use",
    "input_tokens": 1200,
    "output_tokens": 7,
    "attempts": 2,
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "contacts.yaml").write_text(CONTACTS)
    return tmp_path


def event(kind: CycleEventType, step: str, **data: object) -> CycleEvent:
    return CycleEvent(kind, "c" * 32, None, 111, step, AT, "s", "ann", "assistant", data)


def told(record: TurnRecord | None = RECORD, *events: CycleEvent, **options: object) -> str:
    return render(replace(Trail("t3f", record, events), **options))  # type: ignore[arg-type]  # fields of Trail


async def ref_of(house: Harness, key: str) -> str:
    record = await house.app.engine.recorded(key)
    assert record is not None
    return record.ref


async def settled(house: Harness, key: str) -> None:
    async def is_settled() -> bool:
        record = await house.app.engine.recorded(key)
        return record is not None and record.settled_at is not None

    await until(is_settled)


# --- the lines ---


def test_it_says_when_how_addressed_and_under_which_key():
    text = told()
    assert "Accepted 2026-11-21 09:00:00 UTC, a mention, key `discord:1`" in text
    assert 'You wrote: "the secret plan"' in text


def test_only_the_sender_sees_the_words():
    asked = replace(RECORD, questions=(AskedQuestion("q1", "Which secret?", "open", AT, None),))
    assert "secret" not in told(asked, own=False, operator=True)
    assert "Question q1: asked at 09:00:00, open" in told(asked, own=False, operator=True)
    assert 'Question q1 "Which secret?"' in told(asked)


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        (
            {"state": "new", "behind": "t3e", "settled_at": None},
            "waits behind t3e of the same session",
        ),
        ({"state": "new", "settled_at": None}, "waits for its turn"),
        ({"state": "ready", "due": AT.replace(hour=10), "settled_at": None}, "goes on at 10:00:00"),
        ({"state": "waiting", "settled_at": None}, "waits for a person's answer"),
        (
            {"state": "joined", "joined_to": "t3e"},
            "joined to t3e, which was already running",
        ),
        ({"state": "failed", "attempts": 3}, "given up after 3 attempts, at 09:00:00"),
        (
            {"state": "recorded", "body": {"kind": "ignored", "why": "banned"}},
            "not answered: the sender is banned",
        ),
        (
            {"state": "recorded", "body": {"kind": "ignored", "why": "bot"}},
            "not answered: the sender is a bot",
        ),
        (
            {"state": "recorded", "body": {"kind": "context", "addressed": "none"}},
            "recorded; it starts no turn",
        ),
        (
            {"state": "recorded", "body": {"answer": "q7", "text": "blue"}},
            "taken as the answer to q7",
        ),
    ],
)
def test_every_state_has_its_outcome(change: dict[str, object], outcome: str):
    assert f"Outcome: {outcome}" in told(replace(RECORD, **change))  # type: ignore[arg-type]  # fields of TurnRecord


def test_a_turn_that_runs_now_is_told_from_one_that_will_go_on():
    running = replace(RECORD, state="running", settled_at=None)
    assert "Outcome: running right now" in told(running, running=True)
    assert "Outcome: waits for its turn" in told(running)


def test_tools_are_told_by_name_and_fate_only():
    call_ = CycleEventType.TOOL_CALL
    text = told(
        RECORD,
        event(call_, "tool:1.0", tool_name="read_file", tool_input='{"path": "/private"}'),
        event(
            CycleEventType.TOOL_RESULT,
            "tool:1.0",
            tool_name="read_file",
            success=True,
            output="a diary",
        ),
        event(call_, "tool:1.1", tool_name="send", tool_input="{}"),
        event(
            CycleEventType.TOOL_RESULT,
            "tool:1.1",
            tool_name="send",
            success=False,
            output="no",
            error="no",
        ),
        event(call_, "tool:1.2", tool_name="shell", tool_input="{}"),
        event(
            CycleEventType.POLICY_DECISION,
            "tool:1.2",
            verdict="deny",
            rule="policy:no-shell",
            tool_name="shell",
        ),
        event(call_, "tool:2.0", tool_name="current_time", tool_input="{}"),
    )
    assert "Tool `read_file`: ok" in text
    assert "Tool `send`: failed" in text
    assert "Tool `shell`: refused by the rule policy:no-shell" in text
    assert "Tool `current_time`: begun, no result yet" in text
    assert "diary" not in text
    assert "/private" not in text


def test_a_tool_that_the_role_lacks_is_named_to_the_operator_only():
    events = (
        event(CycleEventType.TOOL_CALL, "tool:1.0", tool_name="manage_notes"),
        event(
            CycleEventType.POLICY_DECISION,
            "tool:1.0",
            verdict="deny",
            rule="absent:role",
            tool_name="manage_notes",
        ),
    )
    assert "manage_notes" not in told(RECORD, *events)
    assert "A tool that is not here: refused" in told(RECORD, *events)
    assert "Tool `manage_notes`: refused by the rule absent:role" in told(
        RECORD, *events, operator=True
    )


def test_a_call_that_nobody_was_there_to_confirm_is_told_as_one():
    decision = {"verdict": "defer", "rule": "risk:destructive", "tool_name": "wipe"}
    text = told(
        RECORD,
        event(CycleEventType.TOOL_CALL, "tool:1.0", tool_name="wipe"),
        event(CycleEventType.TOOL_RESULT, "tool:1.0", tool_name="wipe", success=True),
        event(CycleEventType.POLICY_DECISION, "tool:1.0", **decision),
    )
    assert (
        "Tool `wipe`: not run then, nobody was there to say yes, put off by risk:destructive"
        in text
    )


@pytest.mark.parametrize(
    "standing", [one for one in ToolStanding if one not in {"callable", "locked", "policy"}]
)
def test_each_way_of_not_being_there_has_words(standing: ToolStanding):
    assert meaning(f"absent:{standing}")


@pytest.mark.parametrize("limit", [f"{span}_{measure}" for span in Span for measure in Measure])
def test_each_budget_has_words(limit: str):
    assert meaning(f"budget:{limit}")


def test_the_text_of_an_unexpected_error_is_for_the_operator():
    failed = replace(RECORD, attempts=2, error="ValueError: ben wrote hello, password=hunter2")
    assert "An attempt failed: ValueError" in told(failed)
    assert "ben wrote" not in told(failed)
    full = told(failed, own=False, operator=True)
    assert "ben wrote hello" in full
    assert "hunter2" not in full


def test_model_calls_are_told_with_their_figures_and_their_trouble():
    text = told(
        RECORD,
        event(CycleEventType.LLM_RESPONSE, "model:1", **ANSWERED),
        event(CycleEventType.LLM_RESPONSE, "model:2", error="overloaded: 529 from host"),
        event(CycleEventType.CYCLE_COMPLETE, "complete", status="error", error="529 from host"),
    )
    assert "Model call 1: m, 1,200 tokens in, 7 out, ended with tool_use, 2 tries" in text
    assert "Model call 2 failed: overloaded" in text
    assert "host" not in text
    assert "Outcome: no answer (error), at 09:00:00" in text


def test_sends_are_told_in_every_state():
    steps = {
        "open": {"session": "s"},
        "send:answer": {"pending": "down"},
        "send:tool:1.0": {
            "message_ids": ["1"],
            "conversation": "c",
            "sent_at": "2026-11-21T09:00:05+00:00",
        },
        "send:tool:2.0/ask": {"refused": "no such channel"},
        "send:approval:a1": {"pending": "down"},
    }
    sends = {
        "t3f/send:answer": KeptSend("pending", 2, "still down", AT.replace(minute=5)),
        "t3f/send:approval:a1": KeptSend("dropped", 9, "gone", AT),
    }
    text = told(replace(RECORD, steps=steps, begun=("send:apology",)), sends=sends)
    assert "Send of the answer: pending after 2 tries (still down), next try at 09:05:00" in text
    assert "Send in between: delivered at 09:00:05" in text
    assert "Send of the question: dropped, the platform refused it: no such channel" in text
    assert "Send of the approval card: dropped after 9 tries: gone" in text
    assert "Send of the apology: begun; whether the platform took it is not known yet" in text


@given(st.integers(0, 200))
def test_a_long_run_is_cut_and_says_where_the_rest_is(count: int):
    text = told(
        RECORD,
        *(event(CycleEventType.TOOL_CALL, f"tool:1.{n}", tool_name="x") for n in range(count)),
    )
    assert text.count("Tool `x`") == min(count, MOST_LINES)
    assert ("bellhop cycles show cccccccc" in text) == (count > MOST_LINES)


# --- who may ask, and about what ---


async def test_without_a_reference_it_is_the_newest_message_here(home: Path):
    async with running_app(
        home, ScriptedModel([say("One."), say("Two.")]), clock=FakeClock()
    ) as house:
        assert await house.command("ann", "why") == NOTHING_HERE.en
        await house.ask("ann", "first")
        await house.ask("ann", "second")
        text = await house.command("ann", "why")
        assert 'You wrote: "second"' in text
        assert "Model call 1: " in text
        assert "Send of the answer: delivered" in text
        assert "Outcome: answered" in text


async def test_somebody_elses_message_is_as_unknown_as_none(home: Path):
    async with running_app(home, ScriptedModel([say("Hi.")]), clock=FakeClock()) as house:
        await house.ask("ann", "my words")
        ref = await ref_of(house, "discord:1")
        cycle = (await house.app.cycle_log.recent("ann", 1))[0].cycle_id
        for name in (ref, "discord:1", cycle[:8], "t0zzz", "discord:99", "deadbeef"):
            assert await house.command("stranger", "why", name) == Phrase(
                "I remember nothing of '{ref}'. References look like t3f; /why alone tells about "
                "your last message."
            ).said(Language.EN, ref=name)
        for name in (ref, "discord:1", cycle[:8], f"(reference {ref})".removeprefix("(reference ")):
            text = await house.command("owner", "why", name)
            assert "Outcome: answered" in text
            assert "my words" not in text
            assert 'You wrote: "my words"' in await house.command("ann", "why", name)


async def test_ignored_messages_are_explained_to_the_owner_by_key(home: Path):
    async with running_app(home, ScriptedModel([]), clock=FakeClock()) as house:
        await house.chat.say("troll", "let me in", key="discord:bad")
        await house.chat.say(
            "ann",
            "just talking",
            where="room",
            place=Place.CHANNEL,
            addressed=Addressed.NONE,
            key="discord:talk",
        )
        assert "not answered: the sender is banned" in await house.command(
            "owner", "why", "discord:bad"
        )
        assert "not answered: it was not addressed to me" in await house.command(
            "owner", "why", "discord:talk"
        )
        assert await house.chat.command("troll", "why", "discord:bad") is not None
        assert "not answered: it was not addressed to me" in await house.command(
            "ann", "why", "discord:talk"
        )


async def test_private_turns_are_not_explained_in_a_channel(home: Path):
    async with running_app(home, ScriptedModel([say("Hi.")]), clock=FakeClock()) as house:
        await house.ask("ann", "between us")
        ref = await ref_of(house, "discord:1")
        for count, who in enumerate(("ann", "owner"), start=2):
            await house.chat.command(who, "why", ref, where="room", place=Place.CHANNEL)
            await house.chat.until(count)
        own, owners = (post.message for post in house.chat.posts[1:])
        assert own.text == (
            "You alone may read about that, and others read here: ask me in a direct message."
        )
        assert own.target.ephemeral_to is not None
        assert owners.text == Phrase("That happened in a private conversation; ask me there.").en


async def test_a_private_channels_events_are_told_there_and_in_dms(home: Path):
    async with running_app(home, ScriptedModel([say("Hi.")]), clock=FakeClock()) as house:
        private = {"place": Place.CHANNEL, "visibility": Visibility.PRIVATE}
        await house.tell("ann", "the merger", where="vault", **private)
        ref = await ref_of(house, "discord:1")
        answers: list[str] = []
        for count, where in enumerate(("vault", "attic"), start=2):
            await house.chat.command("ann", "why", ref, where=where, **private)
            answers.append((await house.chat.until(count))[-1].text)
        assert "the merger" in answers[0]
        assert answers[1].startswith("That was in a channel on ")
        assert house.chat.posts[-1].message.target.ephemeral_to is not None
        assert "the merger" in await house.command("ann", "why", ref)


async def test_a_joined_message_leads_to_its_turn(home: Path):
    scripted = ScriptedModel(
        [call("save_fact", {"key": "a", "value": "1"}), say("Both.")], strict=True
    )
    hold = scripted.hold(1)
    async with running_app(home, scripted, clock=FakeClock()) as house:
        await house.chat.say("ann", "first")
        await scripted.asked(1)
        await house.chat.say("ann", "and the other")
        waiting = await house.meanwhile(house.chat.command("ann", "why"))
        hold.set()
        await house.chat.until(2)
        await house.until_idle()
        text = await house.command("ann", "why")
    assert "Outcome: waits behind t" in waiting
    assert "which was already running" in text
    assert 'You wrote: "first"' in text
    assert "Outcome: answered" in text


async def test_an_answer_leads_to_the_question_that_it_answered(home: Path):
    scripted = ScriptedModel(
        [call("ask_user_for_clarification", {"question": "Which?"}), say("Blue.")], strict=True
    )
    async with running_app(home, scripted, clock=FakeClock()) as house:
        await house.ask("ann", "paint it")
        assert "Outcome: waits for a person's answer" in await house.command("ann", "why")
        assert await house.ask("ann", "blue") == "Blue."
        text = await house.command("ann", "why")
        assert "the answer to my question q1" in text
        assert 'Question q1 "Which?": asked' in text
        assert "Send of the question: delivered" in text
        assert text.endswith("Outcome: answered, at 09:00:00")
        assert 'You wrote: "paint it"' in await house.command("ann", "why", "q1")


async def test_a_send_that_waits_or_was_refused_is_told(home: Path):
    chat = FakeChat()

    def refuse(message: OutgoingMessage) -> DeliveryError | None:
        return (
            DeliveryError("the platform is down", retryable=True)
            if message.text == "Later."
            else None
        )

    chat.refuse = refuse
    async with running_app(home, ScriptedModel([say("Later.")]), chat, clock=FakeClock()) as house:
        await chat.say("ann", "hi")
        await settled(house, "discord:1")
        text = await house.command("owner", "why", "discord:1")
        assert (
            "Send of the answer: pending after 1 try (the platform is down), next try at 09:00:02"
            in text
        )
        chat.refuse = lambda _message: None
        assert await house.app.house.chats.outbox.retries.flush("discord") == 1
        assert "Send of the answer: delivered, try 2" in await house.command(
            "owner", "why", "discord:1"
        )


async def test_a_model_that_fails_is_told_by_the_reference_in_the_answer(home: Path):
    trouble = ModelError(ModelTrouble("auth", "401 from https://host.example"))
    async with running_app(home, ScriptedModel([trouble]), clock=FakeClock()) as house:
        answer = await house.ask("ann", "hi")
        ref = answer.rpartition("(reference ")[2].rstrip(")")
        text = await house.command("ann", "why", ref)
        assert "Model call 1 failed: auth" in text
        assert "host.example" not in text
        assert "host.example" in await house.command("owner", "why", ref)


async def test_a_purged_turn_is_told_from_the_cycle_log(home: Path):
    clock = FakeClock()
    async with running_app(home, ScriptedModel([say("Hi.")]), clock=clock) as house:
        await house.ask("ann", "hello")
        ref = await ref_of(house, "discord:1")
        await clock.advance(60)
        await house.app.engine.purge(clock.now())
        text = await house.command("ann", "why", ref)
        assert "purged by now" in text
        assert "Outcome: answered" in text
        assert await house.command("stranger", "why", ref) == Phrase(
            "I remember nothing of '{ref}'. References look like t3f; /why alone tells about your "
            "last message."
        ).said(Language.EN, ref=ref)
