"""Booking pages over real sockets: a stranger books a free time of a person's calendar, once."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from bot.testing.fake_clock import FakeClock
from bot.testing.free_port import free_port, until_listening
from bot.testing.harness import Harness, running_app
from bot.testing.oauth_provider import OAuthProvider, oauth_provider
from bot.testing.scripted_model import ScriptedModel
from bot.testing.services.google_accounts import GoogleAccounts
from bot.testing.waiting import until

ANN = "ann@example.com"
SLOT = re.compile(r'name="start" required value="([^"]+)"')
ONCE = re.compile(r'name="once" value="([^"]+)"')


@dataclass
class Front:
    """A running house with Ann's calendar, and a stranger's browser."""

    at: Harness
    google: GoogleAccounts
    provider: OAuthProvider
    port: int
    browser: aiohttp.ClientSession
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def connect(self, person: str = "ann") -> None:
        token = self.provider.token_of(f"{person}@example.com")
        await self.at.app.house.accounts.credentials.store(person, self.provider.service.id, token)

    async def page(self) -> str:
        """Ann makes a page; its path."""
        said = await self.at.command("ann", "booking", "make")
        [url] = re.findall(r"https://book\.example\.org(/book/\S+)", said)
        return str(url)

    async def get(self, path: str) -> str:
        async with self.browser.get(self.base + path) as answer:
            self.status, self.headers = answer.status, dict(answer.headers)
            return await answer.text()

    async def post(
        self, path: str, fields: dict[str, str], headers: dict[str, str] | None = None
    ) -> str:
        async with self.browser.post(self.base + path, data=fields, headers=headers) as answer:
            self.status = answer.status
            return await answer.text()

    async def book(self, path: str, start: str, once: str = "", **fields: str) -> str:
        given = {"name": "Eve", "mail": "eve@example.net", "subject": "A talk", **fields}
        return await self.post(path, {"start": start, "once": once or f"once-{start}", **given})

    def events(self) -> list[dict[str, Any]]:
        return [one for one in self.google.events.get(ANN, {}).values() if "Booked" in str(one)]


@asynccontextmanager
async def front(home: Path, google: GoogleAccounts | None = None) -> AsyncGenerator[Front]:
    google = google or GoogleAccounts()
    async with (
        oauth_provider("google", FakeClock(), api=google) as provider,
        life(home, google, provider) as at,
    ):
        yield at


@asynccontextmanager
async def life(
    home: Path, google: GoogleAccounts, provider: OAuthProvider
) -> AsyncGenerator[Front]:
    port = free_port()
    (home / ".env").write_text(f"BELLHOP_SECRET_KEY={'A' * 43}=\n{provider.secrets()}")
    settings = {
        "services": {provider.service.id: provider.addresses()},
        "web": {"allow_private": ["127.0.0.1"]},
        "console": {"port": port, "public_url": "https://book.example.org"},
        "booking": {"enabled": True},
    }
    (home / "bellhop.yaml").write_text(json.dumps(settings))
    async with (
        running_app(home, ScriptedModel(), clock=FakeClock()) as at,
        aiohttp.ClientSession() as browser,
    ):
        await until_listening(port)
        yield Front(at, google, provider, port, browser)


@asynccontextmanager
async def open_page(
    home: Path, google: GoogleAccounts | None = None
) -> AsyncGenerator[tuple[Front, str]]:
    """Ann has connected a calendar, and a page on which others book her time."""
    async with front(home, google) as at:
        await at.connect()
        yield at, await at.page()


async def test_a_stranger_books_a_free_time_and_the_person_is_told(home: Path):
    async with open_page(home) as (at, path):
        shown = await at.get(path)
        assert at.status == 200
        assert "Book a time with Ann" in shown
        assert "Europe/Berlin" in shown
        first = SLOT.findall(shown)[0]
        before = len(at.at.chat.posts)
        booked = await at.book(path, first, ONCE.findall(shown)[0])
        assert at.status == 200
        assert "<h1>Booked</h1>" in booked
        posts = await at.at.chat.until(before + 1)
        assert posts[before].text.startswith("Somebody booked a time with you: ")
        assert "It is in your calendar." in posts[before].text
        assert "Eve" not in posts[before].text, "a stranger's words are no message of ours"
        [event] = at.events()
        assert event["summary"] == "A talk (Eve)"
        assert first not in SLOT.findall(await at.get(path))
        told = await at.at.command("ann", "booking")
        assert "“A talk”, “Eve”, `eve@example.net`" in told


async def test_what_stands_in_the_calendar_is_not_offered_and_never_shown(home: Path):
    google = GoogleAccounts()
    async with open_page(home, google) as (at, path):
        slots = SLOT.findall(await at.get(path))
        times = [slot.replace("Z", ":00Z") for slot in slots]
        google.add_event(ANN, "x1", times[1], times[2], "Secret plan")
        google.add_event(ANN, "x2", times[4], times[5], "Free", transparency="transparent")
        assert SLOT.findall(await at.get(path)) == slots, "a page may be a minute old"
        said = await at.book(path, slots[1])
        assert at.status == 409
        assert "not free any more" in said
        await at.at.command("ann", "booking", "buffer 0")
        shown = await at.get(path)
        assert "Secret plan" not in shown + said
        assert SLOT.findall(shown) == [slots[0], *slots[2:]]


async def test_two_at_once_and_one_twice_make_one_event(home: Path):
    async with open_page(home) as (at, path):
        first = SLOT.findall(await at.get(path))[0]
        await asyncio.gather(*(at.book(path, first, f"stranger-{n}") for n in range(4)))
        assert len(at.events()) == 1
        rows = await at.at.rows("SELECT id FROM booking_made")
        assert len(rows) == 1
        second = SLOT.findall(await at.get(path))[0]
        again = [await at.book(path, second, "the same form") for _ in range(2)]
        assert again[0] == again[1]
        assert "Booked" in again[1]
        assert len(at.events()) == 2


NOT_BOOKABLE: tuple[dict[str, str], ...] = (
    {"name": ""},
    {"mail": "nobody"},
    {"subject": "  "},
    {"start": "2026-01-01T09:00Z"},
    {"start": "tomorrow"},
    {"once": ""},
)


async def test_a_form_with_a_gap_or_of_another_site_books_nothing(home: Path):
    async with open_page(home) as (at, path):
        start = SLOT.findall(await at.get(path))[0]
        given = {"name": "Eve", "mail": "eve@example.net", "subject": "A talk"}
        given |= {"start": start, "once": "x"}
        for wrong in NOT_BOOKABLE:
            await at.post(path, {**given, **wrong})
            assert at.status in {400, 409}, wrong
        await at.post(path, given, {"Sec-Fetch-Site": "cross-site"})
        assert at.status == 403
        assert at.events() == []


async def test_entered_words_come_back_escaped_under_headers_that_forbid_scripts(home: Path):
    async with open_page(home) as (at, path):
        bad = '"><script>alert(1)</script>'
        given = dict.fromkeys(("name", "mail", "subject", "zone"), bad)
        shown = await at.post(path, {**given, "once": "x"})
        assert "<script>" not in shown
        assert "&lt;script&gt;" in shown
        assert "<script>" not in await at.get(path + "?zone=" + bad)
        assert "default-src 'none'" in at.headers["Content-Security-Policy"]
        assert at.headers["Referrer-Policy"] == "no-referrer"


async def test_a_guessed_stopped_or_disconnected_link_shows_nothing(home: Path):
    async with front(home) as at:
        await at.connect()
        former = await at.page()
        newer = await at.page()
        await at.get(former)
        assert at.status == 404
        await at.get("/book/" + "A" * 32)
        assert at.status == 404
        await at.at.command("ann", "booking", "stop")
        await at.get(newer)
        assert at.status == 404
        last, connections = await at.page(), at.at.app.house.accounts.connections
        await at.get(last)
        assert at.status == 200
        await connections.drop("ann", connections.services["google"])
        await at.get(last)
        assert at.status == 404


async def test_a_page_ends_with_its_persons_role(home: Path):
    google = GoogleAccounts()
    async with oauth_provider("google", FakeClock(), api=google) as provider:
        async with life(home, google, provider) as at:
            await at.connect()
            path = await at.page()
            start = SLOT.findall(await at.get(path))[0]
        contacts = home / "contacts.yaml"
        contacts.write_text(contacts.read_text().replace("Ann, role: Friend", "Ann, role: Guest"))
        async with life(home, google, provider) as at:
            await at.book(path, start)
            assert at.status == 404
            assert at.events() == []


async def test_guests_have_no_page_and_links_are_told_privately(home: Path):
    async with front(home) as at:
        assert "for members" in await at.at.command("stranger", "booking", "make")
        assert "Connect a calendar first" in await at.at.command("ann", "booking", "make")
        await at.connect()
        url = await at.page()
        rows = await at.at.rows("SELECT * FROM messages")
        assert url.rpartition("/")[2] not in str([dict(row) for row in rows])
        kept = await at.at.rows("SELECT * FROM booking_pages")
        assert url.rpartition("/")[2] not in str([dict(row) for row in kept])


async def test_only_so_many_are_taken_in_a_day(home: Path):
    async with open_page(home) as (at, path):
        for start in SLOT.findall(await at.get(path))[:11]:
            await at.book(path, start)
        assert at.status == 429
        assert len(at.events()) == 10


async def test_hours_length_and_buffer_are_the_persons(home: Path):
    async with open_page(home) as (at, path):
        said = await at.at.command("ann", "booking", "hours tue,thu 14-16")
        assert "tue,thu 14:00-16:00" in said
        await at.at.command("ann", "booking", "length 60")
        shown = await at.get(path)
        assert set(re.findall(r"<legend>(\w+),", shown)) == {"Tuesday", "Thursday"}
        assert set(re.findall(r"> (\d\d:\d\d)</label>", shown)) == {"14:00", "15:00"}
        assert "no time" in await at.at.command("ann", "booking", "hours mon 25-26")


async def test_a_booking_survives_a_calendar_that_is_away(home: Path):
    google = GoogleAccounts()
    async with oauth_provider("google", FakeClock(), api=google) as provider:
        async with life(home, google, provider) as at:
            await at.connect()
            path = await at.page()
            start = SLOT.findall(await at.get(path))[0]
            google.refuses_writing = True
            assert "Booked" in await at.book(path, start)
            assert at.events() == []
            assert start not in SLOT.findall(await at.get(path)), "it is taken all the same"
        google.refuses_writing = False
        async with life(home, google, provider) as at:
            await until(lambda: bool(at.events()))
            clock = at.at.app.clock
            assert isinstance(clock, FakeClock)
            await clock.advance(31)
            assert len(at.events()) == 1


async def test_after_an_hour_the_person_is_asked_to_enter_it_themself(home: Path):
    google = GoogleAccounts()
    async with open_page(home, google) as (at, path):
        google.refuses_writing = True
        await at.book(path, SLOT.findall(await at.get(path))[0])
        clock, before = at.at.app.clock, len(at.at.chat.posts)
        assert isinstance(clock, FakeClock)
        await clock.advance(3601)

        async def told() -> bool:
            await clock.advance(31)
            return len(at.at.chat.posts) > before

        await until(told)
        assert "please do it yourself" in at.at.chat.posts[-1].text
        assert "please enter it yourself" in await at.at.command("ann", "booking")
