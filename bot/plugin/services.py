"""For connectors of services: accounts that people connect by OAuth, keys, and web pages."""

from collections.abc import Awaitable, Callable
from typing import Any

from bot.connections.client import ServiceAnswer, ServiceClient, ServiceRefused, ServiceRequest
from bot.connections.pages import by_address, by_link, by_token
from bot.connections.services import Revoking, Service
from bot.connectors.native import NativeConnector
from bot.domain.access import Person
from bot.domain.json_types import as_object, as_objects, as_values
from bot.domain.languages import Phrase
from bot.domain.runs import RunShape
from bot.domain.tool_context import ArgumentsT, NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.log import redact, redact_secrets
from bot.tools.native.registry import EVERY_RUN, Needs, Usable
from bot.web.addresses import is_global_unicast
from bot.web.client import WebClient, WebRequest
from bot.web.pages import Page, Pages
from bot.web.response import WebError, WebRefused, WebResponse
from bot.web.retries import AskAgain, GaveUp, Retries
from bot.web.service import (
    Call,
    KeyedService,
    ServiceError,
    checked_base_url,
    key_check,
    service_client,
    told_to_model,
)
from bot.web.targets import parse_target

READS_ACCOUNT = Phrase("Looking into your account")
"""For `NativeTool.doing` of a tool that reads."""
WORKS_IN_ACCOUNT = Phrase("Working in your account")
"""The same for one that writes."""


class ServiceConnector(NativeConnector):
    """For people whose requests can use `service`: their own account or the workspace's.

    For everybody else its tools, skills and lines are absent, not refused. A run that an event
    started has them in a direct message only.
    """

    service: str

    def __init__(self, usable: Usable, *tools: NativeTool[Any]) -> None:
        super().__init__(*tools)
        self.needs = Needs(
            aloud=EVERY_RUN - {RunShape.TRIGGERED},
            services=frozenset({self.service}),
            usable=usable,
        )


async def read_for(
    service: ServiceClient, person: Person, reading: Awaitable[ToolResult]
) -> ToolResult:
    """What a call of `person` reads: theirs alone if their own account shows it.

    What the workspace's account shows is for everybody who may use that account.
    """
    own = service.own(person)
    result = await reading
    # An account that was connected meanwhile may have given a part of it.
    if not own and not service.own(person):
        return result
    return result.for_asker()


def reading_tool(
    service: ServiceClient,
    name: str,
    arguments: type[ArgumentsT],
    run: Callable[[ToolContext, ArgumentsT], Awaitable[ToolResult]],
) -> NativeTool[ArgumentsT]:
    """A tool that reads in an account, with its results as `read_for` gives them."""

    async def read(context: ToolContext, given: ArgumentsT) -> ToolResult:
        return await read_for(service, context.person, run(context, given))

    return NativeTool(name, arguments, read, doing=READS_ACCOUNT)
