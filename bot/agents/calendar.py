"""get_calendar: a hard-coded handler, so that no script or server of that name replaces it."""

from bot.agents.arguments import arguments_of
from bot.agents.pipeline import ControlHandler
from bot.agents.run import Run
from bot.connectors.calendar import CalendarTools, GetCalendarArguments
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolOutcome
from bot.domain.turns import Turn


def get_calendar(calendars: CalendarTools) -> ControlHandler:
    """The handler over what each person connected."""

    async def handle(run: Run, turn: Turn, context: ToolContext) -> ToolOutcome:
        return await calendars.look(context, arguments_of(GetCalendarArguments, context.call))

    return handle
