"""Long lists come page by page, behind a key: each row once, whatever goes meanwhile."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.domain.database import Unit, Write
from bot.testing.console_home import Town, Visitor, console_town
from bot.testing.long_lists import fill_lists, write_skills

pytestmark = pytest.mark.asyncio(loop_scope="module")
COUNT = 230
LISTS = {
    "/runs": r"run (\d{5})\.",
    "/approvals?behind=": r"call (\d{5})\.",
    "/approvals?waiting=": r"waits (\d{5})\.",
    "/skills": r">n-(\d{5})<",
    "/memory": r'"text">thing (\d{5})\.',
    "/unattended": r"<h2>water (\d{5})\.",
    "/own?todos=": r"todo (\d{5})\.",
    "/own?files=": r">/documents/n/(\d{5})\.md",
    "/people": r'/people/many(\d{5})"',
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def town(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Town]:
    home = tmp_path_factory.mktemp("long")
    write_skills(home, COUNT)
    async with console_town(home) as running:
        app = running.house.app
        await fill_lists(app, "owner", COUNT)
        contacts = Path(app.settings.home) / "contacts.yaml"
        rows = (f"- {{id: many{number:05}, name: M, role: Guest}}\n" for number in range(COUNT))
        contacts.write_text(contacts.read_text() + "".join(rows))
        await app.contacts.reload_if_changed()
        yield running


async def following(visitor: Visitor, page: str, shows: str) -> list[list[str]]:
    """What each page shows, from the first to the last."""
    path, name = page.partition("?")[::2]
    pages: list[list[str]] = []
    at: str | None = page
    while at is not None:
        text = await visitor.look(at)
        pages.append(re.findall(shows, text))
        more = re.findall(rf'rel="next" href="/console({path}\?[^"]*)"', text)
        ours = [one for one in more if f"?{name}" in one]
        at = ours[0].replace("&amp;", "&") if ours else None
        assert len(pages) < COUNT
    return pages


@pytest.mark.parametrize("page", LISTS)
async def test_every_row_stands_on_one_page(town: Town, page: str):
    async with town.visitor("owner") as owner:
        pages = await following(owner, page, LISTS[page])
    numbers = [int(one) for shown in pages for one in shown]
    assert sorted(numbers) == list(range(COUNT))
    assert len(pages) > 2


async def test_what_goes_meanwhile_moves_no_other_row(town: Town):
    """By number instead of by key, the second page would leave out as many as went."""
    async with town.visitor("owner") as owner:
        first = await owner.look("/own")
        shown = re.findall(LISTS["/own?todos="], first)
        more = re.search(r'href="/console(/own\?todos=[^"]*)"', first)
        assert more is not None
        ids = [f"n{int(one)}" for one in shown[:50]]
        gone = Unit.of(*(Write("DELETE FROM todos WHERE id = ?", (one,)) for one in ids))
        await town.house.app.database.write(gone)
        second = re.findall(LISTS["/own?todos="], await owner.look(more[1]))
    assert int(second[0]) == int(shown[-1]) + 1


async def test_an_old_call_of_a_member_is_found_behind_all_newer_ones(town: Town):
    """`ann` asked before the owner's many; her page has hers, and nobody else's."""
    async with town.visitor("ann") as ann:
        page = await ann.look("/approvals")
    assert "note" in page
    assert "call 00" not in page
