"""Every section of bellhop.yaml and the model of the room that owns it."""

from bot.agents.settings import AgentSettings, TraceSettings
from bot.assembly.own_plugins import OWN, OWN_PLATFORMS, OWN_SERVICES
from bot.connections.settings import services_section
from bot.endpoints.settings import ConsoleSettings
from bot.llm.settings import ModelSettings
from bot.memory.settings import MemorySettings
from bot.plugin.plugin import NoSettings
from bot.sessions.settings import AccessSettings, CatchUpSettings, SessionSettings
from bot.settings import Section
from bot.storage.settings import DatabaseSettings
from bot.tools.budget.settings import BudgetSettings
from bot.tools.settings import ApprovalSettings, RunShapeSettings, ToolSettings
from bot.turns.settings import TurnSettings
from bot.web.settings import WebSettings

SECTIONS: dict[str, type[Section]] = {
    "model": ModelSettings,
    "database": DatabaseSettings,
    "access": AccessSettings,
    "tools": ToolSettings,
    "run_shapes": RunShapeSettings,
    "memory": MemorySettings,
    "agents": AgentSettings,
    "traces": TraceSettings,
    "sessions": SessionSettings,
    "catch_up": CatchUpSettings,
    "turns": TurnSettings,
    "approvals": ApprovalSettings,
    "budgets": BudgetSettings,
    "web": WebSettings,
    "services": services_section(one.id for one in OWN_SERVICES),
    "console": ConsoleSettings,
    **{one.name: one.settings for one in OWN if one.settings is not NoSettings},
    **{platform.name: platform.settings for platform in OWN_PLATFORMS},
}
