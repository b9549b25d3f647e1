"""The log is read from its end, page by page, over both of its files."""

import os
from pathlib import Path

import pytest

from bot.domain.access import Person, Role
from bot.domain.places import AT_TERMINAL
from bot.domain.privacy import Viewer
from bot.plugin.views import Looker
from bot.views.log import PAGE, HouseLog


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
