"""Finds tools of a toolset by name, by words, and by past requests."""

import heapq
from collections.abc import Callable, Mapping
from dataclasses import replace

from bot.domain.privacy import Viewer
from bot.domain.tool_context import SearchResult
from bot.domain.tools import McpImplementation, ToolDefinition
from bot.lazy_dataclass import dataclass
from bot.tools.catalog.catalog import CatalogSnapshot
from bot.tools.catalog.past_requests import PastRequests
from bot.tools.catalog.search import GLOB_LIMIT, QUERY_LIMIT, NameList
from bot.tools.text.globs import MAX_PATTERN
from bot.tools.text.stemming import terms
from bot.tools.toolset.run_rules import OFFERED
from bot.tools.toolset.view import View

LEARNED_BOUND = 0.5
"""Past requests add at most this share of the best score: more hurts similar tools."""
LEARNED_LIMIT = 20
"""Tools that past requests can bring into one search."""


@dataclass(frozen=True)
class ToolFinder:
    """One search over the tools of a toolset."""

    snapshot: CatalogSnapshot
    view: View
    past: PastRequests | None
    viewer: Viewer

    def search(self, pattern: str | None, query: str | None) -> SearchResult:
        """As `ToolsetView.search`."""
        fitting = None if pattern is None else self._glob(pattern)
        if query is None or not query.strip():
            matches = list((fitting or {}).values())
            return SearchResult(tuple(matches[:GLOB_LIMIT]), max(0, len(matches) - GLOB_LIMIT))
        return self._ranked(query, fitting)

    def _glob(self, pattern: str) -> dict[str, ToolDefinition]:
        """Every tool that fits, by name."""
        pattern = pattern.strip()
        files = self.view.labels.matching(pattern)
        found = {name: self.view.tools[name] for name in files if name not in self.view.taken}
        extra = [
            _with_bare_name(tool) for name, tool in self.view.extra.items() if name not in OFFERED
        ]
        found |= {name: self.view.extra[name] for name in NameList(extra).matching(pattern)}
        return dict(sorted(found.items()))

    def _ranked(self, query: str, fitting: Mapping[str, ToolDefinition] | None) -> SearchResult:
        view, index = self.view, self.snapshot.index
        searched = view.searched
        if fitting is not None or self.view.taken & self.view.tools.keys():
            names = (
                view.positions.keys() if fitting is None else fitting.keys() & view.positions.keys()
            )
            searched = frozenset(
                view.positions[name] for name in names if name not in self.view.taken
            )
        best, matched = index.rank(query, searched, QUERY_LIMIT)
        scores = {self.snapshot.tools[at].definition.name: score for score, at in best}
        extra = {name: self.view.extra[name] for name in self.view.extra if name not in OFFERED}
        for name, tool in extra.items():
            score = index.score(query, tool) if fitting is None or name in fitting else 0.0
            if score > 0:
                scores[name] = score
                matched += 1
        if fitting is None:
            floor = index.floor(max(scores.values(), default=0.0))
            near = {name: score for name, score in scores.items() if score >= floor}
            # They are sorted: if one scores too low, so do all that follow.
            matched, scores = matched if len(near) == len(scores) else len(near), near
        matched += self._add_learned(
            query, scores, lambda name: name in extra or view.positions.get(name) in searched
        )
        order = sorted(scores, key=lambda name: (-scores[name], name))[:QUERY_LIMIT]
        matches = tuple(extra.get(name) or view.tools[name] for name in order)
        return SearchResult(matches, matched - len(matches))

    def _add_learned(
        self, query: str, scores: dict[str, float], there: Callable[[str], bool]
    ) -> int:
        """Raise tools of similar requests, by half the best score at most; returns additions."""
        past = self.past
        if past is None:
            return 0
        found = 0
        bound = LEARNED_BOUND * max(scores.values(), default=1.0)
        wanted = terms(query[:MAX_PATTERN])
        shares = past.scores(self.viewer, wanted)
        for name in heapq.nlargest(LEARNED_LIMIT, filter(there, shares), key=shares.__getitem__):
            share = shares[name]
            if name not in scores:
                position = self.view.positions.get(name)
                scores[name] = (
                    self.snapshot.index.score_at(wanted, position) if position is not None else 0.0
                )
                found += not scores[name]
            scores[name] += bound * share
        return found


def _with_bare_name(tool: ToolDefinition) -> ToolDefinition:
    """An MCP tool as globs see it: also by its server's own name."""
    match tool.implementation:
        case McpImplementation(_, bare):
            return replace(tool, aliases=(*tool.aliases, bare))
        case _:
            return tool
