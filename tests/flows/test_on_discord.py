"""A whole house on Discord: conversations, edits, files, and what breaks on the way."""

import json
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject
from bot.loopback.discord import Fault
from bot.testing.discord_house import house, serving, town
from bot.testing.discord_town import QUICK
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import HurriedClock


async def test_a_conversation_from_mention_to_long_answer(home: Path):
    long_answer = "\n\n".join(f"Paragraph {number}. {'word ' * 80}" for number in range(8))
    scripted = ScriptedModel(
        [
            say("Hello Ann."),
            call("tool_search", {"pattern": "manage_todos"}),
            call("manage_todos", {"action": "create", "title": "buy milk"}),
            call(
                "ask_user_for_clarification",
                {"question": "Which day?", "options": ["Monday", "Tuesday"]},
            ),
            say("Milk on Tuesday."),
            say("It says: inside."),
            say(long_answer),
        ],
        strict=True,
    )
    async with house(home, scripted) as made:
        root = made.ann.say(made.general, "hello", mention=True)
        thread = await made.thread(root)
        await made.reads(made.ann, thread, "Hello Ann.")
        made.ann.say(thread, "add milk to my todos")
        question = await made.reads(made.ann, thread, "Which day?")
        made.ann.click(question, "Tuesday")
        await made.reads(made.ann, thread, "Milk on Tuesday.")
        await made.platform.until(
            lambda: (question.content, question.labels) == ("Which day?\n-# Answered: Tuesday", [])
        )
        made.ann.upload(thread, "notes.txt", b"the inside of the file", "what does it say?")
        await made.reads(made.ann, thread, "It says: inside.")
        made.ann.say(thread, "tell me everything")
        await made.reads(made.ann, thread, "Paragraph 7.")
        assert all(len(message.content) <= 2000 for message in made.ann.sees(thread))
        assert made.platform.refusals == []
    assert "Tuesday" in json.dumps(scripted.requests[4].messages[-2:])
    assert "the inside of the file" in json.dumps(scripted.requests[5].messages[-2:])


async def test_two_people_in_one_thread_keep_their_sessions_apart(home: Path):
    scripted = ScriptedModel([say("Hello Ann."), say("Hello Ben.")], strict=True)
    async with house(home, scripted) as made:
        thread = await made.thread(made.ann.say(made.general, "hello from ann", mention=True))
        await made.reads(made.ann, thread, "Hello Ann.")
        made.ben.say(thread, "hello from ben")
        await made.reads(made.ben, thread, "Hello Ben.")
    assert "Ben (Partner, id ben)" in json.dumps(scripted.requests[1].messages)
    assert "role Friend" not in json.dumps(scripted.requests[1].messages)
    assert "hello from ann" in json.dumps(scripted.requests[1].messages)


async def test_a_stop_in_mid_stream_stops_and_leaves_no_draft(home: Path):
    scripted = ScriptedModel(
        [call("calculate", {"expression": "1+1"}, text="Let me see."), say("never said")]
    )
    never = scripted.hold(2)
    async with house(home, scripted, QUICK, HurriedClock()) as made:
        root = made.ann.say(made.general, "think", mention=True)
        thread = await made.thread(root)
        draft = await made.platform.until(lambda: made.ann.sees(thread)[:1])
        assert draft[0].labels == ["Stop"]
        made.ann.click(draft[0], "Stop")
        await made.reads(made.ann, thread, "Stopping.")
        await made.platform.until(
            lambda: all(message.labels != ["Stop"] for message in made.ann.sees(thread))
        )
        never.set()
        assert all("never said" not in message.content for message in made.ann.sees(thread))


async def test_everything_delivered_three_times_is_answered_once(home: Path):
    async with house(home, ScriptedModel([say("Once."), say("Twice.")])) as made:
        made.platform.gateway.copies = 3
        thread = await made.thread(made.ann.say(made.general, "one", mention=True))
        await made.reads(made.ann, thread, "Once.")
        made.ann.say(thread, "two")
        await made.reads(made.ann, thread, "Twice.")
        made.ann.slash(thread, "status")
        await made.reads(made.ann, thread, "role Friend")
        assert len(made.ann.sees(thread)) == 3


async def test_a_banned_person_and_another_bot_get_no_answer(home: Path):
    async with house(home, ScriptedModel([say("Hello Ann.")])) as made:
        robot = made.platform.person("Robot", bot=True)
        robot.say(made.general, "hello", mention=True)
        made.troll.say(made.general, "hello", mention=True)
        made.troll.say(made.troll.dm, "hello")
        made.troll.slash(made.general, "status")
        await made.platform.until(lambda: made.platform.log.count("DELETE", "/webhooks/.*"))
        thread = await made.thread(made.ann.say(made.general, "hello", mention=True))
        await made.reads(made.ann, thread, "Hello Ann.")
        assert made.troll.sees(made.general) == made.troll.sees(made.troll.dm) == []


async def test_a_turn_that_a_restart_cuts_is_answered_once(home: Path):
    async with town(home) as made:
        first, second = (
            ScriptedModel([say("never said")]),
            ScriptedModel([say("Hello Ann."), say("And again.")]),
        )
        first.hold(1)
        async with serving(made, home, first, QUICK):
            root = made.ann.say(made.general, "hello", mention=True)
            await first.asked(1)
        async with serving(made, home, second):
            thread = await made.thread(root)
            await made.reads(made.ann, thread, "Hello Ann.")
            made.ann.say(thread, "again")
            await made.reads(made.ann, thread, "And again.")
        assert [message.content for message in made.ann.sees(thread)] == [
            "Hello Ann.",
            "And again.",
        ]


async def test_an_answer_whose_connection_breaks_after_it_was_taken_is_seen_once(home: Path):
    async with house(home, ScriptedModel([say("Once."), say("Twice.")])) as made:
        made.platform.fault(
            Fault("POST", r"/channels/\d+/messages", after_processing=True, times=3)
        )
        thread = await made.thread(made.ann.say(made.general, "one", mention=True))
        await made.reads(made.ann, thread, "Once.")
        made.ann.say(thread, "two")
        await made.reads(made.ann, thread, "Twice.")
        assert [message.content for message in made.ann.sees(thread)] == ["Once.", "Twice."]


POSTS = r"/channels/\d+/messages"
FORBIDDEN: JsonObject = {"code": 50013, "message": "Missing Permissions"}


async def test_a_message_of_only_a_file_is_answered_from_the_file(home: Path):
    scripted = ScriptedModel([say("It is a list.")], strict=True)
    async with house(home, scripted) as made:
        made.ann.upload(made.ann.dm, "notes.txt", b"milk, bread")
        await made.reads(made.ann, made.ann.dm, "It is a list.")
    assert "milk, bread" in json.dumps(scripted.requests[0].messages)


@pytest.mark.parametrize("gone", [False, True])
async def test_an_expired_file_link_is_renewed_and_a_deleted_file_is_named(home: Path, gone: bool):
    scripted = ScriptedModel([say("I see.")], strict=True)
    async with house(home, scripted) as made:
        sent = made.ann.upload(made.ann.dm, "notes.txt", b"milk, bread", "look")
        made.platform.expire_links()
        if gone:
            made.platform.fault(Fault("GET", rf"{POSTS}/{sent.id}", status=404))
        await made.reads(made.ann, made.ann.dm, "I see.")
    told = json.dumps(scripted.requests[0].messages)
    assert ("milk, bread" in told) is not gone
    assert ("notes.txt is gone" in told) is gone


async def test_a_message_deleted_during_its_turn_is_answered_without_a_reply(home: Path):
    scripted = ScriptedModel([say("Here it is.")], strict=True)
    answer = scripted.hold(1)
    async with house(home, scripted) as made:
        root = made.ann.say(made.general, "look it up", mention=True)
        await scripted.asked(1)
        made.ann.delete(root)
        answer.set()
        await made.reads(made.ann, made.general, "Here it is.")


async def test_an_edit_after_the_answer_brings_no_second_one(home: Path):
    scripted = ScriptedModel([say("First."), say("Second.")], strict=True)
    async with house(home, scripted) as made:
        root = made.ann.say(made.general, "one", mention=True)
        thread = await made.thread(root)
        await made.reads(made.ann, thread, "First.")
        made.ann.edit(root, f"{made.platform.bot_mention} one and a half")
        made.ann.edit(root, f"{made.platform.bot_mention} /stop")
        made.ann.say(thread, "two")
        await made.reads(made.ann, thread, "Second.")
        assert [message.content for message in made.ann.sees(thread)] == ["First.", "Second."]
        assert made.ann.sees(made.general) == []


async def test_an_edit_that_adds_a_command_stops_what_runs(home: Path):
    scripted = ScriptedModel([say("never said")])
    scripted.hold(1)
    async with house(home, scripted) as made:
        said = made.ann.say(made.general, "stop that")
        root = made.ann.say(made.general, "think", mention=True)
        await scripted.asked(1)
        made.ann.edit(said, f"{made.platform.bot_mention} /stop")
        await made.reads(made.ann, made.general, "Stopping")
        await made.reads(made.ann, await made.thread(root), "Stopped.")


async def test_somebody_unknown_is_answered_in_the_default_role(home: Path):
    scripted = ScriptedModel([say("Hello stranger.")], strict=True)
    async with house(home, scripted) as made:
        zoe = made.platform.person("Zoe")
        zoe.say(zoe.dm, "hello")
        await made.reads(zoe, zoe.dm, "Hello stranger.")
    assert "(Guest)" in json.dumps(scripted.requests[0].messages)


async def test_a_command_that_comes_too_late_is_answered_directly(home: Path):
    async with house(home, ScriptedModel([])) as made:
        made.platform.interactions.too_late_s = -1.0
        made.ann.slash(made.general, "status")
        await made.reads(made.ann, made.ann.dm, "role Friend")


async def test_a_forbidden_place_is_not_retried_and_the_next_place_works(home: Path):
    scripted = ScriptedModel([say("Not seen."), say("Seen.")], strict=True)
    async with house(home, scripted) as made:
        denied = Fault(
            "POST",
            rf"/channels/({made.general.id}|\d+)/(messages|messages/\d+/threads)",
            status=403,
            times=2,
        )
        denied.body = dict(FORBIDDEN)
        made.platform.fault(denied)
        made.ann.say(made.general, "hello", mention=True)
        await made.platform.until(lambda: denied.times == 0)
        made.ann.say(made.ann.dm, "and here?")
        await made.reads(made.ann, made.ann.dm, "Seen.")
        assert made.ann.sees(made.general) == []


async def test_without_the_scope_of_commands_words_are_answered(home: Path):
    async with town(home) as made:
        made.platform.fault(
            Fault(
                "(PUT|POST)", r"/applications/\d+/.*commands", status=403, times=99, body=FORBIDDEN
            )
        )
        async with serving(made, home, ScriptedModel([say("Hello.")]), registered=False):
            made.ann.say(made.ann.dm, "hello")
            await made.reads(made.ann, made.ann.dm, "Hello.")


async def test_the_answer_stands_below_what_was_sent_on_the_way(home: Path):
    scripted = ScriptedModel(
        [
            call("calculate", {"expression": "1+1"}, text="Let me see."),
            call("send", {"text": "First news."}),
            say("It is two."),
        ],
        strict=True,
    )
    releases = [scripted.hold(at) for at in (2, 3)]
    async with house(home, scripted, QUICK, HurriedClock()) as made:
        thread = await made.thread(made.ann.say(made.general, "think", mention=True))
        sees = made.ann.sees
        await made.platform.until(lambda: [one for one in sees(thread) if one.labels == ["Stop"]])
        releases[0].set()
        await made.reads(made.ann, thread, "First news.")
        await made.platform.until(lambda: sees(thread)[-1].labels == ["Stop"])
        releases[1].set()
        await made.reads(made.ann, thread, "It is two.")
        assert [one.content for one in sees(thread)] == ["First news.", "It is two."]
        assert made.platform.refusals == []
