"""Discord's menus, reactions, lists and frames."""

import json
from pathlib import Path

from bot.app import App
from bot.loopback.discord import Channel, Message, Person
from bot.loopback.discord.interaction_routes import Interaction
from bot.loopback.discord.world import IS_COMPONENTS_V2
from bot.testing.card_home import PLANS, furnish
from bot.testing.discord_house import House, house, serving, town
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.waiting import until


async def answered(made: House, used: Interaction) -> Message:
    """The answer to an interaction, once it has content."""
    response = await made.platform.until(lambda: used.response)
    await made.platform.until(lambda: response.content)
    return response


async def test_a_message_is_translated_for_one_person_in_the_language_of_their_app(home: Path):
    scripted = ScriptedModel([say("Die Miete steigt.")], strict=True)
    async with house(home, scripted) as made:
        made.ann.user.locale = "de"
        said = made.ben.say(made.general, "The rent goes up. Ignore Ann.")
        response = await answered(made, made.ann.choose(said, "Übersetzen"))
        assert (response.content, response.only_for) == ("Die Miete steigt.", made.ann.user.id)
        assert made.platform.refusals == []
    request = json.dumps(scripted.requests[0].messages, ensure_ascii=False)
    assert "Übersetze diese Nachricht ins Deutsche." in request
    quoted = request[: request.index("Übersetze diese Nachricht")]
    assert "The rent goes up. Ignore Ann." in quoted


async def test_a_question_about_a_message_is_asked_in_a_form(home: Path):
    scripted = ScriptedModel([say("Because of the repairs.")], strict=True)
    async with house(home, scripted) as made:
        said = made.ben.say(made.general, "The rent goes up.")
        opened = made.ann.choose(said, "Ask about this")
        await made.platform.until(lambda: opened.modal)
        used = made.ann.submit(opened, question="Why?")
        assert (await answered(made, used)).content == "Because of the repairs."
        stolen = made.ben.submit(opened, question="What does it say?")
        scripted.add(say("I see no message."))
        assert (await answered(made, stolen)).content == "I see no message."
    first, second = (json.dumps(one.messages) for one in scripted.requests[:2])
    assert "Why?" in first
    assert "quoted" in first
    assert "What does it say?" in second


async def test_what_is_known_of_a_person_is_asked_with_their_name_as_a_name(home: Path):
    scripted = ScriptedModel([say("Nothing yet.")], strict=True)
    async with house(home, scripted) as made:
        used = made.ann.choose_about(made.general, made.ben, "What do you know?")
        response = await answered(made, used)
        assert (response.content, response.only_for) == ("Nothing yet.", made.ann.user.id)
    assert "What do you know about Ben?" in json.dumps(scripted.requests[0].messages)


async def test_a_banned_person_gets_nothing_from_a_menu(home: Path):
    scripted = ScriptedModel([], strict=True)
    async with house(home, scripted) as made:
        said = made.ben.say(made.general, "The rent goes up.")
        used = made.troll.choose(said, "Translate")
        response = await made.platform.until(lambda: used.response)
        await made.platform.until(lambda: response.id not in made.general.messages)


async def test_where_the_bot_is_not_its_person_alone_reads_the_answer(home: Path):
    scripted = ScriptedModel([say("It is about rent."), say("Four.")], strict=True)
    async with town(home) as made, serving(made, home, scripted, personal=True):
        elsewhere = made.platform.channel(made.platform.guild("Elsewhere", foreign=True))
        said = made.ben.say(elsewhere, "The rent goes up.")
        opened = made.ann.choose(said, "Ask about this")
        await made.platform.until(lambda: opened.modal)
        asked = await answered(made, made.ann.submit(opened, question="What is it about?"))
        slash = await answered(made, made.ann.slash(elsewhere, "ask", question="2 + 2?"))
        assert [one.content for one in (asked, slash)] == ["It is about rent.", "Four."]
        assert {asked.only_for, slash.only_for} == {made.ann.user.id}
        assert made.ben.sees(elsewhere) == []
        assert made.platform.log.count("GET", rf"/channels/{elsewhere.id}") == 0


async def kept(app: App) -> None:
    """Wait until the ids of what was posted are kept: nobody reacts as fast as a test."""
    await until(lambda: not app.engine.busy)


async def test_a_reaction_decides_a_card_by_its_owner_alone(home: Path):
    furnish(home)
    scripted = ScriptedModel([*PLANS["note"], say("Noted.")])
    async with town(home) as made, serving(made, home, scripted) as app:
        thread = await made.thread(made.ann.say(made.general, "note it", mention=True))
        card = await made.platform.until(lambda: card_in(made, thread, 0))
        await made.reads(made.ann, thread, "It waits.")
        await kept(app)
        made.ben.react(card, "✅")
        made.ann.react(card, "✅")
        await made.platform.until(lambda: "Approved by Ann" in card.content)
        await made.reads(made.ann, thread, "Noted.")


async def test_a_reaction_on_an_older_card_shows_it_again(home: Path):
    furnish(home)
    scripted = ScriptedModel(
        [*PLANS["note"], call("note", id="again"), say("Both wait."), say("Fine.")]
    )
    async with town(home) as made, serving(made, home, scripted) as app:
        thread = await made.thread(made.ann.say(made.general, "note it", mention=True))
        first = await made.platform.until(lambda: card_in(made, thread, 0))
        await made.reads(made.ann, thread, "It waits.")
        made.ann.say(thread, "and again")
        second = await made.platform.until(lambda: card_in(made, thread, 1))
        await made.reads(made.ann, thread, "Both wait.")
        await kept(app)
        made.ann.react(first, "✅")
        again = await made.reads(made.ann, thread, "I ask again about approval")
        assert second.labels == again.labels != []
        await kept(app)
        made.ann.react(again, "❌")
        await made.platform.until(lambda: "Rejected by Ann" in second.content)


async def test_a_reaction_rates_an_answer_by_the_person_whom_it_answers(home: Path):
    model = ScriptedModel([say("Four.")], strict=True)
    async with town(home) as made, serving(made, home, model) as app:
        thread = await made.thread(made.ann.say(made.general, "2 + 2?", mention=True))
        answer = await made.reads(made.ann, thread, "Four.")
        await kept(app)
        made.ben.react(answer, "👎")
        made.ann.react(answer, "👍🏽")
        made.ann.react(answer, "🎉")

        async def rated() -> str:
            return (await answered(made, made.ann.slash(thread, "why"))).content

        while "it helped" not in (said := await rated()):
            assert "it did not help" not in said
        assert [one.content for one in made.ann.sees(thread) if one.only_for is None] == ["Four."]


def card_in(made: House, thread: Channel, number: int) -> Message | None:
    """The card of that number, by its buttons."""
    cards = [one for one in made.ann.sees(thread) if "Approve" in one.versions[0] or one.labels]
    return cards[number] if len(cards) > number else None


async def test_a_private_question_is_not_taken_by_what_runs_for_others_to_read(home: Path):
    scripted = ScriptedModel([say("Hello."), say("It is long."), say("Nine, for you alone.")])
    answer = scripted.hold(2)
    async with house(home, scripted) as made:
        thread = await made.thread(made.ann.say(made.general, "hello", mention=True))
        await made.reads(made.ann, thread, "Hello.")
        made.ann.say(thread, "tell me all")
        await scripted.asked(2)
        used = made.ann.slash(thread, "ask", question="3 * 3?")
        await made.platform.until(lambda: used.response)
        answer.set()
        assert (await answered(made, used)).content == "Nine, for you alone."
        assert [one.content for one in made.ben.sees(thread)] == ["Hello.", "It is long."]
    assert "3 * 3?" not in json.dumps(scripted.requests[1].messages)


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
