"""The campaign's people: their accounts, names and roles, as contacts.yaml has them."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bot.domain.access import Role
from bot.shipped import shipped_dir

_ROLES = (
    *(Role.FRIEND, Role.BUSINESS, Role.FRIEND, Role.PARTNER, Role.FRIEND, Role.GUEST),
    *(Role.BUSINESS, Role.FRIEND),
)
OWNER = "h0"
"""The only MasterAdmin."""


@dataclass
class Human:
    """Somebody with an account on one platform, or on both."""

    account: str
    platforms: tuple[str, ...]
    id: str
    """In contacts.yaml."""
    name: str
    """There."""
    role: Role | None
    """None: a stranger, whom contacts.yaml does not name."""
    shown: str = ""
    """The display name that they chose."""

    @property
    def line(self) -> str:
        """Their entry in contacts.yaml."""
        written = {"discord": self.account, "slack": f"w:{self.account}"}
        ids = {platform: [written[platform]] for platform in self.platforms}
        entry = {"id": self.id, "name": self.name, "role": self.role, "ids": ids}
        return f"- {json.dumps(entry)}\n"


@dataclass
class Crowd:
    """Everybody, and the file that names them."""

    home: Path
    humans: dict[str, Human] = field(default_factory=dict[str, Human])
    removed: list[Human] = field(default_factory=list[Human])
    """Those whom contacts.yaml named before."""

    @classmethod
    def of(cls, home: Path, count: int) -> "Crowd":
        made = cls(home)
        for number in range(count):
            platforms = ("discord",) if number % 2 else ("slack",)
            role = _ROLES[number % len(_ROLES)] if number else Role.MASTER_ADMIN
            account = f"h{number}"
            made.humans[account] = Human(
                account,
                ("discord", "slack") if number % 10 == 0 else platforms,
                f"kim{number}",
                f"Kim{number}",
                role,
                f"Kim{number}",
            )
        made.furnish()
        made.write()
        return made

    def furnish(self) -> None:
        """Give the assistant the tools that look into the log."""
        agents = self.home / "prompts" / "agents"
        agents.mkdir(parents=True, exist_ok=True)
        (agents / "assistant.md").write_text(curious_assistant())

    def write(self) -> None:
        lines = [one.line for one in self.humans.values() if one.role is not None]
        (self.home / "contacts.yaml").write_text("".join(lines))

    def stranger(self, platform: str, name: str) -> Human:
        """Somebody new, whom contacts.yaml does not name, with a name of their choice."""
        account = f"h{len(self.humans) + len(self.removed)}"
        found = self.humans[account] = Human(account, (platform,), "", name, None, name)
        return found

    def on(self, platform: str) -> list[Human]:
        return [one for one in self.humans.values() if platform in one.platforms]

    def anybody(self, random: Random) -> Human:
        return random.choice(list(self.humans.values()))

    def others(self, human: Human) -> list[str]:
        return [one.name for one in self.humans.values() if one is not human]

    @property
    def accounts(self) -> dict[str, str]:
        """Whose each person id of contacts.yaml is now, also ids of those who were removed."""
        known = [*self.removed, *self.humans.values()]
        return {one.id: one.account for one in known if one.id}


def curious_assistant() -> str:
    """The shipped assistant with the tools of the observer, and more turns."""
    text = (shipped_dir("prompts") / "agents" / "assistant.md").read_text()
    return text.replace("[planner]", "[planner, observer]").replace("turns: 10", "turns: 20")
