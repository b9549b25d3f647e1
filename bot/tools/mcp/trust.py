"""What the operator says of a server's tools (`mcp.servers.NAME.trust`)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.tools.mcp.remote import RemoteTool
from bot.tools.mcp.settings import McpTrustSettings
from bot.tools.text.globs import glob_regex


@dataclass(frozen=True)
class TrustStanding:
    """Whether a tool only reads, and the operator's rules about it in words."""

    reads_only: bool
    rules: tuple[str, ...] = ()


def standing_of(server: str, trust: McpTrustSettings, tool: RemoteTool) -> TrustStanding:
    """The operator's word counts for more than the server's; of both lists, `writes` counts."""
    writes, reads = _named(trust.writes, tool.name), _named(trust.reads, tool.name)
    reads_only = not writes and (reads or tool.reads_only)
    return TrustStanding(reads_only, tuple(_rules(server, trust, tool.name)))


def own_text(trust: McpTrustSettings, tool: str) -> bool:
    """Whether the results of a tool are texts of this team."""
    return _named(trust.results, tool)


def _rules(server: str, trust: McpTrustSettings, tool: str) -> Iterator[str]:
    where = f"bellhop.yaml, mcp.servers.{server}.trust"
    if _named(trust.writes, tool):
        yield f"it writes, whatever the server says ({where}.writes)"
    elif _named(trust.reads, tool):
        yield f"it only reads, so it is not asked about ({where}.reads)"
    if _named(trust.results, tool):
        yield f"its results count as a member's words ({where}.results)"
    if trust.descriptions:
        yield f"its description counts as the operator's words ({where}.descriptions)"


def _named(globs: Sequence[str], tool: str) -> bool:
    return any(glob_regex(one).fullmatch(tool) for one in globs)
