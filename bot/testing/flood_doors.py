"""Every way in which an oversized body can come in, each as a function that receives it.

Each returns the outcome in words. `python bench/bodies.py` measures them; tests count bytes.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import aiohttp

from bot.assembly.own_plugins import OWN_SERVICES
from bot.clock import SystemClock
from bot.connections.access import Connections
from bot.connections.client import ServiceClient
from bot.connections.credentials import KEY, Credentials, Keyring
from bot.connections.oauth import OAuth, Tokens
from bot.connections.sealing import new_key
from bot.connections.services import Service
from bot.domain.json_types import JsonObject
from bot.domain.turns import OutcomeUnknown
from bot.endpoints.http import HttpServer
from bot.errors import BotError
from bot.knowledge.reading import DocumentReader, RawDocument
from bot.plugin.http import Receiver
from bot.plugins.mail import mailgun, resend
from bot.plugins.mail.inbound import NOTICE_BYTES
from bot.plugins.web_tools import brave, firecrawl
from bot.storage.home import open_database
from bot.testing.contexts import make_person
from bot.testing.flood import Flood
from bot.testing.listening import listening
from bot.web.client import WebClient, WebRequest
from bot.web.pages import Pages
from bot.web.settings import WebSettings

OPEN = WebSettings(allow_private=("127.0.0.1",))
CLIENT = {"client_id": "id", "client_secret": "secret-of-the-client"}
"""Bellhop's client credentials at every service here."""
Door: TypeAlias = Callable[[Flood, Path], Awaitable[str]]
"""Receives the flood; the folder is for files that it keeps."""


async def page(flood: Flood, _folder: Path) -> str:
    """Read a page, as web_fetch does and as for a page of a mail."""
    return (await Pages(WebClient(OPEN)).read(flood.url)).text[:40]


async def document(flood: Flood, _folder: Path) -> str:
    """Add a file to a collection by its address."""
    answer = await WebClient(OPEN).fetch(WebRequest("GET", flood.url, max_bytes=33_554_432))
    raw = RawDocument("large.txt", answer.body, "text/plain")
    return f"{len((await DocumentReader().read(raw)).parts)} parts"


async def code(flood: Flood, _folder: Path) -> str:
    """Read the answer of a token endpoint."""
    return str(
        await _oauth().exchange(_at(OWN_SERVICES[0], flood), "code", "v" * 64, "http://localhost/")
    )


async def revoked(flood: Flood, _folder: Path) -> str:
    """Read the answer to revoking an access."""
    return str(
        await _oauth().revoke(_at(OWN_SERVICES[0], flood), Tokens("access", "refresh", None, ()))
    )


def account(service: Service) -> Door:
    """Read an answer of one service's API."""

    async def door(flood: Flood, folder: Path) -> str:
        database = await open_database(folder / "bellhop.db")
        try:
            credentials = Credentials(database, Keyring({KEY: new_key()}.get), SystemClock())
            at = _at(service, flood)
            connections = Connections({service.id: at}, credentials, _oauth(), SystemClock())
            person = make_person()
            await connections.keep(person.id, at, Tokens("access-token", "", None, ()))
            client = ServiceClient(at, connections, WebClient(OPEN), SystemClock())
            return str((await client.get(person, "/things")).value)[:40]
        finally:
            await database.close()

    return door


async def searched(flood: Flood, _folder: Path) -> str:
    """Read an answer of Brave Search."""
    web, clock = WebClient(OPEN), SystemClock()
    return str(await brave.search(brave.brave(flood.url, _key, web, clock), "owls"))


async def scraped(flood: Flood, _folder: Path) -> str:
    """Read an answer of Firecrawl."""
    service = firecrawl.firecrawl(flood.url, _key, WebClient(OPEN), SystemClock())
    return (await firecrawl.scrape(service, "https://example.org/")).text[:40]


async def mail_read(flood: Flood, _folder: Path) -> str:
    """Read an incoming mail from Resend."""
    service = resend.resend(flood.url, _key, WebClient(OPEN), SystemClock())
    return str(await resend.received(service, "11111111-aaaa"))[:40]


async def mail_sent(flood: Flood, _folder: Path) -> str:
    """Read Mailgun's answer to an outgoing mail."""
    service = mailgun.mailgun(flood.url, _key, WebClient(OPEN), SystemClock())
    mail = resend.Outgoing("bot@team.example", "ann@team.example", "s", "b", "k")
    return await mailgun.send(service, "team.example", mail)


PAGES: Mapping[str, Door] = {"a web page": page, "a document by its address": document}
"""Requests that are answered with too much text."""
ANSWERS: Mapping[str, Door] = {
    "a token endpoint": code,
    "a revocation": revoked,
    **{f"the API of {one.title}": account(one) for one in OWN_SERVICES},
    "a web search": searched,
    "a scraped page": scraped,
    "a mail that came in": mail_read,
    "the answer to a mail": mail_sent,
}
"""Requests that are answered with too much JSON."""


@dataclass
class Posted:
    """How Bellhop's server answered a body that was posted to it."""

    status: int
    sent: int


async def posted(path: str, size: int) -> Posted:
    """Post a body of this size to Bellhop's own port."""

    async def receive(
        _ref: str, _headers: Mapping[str, str], _body: bytes
    ) -> tuple[int, JsonObject]:
        return 202, {}

    seen = Posted(0, 0)

    async def pieces() -> AsyncGenerator[bytes]:
        piece = b"a" * 65_536
        while seen.sent < size:
            yield piece
            seen.sent += len(piece)

    async with (
        _listening(Receiver("/mail/{ref}", receive, NOTICE_BYTES)) as url,
        aiohttp.ClientSession() as client,
    ):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        with suppress(aiohttp.ClientError, ConnectionError):
            async with client.post(url + path, data=pieces(), headers=headers) as answer:
                seen.status = answer.status
    return seen


@asynccontextmanager
async def _listening(receiver: Receiver) -> AsyncGenerator[str]:
    class Form:
        async def look(self, given: Mapping[str, str]) -> tuple[int, str]:
            return 200, ""

        async def press(self, given: Mapping[str, str]) -> tuple[int, str]:
            return 200, ""

    server = HttpServer(
        "127.0.0.1", 0, SystemClock(), {}, receivers=[receiver], pages={"/form": Form()}
    )
    async with listening(server) as url:
        yield url


async def met(door: Door, flood: Flood, folder: Path) -> str:
    """Return the outcome, which usually is a refusal."""
    try:
        return await door(flood, folder)
    except BotError as error:
        return f"refused: {error}"
    except OutcomeUnknown as error:
        return f"unknown: {error}"


def _oauth() -> OAuth:
    return OAuth(WebClient(OPEN), SystemClock())


def _at(service: Service, flood: Flood) -> Service:
    apis = dict.fromkeys(service.apis, flood.url)
    urls = {"base_url": flood.url, "token_url": flood.url, "revoke_url": flood.url}
    return replace(service, **CLIENT, **urls, apis=apis)


def _key(_name: str) -> str:
    return "a-key-that-is-long-enough"
