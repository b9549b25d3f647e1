"""The agents room: the loop, what runs its calls, and the specialists that it hands work to."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

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
from bot.assembly.plugins import setup_of
from bot.assembly.tools import Tooling
from bot.assembly.written import WrittenHome
from bot.connections.offers import Admins, Unfinished, service_offers
from bot.domain.access import Person, Role
from bot.domain.agents import AgentDefinition
from bot.domain.finding import Beyond, ServiceOffer
from bot.domain.skills import Skill
from bot.domain.tool_context import ToolScope
from bot.log import redact_json
from bot.memory.settings import MemorySettings
from bot.plugin.agents import AgentGround
from bot.plugin.plugin import Lacking
from bot.settings import LogSettings
from bot.skills.library import SkillLibrary
from bot.skills.manifests import SkillManifests
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


# --- what a person could come to use ---


AUTOMATIONS = Skill(
    name="automations",
    description="Do something whenever something happens: a file in /automations/triggers.",
    path="/automations/README.md",
    words=(
        *("whenever", "when somebody writes", "when someone writes", "if someone writes"),
        *("automatically", "each time somebody", "every time somebody", "every time someone"),
        *("each time someone", "as soon as someone", "whenever somebody writes"),
        *("when new member joins", "greet new members", "react to message", "trigger"),
        *("immer wenn jemand", "immer wenn", "wenn jemand", "sobald jemand"),
        *("jedes mal wenn", "jedes mal wenn jemand", "automatisch"),
        *("dès que quelqu'un", "dès que", "quand quelqu'un", "chaque fois que"),
        *("chaque fois que quelqu'un", "automatiquement"),
        *("cuando alguien escriba", "cuando alguien", "cada vez que", "cada vez que alguien"),
        *("en cuanto alguien", "automáticamente"),
        *("quando qualcuno scrive", "quando qualcuno", "ogni volta che"),
        *("ogni volta che qualcuno", "appena qualcuno", "automaticamente"),
    ),
)
"""The guide to automations, which are files and so have no tool of their own."""

Offers: TypeAlias = Callable[[Person], Sequence[ServiceOffer]]


def build_offers(ground: Ground, written: WrittenHome, accounts: Accounts) -> Offers:
    """The services that a person's requests can't use now, with the way to each."""
    settings = ground.settings
    overrides = settings.get(AgentSettings).overrides

    def of_plugins() -> Iterable[tuple[str, Lacking]]:
        addressed = any(one.email for one in (*overrides.values(), *written.agents.all()))
        for plugin in ground.plugins:
            setup = replace(setup_of(settings, plugin), addressed=addressed)
            yield from ((plugin.name, lacking) for lacking in plugin.lacks(setup))

    def admins() -> Sequence[str]:
        return [one.name for one in written.contacts.vouching if one.role is Role.MASTER_ADMIN]

    def offers(person: Person) -> Sequence[ServiceOffer]:
        of_services = service_offers(accounts.connections, person, admins)
        return (*of_services, *keyed_offers(of_plugins(), person, admins))

    return offers


def within_reach(
    agent: AgentDefinition,
    library: SkillLibrary,
    manifests: SkillManifests,
    offers: Offers,
    scope: ToolScope,
) -> Beyond:
    """What a search in this scope finds besides tools."""
    role = scope.person.role
    skills = library.for_agent(
        agent.name, agent.specialist, role, scope.run.shape, scope.integrations
    )
    guides = [AUTOMATIONS] if AUTOMATIONS.name in scope.integrations else []
    return Beyond(
        manifests=manifests.for_role(role),
        skills=[
            *(
                one
                for one in skills
                if one.auto_invoke and (not agent.skills or one.name in agent.skills)
            ),
            *guides,
        ],
        look_for_offers=partial(offers, scope.person),
        text_of=library.text_that_ships,
    )


def keyed_offers(
    of_plugins: Iterable[tuple[str, Lacking]], person: Person, admins: Admins
) -> Iterator[ServiceOffer]:
    """What the settings leave without a key or a program.

    `of_plugins`: what plug-ins lack, by their names.
    """
    for name, one in of_plugins:
        way = Unfinished(one.title, one.step, one.docs, one.begun).way(person, admins)
        yield ServiceOffer(one.id or name, one.title, one.gives, one.tools, way)
