"""Accounts of two people at one loopback service, without an app."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qs, urlsplit

from bot.assembly.own_plugins import OWN_SERVICES
from bot.assembly.sections import SECTIONS
from bot.connections.access import Connections
from bot.connections.client import ServiceClient
from bot.connections.credentials import KEY, Credentials, Keyring
from bot.connections.oauth import OAuth, Tokens, invite
from bot.connections.sealing import new_key
from bot.connections.services import Service, services
from bot.domain.access import Person, Role
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Translations
from bot.domain.origins import Trust
from bot.domain.tool_context import NativeTool, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.storage.home import open_database
from bot.testing.contexts import make_context, make_person
from bot.testing.oauth_provider import CLIENT_ID, CLIENT_SECRET, OAuthProvider, oauth_provider
from bot.testing.services.account_api import AccountApi
from bot.testing.skipping_clock import SkippingClock
from bot.tools.native.connector import Connector
from bot.tools.native.registry import NativeTools, Usable
from bot.web.client import WebClient, WebRequest
from bot.web.settings import WebSettings

Api = TypeVar("Api", bound=AccountApi)
MakesConnector = Callable[[Usable, ServiceClient], Connector]
BACK = "https://bellhop.example.com/connect/callback"


@dataclass
class AccountTown:
    """One service and the accounts that Bellhop has stored for Ann and Ben."""

    clock: SkippingClock
    database: Database
    keys: Keyring
    provider: OAuthProvider
    service: Service
    web: WebClient
    oauth: OAuth
    credentials: Credentials
    connections: Connections
    client: ServiceClient
    ann: Person
    ben: Person

    async def code(self, url: str) -> str:
        """Return the authorization code that the consent page hands to the browser."""
        answer = await self.web.fetch(WebRequest("GET", url, follow=False))
        if answer.status != 302:
            raise AssertionError(f"{answer.status}: {self.provider.problems}")
        return parse_qs(urlsplit(answer.headers["location"]).query)["code"][0]

    async def connect(self, person: Person) -> Tokens:
        invitation = invite(self.service, BACK)
        code = await self.code(invitation.url)
        tokens = await self.oauth.exchange(self.service, code, invitation.verifier, BACK)
        await self.connections.keep(person.id, self.service, tokens)
        return tokens

    def tools(self, connector: MakesConnector, person: Person) -> dict[str, NativeTool[Any]]:
        """Return the connector tools that this person can use, by name."""
        registrations = connector(self.connections.usable, self.client).registrations()
        return dict(NativeTools(registrations).handlers(ToolScope(person, "assistant")))

    async def call(self, connector: MakesConnector, name: str, arguments: JsonObject) -> ToolResult:
        """Call a tool of the connector as Ann."""
        tool = self.tools(connector, self.ann)[name]
        found = await tool.run(make_context(self.ann), tool.arguments.model_validate(arguments))
        match found:
            case ToolResult():
                return found
            case _:
                raise AssertionError(f"{name} gave no result: {found}")


@dataclass
class ServiceDesk(Generic[Api]):
    """Ann at one service, where her account is connected, calling a connector's tools."""

    at: AccountTown
    api: Api
    connector: MakesConnector

    def tools(self, person: Person | None = None) -> dict[str, NativeTool[Any]]:
        return self.at.tools(self.connector, person or self.at.ann)

    async def result(self, name: str, **arguments: Any) -> ToolResult:
        """Call a tool; its result is said to come from the service."""
        found = await self.at.call(self.connector, name, arguments)
        told = (found.origin.trust, found.origin.source)
        if told != (Trust.EXTERNAL, self.at.service.id):
            raise AssertionError(f"{name} gave a result of {told}")
        return found

    async def call(self, name: str, **arguments: Any) -> Any:
        return json.loads((await self.result(name, **arguments)).content)

    async def checked(self, name: str, **arguments: Any) -> None:
        """Check a call before anybody is asked. Raises ToolError, as the tool does."""
        tool = self.tools()[name]
        if tool.check is None:
            raise AssertionError(f"{name} checks nothing")
        await tool.check(make_context(self.at.ann), tool.arguments.model_validate(arguments))

    async def card(self, name: str, **arguments: Any) -> str:
        """Return what the card of a call says in English."""
        tool = self.tools()[name]
        if tool.tells is None:
            raise AssertionError(f"{name} says nothing on its card")
        told = await tool.tells(make_context(self.at.ann), tool.arguments.model_validate(arguments))
        if not isinstance(told, Translations):
            raise TypeError(f"{name} says {told} in one language")
        return told.said(Language.EN)


@asynccontextmanager
async def service_desk(
    folder: Path, service: str, api: Api, connector: MakesConnector
) -> AsyncGenerator[ServiceDesk[Api]]:
    async with account_town(folder, service, api=api) as at:
        await at.connect(at.ann)
        yield ServiceDesk(at, api, connector)


@asynccontextmanager
async def account_town(
    folder: Path, service: str = "google", env: Mapping[str, str] | None = None, **given: Any
) -> AsyncGenerator[AccountTown]:
    """Open a loopback service with accounts of Ann and Ben; `given` goes to the provider."""
    clock = SkippingClock()
    async with oauth_provider(service, clock, **given) as provider:
        database = await open_database(folder / f"{service}.db")
        try:
            prefix = service.upper()
            secrets = {
                KEY: new_key(),
                f"{prefix}_CLIENT_ID": CLIENT_ID,
                f"{prefix}_CLIENT_SECRET": CLIENT_SECRET,
                **(env or {}),
            }
            section = SECTIONS["services"].model_validate({service: provider.addresses()})
            known = services(section, secrets.get, OWN_SERVICES)
            web = WebClient(WebSettings(allow_private=("127.0.0.1",)))
            keys = Keyring(secrets.get)
            credentials = Credentials(database, keys, clock)
            await credentials.load()
            oauth = OAuth(web, clock)
            connections = Connections(known, credentials, oauth, clock)
            client = ServiceClient(known[service], connections, web, clock)
            ann, ben = make_person("ann", role=Role.FRIEND), make_person("ben", role=Role.FRIEND)
            yield AccountTown(
                clock,
                database,
                keys,
                provider,
                known[service],
                web,
                oauth,
                credentials,
                connections,
                client,
                ann,
                ben,
            )
        finally:
            await database.close()
