"""What open consoles cost beside 50 turns a second, and how long lists of 10,000 rows take to open.

`python bench/console.py`. Twenty viewers, in a process of their own, each follow a page by
Server-Sent Events and open another one every five seconds. Exits with 1 where a goal is missed.
"""

import asyncio
import json
import re
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from time import process_time

import aiohttp
from figures import Figures, spread

from bot.testing.console_home import Town, Visitor, console_town
from bot.testing.long_lists import fill_lists, write_skills

SECONDS, RATE, PEOPLE, VIEWERS, ROWS = 20.0, 50, 100, 20, 10_000
OF_ONE = 10
"""Browsers of one person; more would sign the first ones out."""
EVERY_S = 5.0
OPENS_MS, MORE_CORES, MORE_MB = 300.0, 0.25, 20.0
PAGES = ("", "/runs", "/usage", "/approvals", "/unattended")
LISTS = ("", "/runs", "/approvals", "/unattended", "/memory", "/own", "/people", "/skills",
         "/usage?by=tool")  # fmt: skip
VISITORS = (
    ("owner", LISTS, f"{ROWS:,} rows"),
    ("ann", ("", "/runs", "/approvals"), f"a member beside {ROWS:,} rows of others"),
)
"""Who looks at which pages."""
TRIES = 5


async def loaded(viewers: int) -> dict[str, float]:
    """One home under load, with so many viewers: processor, memory, and how pages opened."""
    with tempfile.TemporaryDirectory() as folder:
        async with console_town(Path(folder)) as town:
            await populate(town)
            await offered(town, 2.0)  # everybody has a session then
            begun, spent = time.monotonic(), process_time()
            watching = await watched(town, viewers) if viewers else None
            answered = await offered(town, SECONDS)
            took, used = time.monotonic() - begun, process_time() - spent
            found = {
                "answered": answered / took,
                "cores": used / took,
                "resident": resident(),
            }
            if watching is not None:
                told, _ = await watching.communicate()
                found |= json.loads(told)
            return found


async def populate(town: Town) -> None:
    contacts = Path(town.house.app.settings.home) / "contacts.yaml"
    rows = (
        f"- {{id: p{one}, name: P{one}, role: Friend, ids: {{discord: [p{one}]}}}}\n"
        for one in range(PEOPLE)
    )
    contacts.write_text(contacts.read_text() + "".join(rows))
    await town.house.app.contacts.reload_if_changed()


async def offered(town: Town, seconds: float) -> int:
    """Everybody says something at their turn, once they were answered; how many were answered."""
    until = time.monotonic() + seconds
    people = (one_person(town, number, until) for number in range(PEOPLE))
    answered = sum(await asyncio.gather(*people))
    await town.house.until_idle()
    return answered


async def one_person(town: Town, number: int, until: float) -> int:
    turn, count = time.monotonic() + number / RATE, 0
    while turn < until:
        await asyncio.sleep(max(0.0, turn - time.monotonic()))
        await town.house.chat.say_and_wait(f"p{number}", "do:say hello")
        turn, count = max(turn + PEOPLE / RATE, time.monotonic()), count + 1
    return count


async def watched(town: Town, viewers: int) -> asyncio.subprocess.Process:
    """Sign them in, and start their process, which says at its end what they saw."""
    cookies: list[str] = []
    for one in range(viewers):
        async with town.visitor("owner" if one < OF_ONE else f"p{one}") as visitor:
            cookies += [cookie.value for cookie in visitor.http.cookie_jar]
    return await asyncio.create_subprocess_exec(
        sys.executable, __file__, "view", town.address, *cookies, stdout=asyncio.subprocess.PIPE
    )


async def view(address: str, cookies: list[str]) -> None:
    """The viewers' own process."""
    opened: list[float] = []
    events = [0]
    with suppress(TimeoutError):
        async with asyncio.timeout(SECONDS):
            await asyncio.gather(*(one_viewer(address, one, opened, events) for one in cookies))
    sys.stdout.write(
        json.dumps(
            {"opened": len(opened), "events": events[0], "median": statistics.median(opened),
             "p95": statistics.quantiles(opened, n=20)[-1]}
        )
    )  # fmt: skip


async def one_viewer(address: str, cookie: str, opened: list[float], events: list[int]) -> None:
    headers = {"Cookie": f"bellhop-console={cookie}"}
    async with aiohttp.ClientSession(headers=headers) as http:
        await asyncio.gather(follow(http, address, events), look_around(http, address, opened))


async def follow(http: aiohttp.ClientSession, address: str, events: list[int]) -> None:
    async with http.get(f"{address}/live") as stream:
        async for line in stream.content:
            events[0] += line.startswith(b"data: ")


async def look_around(http: aiohttp.ClientSession, address: str, opened: list[float]) -> None:
    for turn in range(1_000):
        begun = time.monotonic()
        async with http.get(f"{address}{PAGES[turn % len(PAGES)]}") as answer:
            answer.raise_for_status()
            await answer.read()
        opened.append((time.monotonic() - begun) * 1_000)
        await asyncio.sleep(EVERY_S)


async def lists(figures: Figures) -> None:
    """The first and the second page of each list, on a home that does nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        write_skills(Path(folder), ROWS)
        async with console_town(Path(folder)) as town:
            await fill_lists(town.house.app, "owner", ROWS)
            for who, pages, name in VISITORS:
                async with town.visitor(who) as visitor:
                    for page in pages:
                        await timed(figures, visitor, page, name)


async def timed(figures: Figures, visitor: Visitor, page: str, name: str) -> None:
    text = await visitor.look(page)
    more = re.findall(r'rel="next" href="/console([^"]*)"', text)
    for at in (page, *(one.replace("&amp;", "&") for one in more)):
        spent: list[float] = []
        for _ in range(TRIES):
            begun = process_time()
            await visitor.look(at)
            spent.append((process_time() - begun) * 1_000)
        what = re.sub("=.*", "", at) if at != page else page or "/"
        figures.at_most(
            f"{name}: CPU of {what}", statistics.median(spent), OPENS_MS, "ms", spread(spent)
        )


def resident() -> float:
    """MB."""
    status = Path("/proc/self/status").read_text()
    return next(int(one.split()[1]) / 1024 for one in status.splitlines() if "VmRSS" in one)


async def apart(viewers: int) -> dict[str, float]:
    """Measured in a process of its own, so that neither finds what the other left."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "load", str(viewers), stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    return json.loads(told)


async def main() -> int:
    figures = Figures()
    await lists(figures)
    alone, beside = await apart(0), await apart(VIEWERS)
    for name, found in (("nobody looks", alone), (f"{VIEWERS} viewers", beside)):
        figures.told(f"{name}: turns per second", f"{found['answered']:.1f} of {RATE}")
        figures.told(f"{name}: cores", f"{found['cores']:.2f}")
        figures.told(f"{name}: resident", f"{found['resident']:.1f} MB")
    figures.told("pages that they opened", f"{beside['opened']:.0f}")
    figures.told("events that their streams got", f"{beside['events']:.0f}")
    figures.told(
        "a page opens beside the load", f"{beside['median']:.0f} ms, p95 {beside['p95']:.0f} ms"
    )
    figures.at_most("cores for the viewers", beside["cores"] - alone["cores"], MORE_CORES)
    figures.at_most("memory for the viewers", beside["resident"] - alone["resident"], MORE_MB, "MB")
    return figures.close()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["load", viewers]:
            sys.stdout.write(json.dumps(asyncio.run(loaded(int(viewers)))))
        case ["view", address, *cookies]:
            asyncio.run(view(address, cookies))
        case _:
            sys.exit(asyncio.run(main()))
