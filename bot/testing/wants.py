"""What people want in their own words, searched for in the shipped catalogue."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.agents.definitions.registry import AgentRegistry
from bot.assembly.crew import AUTOMATIONS, within_reach
from bot.domain.access import Person, Role
from bot.domain.finding import SearchResult, ServiceOffer
from bot.domain.tool_context import ToolScope
from bot.shipped import shipped_dir
from bot.skills.library import SkillLibrary
from bot.skills.manifests import SkillManifests
from bot.testing.shipped_tools import AGENT_ROOTS, CONNECTOR_SKILLS, SHIPPED_ROOTS
from bot.testing.tools import native
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.native.discovery import UNLOCKED_BY_QUERY
from bot.tools.toolset.toolset import Toolset

LANGUAGES = ("en", "de", "fr", "es", "it")
ROLE = Role.MASTER_ADMIN
_HELD_OUT_OF = 3


@dataclass(frozen=True)
class Want:
    """One want. `finds`: what serves it; `near`: what is no mistake beside that."""

    language: str
    text: str
    finds: frozenset[str] = frozenset()
    near: frozenset[str] = frozenset()
    service: frozenset[str] = frozenset()
    """What could be set up for it where nothing is."""
    unconnected: bool = False
    """Whether it only makes sense where nothing is connected."""

    @property
    def held_out(self) -> bool:
        """Whether nothing may be tuned by it: a third, chosen by the text alone."""
        return hashlib.sha256(self.text.encode()).digest()[0] % _HELD_OUT_OF == 0


def read_wants(path: Path) -> list[Want]:
    """All wants of a file: those that something serves, then those that nothing does."""
    known = json.loads(path.read_text(encoding="utf-8"))
    return [*_served(known["wants"]), *_unserved(known["nothing"])]


def _served(groups: Iterable[dict[str, list[str]]]) -> Iterator[Want]:
    for group in groups:
        of = partial(
            Want,
            finds=frozenset(group["finds"]),
            near=frozenset(group["near"]),
            service=frozenset(group.get("service", ())),
            unconnected=bool(group.get("unconnected")),
        )
        for language in LANGUAGES:
            for text in group.get(language, ()):
                yield of(language, text)


def _unserved(texts: dict[str, list[str]]) -> Iterator[Want]:
    return (Want(language, text) for language in LANGUAGES for text in texts[language])


class WantHouse:
    """The shipped tools, skills and agents, beside tools of others."""

    def __init__(
        self,
        catalog: ToolCatalog,
        agents: AgentRegistry,
        skills: SkillLibrary,
        sets: SkillManifests,
    ) -> None:
        self._catalog, self._agents = catalog, agents
        self._skills, self._sets = skills, sets

    def toolset(self, offers: Sequence[ServiceOffer] = ()) -> Toolset:
        """The assistant's tools; those that `offers` bring are not there."""
        lacking = frozenset(name for one in offers for name in one.tools)
        definitions = [one.definition for one in self._catalog.snapshot.tools]
        agent = self._agents.get("assistant")
        if agent is None:
            raise LookupError("the assistant does not ship")
        needed = {name for one in definitions if one.name not in lacking for name in one.requires}
        scope = ToolScope(
            Person("ann", "Ann", ROLE, known=True),
            agent.name,
            folders=agent.folders,
            specialists=agent.specialists,
            tools=agent.tools,
            integrations=frozenset((*needed, *CONNECTOR_SKILLS, AUTOMATIONS.name)),
        )
        every = native(*({one.name for one in definitions} - lacking))
        extra = self._agents.tools_for(agent.name, ROLE)
        reach = partial(within_reach, agent, self._skills, self._sets, lambda _person: offers)
        return Toolset(
            self._catalog, scope, natives=every, extra=extra, chat_web=True, beyond=reach
        )


async def want_house(others: Path | None = None) -> WantHouse:
    """`others` is a prompt root whose tools come beside the shipped ones."""
    skills = shipped_dir("skills")
    catalog = ToolCatalog([*([others] if others else ()), *SHIPPED_ROOTS])
    agents, library = AgentRegistry(AGENT_ROOTS), SkillLibrary([skills], CONNECTOR_SKILLS)
    sets = SkillManifests([skills])
    for part in (catalog, agents, library, sets):
        await part.load()
    return WantHouse(catalog, agents, library, sets)


@dataclass(frozen=True)
class Verdict:
    """What one search came to."""

    found: bool
    """Whether one of the first five hits serves the want."""
    ready: bool
    """Whether the next call can be one that serves the want: of a tool, or what leads to it."""
    nothing: bool
    """Whether nothing was found to fit."""
    unlocked: tuple[str, ...]
    wrong: tuple[str, ...]
    """What was unlocked and has nothing to do with the want."""


def judged(want: Want, result: SearchResult, toolset: Toolset, *, set_up: bool = True) -> Verdict:
    """Tools that can be called anyhow are not unlocked.

    `set_up`: whether every service is there; else its offer serves the want, too.
    """
    serving = want.finds if set_up else want.finds | want.service
    names = [hit.name for hit in result.hits]
    offered = [one.id for hit in result.hits for one in hit.offers]
    best = [hit for hit in result.hits if hit.sure][:UNLOCKED_BY_QUERY]
    unlocked = [hit.name for hit in best if hit.tool and not toolset.is_callable(hit.name)]
    harmless = want.finds | want.near
    return Verdict(
        found=not serving.isdisjoint((*names, *offered)),
        ready=any(
            not hit.tool or toolset.is_callable(hit.name) or hit.name in unlocked
            for hit in result.hits
            if hit.name in serving or not serving.isdisjoint(one.id for one in hit.offers)
        ),
        nothing=not result.hits,
        unlocked=tuple(unlocked),
        wrong=tuple(name for name in unlocked if name not in harmless),
    )


SKILL_AMONG = 3


@dataclass(frozen=True)
class SkillVerdict:
    """What a person's words came to, of skills alone."""

    named: str
    """The skill that the note behind the words names; empty for none."""
    first: tuple[str, ...]
    """The first that the note and a search with these words name."""
    served: bool
    wrong: bool
    """Whether the named one has nothing to do with the want."""


def skill_judged(want: Want, toolset: Toolset) -> SkillVerdict:
    fitting = toolset.fitting_skill(want.text)
    named = "" if fitting is None else fitting.name
    found = toolset.search(None, want.text)
    skills = [hit.name for hit in (*found.hits, *found.closest) if hit.path]
    first = tuple(dict.fromkeys(filter(None, [named, *skills])))[:SKILL_AMONG]
    wrong = bool(named) and named not in want.finds | want.near
    return SkillVerdict(named, first, not want.finds.isdisjoint(first), wrong)
