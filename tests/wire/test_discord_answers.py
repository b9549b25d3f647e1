"""Discord answers whose way closes midway arrive by another one, once."""

import pytest

from bot.chat.rendering import tables_as_code
from bot.domain.chat import TextDelta
from bot.domain.json_types import JsonObject
from bot.errors import DeliveryError
from bot.loopback.discord import Fault
from bot.loopback.discord.interaction_routes import Interaction
from bot.plugin.recent import Recent
from bot.plugins.discord_chat.delivery import BegunAnswers
from bot.testing.discord_town import EDITS, POSTS, Town, town
from bot.testing.fake_drafts import FakeDrafts
from bot.testing.refusals import passing

FOLLOW_UPS = r"/webhooks/\d+/[^/]+"
PARTS = ["part 1", "part 2", "part 3"]
LONG = "\n\n".join(f"{part} {'x' * 1500}" for part in PARTS)


def beginnings(used: Interaction) -> list[str]:
    """How each message of an answer to a command begins."""
    assert used.response is not None
    return [shown.content[:6] for shown in (used.response, *used.follow_ups)]


async def test_a_draft_shows_a_table_as_the_answer_does(quick: Town):
    message = await quick.asked()
    table = "| city | rain |\n|---|---|\n| Bern | 7 |"
    live = quick.live(message, TextDelta(table))
    await quick.shows(message)
    seen = quick.seen(message)
    await quick.answer(message, table, live=live)
    assert seen == quick.seen(message) == [tables_as_code(table)]
    assert "```" in seen[0]


def closed(code: int, status: int) -> Fault:
    return Fault("PATCH", EDITS, status=status, body={"code": code, "message": "no"}, times=100)


@pytest.mark.parametrize(
    ("code", "status"),
    [(50083, 400), (50001, 403)],
    ids=["the thread was closed", "access was lost"],
)
async def test_a_draft_that_can_not_be_edited_gives_way_to_a_new_message(
    quick: Town, code: int, status: int
):
    message = await quick.asked()
    live = await quick.drafted(message)
    quick.platform.fault(closed(code, status))
    await quick.answer(message, "done", live=live)
    await live.close()
    assert quick.seen(message) == ["done"]
    assert await quick.found(message) is not None


async def test_a_long_answer_whose_draft_was_deleted_keeps_its_order(quick: Town):
    message = await quick.asked()
    live = await quick.drafted(message)
    quick.ann.delete(quick.ann.sees(quick.thread(message))[0])
    await quick.answer(message, LONG, live=live)
    await live.close()
    assert [text[:6] for text in quick.seen(message)] == PARTS


async def test_the_rest_of_an_answer_to_a_command_follows_after_a_failure(made: Town):
    used = made.ann.slash(made.general, "status")
    message = await made.heard()
    made.platform.fault(Fault("POST", FOLLOW_UPS, status=503, skip=1))
    with pytest.raises(DeliveryError, check=passing):
        await made.answer(message, LONG)
    assert await made.found(message) is None
    await made.answer(message, LONG)
    assert beginnings(used) == PARTS
    assert await made.found(message) is not None


async def test_a_commands_cut_off_answer_is_completed_after_a_crash():
    drafts = FakeDrafts()
    async with town(drafts=drafts) as made:
        used = made.ann.slash(made.general, "status")
        message = await made.heard()
        made.platform.fault(Fault("POST", FOLLOW_UPS, status=503, skip=1))
        with pytest.raises(DeliveryError):
            await made.answer(message, LONG)
        inner = vars(made.chat._delivery)
        # As a new process.
        inner["_begun"], inner["_filled"] = BegunAnswers(drafts, made.clock), Recent[str, str]()
        assert await made.found(message) is None
        await made.answer(message, LONG)
        assert beginnings(used) == PARTS
        assert drafts.noted == {}


async def test_an_answers_rest_is_sent_directly_when_its_interaction_ends(made: Town):
    used = made.ann.slash(made.general, "status")
    message = await made.heard()
    unknown: JsonObject = {"code": 10015, "message": "Unknown Webhook"}
    made.platform.fault(Fault("POST", FOLLOW_UPS, status=404, body=unknown))
    await made.answer(message, LONG)
    direct = [sent.content[:6] for sent in made.ann.sees(made.ann.dm)]
    assert [*beginnings(used), *direct] == PARTS


async def test_a_second_answer_to_a_command_is_not_taken_for_its_first(made: Town):
    used = made.ann.slash(made.general, "status")
    message = await made.heard()
    await made.answer(message, "one", "t1/send:1")
    assert await made.found(message, "t1/send:1") is not None
    assert await made.found(message, "t1/send:2") is None
    await made.answer(message, "two", "t1/send:2")
    assert [shown.content for shown in used.follow_ups] == ["two"]


async def test_with_unreadable_history_a_failed_answer_is_sent_again(made: Town):
    message = await made.asked()
    made.platform.fault(Fault("POST", POSTS, reset=True, times=3))
    with pytest.raises(DeliveryError):
        await made.answer(message, "done")
    made.general.denied.add("read")
    assert await made.found(message) is None
    await made.answer(message, "done")
    assert made.seen(message) == ["done"]
