"""DiscordChat with real discord.py on loopback Discord: the live view of a turn."""

import gc
import weakref
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise

import pytest

from bot.domain.chat import TextDelta, TextReset, WorkShown
from bot.domain.messages import Action
from bot.loopback.discord import Fault
from bot.plugins.discord_chat.rates import Pace
from bot.testing.discord_town import EDITS, POSTS, QUICK, Town, town
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.live_updates import EACH_KIND

REAL = Pace()
REAL_WAITS = replace(QUICK, typing_after=REAL.typing_after, draft_after=REAL.draft_after)
"""For a clock that a test moves: the first sign of a turn comes as late as for people."""


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def timed(clock: FakeClock) -> AsyncIterator[Town]:
    async with town(pace=REAL_WAITS, clock=clock) as timed:
        yield timed


async def test_a_turn_types_drafts_at_a_pace_and_finalises_in_place():
    async with town(pace=replace(QUICK, edit_every=0.1)) as made:
        message = await made.asked()
        live = made.live(message)
        await made.platform.until(lambda: made.platform.channels.typing)
        live.show(WorkShown("Searching the web"))
        draft = await made.shows(message)
        assert (draft.content, draft.labels) == ("⏳ Searching the web", ["Stop"])
        live.show(WorkShown("Thinking it through", patient=True))
        for word in ("It ", "is ", "sun", "ny"):
            live.show(TextDelta(word))
            await made.platform.until(lambda word=word: word.strip() in draft.content)
        receipt = await made.answer(message, "It is sunny.", live=live)
        await live.close()
        assert receipt.message_ids == (str(draft.id),)
        assert made.seen(message) == ["It is sunny."]
        assert (draft.labels, draft.pings) == ([], set())
        edits = made.platform.log.find("PATCH", EDITS)[:-1]
        assert len(edits) >= 3
        assert all(later.at - earlier.at >= 0.1 for earlier, later in pairwise(edits))
        assert made.posts == 1


async def test_what_follows_soon_is_shown_with_one_call(clock: FakeClock):
    pace = replace(QUICK, typing_after=60.0, draft_gather=0.25)
    async with town(pace=pace, clock=clock) as made:
        message = await made.asked()
        live = made.live(message)
        await clock.advance(0.01)
        live.show(WorkShown("Searching the web"))
        await clock.advance(0.2)
        live.show(WorkShown("Reading a web page"))
        await clock.advance(0.2)
        assert (await made.shows(message)).content == "⏳ Reading a web page"
        assert made.edits == 0
        await made.answer(message, "It is sunny.", live=live)
        await live.close()


async def test_a_quick_turn_is_one_call(made: Town):
    message = await made.asked()
    live = made.live(message, TextDelta("quick"))
    before = len(made.platform.log.calls)
    await made.answer(message, "quick", live=live)
    await live.close()
    made_calls = [call.method for call in made.platform.log.calls[before:]]
    assert made_calls == ["POST", "POST"]  # the thread, the answer


async def test_a_turn_that_ends_at_once_shows_no_typing_and_no_draft(timed: Town, clock: FakeClock):
    message = await timed.asked()
    live = timed.live(message, TextDelta("quick"))
    await clock.advance(REAL.typing_after / 2)
    await timed.answer(message, "quick", live=live)
    await live.close()
    await clock.advance(60)
    assert timed.platform.channels.typing == []
    assert timed.posts == 1


async def test_typing_shows_only_in_the_thread_that_gets_the_answer(timed: Town, clock: FakeClock):
    message = await timed.asked()
    live = timed.live(message)
    await clock.advance(REAL.typing_after)
    await timed.platform.until(lambda: timed.platform.channels.typing)
    assert timed.platform.channels.typing == [timed.thread(message).id]
    await timed.answer(message, "slow", live=live)
    await live.close()
    assert timed.seen(message) == ["slow"]
    assert timed.platform.channels.typing == [timed.thread(message).id]


async def test_typing_shows_at_once_and_not_again_beside_a_draft(timed: Town, clock: FakeClock):
    message = await timed.asked()
    live = timed.live(message, TextDelta("the beginning"))
    await clock.advance(REAL.typing_after)
    await timed.platform.until(lambda: timed.platform.channels.typing)
    assert timed.posts == 0
    await clock.advance(REAL.draft_after - REAL.typing_after)
    await timed.platform.until(lambda: timed.posts)
    await clock.advance(3 * REAL.typing_every)
    await live.close()
    assert len(timed.platform.channels.typing) == 1


async def test_a_draft_that_fails_is_tried_again_and_typing_shows_meanwhile(clock: FakeClock):
    pace = replace(REAL, guild_ready=QUICK.guild_ready, identify=QUICK.identify)
    async with town(pace=pace, clock=clock) as made:
        message = await made.asked()
        made.platform.fault(Fault("POST", POSTS, status=503))
        live = made.live(message, WorkShown("Building the site"))
        await clock.advance(REAL.draft_after)
        await made.platform.until(lambda: made.platform.channels.typing)
        assert made.seen(message) == []
        await clock.advance(REAL.edit_every)
        assert (await made.shows(message)).content == "⏳ Building the site"
        await live.close()


async def test_typing_shows_where_what_a_draft_was_to_show_is_taken_back(
    timed: Town, clock: FakeClock
):
    message = await timed.asked()
    live = timed.live(message, TextDelta("let me see"))
    await clock.advance(REAL.typing_after)
    live.show(TextReset())
    await clock.advance(REAL.draft_after - REAL.typing_after)
    await timed.platform.until(lambda: timed.platform.channels.typing)
    assert timed.posts == 0
    await live.close()


async def test_after_ten_seconds_the_line_says_how_long_it_takes(timed: Town, clock: FakeClock):
    message = await timed.asked()
    live = timed.live(message, WorkShown("Thinking it through", patient=True))
    await clock.advance(9.9)
    assert timed.posts == 0, "it has not begun to be slow"
    await clock.advance(0.5)
    assert (await timed.shows(message)).content == "⏳ Thinking it through · 10 s"
    live.show(WorkShown("Searching the web: “flights”"))
    for seconds, shown in ((6, "15 s"), (50, "1 min"), (15, "1 min 15 s")):
        for _ in range(seconds):
            await clock.advance(1)
        line = f"⏳ Searching the web: “flights” · {shown}"
        await timed.platform.until(lambda line=line: timed.seen(message) == [line])
    live.show(TextDelta("They leave at nine."))
    live.show(WorkShown("Thinking it through", patient=True))
    for _ in range(3):
        await clock.advance(1)
    await timed.platform.until(lambda: timed.seen(message) == ["They leave at nine."])
    await timed.answer(message, "They leave at nine.", live=live)
    await live.close()
    edits = timed.edits
    for _ in range(60):
        await clock.advance(1)
    assert timed.edits == edits, "the answer is left alone"
    assert timed.seen(message) == ["They leave at nine."]


async def test_a_live_view_is_freed_without_a_collection(quick: Town):
    message = await quick.asked()
    live = quick.live(message, TextDelta("a draft"))
    await quick.platform.until(lambda: quick.posts)
    await quick.answer(message, "an answer", live=live)
    gc.disable()
    try:
        await live.close()
        view = weakref.ref(live)
        del live
        await settle()
        assert view() is None
    finally:
        gc.enable()


async def test_a_stop_click_names_its_turn_and_no_draft_stays_without_answer(quick: Town):
    message = await quick.asked()
    web = WorkShown("Searching the web")
    live = quick.live(message, TextDelta("forget this"), TextReset(), web)
    draft = await quick.shows(message)
    quick.ann.click(draft, "Stop")
    stop = await quick.heard(2)
    assert (stop.action, stop.conversation.key) == (Action("t1", "stop"), message.conversation.key)
    await live.close()
    assert draft not in quick.ann.sees(quick.thread(message))


async def test_a_long_answer_replaces_its_draft_before_stop_disappears(quick: Town):
    message = await quick.asked()
    live = quick.live(message, TextDelta("long"))
    await quick.platform.until(lambda: quick.posts)
    text = "\n\n".join(f"{number} {'word ' * 150}" for number in range(6))
    await quick.answer(message, text, live=live)
    await live.close()
    assert "".join("".join(quick.seen(message)).split()) == "".join(text.split())
    assert quick.platform.log.calls[-1].method == "PATCH"


async def test_every_kind_of_update_is_shown_and_the_answer_comes(quick: Town):
    message = await quick.asked()
    live = quick.live(message, *EACH_KIND)
    await quick.shows(message)
    await quick.platform.until(lambda: "It is sunny." in "".join(quick.seen(message)))
    await quick.answer(message, "It is sunny, really.", live=live)
    await live.close()
    assert quick.seen(message) == ["It is sunny, really."]
