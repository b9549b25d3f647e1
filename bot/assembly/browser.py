"""Builds the browser's parts: the model that reads pages, and background tasks."""

from collections.abc import Awaitable, Callable, Sequence

from bot.assembly.ground import Ground
from bot.connectors.browser import BrowserConnector, CheapModel
from bot.domain.models import Usage
from bot.domain.tool_context import ToolContext
from bot.tools.budget.budgets import Payer
from bot.tools.budget.usage import Meter
from bot.tools.native.connector import Connector


def cheap_model(ground: Ground, meter: Meter) -> CheapModel:
    """The cheap model; its costs are charged to the person of the call."""

    async def spent(context: ToolContext, model: str, usage: Usage) -> None:
        payer = Payer.of(context.person, context.conversation)
        await ground.database.write(meter.model_unit(payer, model, usage, handed=context.depth > 0))

    return CheapModel(ground.model, spent)


def browser_tasks(connectors: Sequence[Connector]) -> list[Callable[[], Awaitable[None]]]:
    """Background work of the browser, if there is one."""
    return [task for one in connectors if isinstance(one, BrowserConnector) for task in one.tasks]


def browser_keepers(connectors: Sequence[Connector]) -> list[BrowserConnector]:
    """What follows a person whom contacts.yaml names."""
    return [one for one in connectors if isinstance(one, BrowserConnector)]
