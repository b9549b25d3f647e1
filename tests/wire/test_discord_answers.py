"""Discord answers whose way closes midway arrive by another one, once."""

import pytest

from bot.chat.rendering import tables_as_code
from bot.domain.chat import LiveReply, TextDelta
from bot.domain.messages import IncomingMessage
from bot.errors import DeliveryError
from bot.loopback.discord import Fault
from bot.plugin.recent import Recent
from bot.plugins.discord_chat.delivery import BegunAnswers
from bot.testing.discord_town import QUICK, Town, town
from bot.testing.fake_drafts import FakeDrafts

POSTS = r"/channels/\d+/messages"
EDITS = r"/channels/\d+/messages/\d+"
FOLLOW_UPS = r"/webhooks/\d+/[^/]+"
LONG = "\n\n".join(f"part {number} {'x' * 1500}" for number in (1, 2, 3))


async def drafted(made: Town, message: IncomingMessage) -> LiveReply:
    live = made.chat.live(message.reply_to, "t1")
    live.show(TextDelta("so far"))
    await made.platform.until(lambda: made.platform.log.count("POST", POSTS))
    await made.platform.until(lambda: made.seen(message))
    return live


async def test_a_draft_shows_a_table_as_the_answer_does():
    async with town(pace=QUICK) as made:
        message = await made.asked()
        table = "| city | rain |\n|---|---|\n| Bern | 7 |"
        live = made.chat.live(message.reply_to, "t1")
        live.show(TextDelta(table))
        await made.platform.until(lambda: made.platform.log.count("POST", POSTS))
        await made.platform.until(lambda: made.seen(message))
        seen = made.seen(message)
        await made.answer(message, table, live=live)
        assert seen == made.seen(message) == [tables_as_code(table)]
        assert "```" in seen[0]


def closed(code: int, status: int) -> Fault:
    return Fault("PATCH", EDITS, status=status, body={"code": code, "message": "no"}, times=100)


@pytest.mark.parametrize(
    ("code", "status"),
    [(50083, 400), (50001, 403)],
    ids=["the thread was closed", "access was lost"],
)
async def test_a_draft_that_can_not_be_edited_gives_way_to_a_new_message(code: int, status: int):
    async with town(pace=QUICK) as made:
        message = await made.asked()
        live = await drafted(made, message)
        made.platform.fault(closed(code, status))
        await made.answer(message, "done", live=live)
        await live.close()
        assert made.seen(message) == ["done"]
        assert await made.chat.find_sent(message.reply_to, "t1/send:answer") is not None


async def test_a_long_answer_whose_draft_was_deleted_keeps_its_order():
    async with town(pace=QUICK) as made:
        message = await made.asked()
        live = await drafted(made, message)
        made.ann.delete(made.ann.sees(made.thread(message))[0])
        await made.answer(message, LONG, live=live)
        await live.close()
        assert [text[:6] for text in made.seen(message)] == ["part 1", "part 2", "part 3"]


async def test_the_rest_of_an_answer_to_a_command_follows_after_a_failure():
    async with town() as made:
        used = made.ann.slash(made.general, "status")
        message = await made.heard()
        made.platform.fault(Fault("POST", FOLLOW_UPS, status=503, skip=1))
        with pytest.raises(DeliveryError) as failed:
            await made.answer(message, LONG)
        assert failed.value.retryable
        assert await made.chat.find_sent(message.reply_to, "t1/send:answer") is None
        await made.answer(message, LONG)
        assert used.response is not None
        assert [shown.content[:6] for shown in (used.response, *used.follow_ups)] == [
            "part 1",
            "part 2",
            "part 3",
        ]
        assert await made.chat.find_sent(message.reply_to, "t1/send:answer") is not None


async def test_a_commands_cut_off_answer_is_completed_after_a_crash():
    drafts = FakeDrafts()
    async with town(drafts=drafts) as made:
        used = made.ann.slash(made.general, "status")
        message = await made.heard()
        made.platform.fault(Fault("POST", FOLLOW_UPS, status=503, skip=1))
        with pytest.raises(DeliveryError):
            await made.answer(message, LONG)
        inner = vars(made.chat._delivery)
        inner["_begun"], inner["_filled"] = (
            BegunAnswers(drafts, made.clock),
            Recent[str, str](),
        )  # as a new process
        assert await made.chat.find_sent(message.reply_to, "t1/send:answer") is None
        await made.answer(message, LONG)
        assert used.response is not None
        assert [shown.content[:6] for shown in (used.response, *used.follow_ups)] == [
            "part 1",
            "part 2",
            "part 3",
        ]
        assert drafts.noted == {}


async def test_an_answers_rest_is_sent_directly_when_its_interaction_ends():
    async with town() as made:
        used = made.ann.slash(made.general, "status")
        message = await made.heard()
        made.platform.fault(
            Fault(
                "POST", FOLLOW_UPS, status=404, body={"code": 10015, "message": "Unknown Webhook"}
            )
        )
        await made.answer(message, LONG)
        assert used.response is not None
        direct = [sent.content[:6] for sent in made.ann.sees(made.ann.dm)]
        assert [used.response.content[:6], *direct] == ["part 1", "part 2", "part 3"]


async def test_a_second_answer_to_a_command_is_not_taken_for_its_first():
    async with town() as made:
        used = made.ann.slash(made.general, "status")
        message = await made.heard()
        await made.answer(message, "one", "t1/send:1")
        assert await made.chat.find_sent(message.reply_to, "t1/send:1") is not None
        assert await made.chat.find_sent(message.reply_to, "t1/send:2") is None
        await made.answer(message, "two", "t1/send:2")
        assert [shown.content for shown in used.follow_ups] == ["two"]


async def test_with_unreadable_history_a_failed_answer_is_sent_again():
    async with town() as made:
        message = await made.asked()
        made.platform.fault(Fault("POST", POSTS, reset=True, times=3))
        with pytest.raises(DeliveryError):
            await made.answer(message, "done")
        made.general.denied.add("read")
        assert await made.chat.find_sent(message.reply_to, "t1/send:answer") is None
        await made.answer(message, "done")
        assert made.seen(message) == ["done"]
