"""Lunch: a tool that remembers places to eat and draws one, and a command that lists them."""

import json
from typing import Literal

from pydantic import Field

from bot.plugin.chat_commands import Asked, ChatCommand, CommandReply, Phrase
from bot.plugin.plugin import Given, Parts, Plugin, Section
from bot.plugin.tables import Database, PersonTable, Unit, Write
from bot.plugin.tools import (
    NativeConnector,
    NativeTool,
    Origin,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolResult,
    Trust,
    one_line,
)


class LunchSettings(Section):
    """`lunch:` where the team eats."""

    most: int = Field(default=50, ge=1)
    """The most places that are remembered."""


class LunchArguments(ToolArguments):
    """A place to remember, or a question for one."""

    action: Literal["add", "draw", "list"]
    name: str | None = Field(default=None, max_length=80, description="add: the place.")


class LunchConnector(NativeConnector):
    """The tool `lunch`, for everybody."""

    id = "lunch"

    def __init__(self, database: Database, settings: LunchSettings) -> None:
        super().__init__(NativeTool("lunch", LunchArguments, self._run, pure=True))
        self._database = database
        self._most = settings.most

    async def _run(self, context: ToolContext, arguments: LunchArguments) -> ToolResult:
        match arguments.action:
            case "add":
                return await self._add(context, arguments.name or "")
            case "draw":
                return await self._draw(context)
            case "list":
                return _shown({"places": await self._places()})

    async def _add(self, context: ToolContext, name: str) -> ToolResult:
        name = one_line(name, "name", 80)
        if not name:
            raise ToolError("add needs `name`: what the place is called")
        if len(await self._places()) >= self._most:
            raise ToolError(f"there are {self._most} places already, which is the most")
        # The write is committed together with the result: once, even across a crash.
        write = Write(
            "INSERT INTO lunch_places (name, added_by) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
            (name, context.person.id),
        )
        return _shown({"added": name}, Unit.of(write))

    async def _draw(self, context: ToolContext) -> ToolResult:
        places = await self._places()
        if not places:
            raise ToolError("no place is known yet; ask the person for some and add them")
        chosen = places[0]["name"]
        now = context.now.isoformat()
        write = Write(
            "UPDATE lunch_places SET draws = draws + 1, drawn_at = ? WHERE name = ?", (now, chosen)
        )
        return _shown({"chosen": chosen}, Unit.of(write))

    async def told(self, asked: Asked) -> CommandReply:
        """The answer of the command `/lunch`, which no model gives."""
        none = Phrase("I know no place yet.", de="Ich kenne noch keinen Ort.")
        lines = [f"- {place['name']}" for place in await self._places()]
        return CommandReply("\n".join(lines) or none.said(asked.language), trust=Trust.MEMBER)

    async def _places(self) -> list[dict[str, object]]:
        rows = await self._database.read(
            "SELECT name, draws FROM lunch_places ORDER BY draws, drawn_at, name"
        )
        return [dict(row) for row in rows]


def _shown(answer: dict[str, object], unit: Unit = Unit()) -> ToolResult:
    # Members wrote the names, so the result is trusted no more than their words.
    text = json.dumps(answer, ensure_ascii=False)
    return ToolResult(text, origin=Origin(Trust.MEMBER, "tool:lunch"), unit=unit)


class Lunch(Plugin[LunchSettings]):
    """Where the team eats."""

    name = "lunch"
    title = "draws where the team has lunch"
    settings = LunchSettings
    api = 13
    tables = (
        PersonTable(
            "lunch_places",
            "added_by",
            key=("name",),
            one="place for lunch",
            many="places for lunch",
            words=("name",),
        ),
    )

    def build(self, given: Given[LunchSettings]) -> Parts:
        connector = LunchConnector(given.database, given.settings)
        about = Phrase("where the team has lunch", de="wo das Team zu Mittag isst")
        command = ChatCommand("lunch", connector.told, about=about)
        return Parts(connectors=(connector,), chat_commands=(command,))
