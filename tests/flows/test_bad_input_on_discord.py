"""Bad input on Discord with the real client: each has its outcome, nobody is left waiting."""

import json
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject
from bot.loopback.discord import Fault
from bot.testing.discord_house import house, serving, town
from bot.testing.scripted_model import ScriptedModel, say

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
