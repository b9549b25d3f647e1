"""What a search for tools finds: tools, and all else that a person could come to use."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.domain.skills import Skill, SkillManifest
from bot.domain.tools import ToolDefinition


@dataclass(frozen=True)
class ServiceOffer:
    """A service that a person's requests can't use now, and the next step to it."""

    id: str
    title: str
    gives: str
    """The benefit in a few words."""
    tools: frozenset[str]
    """The tools that it brings."""
    way: str
    """What is missing and who can give it: a sentence for the model, by the person's role."""
    words: tuple[str, ...] = ()
    """Phrases that people use for it, as in `ToolDefinition.words`."""
    by_person: bool = False
    """Whether the person can take this step themself, so that `connect_service` serves."""


@dataclass(frozen=True)
class Beyond:
    """What a person could come to use besides the tools of their toolset."""

    manifests: Sequence[SkillManifest] = ()
    """Sets of tools that are open to the role; a set without any usable tool is never found."""
    skills: Sequence[Skill] = ()
    look_for_offers: Callable[[], Sequence[ServiceOffer]] = tuple
    """What `offers` asks once: every plug-in says what it lacks, and few turns want to know."""
    text_of: Callable[[Skill], str | None] | None = None
    """The text of a skill that an answer may hold; None of one that is only named."""

    @cached_property
    def offers(self) -> Sequence[ServiceOffer]:
        """Services that are not there, with the way to each."""
        return self.look_for_offers()

    @property
    def in_manifests(self) -> frozenset[str]:
        return frozenset(name for one in self.manifests for name in one.required_tools)


@dataclass(frozen=True)
class SkillTools:
    """What a manifest brings here once it is active."""

    skill_id: str
    tools: tuple[ToolDefinition, ...]
    active: tuple[str, ...]
    """The tools of all manifests that are active then."""


@dataclass(frozen=True)
class ToolHit:
    """One thing that was found, and what is needed before it can be used."""

    name: str
    description: str
    tool: ToolDefinition | None = None
    """A tool of the toolset; None for all else."""
    sure: bool = True
    """Whether it fits so well that it is worth a declaration in all further requests."""
    skill_id: str = ""
    """The manifest to activate: of a tool that only it brings, or of a hit that is one."""
    path: str = ""
    """The instructions to read."""
    text: str = ""
    """These instructions, where they need not be read any more."""
    offers: tuple[ServiceOffer, ...] = ()
    """The services of which one is missing."""


@dataclass(frozen=True)
class SearchResult:
    """Hits, best first. `cut` is the number of omitted ones."""

    hits: tuple[ToolHit, ...] = ()
    cut: int = 0
    closest: tuple[ToolHit, ...] = ()
    """What comes nearest of all that doesn't fit."""

    @property
    def matches(self) -> tuple[ToolDefinition, ...]:
        """The tools of the toolset among the hits."""
        return tuple(hit.tool for hit in self.hits if hit.tool is not None)

    @property
    def nearest(self) -> tuple[ToolDefinition, ...]:
        """The same, and those that come nearest behind them."""
        return tuple(hit.tool for hit in (*self.hits, *self.closest) if hit.tool is not None)
