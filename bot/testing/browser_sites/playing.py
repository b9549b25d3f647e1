"""Plays a case on its site: each instruction through the tools, a yes where one is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.domain.lasting import Lasting
from bot.domain.privacy import PUBLICLY
from bot.domain.targets import Target
from bot.domain.tool_outcomes import NeedsApproval, ToolResult
from bot.errors import ToolError
from bot.files.database_files import version_of
from bot.files.store import Owner, StoredText, put_new
from bot.testing.browser_desk import BrowserDesk
from bot.testing.browser_sites.cases import EXTRACT, Case
from bot.testing.browser_sites.server import BrowserSites

_TRIES = 2
"""An agent that reads `success: false` goes on once."""
RECEIPTS = "day,eur\n1,12\n"


@dataclass(frozen=True)
class Instructed:
    """A person who typed the instructions, and means the sites of this machine."""

    texts: Sequence[str] = ()

    def said(self, text: str) -> bool:
        return any(text in one for one in self.texts)

    def said_by_person(self, target: Target) -> bool:
        return True

    def asks_for(self, kind: Lasting, texts: Sequence[str]) -> bool:
        return False


@dataclass(frozen=True)
class Played:
    """What came of a case."""

    case: Case
    got: tuple[str, ...]
    said: tuple[str, ...]
    """The results and errors, in order."""
    calls: int
    """Calls of the browser's tools."""
    asked: int
    """How often a yes was needed."""

    @property
    def done(self) -> bool:
        last = self.said[-1] if self.said else ""
        return self.got == self.case.got and all(word in last for word in self.case.reads)


async def keep_receipts(desk: BrowserDesk) -> None:
    """Give ann the document that the uploads are about."""
    stored = StoredText(
        text=RECEIPTS,
        version=version_of(RECEIPTS),
        updated_at="2026-11-24T12:00:00Z",
        updated_by="ann",
        learned=PUBLICLY,
        origin='{"trust": "operator", "source": "test"}',
    )
    await desk.database.write(put_new(Owner("person", "ann"), "/documents/receipts.csv", stored))


async def play(
    desk: BrowserDesk, sites: BrowserSites, case: Case, instructions: Sequence[str], agent: str = ""
) -> Played:
    """Open the site and follow the instructions; what fails is told in `said`."""
    desk = replace(desk, words=Instructed(instructions), agent=agent or desk.agent, calls=0)
    sites.got[case.site] = []
    said: list[str] = []
    asked = 0
    await desk.open(f"{sites.url}/{case.site}/")
    for instruction in instructions:
        try:
            if instruction.startswith(EXTRACT):
                wanted = {"instruction": instruction.removeprefix(EXTRACT)}
                said.append(await desk.result("browser_extract", wanted))
                continue
            for _ in range(_TRIES):
                outcome = await desk.outcome("browser_act", {"action": instruction})
                if isinstance(outcome, NeedsApproval):
                    asked += 1
                    said.append(f"asked: {outcome.call.arguments['action']}; {outcome.reason}")
                    said.append(await desk.approve(outcome))
                elif isinstance(outcome, ToolResult):
                    said.append(outcome.content)
                if '"success": false' not in said[-1]:
                    break
        except ToolError as error:
            said.append(f"error: {error}")
            break
    return Played(case, tuple(sites.got[case.site]), tuple(said), desk.calls, asked)
