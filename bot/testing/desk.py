"""Native tools, called as in one session with their results committed, without a turn engine."""

import json
from dataclasses import replace
from typing import Any

from bot.domain.access import Person
from bot.domain.database import Database
from bot.domain.messages import Conversation
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import NativeTool, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import ToolCall
from bot.testing.contexts import make_context, make_person
from bot.testing.fake_clock import FakeClock
from bot.tools.native.connector import Connector
from bot.tools.native.registry import NativeTools


class Desk:
    """Every call has its own key; `commit=False` leaves the unit to the test."""

    def __init__(self, database: Database, clock: FakeClock) -> None:
        self.database = database
        self.clock = clock
        self.calls = 0
        self.timezone = "Europe/Berlin"

    def tool(
        self, connector: Connector, name: str, person: Person | None = None
    ) -> NativeTool[Any]:
        scope = ToolScope(person or make_person(), "assistant")
        return NativeTools(connector.registrations()).handlers(scope)[name]

    async def result(  # noqa: PLR0913 - what a test may say of a call, by name
        self,
        tool: NativeTool[Any],
        arguments: dict[str, Any],
        *,
        person: str = "ann",
        agent: str = "assistant",
        private: bool = True,
        at: Conversation | None = None,
        origin: Origin | None = None,
        commit: bool = True,
    ) -> ToolResult:
        self.calls += 1
        context = replace(
            make_context(
                make_person(person), agent=agent, private=private, now=self.clock.now(), at=at
            ),
            call=ToolCall(f"call-{self.calls}", tool.name, arguments, f"tool:{self.calls}.0"),
            timezone=self.timezone,
            origin=origin or Origin(Trust.PERSON, f"person:{person}"),
        )
        outcome = await tool.run(context, tool.arguments.model_validate(arguments))
        if not isinstance(outcome, ToolResult):
            raise TypeError(f"{tool.name} gave {type(outcome).__name__}, not a ToolResult")
        if commit:
            await self.database.write(outcome.unit)
        return outcome

    async def call(self, tool: NativeTool[Any], arguments: dict[str, Any], **how: Any) -> Any:
        return json.loads((await self.result(tool, arguments, **how)).content)
