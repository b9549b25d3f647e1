"""What a person could come to use besides the tools of their toolset, without what they may not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.domain.finding import Beyond, ServiceOffer
from bot.domain.tool_context import ToolScope
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
