"""Past words are found again by everybody who may read them, at once, and by nobody else."""

import json
from pathlib import Path

import pytest

from bot.domain.access import Role
from bot.domain.database import Unit
from bot.domain.messages import Addressed, Place, Visibility
from bot.domain.origins import Trust
from bot.domain.privacy import IN_DM
from bot.domain.summaries import ConversationSummary, SummaryFields
from bot.memory.summaries.log import SummaryLog
from bot.memory.summaries.store import summary_write
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say

SECRET = {"where": "plans", "place": Place.CHANNEL, "visibility": Visibility.PRIVATE}
SQUARE = {"where": "square", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
MARKET = {"where": "market", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
UNASKED = {"addressed": Addressed.NONE}


@pytest.fixture
def town(tmp_path: Path) -> tuple[Path, FakeChat]:
    people = [
        {"id": name, "name": name.title(), "role": role, "ids": {"discord": [name]}}
        for name, role in (("ann", "Friend"), ("ben", "Friend"), ("gus", "Guest"))
    ]
    (tmp_path / "contacts.yaml").write_text(json.dumps(people))
    chat = FakeChat()
    chat.readers.of = {
        "plans": {"ann", "ben"},
        "square": {"ann", "ben", "gus"},
        "market": {"ann", "ben", "gus"},
    }
    return tmp_path, chat


async def remembered(
    house: Harness, model: ScriptedModel, who: str, query: str, **where: object
) -> str:
    model.add(call("remember", {"query": query}), say("Done."))
    await house.ask(who, "what do you know?", **where)
    await house.until_idle()
    return json.dumps(model.requests[-1].messages[-2:], ensure_ascii=False)


async def test_recent_messages_are_found_by_their_readers_only(
    town: tuple[Path, FakeChat],
):
    home, chat = town
    model = ScriptedModel()
    async with running_app(home, model, chat) as house:
        await chat.say("ben", "the printer code is 5521", **SQUARE, **UNASKED)
        await chat.say("ben", "the merger printer is 7733", **SECRET, **UNASKED)
        model.add(say("Kept."))
        await house.ask("ann", "my printer at home is broken")
        await house.until_idle()

        aloud = await remembered(house, model, "ann", "printer", **MARKET)
        assert "5521" in aloud
        assert "said by ben" in aloud.casefold()
        assert "#square" in aloud
        assert "7733" not in aloud
        assert "at home" not in aloud
        alone = await remembered(house, model, "ann", "printer")
        assert "5521" in alone
        assert "7733" in alone
        assert "at home" in alone
        guest = await remembered(house, model, "gus", "printer")
        assert "7733" not in guest
        assert "at home" not in guest


async def test_answers_to_commands_are_nothing_to_remember(town: tuple[Path, FakeChat]):
    home, chat = town
    model = ScriptedModel()
    async with running_app(home, model, chat) as house:
        model.add(say("Noted."))
        await house.ask("ann", "the zeppelin lands at noon")
        await house.until_idle()
        why = await house.command("ann", "why")
        assert "zeppelin" in why
        await house.until_idle()
        found = await remembered(house, model, "ann", "zeppelin noon")
        assert "the zeppelin lands at noon" in found
        assert "one turn" not in found
        assert found.count("zeppelin lands") == 1
        today = await remembered_since(house, model, "ann", "today")
        assert "your answer" in today
        assert "tried once" not in today
        assert why[:40] not in today


async def remembered_since(house: Harness, model: ScriptedModel, who: str, since: str) -> str:
    model.add(call("remember", {"since": since}), say("Done."))
    await house.ask(who, "what was there?")
    await house.until_idle()
    return json.dumps(model.requests[-1].messages[-2:], ensure_ascii=False)


async def test_a_session_opens_with_only_what_fits_the_first_message(
    town: tuple[Path, FakeChat],
):
    home, chat = town
    model = ScriptedModel()
    async with running_app(home, model, chat) as house:
        await chat.say(
            "ben",
            "The launch of the orchard app is planned for the 4th of May",
            **SQUARE,
            **UNASKED,
        )
        await chat.say("ben", "The orchard app loses its investor", **SECRET, **UNASKED)
        model.add(say("In May."), say("Fine."), say("Here."))
        await house.ask("ann", "when do we launch the orchard app?", **MARKET)
        await house.until_idle()
        opening = json.dumps(model.requests[0].messages, ensure_ascii=False)
        assert "things remembered that may fit" in opening
        assert "#square" in opening
        assert "4th of May" in opening
        assert "investor" not in json.dumps(model.requests[0].messages)
        assert "4th of May" not in json.dumps(model.requests[0].system), (
            "never in the system prompt"
        )
        await house.ask("ann", "thanks, the launch of the orchard app it is", **MARKET)
        await house.until_idle()
        assert json.dumps(model.requests[1].messages).count("things remembered") == 1, (
            "once in a session"
        )
        await house.ask("gus", "hello there", **MARKET)
        await house.until_idle()
        assert "things remembered" not in json.dumps(model.requests[2].messages)


async def test_the_recalled_block_is_bounded_and_can_be_switched_off(town: tuple[Path, FakeChat]):
    home, chat = town
    model = ScriptedModel()
    async with running_app(home, model, chat) as house:
        for number in range(12):
            await chat.say("ben", f"orchard harvest {number} {'apple ' * 60}", **SQUARE, **UNASKED)
        model.add(say("Yes."))
        await house.ask("ann", "orchard harvest?", **MARKET)
        await house.until_idle()
        (text,) = [
            block["text"]
            for message in model.requests[0].messages
            for block in message["content"]
            if "things remembered" in block.get("text", "")
        ]
        assert len(text) <= 1_200
        assert text.count("orchard harvest") >= 2
    (home / "bellhop.yaml").write_text("memory: {recall: false}\n")
    async with running_app(home, model, chat) as house:
        model.add(say("No."))
        await house.ask("ben", "orchard harvest?", **MARKET)
        await house.until_idle()
        assert "things remembered" not in json.dumps(model.requests[-1].messages)


async def test_a_forgotten_summary_leaves_the_database_the_file_and_every_search(
    town: tuple[Path, FakeChat],
):
    home, chat = town
    model, clock = ScriptedModel(), FakeClock()
    async with running_app(home, model, chat, clock) as house:
        row = blank_summary(clock)
        await house.app.database.write(Unit.of(summary_write(row)))
        await SummaryLog(home / "memory").append([row])
        model.add(
            call("remember", {"query": "orchard"}),
            call("forget", {"ids": [f"summary:{row.id}"]}),
            say("Gone."),
        )
        await house.ask("ann", "forget the orchard")
        await house.until_idle()
        await house.app.learning.summaries.work()
        assert "orchard" not in (home / "memory" / "assistant_conversations.jsonl").read_text()
        model.add(call("remember", {"query": "apples"}), say("Nothing."))
        await house.ask("ann", "what is left?")
        await house.until_idle()
        assert "summary of a conversation" not in json.dumps(model.requests[-1].messages[-2:])


def blank_summary(clock: FakeClock) -> ConversationSummary:
    """Of a conversation of Ann's about apples."""
    return ConversationSummary(
        id="0123456789ab",
        session_id="s",
        epoch=1,
        person="ann",
        role=Role.FRIEND,
        agent="assistant",
        conversation="discord::ann",
        learned=IN_DM,
        trust=Trust.PERSON,
        began_at=clock.now(),
        ended_at=clock.now(),
        fields=SummaryFields(
            "She wanted to know about the orchard", facts_learned=("apples are ripe",)
        ),
    )
