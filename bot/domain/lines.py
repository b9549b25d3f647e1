"""Lines: the connections that serve a platform together, each for some of its workspaces.

A line is called as its platform, or `discord/1-of-4` where there are several.
"""

from dataclasses import dataclass

from bot.domain.messages import DIRECT


@dataclass(frozen=True)
class Shard:
    """One of `count` connections, counted from 0, in the way in which Discord divides servers."""

    number: int
    count: int

    @classmethod
    def of_workspace(cls, workspace: str, count: int) -> "Shard":
        """The one that gets the events of a workspace; direct messages come to the first."""
        is_server = workspace != DIRECT and workspace.isascii() and workspace.isdigit()
        return cls((int(workspace) >> 22) % count if is_server else 0, count)

    @classmethod
    def of_line(cls, line: str) -> "Shard | None":
        """None for a line that is not one of several."""
        number, _, count = line.partition("/")[2].partition("-of-")
        return cls(int(number), int(count)) if count else None

    def line(self, platform: str) -> str:
        """The name of its line."""
        return platform if self.count == 1 else f"{platform}/{self.number}-of-{self.count}"


def platform_of(line: str) -> str:
    """The platform that a line serves."""
    return line.partition("/")[0]


def serves(line: str, workspace: str) -> bool:
    """Whether a line gets the events of a workspace of its platform."""
    shard = Shard.of_line(line)
    return shard is None or Shard.of_workspace(workspace, shard.count) == shard


def lock_of(line: str) -> str:
    """The name of the lock that the gateway of a line holds."""
    return f"line:{line}"
