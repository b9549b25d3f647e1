"""Background agents on loopback platforms: one answer, in the thread of the request."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.app import App, AppOptions
from bot.domain.models import ModelReply, ModelRequest
from bot.testing.background_lives import ANSWERS, PLANS, HeldModel, furnish
from bot.testing.both_platforms import PLATFORMS, PlatformTown, Shown, reads, write_contacts
from bot.testing.fake_clock import FakeClock
from bot.testing.running import running
from bot.testing.scripted_model import call, say
from bot.testing.tools import NO_SANDBOX
from bot.testing.waiting import until

UNDER_WAY, WRITTEN = ANSWERS
STOPPED = "scribe was stopped while it worked in the background on “do:scribble”."


@pytest.fixture(params=list(PLATFORMS))
async def town(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[PlatformTown]:
    (tmp_path / "bellhop.yaml").write_text(NO_SANDBOX)
    furnish(tmp_path)
    async with PLATFORMS[request.param]() as made:
        write_contacts(tmp_path, made)
        yield made


@asynccontextmanager
async def life(home: Path, town: PlatformTown, model: HeldModel) -> AsyncGenerator[App]:
    """One process of Bellhop, which ends without waiting for what is at work."""
    model.restarted()
    async with running(AppOptions(home, [town.connect()], model, FakeClock())) as app:
        vars(app.engine)["_drain_s"] = 0.0
        await town.ready()
        yield app


def having(town: PlatformTown, text: str) -> list[Shown]:
    return [one for one in town.sees("Ann") if text in one.text]


async def test_the_answer_comes_once_in_its_thread_after_a_restart(
    town: PlatformTown, tmp_path: Path
):
    model = HeldModel(PLANS)
    async with life(tmp_path, town, model):
        town.say("Ann", "do:delegate")
        began = await reads(town, "Ann", UNDER_WAY)
        await model.asked.wait()
    async with life(tmp_path, town, model) as app:
        town.reply("Ben", "hello")
        assert (await reads(town, "Ann", "Done.")).place == began.place
        model.go.set()
        told = await reads(town, "Ann", "scribe has finished")
        assert told.text.endswith(WRITTEN.removeprefix("scribe"))
        assert told.place == began.place
        await until(lambda: not app.engine.busy)
    async with life(tmp_path, town, model) as app:
        town.reply("Ben", "still there?")
        await reads(town, "Ann", "Done.", 2)
        await until(lambda: not app.engine.busy)
    assert len(having(town, "scribe has finished")) == 1


async def test_the_model_cancels_one_and_that_is_told_in_its_thread(
    town: PlatformTown, tmp_path: Path
):
    refs: list[str] = []

    def cancel(request: ModelRequest) -> ModelReply:
        return call("cancel_agent", {"ref": refs[0]})

    model = HeldModel({**PLANS, "cancel": [cancel, say("It is cancelled.")]})
    async with life(tmp_path, town, model) as app:
        town.say("Ann", "do:delegate")
        began = await reads(town, "Ann", UNDER_WAY)
        await model.asked.wait()
        [one] = await app.house.crew.background.open_of("ann")
        refs.append(one.task.ref)
        town.reply("Ann", "do:cancel")
        assert (await reads(town, "Ann", "It is cancelled.")).place == began.place
        assert (await reads(town, "Ann", STOPPED)).place == began.place
        await until(lambda: not app.engine.busy)
        assert not await app.house.crew.background.open_of("ann")
    assert len(having(town, STOPPED)) == 1
    assert not having(town, "scribe has finished")
