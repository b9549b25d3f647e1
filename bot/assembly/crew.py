"""The agents room: the loop, what runs its calls, and the specialists that it hands work to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.agents.control_tools.activation import SkillActivation
from bot.agents.control_tools.handlers import GetCapabilities, run_tools
from bot.agents.control_tools.planning import plan_calls
from bot.agents.control_tools.scheduling import ScheduleTask
from bot.agents.cycle_log.events import Cycles
from bot.agents.delegation.background import Background
from bot.agents.delegation.dispatch import Dispatch
from bot.agents.delegation.specialist_programs import SpecialistPrograms
from bot.agents.delegation.specialists import ComposeToolset, InProcessRunner, Specialists
from bot.agents.delegation.subprocess_runner import AutoRunner, SubprocessRunner
from bot.agents.leading import LeadingGround, LeadingRun
from bot.agents.loop.asking import CallWords
from bot.agents.loop.calls import CallRecords
from bot.agents.loop.loop import ReactLoop
from bot.agents.loop.model_calls import ModelCalls
from bot.agents.loop.pipeline import ToolPipeline
from bot.agents.loop.refusals import Refusals
from bot.agents.loop.spending import Purse
from bot.agents.planner.handlers import Planner
from bot.agents.planner.running import RunningPlans
from bot.agents.prompt.system_prompt import PromptBuilder, PromptParts
from bot.agents.settings import AgentSettings
from bot.assembly.accounts import Accounts
from bot.assembly.ground import Ground
from bot.assembly.permission import Permission
from bot.assembly.reach import build_offers, within_reach
from bot.assembly.tools import Tooling
from bot.assembly.written import WrittenHome
from bot.domain.agents import AgentDefinition
from bot.domain.tool_context import ToolScope
from bot.log import redact_json
from bot.memory.settings import MemorySettings
from bot.plugin.agents import AgentGround
from bot.settings import LogSettings
from bot.tools.native.connector import Connector
from bot.tools.toolset.dispatcher import dispatcher_tools
from bot.tools.toolset.toolset import Toolset


@dataclass(frozen=True)
class Crew:
    """The agents room of one app."""

    pipeline: ToolPipeline
    loop: ReactLoop
    prompts: PromptBuilder
    cycles: Cycles
    compose: ComposeToolset
    """The tools of one request: those of tool files and those for delegation."""
    dispatch: Dispatch
    background: Background
    plans: RunningPlans
    led: AgentGround
    """For tools of plug-ins that have agents work."""


def build_crew(
    ground: Ground,
    written: WrittenHome,
    accounts: Accounts,
    permission: Permission,
    tooling: Tooling,
    connectors: Sequence[Connector],
) -> Crew:
    """Put the agents room together; specialists run in the same loop as who asks them."""
    settings, model = ground.settings, ground.model

    offers = build_offers(ground, written, accounts)
    dispatcher = dispatcher_tools(model.capabilities.unlock)

    def compose(agent: AgentDefinition, scope: ToolScope) -> Toolset:
        delegation = written.agents.tools_for(agent.name, scope.person.role)
        reachable = partial(within_reach, agent, written.skills, written.manifests, offers)
        return tooling.toolset(scope, extra=(*delegation, *dispatcher), beyond=reachable)

    prompts = PromptBuilder(
        PromptParts(written.prompts),
        written.memory,
        settings.get(MemorySettings),
        written.skills,
        connectors,
        model.capabilities.unlock,
    )
    words = CallWords(ground.clock)
    purse = Purse(ground.meter, permission.approvals)
    pipeline = ToolPipeline(
        gate=permission.gate,
        executor=tooling.executor,
        approvals=permission.approvals,
        grants=permission.grants,
        plans=permission.plans,
        purse=purse,
        records=CallRecords(permission.approvals, permission.redaction, ground.meter, ground.clock),
        clock=ground.clock,
        words=words,
        tokens=accounts.connections.tokens_for,
        catch_up=ground.changes.catch_up if ground.changes.shared else None,
    )
    abilities = model.capabilities
    refusals = Refusals(ground.database, ground.clock, abilities.images, abilities.label)
    model_calls = ModelCalls(model, purse, permission.approvals, ground.clock, refusals)
    loop = ReactLoop(model_calls, pipeline, ground.clock)

    # The loop runs tools, and some of these run a loop: they are added when both exist.
    of_agents = settings.get(AgentSettings)
    opener = Specialists(prompts, compose, ground.clock)
    programs = SpecialistPrograms(of_agents, ground.sandbox, ground.limits.programs)
    specialists = AutoRunner(
        programs,
        SubprocessRunner(opener, loop, programs, ground.clock, settings.home.name),
        InProcessRunner(opener, loop),
    )
    background = Background(ground.database, ground.engine)
    dispatch = Dispatch(written.agents, specialists, background, of_agents.depth)
    plans = RunningPlans(ground.database)
    planner = Planner(dispatch, specialists, opener, plans, ground.clock, of_agents)
    workspaces = settings.home / "data" / "workspaces"
    leading = LeadingGround(dispatch, opener, pipeline, plans)
    led = AgentGround(partial(LeadingRun, leading), written.manifests.for_role, workspaces)
    activation = SkillActivation(written.manifests)
    capabilities = GetCapabilities(written.agents, written.skills, activation.usable)
    schedules = ScheduleTask(ground.database, ground.clock)
    tooling.natives.add(
        *run_tools(capabilities),
        *activation.tools(),
        *dispatch.tools(),
        *planner.tools(),
        background.tool(),
        schedules.tool(),
        plan_calls(permission.gate, words),
    )
    cycles = Cycles(ground.clock, redact_json, settings.get(LogSettings).tool_io)
    return Crew(pipeline, loop, prompts, cycles, compose, dispatch, background, plans, led)
