"""Small things that people see on Discord: what completes, polls, presence, help."""

import json
from pathlib import Path

from bot.loopback.discord import Person
from bot.loopback.discord.world import IS_COMPONENTS_V2
from bot.testing.card_home import PLANS, furnish
from bot.testing.discord_house import House, house
from bot.testing.scripted_model import ScriptedModel, call, say


async def offered(made: House, who: Person, command: str, option: str, text: str = "") -> list[str]:
    """The labels that they see."""
    typing = who.types(made.general, command, option, text)
    await made.platform.until(lambda: typing.choices is not None)
    return [str(choice["name"]) for choice in typing.choices or []]


async def test_each_argument_that_has_a_list_offers_what_is_ones_own(home: Path):
    furnish(home)
    scripted = ScriptedModel(
        [
            call("tool_search", {"pattern": "manage_todos"}),
            call("manage_todos", {"action": "create", "title": "buy milk"}),
            say("Milk it is."),
            *PLANS["note"][1:],
        ]
    )
    async with house(home, scripted) as made:
        thread = await made.thread(made.ann.say(made.general, "add milk", mention=True))
        await made.reads(made.ann, thread, "Milk it is.")
        todos = await offered(made, made.ann, "todo", "text")
        assert todos == ["buy milk: done", "buy milk: tomorrow", "buy milk: hour"]
        assert await offered(made, made.ann, "todo", "text", "milk tom") == ["buy milk: tomorrow"]
        assert await offered(made, made.ben, "todo", "text") == []
        assert await offered(made, made.troll, "rate", "text") == []
        assert await offered(made, made.ann, "rate", "text", "b") == ["bad"]
        assert await offered(made, made.ann, "tools", "text") == []  # a MasterAdmin's
        assert "/documents" in await offered(made, made.ann, "files", "text")
        made.ann.user.locale = "de"
        assert await offered(made, made.ann, "skill", "name", "sho") == [
            "show: was in einem Skill steht; sein Name ist die Aufgabe"
        ]
        made.ann.user.locale = "en-US"
        used = made.ann.slash(made.general, "todo", text=await value(made, made.ann, "milk done"))
        response = await made.platform.until(lambda: used.response)
        await made.platform.until(lambda: response.content)
        assert "buy milk" in response.content
        assert await offered(made, made.ann, "todo", "text") == []
        assert made.platform.refusals == []


async def value(made: House, who: Person, text: str) -> str:
    """What choosing the first offer fills in."""
    typing = who.types(made.general, "todo", "text", text)
    await made.platform.until(lambda: typing.choices)
    return str((typing.choices or [])[0]["value"])


async def test_a_poll_is_read_as_its_question_answers_and_votes(home: Path):
    scripted = ScriptedModel([say("Tea leads.")], strict=True)
    async with house(home, scripted) as made:
        poll = made.ben.poll(made.general, "Tea or coffee?", Tea=2, Coffee=1)
        asked = made.ann.say(made.general, "who leads?", mention=True, reply_to=poll)
        await made.reads(made.ann, await made.thread(asked), "Tea leads.")
    request = json.dumps(scripted.requests[0].messages)
    for part in ("[poll: Tea or coffee?]", "- Tea (2)", "- Coffee (1)"):
        assert part in request


async def test_bellhop_is_shown_with_a_way_to_help_that_knows_the_role(home: Path):
    async with house(home, ScriptedModel([])) as made:
        identified = next(data for op, data in made.platform.log.received if op == 2)
        assert identified["presence"]["game"]["state"] == "/help"
        used = made.ann.slash(made.general, "bellhop")
        response = await made.platform.until(lambda: used.response)
        await made.platform.until(lambda: response.content)
        assert "Your role here is Friend" in response.content
        assert "`/tools" not in response.content


async def test_a_question_stands_in_a_frame_and_is_answered_by_its_button(home: Path):
    async with house(home, ScriptedModel([*PLANS["ask"][:1], say("Red it is.")])) as made:
        thread = await made.thread(made.ann.say(made.general, "paint it", mention=True))
        card = await made.reads(made.ann, thread, "Which colour?")
        assert card.flags & IS_COMPONENTS_V2
        made.ann.click(card, "red")
        await made.reads(made.ann, thread, "Red it is.")
        await made.platform.until(lambda: not card.labels)
        assert card.content.startswith("Which colour?")
        assert made.platform.refusals == []
