"""One conversation through the whole house, the same on every platform."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.app import AppOptions
from bot.domain.chat import Acceptance, ToolEnded
from bot.domain.messages import Addressed, Attachment, Place, PlatformPerson, Visibility
from bot.domain.models import ModelRequest
from bot.testing import surfaces
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import running_app
from bot.testing.home_files import know
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, call, calls, say
from bot.testing.surfaces import Surface
from bot.testing.waiting import until

HERE: dict[str, Any] = {"where": "general", "place": Place.CHANNEL}


def model(*replies: Any) -> ScriptedModel:
    return ScriptedModel(replies, strict=True)


def last_text(request: ModelRequest) -> str:
    return json.dumps(request.messages[-3:], ensure_ascii=False)


async def test_a_message_is_answered_once_and_the_session_remembers_it(home: Path):
    scripted = model(say("Hello Ann."), say("You said hi."))
    async with running_app(home, scripted, clock=FakeClock()) as house:
        assert await house.ask("ann", "hi") == "Hello Ann."
        assert await house.ask("ann", "what did I say?") == "You said hi."
        assert len(house.chat.posts) == 2
    first, second = scripted.requests
    assert second.messages[: len(first.messages)] == first.messages
    assert (second.system, second.tools) == (first.system, first.tools)
    assert "(Friend)" in json.dumps(first.messages)
    assert "+0100 (Europe/Berlin" in json.dumps(first.messages)


async def test_a_new_session_sees_the_conversation_again_unless_a_person_asked_for_it(home: Path):
    scripted = model(say("Hello."), say("Still here."), say("Back."), say("Blank."))
    clock = FakeClock()
    here: dict[str, Any] = {"where": "room", "place": Place.CHANNEL, "addressed": Addressed.MENTION}
    async with running_app(home, scripted, clock=clock) as house:
        await house.chat.say("ben", "lunch is at noon", **{**here, "addressed": Addressed.NONE})
        await house.ask("ann", "hi", **here)
        await house.ask("ann", "and now?", **here)
        await clock.advance(timedelta(hours=1).total_seconds())
        await house.ask("ann", "good morning", **here)
        await house.order("ann", "new", **here)
        await house.ask("ann", "all gone?", **here)
    first, second, third, fourth = (json.dumps(request.messages) for request in scripted.requests)
    assert first.count("lunch is at noon") == second.count("lunch is at noon") == 1
    assert "[you, to ann] Still here." in third, "an answer of the earlier session"
    assert third.count("lunch is at noon") == 1
    assert "lunch" not in fourth


async def test_a_tool_is_found_unlocked_and_used_without_changing_the_prefix(home: Path):
    scripted = model(
        call("tool_search", {"pattern": "manage_n*"}),
        call("manage_notes", {"action": "add", "is_agent_note": False, "title": "buy milk"}),
        say("I noted it."),
        call("manage_notes", {"action": "list", "is_agent_note": False}),
        say("Milk."),
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "note that I buy milk") == "I noted it."
        assert await house.ask("ann", "what is on it?") == "Milk."
        ended = [
            update
            for live in house.chat.lives
            for update in live.updates
            if isinstance(update, ToolEnded)
        ]
        assert [(update.name, update.ok) for update in ended] == [
            ("tool_search", True),
            ("manage_notes", True),
            ("manage_notes", True),
        ]
    assert "buy milk" in last_text(scripted.requests[4])
    for before, after in zip(scripted.requests, scripted.requests[1:], strict=False):
        assert (after.system, after.tools) == (before.system, before.tools)
        assert after.messages[: len(before.messages)] == before.messages


async def test_what_a_search_only_names_is_named_as_it_is_called(home: Path):
    scripted = model(
        call("tool_search", {"query": "plan with several steps"}),
        say("Named."),
        call("tool_search", {"query": "write a new tool; weather"}),
        say("None."),
    )
    async with running_app(home, scripted) as house:
        await house.ask("ann", "hello")
        await house.ask("stranger", "hello")
    named, nothing = (last_text(scripted.requests[at]) for at in (1, 3))
    assert "Callable, too: " in named
    assert "plan(goal)" in named
    assert "Use one of `closest` only if it is what is wanted." in nothing


async def test_a_forbidden_tool_is_refused_in_words_the_model_can_use(home: Path):
    scripted = model(
        call("current_time", {}),
        call("manage_notes", {"action": "list", "is_agent_note": False}),
        call("no_such_tool", {}),
        say("I can't."),
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("stranger", "notes please") == "I can't."
        audit = await house.app.approvals.audit()
    assert "Unlocked now: current_time." in json.dumps(scripted.requests[1].messages), (
        "what is open runs at once"
    )
    assert "tool_search" in last_text(scripted.requests[2])
    assert [entry.tool for entry in audit] == ["manage_notes"]


async def test_no_request_names_a_tool_that_the_role_lacks(home: Path):
    steps = call("tool_search", {"pattern": "*"}), call("get_capabilities", {}), say("All.")
    async with running_app(home, scripted := ScriptedModel()) as house:
        for who in ("stranger", "ann", "ben", "owner"):
            before = len(scripted.requests)
            scripted.replace(*steps)
            await house.ask(who, "what can you do?")
            role = house.app.contacts.resolve("discord", "w", PlatformPerson(who, who)).role
            lacking = {
                tool.definition.name
                for tool in house.app.house.tooling.catalog.snapshot.tools
                if not tool.definition.access.allows(role)
            }
            assert who != "stranger" or "manage_notes" in lacking
            for request in scripted.requests[before:]:
                sent = json.dumps([request.system, request.tools, request.messages])
                assert [name for name in lacking if name in sent] == [], who


async def test_a_question_waits_and_its_answer_goes_to_the_model(home: Path):
    scripted = model(
        call("ask_user_for_clarification", {"question": "Which one?", "options": ["red", "blue"]}),
        say("Blue it is."),
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "paint it") == "Which one?"
        assert [choice.label for choice in house.chat.posts[0].message.choices] == ["red", "blue"]
        assert await house.ask("ann", "blue") == "Blue it is."
    assert "blue" in last_text(scripted.requests[1])
    assert len(scripted.requests) == 2


async def test_an_answer_may_rest_on_what_others_said_meanwhile(home: Path):
    scripted = model(
        call("ask_user_for_clarification", {"question": "Where?"}), say("Thanks, Ben."), say("Ok.")
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "plan the trip", **HERE) == "Where?"
        await house.ask("ben", "to Leipzig, by train", **HERE)
        assert await house.ask("ann", "as Ben says", **HERE) == "Ok."
        assert "[ben (ben)] to Leipzig" in json.dumps(scripted.requests[2].messages)
        scripted.add(say("Yes."))
        await house.ask("ann", "good", **HERE)
    told = json.dumps(scripted.requests[-1].messages)
    assert told.count("to Leipzig, by train") == 1
    assert "[ben (ben)] to Leipzig, by train" in told
    assert "as Ben says" in told


SILENT = call("finish_task", {"answer": "It is for Ann.", "status": "silent"})


async def test_a_message_in_a_thread_that_is_for_somebody_else_gets_no_answer(home: Path):
    scripted = model(say("Hello."), SILENT)
    thread = {"where": "thread", "place": Place.THREAD, "visibility": Visibility.PUBLIC}
    async with running_app(home, scripted) as house:
        await house.ask("ann", "hello", **thread)
        await house.chat.say("ben", "Ann, lunch?", addressed=Addressed.FOLLOWED, **thread)
        await house.until_idle()
        assert house.chat.texts == ["Hello."]
        assert "if this is for one of them" in json.dumps(scripted.requests[1].messages)
        assert "nothing was posted" in await house.command("ben", "why", **thread)
        again = {"answer": "For Ann.", "status": "silent"}
        scripted.add(call("finish_task", again, id="two"), say("Here I am."))
        assert await house.ask("ben", "and you?", **thread) == "Here I am."
        assert "somebody waits for this answer" in json.dumps(scripted.requests[-1].messages)


async def test_who_answers_a_question_is_answered_though_nobody_was_named(home: Path):
    asks = call("ask_user_for_clarification", {"question": "For two?"})
    scripted = model(say("Hello."), asks, SILENT, say("Booked."))
    thread = {"where": "thread", "place": Place.THREAD, "visibility": Visibility.PUBLIC}
    async with running_app(home, scripted) as house:
        await house.ask("ann", "hello", **thread)
        for said in ("a table at noon", "yes"):
            await house.chat.say("ben", said, addressed=Addressed.FOLLOWED, **thread)
            await house.quiet()
        assert house.chat.texts == ["Hello.", "For two?", "Booked."]


@pytest.mark.parametrize(
    ("first", "shown"),
    [
        pytest.param((), ["Hello.", "Booked."], id="while a reply was written"),
        pytest.param(("hi",), ["Hello.", "One.", "Booked."], id="while an earlier turn ran"),
    ],
)
async def test_who_names_the_assistant_in_the_next_line_is_answered(
    first: tuple[str, ...], shown: list[str], home: Path
):
    scripted = model(say("Hello."), say("One."), SILENT, say("Booked."))
    hold = scripted.hold(2)
    thread = {"where": "thread", "place": Place.THREAD, "visibility": Visibility.PUBLIC}
    async with running_app(home, scripted) as house:
        await house.ask("ann", "hello", **thread)
        for said in first:
            await house.chat.say("ben", said, **thread)
            await scripted.asked(2)
        noon = datetime(2026, 3, 2, 12, tzinfo=UTC)
        followed = {"addressed": Addressed.FOLLOWED, "at": noon, **thread}
        await house.chat.say("ben", "a table at noon", **followed)
        await scripted.asked(2)
        await house.chat.say("ben", "@Bellhop, for two", at=noon, **thread)
        hold.set()
        await house.quiet()
        assert house.chat.texts == shown


async def test_why_in_a_channel_means_the_threads_below_it_too(home: Path):
    """Slack takes no commands in threads, and a mention opens one."""
    below = {"where": "thread", "place": Place.THREAD, "channel": "general"}
    async with running_app(home, model(say("Hello."), say("Hi."))) as house:
        await house.ask("ann", "hello", **below)
        await house.ask("ann", "hello", **{**below, "where": "other", "channel": "garden"})
        assert "**t1**" in await house.command("ann", "why", **HERE)
        assert "no message of yours" in await house.command("ben", "why", **HERE)


@pytest.mark.parametrize("waits", [True, False], ids=["once it waits", "faster than its record"])
async def test_a_click_answers_a_question(waits: bool, home: Path):
    asks = {"question": "Sure?", "options": ["yes", "no"]}
    scripted = model(call("ask_user_for_clarification", asks), say("Done."))
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "delete it")
        choice = (await house.chat.until(1))[0].message.choices[0]
        if waits:
            await house.until_idle()
        clicked = await house.chat.click("ann", choice.ref, choice.verb, choice.value)
        assert clicked is Acceptance.CONTROL or not waits
        assert (await house.chat.until(2))[1].text == "Done."
        await house.until_idle()
        assert await house.press("ann", choice) == ["That question is not open any more."]


async def test_a_delegate_gets_the_brief_alone_and_its_reply_is_its_final_text(home: Path):
    scripted = model(
        call("agent_observer", {"instruction": "look at the last cycle", "context": "ann asks"}),
        call("recall_recent", {"limit": 1}),
        say("Nothing unusual."),
        say("The observer found nothing unusual."),
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "anything odd?") == "The observer found nothing unusual."
        cycles = await house.app.cycle_log.recent("ann", 1)
        events = await house.app.cycle_log.events(cycles[0].cycle_id)
    child = scripted.requests[1]
    text = child.messages[0]["content"][-1]["text"]
    assert text == "Context: ann asks\n\nInstruction: look at the last cycle"
    assert "anything odd?" not in json.dumps(child.messages)
    assert "Local time " in child.messages[0]["content"][0]["text"]
    assert "send one short message" in json.dumps(scripted.requests[0].system)
    assert "send one short message" not in json.dumps(child.system), (
        "nobody listens to a specialist"
    )
    parent_result = scripted.requests[3].messages[-2:]  # with the note of the unlocking
    assert "Nothing unusual." in json.dumps(parent_result)
    assert "recall_recent" not in json.dumps(parent_result)
    assert {"agent_cycle_start", "agent_cycle_complete", "tool_call", "llm_response"} <= {
        event.type.value for event in events
    }


async def test_finish_task_ends_the_run_and_skips_what_stands_behind_it(home: Path):
    scripted = model(
        calls(
            ("save_fact", {"key": "a", "value": "1"}),
            ("finish_task", {"answer": "Ready."}),
            ("send", {"text": "x"}),
        ),
        say("Again."),
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "go") == "Ready."
        assert await house.ask("ann", "and now?") == "Again."
        assert house.chat.texts == ["Ready.", "Again."]
    assert "skipped" in json.dumps(scripted.requests[1].messages)


async def test_send_posts_at_once_and_the_answer_does_not_repeat_it(home: Path):
    scripted = model(call("send", {"text": "Working on it."}), say("Working on it."), say("Next."))
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "go") == "Working on it."
        assert await house.ask("ann", "more") == "Next."
        assert house.chat.texts == ["Working on it.", "Next."]


async def test_two_people_in_one_channel_never_share_tool_results(home: Path):
    scripted = model(
        call("save_fact", {"key": "code", "value": "ANN-SECRET"}),
        say("Noted, Ann."),
        say("Hello Ben."),
    )
    async with running_app(home, scripted) as house:
        await house.ask("ann", "my code is in my head", where="room", place=Place.CHANNEL)
        await house.ask("ben", "hello", where="room", place=Place.CHANNEL)
    ben = json.dumps(scripted.requests[2].messages)
    assert "ANN-SECRET" not in ben
    assert "my code is in my head" in ben  # visible in the channel, quoted
    assert '<quoted kind=\\"messages in this conversation\\"' in ben


async def test_unaddressed_messages_are_context_and_start_no_turn(home: Path):
    scripted = model(say("It was green."))
    async with running_app(home, scripted) as house:
        accepted = await house.chat.say(
            "ben", "the light is green", where="room", place=Place.CHANNEL, addressed=Addressed.NONE
        )
        assert accepted is Acceptance.CONTEXT
        assert (
            await house.ask("ann", "what was it?", where="room", place=Place.CHANNEL)
            == "It was green."
        )
    assert "the light is green" in json.dumps(scripted.requests[0].messages)


async def test_a_banned_person_is_never_answered(home: Path):
    async with running_app(home, model()) as house:
        assert await house.chat.say("troll", "hello?") is Acceptance.IGNORED
        assert await house.chat.command("troll", "help") is Acceptance.IGNORED
        assert house.chat.posts == []


async def test_the_same_event_three_times_is_one_answer(home: Path):
    async with running_app(home, model(say("Once."))) as house:
        message = house.chat.message("ann", "hi", key="fake:same")
        outcomes = [await house.chat.deliver(message) for _ in range(3)]
        await house.chat.until(1)
        assert outcomes == [Acceptance.TURN, Acceptance.DUPLICATE, Acceptance.DUPLICATE]
        assert house.chat.texts == ["Once."]


async def test_odd_messages_get_a_polite_answer(home: Path):
    async with running_app(home, model()) as house:
        assert "empty" in await house.ask("ann", "   ")
        assert "100,000 characters" in await house.ask("ann", "x" * 100_000)
        assert "/frobnicate" in await house.command("ann", "frobnicate")
        assert "/help" in await house.command("ann", "hlp")
        assert "/stop" in await house.command("ann", "help")
        assert "Nothing is running" in await house.command("ann", "stop")


async def test_help_names_to_each_role_what_it_may_use(home: Path):
    know(home, pat="MasterAdmin")
    async with running_app(home, model()) as house:
        guest, owner = await house.command("gus", "help"), await house.command("pat", "help")
    for name in ("`/pair ", "`/tools "):
        assert name not in guest
        assert name in owner
    for name in ("`/todo ", "`/skills "):
        assert name in guest


async def test_the_list_of_commands_stays_out_of_requests_and_makes_no_doubt(home: Path):
    todo = {"action": "create", "title": "Zug buchen", "dueDate": "Freitag"}
    model = ScriptedModel([call("manage_todos", todo), say("Gern.")], strict=True)
    async with running_app(home, model) as house:
        await house.command("ann", "help")
        assert await house.ask("ann", "erinnere mich am Freitag an die Fahrt") == "Gern."
        assert not house.cards
    opened = json.dumps(model.requests[0].messages)
    assert "what I can do here, and which commands there are" in opened
    assert "/status" not in opened


async def test_files_come_in_as_quoted_text_and_a_lost_one_is_named(home: Path):
    chat = FakeChat()
    chat.files["f1"] = b"budget: 40"
    files = (
        Attachment("f1", "plan.txt", "text/plain", 10),
        Attachment("f2", "gone.txt", "text/plain", 10),
    )
    scripted = model(say("Forty."))
    async with running_app(home, scripted, chat) as house:
        assert await house.ask("ann", "what is the budget?", attachments=files) == "Forty."
    request = json.dumps(scripted.requests[0].messages)
    assert "budget: 40" in request
    assert "gone.txt could not be read" in request


async def test_new_starts_afresh_and_status_tells(home: Path):
    scripted = model(say("One."), say("Two."))
    async with running_app(home, scripted) as house:
        await house.ask("ann", "remember the word pumpkin")
        told = await house.command("ann", "status")
        assert "scripted model" in told
        assert "Off here" not in told
        assert "Off here: commands in projects (pm_shell)" in await house.command("owner", "status")
        assert await house.command("ann", "new") == "Started afresh."
        await house.ask("ann", "which word?")
    assert "pumpkin" not in json.dumps(scripted.requests[1].messages)


SAID = (("keep the code in mind", "Kept."), ("paint it", "Which colour?"), ("blue", "Blue it is."))


async def converse(home: Path, place: Surface) -> list[Any]:
    """Hold the conversation; returns the last request's messages without operator's notes."""
    (home / "contacts.yaml").write_text(
        f"- {{id: ann, name: Ann, role: Friend, ids: {{{place.person}}}}}\n"
    )
    model = ScriptedModel(
        [
            call("save_fact", {"key": "code", "value": "1234"}, id="one"),
            say("Kept."),
            call("ask_user_for_clarification", {"question": "Which colour?"}, id="two"),
            say("Blue it is."),
        ],
        strict=True,
    )
    async with running(AppOptions(home, [place.chat], model)) as app:
        await until(place.ready)
        for words, answer in SAID:
            place.say(words)
            await place.reads(answer)
            await until(lambda: not app.engine.busy)
    return [message for message in model.requests[-1].messages if message["role"] != "system"]


async def test_the_transcript_is_the_same_on_every_platform(tmp_path: Path):
    transcripts: list[str] = []
    for platform in (surfaces.terminal, surfaces.discord, surfaces.slack):
        home = tmp_path / platform.__name__
        home.mkdir()
        async with platform(home) as place:
            transcripts.append(json.dumps(await converse(home, place), indent=1))
    assert transcripts[1] == transcripts[0]
    assert transcripts[2] == transcripts[0]
    assert "blue" in transcripts[0]
