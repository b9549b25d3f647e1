"""The shipped specialists in a whole app: each starts with the tools that its file names."""

from pathlib import Path

from bot.app import AppOptions, open_app
from bot.domain.access import Person, Role
from bot.domain.runs import RunKind
from bot.domain.tool_context import ToolScope
from bot.tools.toolset.view import ToolStanding


async def test_tools_named_by_shipped_agents_exist_for_their_callers(
    home: Path,
):
    async with open_app(AppOptions(home)) as app:
        for agent in filter(lambda agent: agent.tools, app.house.written.agents.all()):
            owner = Person("owner", "Olga", Role.MASTER_ADMIN)
            run = RunKind(agent.run_shape) if agent.run_shape else RunKind()
            scope = ToolScope(
                owner,
                agent.name,
                run,
                agent.folders,
                agent.specialists,
                agent.tools,
                app.house.resolver.integrations.of(owner),
                depth=1,
            )
            toolset = app.house.crew.compose(agent, scope)
            standing = {name: toolset.standing(name) for name in agent.tools}
            # pm_shell is there only where scripts run in a sandbox.
            assert set(standing.values()) <= {
                ToolStanding.CALLABLE,
                ToolStanding.INTEGRATION,
                ToolStanding.UNSERVED,
            }, standing
            there = {name for name, how in standing.items() if how is ToolStanding.CALLABLE}
            assert there
            assert {tool.name for tool in toolset.always_on()} >= there
