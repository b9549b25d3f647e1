"""What a person could come to use: skills to activate or read, and services to set up."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from bot.agents.settings import AgentSettings
from bot.assembly.accounts import Accounts
from bot.assembly.ground import Ground
from bot.assembly.plugins import setup_of
from bot.assembly.written import WrittenHome
from bot.connections.offers import Admins, Unfinished, service_offers
from bot.domain.access import Person, Role
from bot.domain.agents import AgentDefinition
from bot.domain.finding import Beyond, ServiceOffer
from bot.domain.skills import Skill
from bot.domain.tool_context import ToolScope
from bot.plugin.plugin import Lacking
from bot.skills.library import SkillLibrary
from bot.skills.manifests import SkillManifests

AUTOMATIONS = Skill(
    name="automations",
    description="Do something whenever something happens: a file in /automations/triggers.",
    path="/automations/README.md",
    words=(
        *("whenever", "when somebody writes", "when someone writes", "if someone writes"),
        *("automatically", "each time somebody", "every time somebody", "every time someone"),
        *("each time someone", "as soon as someone", "whenever somebody writes"),
        *("when new member joins", "greet new members", "react to message", "trigger"),
        *("immer wenn jemand", "immer wenn", "wenn jemand", "sobald jemand", "jedes mal wenn"),
        *("jedes mal wenn jemand", "automatisch", "dès que quelqu'un", "dès que"),
        *("quand quelqu'un", "chaque fois que", "chaque fois que quelqu'un", "automatiquement"),
        *("cuando alguien escriba", "cuando alguien", "cada vez que", "cada vez que alguien"),
        *("en cuanto alguien", "automáticamente", "quando qualcuno scrive", "quando qualcuno"),
        *("ogni volta che", "ogni volta che qualcuno", "appena qualcuno", "automaticamente"),
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
