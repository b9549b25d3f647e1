"""For people's mail and calendars: what services that keep them give, and what tools read.

A plug-in of a service gives `Parts.calendars` and `Parts.mailboxes`. The automations that wait for
mail and events are the house's. Any plug-in can have tools over all of them: `Given.calendars` and
`Given.mailboxes`. For people who are not there it reads calendars in `bot.plugin.late`.
"""

import json
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from bot.connectors.accounts import PersonAccounts, aware, plain_line, read_items, shown_time
from bot.connectors.calendars import (
    MOST_EVENTS,
    OWN,
    CalendarAccount,
    CalendarEvent,
    EventDraft,
    EventList,
    MadeEvent,
    event_key,
    spoken_span,
)
from bot.connectors.mailboxes import (
    MOST_ANSWER_BYTES,
    MOST_ARRIVED,
    Arrived,
    AttachedToMail,
    Box,
    Email,
    EmailList,
    Letter,
    MailboxAccount,
    from_base64,
    require_id,
    require_name,
)
from bot.connectors.native import NativeConnector
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolResult

AccountT = TypeVar("AccountT")


class AccountsConnector(NativeConnector, Generic[AccountT]):
    """Exists for people who connected one of the services; for others it is absent.

    A run that nobody waits in front of has it in a direct message only.
    """

    def __init__(self, accounts: PersonAccounts[AccountT], *tools: NativeTool[Any]) -> None:
        super().__init__(*tools)
        self.accounts = accounts
        self.needs = accounts.needs


def external(
    context: ToolContext, told: list[dict[str, Any]], notes: Sequence[str], what: str
) -> ToolResult:
    """A result with one item per line. Others wrote most of it, and it belongs to this person."""
    lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in told)
    none = [] if told else [f"No {what} there; a longer time or fewer words may find some."]
    text = "\n".join([f"[{lines}]", *none, *notes])
    return of_account(context, text, f"{len(told)} {what}")


def of_account(context: ToolContext, text: str, summary: str) -> ToolResult:
    """A result from its person's own account: nobody else who reads the place may read it."""
    return ToolResult(text, origin=outside(context), summary=summary).for_asker()


def outside(context: ToolContext) -> Origin:
    """The source of a tool's results over accounts."""
    return Origin(Trust.EXTERNAL, f"tool:{context.call.name}")
