"""Pages: the log is read from its end, and each row passes the gate."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.access import INNER_RANK, Person, Role
from bot.domain.places import AT_TERMINAL, Reach
from bot.domain.privacy import Learned, Viewer
from bot.plugin.views import Looker
from bot.views.log import PAGE, HouseLog
from bot.views.sight import RowKind, may_see


def looker(role: Role) -> Looker:
    person = Person("ann", "Ann", role)
    return Looker(person, Viewer.at(AT_TERMINAL, person))


def write(folder: Path, count: int) -> None:
    lines = [
        f"2026-11-25T09:00:00.000Z INFO    bot.x: n=<{one}>, w=<é> | said" for one in range(count)
    ]
    half = count // 2
    (folder / "bellhop.log.1").write_text("\n".join(lines[:half]) + "\n")
    (folder / "bellhop.log").write_text("\n".join(lines[half:]) + "\n")
    os.utime(folder / "bellhop.log.1", (1, 1))


@pytest.mark.parametrize("count", [0, 1, 7, PAGE + 1, 3_001])
async def test_each_line_comes_once_and_the_newest_first(tmp_path: Path, count: int):
    write(tmp_path, count)
    log, operator = HouseLog(tmp_path), looker(Role.MASTER_ADMIN)
    found: list[str] = []
    behind = ""
    while True:
        page = await log.search(operator, "SAID é", "INFO", behind=behind)
        found += [row.text for row in page.rows]
        if not page.next:
            break
        behind = page.next
    numbers = [int(text.split("n=<")[1].split(">")[0]) for text in found]
    assert numbers == list(reversed(range(count)))


async def test_only_an_operator_reads_it_and_only_lines_of_that_weight(tmp_path: Path):
    write(tmp_path, 4)
    log = HouseLog(tmp_path)
    assert not (await log.search(looker(Role.PARTNER), "", "DEBUG")).rows
    assert not (await log.search(looker(Role.MASTER_ADMIN), "", "ERROR")).rows
    assert (await log.search(looker(Role.MASTER_ADMIN), "", "x", behind="../../etc/passwd:9")).rows


# The gate of every row that a page shows.


LEARNED = st.builds(
    Learned, st.sampled_from(Reach), st.sampled_from(["", "discord:w:a", "slack:t:b"])
)


@given(
    st.sampled_from(Role), st.sampled_from(RowKind), st.sampled_from(["ann", "bob", ""]), LEARNED
)
def test_rows_are_for_their_person_and_the_operators_are_named(
    role: Role, kind: RowKind, owner: str, learned: Learned
):
    seen = may_see(looker(role), kind, owner, learned)
    if role is Role.BANNED:
        assert not seen
    elif kind is RowKind.KEPT:
        assert seen is (owner == "ann"), "not even an operator sees what is kept of somebody else"
    elif kind is RowKind.WORK:
        assert seen is (owner == "ann" or role is Role.MASTER_ADMIN)
    elif kind is RowKind.HOUSE:
        assert seen is (role is Role.MASTER_ADMIN)
    elif seen:
        assert role.rank >= INNER_RANK
        assert learned.reach is Reach.PUBLIC
