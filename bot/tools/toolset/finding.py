"""Finds what a person wants: by name, by words, by phrases that people use, and by past requests.

A search ranks the tools of the toolset together with all that the person could come to use: tools
that a skill brings, skills, and tools of services that are not connected. What fits too little is
not found, and of what is found only what fits well is worth a declaration in all further requests.

What a person could come to use is without what they may not.
"""

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from bot.domain.finding import Beyond, SearchResult, ServiceOffer, ToolHit
from bot.domain.privacy import Viewer
from bot.domain.skills import Skill, SkillManifest
from bot.domain.tool_context import ToolScope
from bot.domain.tools import McpImplementation, NativeImplementation, ToolDefinition, one_line
from bot.tools.catalog.catalog import CatalogSnapshot
from bot.tools.catalog.past_requests import PastRequests
from bot.tools.catalog.phrases import TWO_TELLING, PhraseBook
from bot.tools.catalog.search import GLOB_LIMIT, QUERY_LIMIT, NameList
from bot.tools.text.patterns import MAX_PATTERN
from bot.tools.text.stemming import terms
from bot.tools.toolset.run_rules import OFFERED
from bot.tools.toolset.view import Sources, ToolStanding, View, folders_of, view_of

_MISSING = frozenset({ToolStanding.INTEGRATION, ToolStanding.UNSERVED, ToolStanding.RUN})
"""Why a tool may be absent that a service would bring. A tool that the role lacks is never named.
"""


@dataclass(frozen=True)
class WithinReach:
    """The tools of skills and services beyond a view; `beyond` is reduced to what brings some."""

    wider: View
    """The view in which every skill is active."""
    lacking: Mapping[str, int] = field(default_factory=dict[str, int])
    """Positions of tools that exist only once a service is there, by name."""
    beyond: Beyond = field(default_factory=Beyond)


def reach_of(sources: Sources, scope: ToolScope, view: View, beyond: Beyond) -> WithinReach:
    """`view` is that of the scope."""
    wider = view
    if beyond.manifests:
        active = scope.active_tools | beyond.in_manifests
        wider = view_of(sources, replace(scope, active_tools=active))
    lacking = _lacking(sources, scope, wider, beyond.offers)

    def there(name: str) -> bool:
        return name in wider.tools or name in wider.extra

    manifests = [one for one in beyond.manifests if any(map(there, one.required_tools))]
    offers = [
        one for one in beyond.offers if any(name in lacking or there(name) for name in one.tools)
    ]
    there_now = replace(beyond, manifests=manifests, look_for_offers=lambda: offers)
    return WithinReach(wider, lacking, there_now)


def _lacking(
    sources: Sources, scope: ToolScope, wider: View, offers: Sequence[ServiceOffer]
) -> dict[str, int]:
    found: dict[str, int] = {}
    folders = [sources.snapshot.folders.get(one, {}) for one in folders_of(scope)]
    for name in sorted({name for one in offers for name in one.tools}):
        at = next((folder[name] for folder in folders if name in folder), None)
        if at is None or name in wider.tools or name in wider.taken:
            continue
        definition = sources.snapshot.tools[at].definition
        open_here = sources.limits.objection(definition) is None
        if open_here and sources.standing(definition, scope) in _MISSING:
            found[name] = at
    return found


LEARNED_BOUND = 0.5
"""Past requests add at most this share of the best fit: more hurts similar tools."""
LEARNED_FOUND = 0.25
"""The share of a query in a past request from which the tool that served it is found."""
LEARNED_LIMIT = 20
"""Tools that past requests can bring into one search."""
FOUND = 0.5
"""The share of a query that a tool's text and a past request that it served hold at least."""
SURE = 0.65
"""The same for a tool that is unlocked."""
SURE_PHRASE, SURE_ONE_WORD = 0.12, 0.25
"""The same where the query holds a phrase that people use for the tool, or only one such word."""
NAMED_ONE_WORD = 0.34
"""The least share for a skill that one word alone names: more than one of two words."""
NAMED_ONE_TELLING = 0.2
"""The same where small words stand with it in the phrase: "my standup" says more than "standup"."""
NAMED_AHEAD = 0.1
"""How far the named skill is ahead of the next one."""
BESIDE_BEST = 0.95
"""The share of the best rank below which a further tool is not unlocked beside it."""
HELD = 0.5
"""What the share of a query in the words of phrases counts towards a place."""
_PASTED = "```"
"""Where what people paste behind a wish begins."""
CLOSEST = 8
"""How many come behind those that fit."""
_CANDIDATES = 10
_EXTRAS_KEPT = 64


@dataclass(frozen=True)
class _Rank:
    """How well something fits: what decides its place, and what decides that it is found."""

    place: float
    phrase: float
    """1 and more where it is known by a phrase that people use for it."""
    covered: float
    """The share of the query that is known to belong to it."""
    learned: float

    @property
    def found(self) -> bool:
        return self.phrase > 0 or self.learned >= LEARNED_FOUND or self._whole >= FOUND

    @property
    def sure(self) -> bool:
        least = SURE_ONE_WORD if self.phrase <= 1 else SURE_PHRASE
        return self._whole >= (least if self.phrase else SURE)

    @property
    def _whole(self) -> float:
        return self.covered + self.learned


@dataclass(frozen=True)
class ToolFinder:
    """One search over the tools of a toolset, and what lies beyond it."""

    snapshot: CatalogSnapshot
    view: View
    past: PastRequests | None
    viewer: Viewer
    reach: WithinReach

    def search(self, pattern: str | None, query: str | None) -> SearchResult:
        """As `ToolsetView.search`."""
        fitting = None if pattern is None else self._glob(pattern)
        if query is None or not query.strip():
            names = list(fitting or ())
            hits = tuple(self._hit(name) for name in names[:GLOB_LIMIT])
            return SearchResult(hits, len(names) - len(hits))
        return self._ranked(query, fitting)

    # --- by name ---

    def _glob(self, pattern: str) -> dict[str, ToolDefinition]:
        """Every tool that fits, by name."""
        pattern = pattern.strip()
        view = self.reach.wider
        files = view.labels.matching(pattern)
        found = {name: view.tools[name] for name in files if name not in view.taken}
        extra = [_with_bare_name(tool) for tool in self._extra.values()]
        found |= {name: self._extra[name] for name in NameList(extra).matching(pattern)}
        return dict(sorted(found.items()))

    # --- by words ---

    def _ranked(self, query: str, fitting: Mapping[str, ToolDefinition] | None) -> SearchResult:
        ranks = self._ranks(query, fitting)
        order = sorted(ranks, key=lambda name: (-ranks[name].place, name))
        # A pattern names what is wanted, so the words only sort it.
        found = self._once([name for name in order if fitting is not None or ranks[name].found])
        best = max((ranks[name].place for name in found), default=0.0)
        hits: list[ToolHit] = []
        for name in found:
            sure = fitting is not None or (
                ranks[name].sure and ranks[name].place >= BESIDE_BEST * best
            )
            hit = self._hit(name, sure=sure)
            # What can't be used here is told where it is what is wanted, and not beside that.
            if hit.sure or not hit.offers or name == found[0]:
                hits.append(hit)
            if len(hits) == QUERY_LIMIT:
                break
        hits[:1] = [self._with_text(hit) for hit in hits[:1]]
        fits = {*found}
        others = [name for name in order if name not in fits][:CLOSEST]
        closest = [self._hit(name, sure=False) for name in others]
        return SearchResult(tuple(hits), len(found) - len(hits), tuple(closest))

    def _with_text(self, best: ToolHit) -> ToolHit:
        """The best hit with its text, if it is a skill that surely fits."""
        text_of = self.reach.beyond.text_of
        if not best.sure or not best.path or text_of is None:
            return best
        texts = (text_of(one) for one in self.reach.beyond.skills if one.path == best.path)
        return replace(best, text=next(texts, None) or "")

    def _once(self, found: Sequence[str]) -> list[str]:
        """Without services that one of the shown tools names as what it lacks."""
        shown = self.reach.lacking.keys() & found[:QUERY_LIMIT]
        offers = self.reach.beyond.offers
        told = {f"@{one.id}" for one in offers if not shown.isdisjoint(one.tools)}
        return [name for name in found if name not in told]

    def _ranks(self, query: str, fitting: Mapping[str, ToolDefinition] | None) -> dict[str, _Rank]:
        query = query[:MAX_PATTERN]
        index, searched = self.snapshot.index, self._searched(fitting)
        others = {
            name: tool
            for name, tool in (self._others if fitting is None else self._extra).items()
            if fitting is None or name in fitting
        }
        wanted = list(dict.fromkeys(terms(query)))
        best, _ = index.rank(query, searched, _CANDIDATES)
        scores = {self._name(at): score for score, at in best}
        scores |= {
            name: score for name, tool in others.items() if (score := index.score(wanted, tool)) > 0
        }
        book = _book(_phrases_of(others.values()))
        said = self._named(index.phrases.weights(query), searched) | book.weights(query)
        held = self._named(index.phrases.covered(query), searched) | book.covered(query)
        rarities = index.rarities(wanted)
        learned = self._learned(
            wanted, lambda name: name in others or self._place(name) in searched
        )
        fits = {
            name: index.fit(
                rarities,
                scores.get(name, 0.0),
                others[name] if name in others else self._place(name),
            )
            for name in {**scores, **said, **held, **learned}
        }
        plain = {
            name: said.get(name, 0.0) + max(fit.score, HELD * held.get(name, 0.0))
            for name, fit in fits.items()
        }
        bound = LEARNED_BOUND * max(plain.values(), default=0.0) or LEARNED_BOUND
        return {
            name: _Rank(
                plain[name] + bound * learned.get(name, 0.0),
                said.get(name, 0.0),
                max(fit.covered, held.get(name, 0.0)),
                learned.get(name, 0.0),
            )
            for name, fit in fits.items()
        }

    def _searched(self, fitting: Mapping[str, ToolDefinition] | None) -> frozenset[int]:
        """Positions in the index."""
        view, lacking = self.reach.wider, frozenset(self.reach.lacking.values())
        if fitting is None and not view.taken & view.tools.keys():
            return view.searched | lacking if lacking else view.searched
        names = view.positions.keys() if fitting is None else fitting.keys() & view.positions.keys()
        found = frozenset(view.positions[name] for name in names if name not in view.taken)
        return found | lacking if fitting is None else found

    def _name(self, position: int) -> str:
        return self.snapshot.tools[position].definition.name

    def _place(self, name: str) -> int:
        """The position of a tool with a file; -1 if there is none."""
        at = self.reach.wider.positions.get(name)
        return self.reach.lacking.get(name, -1) if at is None else at

    def _named(self, weights: Mapping[int, float], searched: frozenset[int]) -> dict[str, float]:
        return {self._name(at): weight for at, weight in weights.items() if at in searched}

    def _learned(self, wanted: Sequence[str], there: Callable[[str], bool]) -> dict[str, float]:
        """Tools that served similar requests, by name, with how similar the best of them was."""
        if self.past is None:
            return {}
        shares = self.past.scores(self.viewer, wanted)
        best = heapq.nlargest(LEARNED_LIMIT, filter(there, shares), key=shares.__getitem__)
        return {name: shares[name] for name in best}

    # --- what is found ---

    @cached_property
    def _extra(self) -> Mapping[str, ToolDefinition]:
        """Tools without a file: agents, and those of servers."""
        return {name: tool for name, tool in self.reach.wider.extra.items() if name not in OFFERED}

    @cached_property
    def _others(self) -> Mapping[str, ToolDefinition]:
        """The texts of all that stands in no index of files, by name."""
        return {**{text.name: text for text, _ in self._no_tools.values()}, **self._extra}

    @cached_property
    def _no_tools(self) -> Mapping[str, tuple[ToolDefinition, ToolHit]]:
        """Skills and services, by the name of their text."""
        found = [
            *((_skill_text(one), _skill_hit(one)) for one in self.reach.beyond.skills),
            *((_manifest_text(one), _manifest_hit(one)) for one in self.reach.beyond.manifests),
            *((_offer_text(one), _offer_hit(one)) for one in self.reach.beyond.offers),
        ]
        return {text.name: (text, hit) for text, hit in found}

    def _hit(self, name: str, *, sure: bool = True) -> ToolHit:
        if (tool := self._here(name)) is not None:
            return ToolHit(name, tool.one_liner, tool, sure)
        if (tool := self.reach.wider.tools.get(name)) is not None:
            return ToolHit(name, tool.one_liner, sure=sure, skill_id=self._manifest_of(name))
        if (at := self.reach.lacking.get(name)) is not None:
            definition = self.snapshot.tools[at].definition
            offers = tuple(one for one in self.reach.beyond.offers if name in one.tools)
            return ToolHit(name, definition.one_liner, sure=sure, offers=offers)
        return replace(self._no_tools[name][1], sure=sure)

    def _here(self, name: str) -> ToolDefinition | None:
        """A tool of the toolset."""
        if (tool := self.view.extra.get(name)) is not None:
            return tool
        return self.view.tools.get(name) if name not in self.view.taken else None

    def _manifest_of(self, name: str) -> str:
        """Of the skills that bring a tool, the one that brings the least beside it."""
        bringing = (one for one in self.reach.beyond.manifests if name in one.required_tools)
        return min(bringing, key=lambda one: (len(one.required_tools), one.skill_id)).skill_id


def fitting_skill(skills: Sequence[Skill], words: str) -> Skill | None:
    """The skill that is known by most of what these words say; None if they hold no phrase of one.

    None, too, if all they hold is one telling word and most of the rest is of another matter ("days
    in" of a trip stands in "count the days in a year" as well), or if a second skill fits as well:
    a search then shows both. Tools don't compete: what is to be done in the skill's way may well
    name them. What is pasted behind a wish, as code, is not part of it.
    """
    texts = {f"/{one.name}": one for one in skills if one.words}
    wish = words.partition(_PASTED)[0].strip() or words
    book = _book(tuple((name, one.words) for name, one in texts.items()))
    words = wish[:MAX_PATTERN]
    weights = book.weights(words)
    if not weights:
        return None
    held = book.covered(words)
    fits = {name: weight + held.get(name, 0.0) for name, weight in weights.items()}
    best, *others = heapq.nlargest(2, sorted(fits), key=fits.__getitem__)
    least = NAMED_ONE_WORD if weights[best] <= 1 else NAMED_ONE_TELLING
    if weights[best] < TWO_TELLING and held.get(best, 0.0) < least:
        return None
    if others and fits[best] - fits[others[0]] < NAMED_AHEAD:
        return None
    return texts[best]


def _phrases_of(tools: Iterable[ToolDefinition]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((tool.name, tool.words) for tool in tools if tool.words)


@lru_cache(maxsize=_EXTRAS_KEPT)
def _book(phrases: tuple[tuple[str, tuple[str, ...]], ...]) -> PhraseBook[str]:
    return PhraseBook(dict(phrases))


def _text(name: str, about: str, words: tuple[str, ...]) -> ToolDefinition:
    """Something that is no tool, as searches compare it.

    Its name begins with a sign that no tool's name has, and that is no word.
    """
    nowhere = NativeImplementation("")
    return ToolDefinition(name, about, {"type": "object"}, "shared", nowhere, words=words)


@lru_cache(maxsize=1_024)
def _skill_text(skill: Skill) -> ToolDefinition:
    return _text(f"/{skill.name}", skill.description, skill.words)


@lru_cache(maxsize=256)
def _manifest_text(manifest: SkillManifest) -> ToolDefinition:
    about = f"{manifest.name}. {manifest.description}"
    return _text(f"+{manifest.skill_id}", about, manifest.words)


@lru_cache(maxsize=1_024)
def _offer_text(offer: ServiceOffer) -> ToolDefinition:
    return _text(f"@{offer.id}", f"{offer.title}: {offer.gives}", offer.words)


def _skill_hit(skill: Skill) -> ToolHit:
    return ToolHit(skill.name, one_line(skill.description), path=skill.path)


def _manifest_hit(manifest: SkillManifest) -> ToolHit:
    about = one_line(manifest.description or manifest.name)
    return ToolHit(manifest.skill_id, about, skill_id=manifest.skill_id)


def _offer_hit(offer: ServiceOffer) -> ToolHit:
    return ToolHit(offer.id, offer.gives, offers=(offer,))


def _with_bare_name(tool: ToolDefinition) -> ToolDefinition:
    """An MCP tool as globs see it: also by its server's own name."""
    match tool.implementation:
        case McpImplementation(_, bare):
            return replace(tool, aliases=(*tool.aliases, bare))
        case _:
            return tool
