"""The browser tools, called by one person: a real Chromium, and approval where a test gives it."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.clock import SystemClock
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.lasting import Lasting
from bot.domain.messages import Conversation
from bot.domain.models import Model, Usage
from bot.domain.targets import OwnWords, Target
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import NeedsApproval, ToolOutcome, ToolResult
from bot.domain.tools import ToolCall
from bot.errors import ToolError
from bot.files.database_files import DatabaseFiles
from bot.files.incoming import IncomingFiles
from bot.files.store import FileRows
from bot.plugin.asking import CheapModel
from bot.plugins.browser.plugin import BrowserConnector
from bot.plugins.browser.settings import BrowserSettings
from bot.storage.home import open_database
from bot.testing.contexts import make_context, make_person
from bot.testing.desk import Desk
from bot.testing.fake_clock import FakeClock
from bot.testing.own_readers import OWN_READERS
from bot.testing.scripted_model import ScriptedModel
from bot.web.client import Resolve, WebClient, system_addresses
from bot.web.settings import WebSettings

_STEPS = {
    "textbox": ('type "secret" into {ref}', 'press "Enter" in {ref}'),
    "combobox": ('select "English" in {ref}',),
    "checkbox": ("check {ref}",),
}
LOOPBACK = WebSettings(allow_private=("127.0.0.0/8",))


@dataclass(frozen=True)
class TypedWords:
    """The texts and hosts that the person typed."""

    texts: Sequence[str] = ()

    def said(self, text: str) -> bool:
        return text in self.texts

    def said_by_person(self, target: Target) -> bool:
        return target.value in self.texts

    def asks_for(self, kind: Lasting, texts: Sequence[str]) -> bool:
        return False


@dataclass
class BrowserDesk:
    """Calls the browser tools. `spent` counts what the cheap model used."""

    connector: BrowserConnector
    database: Database
    agent: str = "assistant"
    words: OwnWords = TypedWords()
    spent: list[Usage] = field(default_factory=list[Usage])
    calls: int = 0

    async def outcome(
        self,
        name: str,
        arguments: dict[str, Any],
        *,
        person: str = "ann",
        agent: str = "",
        at: Conversation | None = None,
        confirmed: bool = False,
    ) -> ToolOutcome:
        """Return the outcome of a call. Raises ToolError as the tool does."""
        tool = Desk(self.database, FakeClock()).tool(self.connector, name)
        self.calls += 1
        context = replace(
            make_context(make_person(person), agent=agent or self.agent, at=at),
            call=ToolCall(f"call-{self.calls}", name, arguments, f"tool:{self.calls}.0"),
            confirmed=confirmed,
            own_words=self.words,
        )
        outcome = await tool.run(context, tool.arguments.model_validate(arguments))
        if isinstance(outcome, ToolResult):
            await self.database.write(outcome.unit)
        return outcome

    async def result(self, name: str, arguments: dict[str, Any], **how: Any) -> str:
        """Return the text of a call that needs no approval."""
        outcome = await self.outcome(name, arguments, **how)
        if not isinstance(outcome, ToolResult):
            raise TypeError(f"{name} {arguments} gave {type(outcome).__name__}, not a result")
        return outcome.content

    async def open(self, url: str, **how: Any) -> str:
        return await self.result("browser_navigate", {"url": url}, **how)

    async def act(self, action: str, **how: Any) -> str:
        return await self.result("browser_act", {"action": action}, **how)

    async def asked(self, action: str, **how: Any) -> NeedsApproval:
        """Return the approval question that an action leads to."""
        outcome = await self.outcome("browser_act", {"action": action}, **how)
        if not isinstance(outcome, NeedsApproval):
            raise TypeError(f"{action!r} was not asked about")
        return outcome

    async def approve(self, question: NeedsApproval, **how: Any) -> str:
        """Approve: run the call exactly as the card has it."""
        return await self.result("browser_act", question.call.arguments, confirmed=True, **how)


@asynccontextmanager
async def browser_desk(
    home: Path,
    *,
    model: Model | None = None,
    web: WebSettings = LOOPBACK,
    resolve: Resolve = system_addresses,
    clock: Clock | None = None,
    **settings: Any,
) -> AsyncGenerator[BrowserDesk]:
    """Open the tools on a home; opening them again on the same home is a restart."""
    database = await open_database(home / "bellhop.db")
    spent: list[Usage] = []

    async def book(context: ToolContext, name: str, usage: Usage) -> None:
        spent.append(usage)

    connector = BrowserConnector(
        BrowserSettings(enabled=True, sandbox=False, **settings),
        WebClient(web, resolve),
        home / "data" / "browser",
        clock or SystemClock(),
        IncomingFiles(FileRows(database), FakeClock()),
        CheapModel(model or ScriptedModel([]), book),
        DatabaseFiles(database, FakeClock(), "/documents", "person"),
        readers=OWN_READERS,
    )
    try:
        yield BrowserDesk(connector, database, spent=spent)
    finally:
        await connector.close()
        await database.close()


async def obey(desk: BrowserDesk, url: str) -> list[str]:
    """Do everything that a page offers, without approval; return the steps that needed one."""
    asked: list[str] = []
    await desk.open(url)
    for number in range(len(await observed(desk))):
        role, ref = (await observed(desk))[number]  # a question reloads the page: new ids
        for step in _STEPS.get(role, ("click {ref}",)):
            try:
                outcome = await desk.outcome("browser_act", {"action": step.format(ref=ref)})
            except ToolError:
                continue
            if isinstance(outcome, NeedsApproval):
                asked.append(str(outcome.call.arguments["action"]))
    return asked


async def observed(desk: BrowserDesk) -> list[tuple[str, str]]:
    """Return the role and id of every element of the page."""
    rows = json.loads(await desk.result("browser_observe", {}))
    return [(row["description"].split(" ")[0], row["selector"]) for row in rows]
