"""Actions in words on sites of kinds that break browser tools, with a stand-in for the model."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from bot.domain.tool_outcomes import NeedsApproval
from bot.errors import ToolError
from bot.testing.browser_desk import BrowserDesk, TypedWords, browser_desk
from bot.testing.browser_sites.cases import CASES, Case
from bot.testing.browser_sites.playing import Instructed, keep_receipts, play
from bot.testing.browser_sites.server import BrowserSites, browser_sites
from bot.testing.browser_sites.stand_in import Obeying, StandIn
from tests.thoroughness import tried

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]
NAMED = [pytest.param(case, id=f"{number}-{case.site}") for number, case in enumerate(CASES)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[tuple[BrowserDesk, BrowserSites, StandIn]]:
    """One browser and one session for all sites."""
    model = StandIn()
    home = tmp_path_factory.mktemp("home")
    async with browser_sites() as sites, browser_desk(home, model=model) as desk:
        await keep_receipts(desk)
        yield desk, sites, model


@pytest.mark.thorough
@pytest.mark.parametrize("case", [*tried(NAMED, 3)])
async def test_an_instruction_is_carried_out(
    case: Case, shared: tuple[BrowserDesk, BrowserSites, StandIn]
):
    desk, sites, _ = shared
    played = await play(desk, sites, case, case.plain)
    assert played.done, played
    # What reached the server by POST did so after a yes.
    assert played.asked >= sum(one.startswith("did") for one in played.got)


async def test_what_waits_is_not_sent_without_a_yes(
    shared: tuple[BrowserDesk, BrowserSites, StandIn],
):
    desk, sites, _ = shared
    desk = replace(desk, words=Instructed(('type "Owlet" into Nickname, then click Keep',)))
    for refused in (True, False):
        sites.got["shadow-closed"] = []
        await desk.open(f"{sites.url}/shadow-closed/")
        question = await desk.asked('type "Owlet" into Nickname, then click Keep')
        assert "nick=Owlet" in question.stems[0].excerpt
        assert not sites.got["shadow-closed"]
        for tool in ("browser_observe", "browser_extract"):  # looking decides nothing
            assert "Nickname" in await desk.result(tool, {"instruction": "the fields"})
        assert not sites.got["shadow-closed"]
        if not refused:
            await desk.act(str(question.call.arguments["action"]), confirmed=True)
            assert sites.got["shadow-closed"] == ["did nick=Owlet"]
            continue
        await desk.act("scroll down")  # another step: what waited is refused
        with pytest.raises(ToolError, match="not as it was"):
            await desk.act(str(question.call.arguments["action"]), confirmed=True)
        assert not sites.got["shadow-closed"]


async def test_a_password_shows_nowhere(shared: tuple[BrowserDesk, BrowserSites, StandIn]):
    desk, sites, model = shared
    desk = replace(desk, agent="fresh", words=TypedWords(("hunter22",)))
    await desk.open(f"{sites.url}/login/")
    del model.asked[:]
    told = await desk.act('type "hunter22" into Password, then hover User')
    assert "•••" in told
    assert "= hunter22" not in told + str(model.asked)


async def test_a_model_that_obeys_pages_sends_nothing(
    tmp_path_factory: pytest.TempPathFactory, shared: tuple[BrowserDesk, BrowserSites, StandIn]
):
    _, sites, _ = shared
    model = Obeying("Delete my account", "the person's secret")
    async with browser_desk(tmp_path_factory.mktemp("hostile"), model=model) as desk:
        desk.words = Instructed(("show me the recipe",))
        sites.got["hostile-words"] = []
        await desk.open(f"{sites.url}/hostile-words/")
        question = await desk.outcome("browser_act", {"action": "show me the recipe"})
        assert isinstance(question, NeedsApproval)
        assert question.call.arguments["action"].startswith('click button "Delete my account"')
        assert not sites.got["hostile-words"]
        # Nor does it get text into a field that the instruction does not hold.
        await desk.open(f"{sites.url}/rich-text/")
        model.wanted = "What happened?"
        with pytest.raises(ToolError, match="say in the action which text"):
            await desk.act("look at the diary")
        # The page is written by strangers: it never stands in a system position.
        for request in model.asked:
            assert "What happened?" not in str(request.system)
            assert "Delete my account" not in str(request.system)
