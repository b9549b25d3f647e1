"""Undeleted Discord posts are recorded and deleted later, never with an answer."""

from collections.abc import AsyncIterator

import pytest

from bot.loopback.discord import Fault
from bot.plugins.discord_chat.leftovers import Leftovers
from bot.testing.discord_town import EDITS, QUICK, Town, town
from bot.testing.fake_drafts import FakeDrafts


@pytest.fixture
def drafts() -> FakeDrafts:
    return FakeDrafts()


@pytest.fixture
async def made(drafts: FakeDrafts) -> AsyncIterator[Town]:
    async with town(pace=QUICK, drafts=drafts) as made:
        yield made


async def test_a_draft_that_could_not_be_deleted_is_deleted_later(made: Town, drafts: FakeDrafts):
    message = await made.asked()
    live = await made.drafted(message)
    made.platform.fault(Fault("DELETE", EDITS, status=503, times=3))
    await live.close()
    assert [draft.channel for draft in drafts.noted.values()] == [str(made.thread(message).id)]
    await made.platform.until(lambda: not made.seen(message))
    await made.platform.until(lambda: not drafts.noted)


async def test_leftovers_of_an_earlier_process_go_at_login(made: Town, drafts: FakeDrafts):
    message = await made.asked()
    live = await made.drafted(message)
    vars(made.chat)["_leftovers"].stop()
    made.platform.fault(Fault("DELETE", EDITS, status=503, times=3))
    await live.close()
    assert len(drafts.noted) == 1
    anew = Leftovers(drafts, made.chat._rest, made.clock)
    anew.start()
    await made.platform.until(lambda: not made.seen(message))
    await made.platform.until(lambda: not drafts.noted)
    anew.stop()


async def test_one_that_becomes_the_answer_after_all_is_not_deleted(made: Town, drafts: FakeDrafts):
    message = await made.asked()
    live = await made.drafted(message)
    made.platform.fault(Fault("DELETE", EDITS, status=503, times=6))
    await live.close()
    assert len(drafts.noted) == 1
    assert await made.found(message) is None
    await made.answer(message, "done")
    assert (made.seen(message), drafts.noted) == (["done"], {})
    anew = Leftovers(drafts, made.chat._rest, made.clock)
    anew.start()
    await made.answer(message, "and more", "t2/send:answer")
    anew.stop()
    assert made.seen(message) == ["done", "and more"]


async def test_one_that_somebody_deleted_needs_no_record(made: Town, drafts: FakeDrafts):
    message = await made.asked()
    live = await made.drafted(message)
    made.ann.delete(made.ann.sees(made.thread(message))[0])
    await live.close()
    assert drafts.noted == {}


@pytest.mark.parametrize("answered", [True, False])
async def test_a_draft_that_moved_down_is_known_to_the_next_process(
    made: Town, drafts: FakeDrafts, answered: bool
):
    message = await made.asked()
    live = await made.drafted(message)
    sent = [f"News {number}" for number in range(5)]
    for number, text in enumerate(sent):
        await made.answer(message, text, f"t1/send:{number}")
        await made.platform.until(lambda: made.seen(message)[-1].startswith("so far"))
    await made.platform.until(lambda: len(drafts.noted) == 1)
    anew = Leftovers(drafts, made.chat._rest, made.clock)
    if answered:
        await made.answer(message, "done", live=live)
    else:
        anew.start()
    shown = [*sent, "done"] if answered else sent
    await made.platform.until(lambda: made.seen(message) == shown and not drafts.noted)
    anew.stop()
    await live.close()
