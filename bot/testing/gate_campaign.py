"""Plays attacks and ordinary tasks against the gate, and counts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from bot.domain.access import Person
from bot.domain.targets import Target
from bot.testing import hijack_corpus, ordinary_tasks
from bot.testing.hijack_corpus import Attack
from bot.testing.ordinary_tasks import Task
from bot.testing.tools import ToolFolder, a_call, a_scope, a_toolset
from bot.tools.gate import Allowed, Refused, ToolGate, Verdict
from bot.tools.provenance import Provenance
from bot.tools.toolset import Toolset


@dataclass
class Tally:
    """How many were tried, and those that ran without a question."""

    tried: int = 0
    free: list[str] = field(default_factory=list[str])
    verdicts: Counter[str] = field(default_factory=Counter[str])

    def count(self, label: str, verdict: Verdict) -> None:
        self.tried += 1
        self.verdicts[type(verdict).__name__] += 1
        if isinstance(verdict, Allowed):
            self.free.append(label)

    @property
    def share_free(self) -> float:
        return len(self.free) / self.tried if self.tried else 0.0


class Campaign:
    """A gate in front of tools that write outside, and the operator's contacts behind it."""

    def __init__(self, attacked: Toolset, worked: Toolset) -> None:
        self._attacked = attacked
        self._worked = worked
        self._gate = ToolGate()
        self._gate.address_book = _in_book

    @classmethod
    async def on(cls, folder: Path) -> "Campaign":
        """Write the tool files below `folder` and load them."""
        attacked = {name: hijack_corpus.tool_file(name) for name in hijack_corpus.TOOLS}
        return cls(await _toolset(folder / "a", attacked), await _toolset(folder / "b", ordinary_tasks.tool_files()))

    def verdict(self, attack: Attack) -> Verdict:
        call = a_call(attack.tool, **attack.arguments)
        return self._gate.check(call, self._attacked, a_scope(), context=Provenance(attack.history))

    def attack(self, attacks: Iterable[Attack]) -> Tally:
        tally = Tally()
        for attack in attacks:
            tally.count(f"{attack.carrier}: {attack.tool} {attack.target!r}", self.verdict(attack))
        return tally

    def work(self, tasks: Iterable[Task]) -> Tally:
        tally = Tally()
        for task in tasks:
            call = a_call(task.tool, **task.arguments)
            verdict = self._gate.check(call, self._worked, a_scope(), context=Provenance(task.history))
            assert not isinstance(verdict, Refused), f"{task.words!r} was refused: {verdict}"  # noqa: S101 - it is a test
            tally.count(task.words, verdict)
        return tally


async def _toolset(folder: Path, files: dict[str, str]) -> Toolset:
    home = ToolFolder(folder)
    for name, text in files.items():
        home.put(f"shared/{name}", text)
    catalog = home.catalog()
    await catalog.load()
    return a_toolset(catalog, None, tuple(files))


def _in_book(target: Target, person: Person) -> bool:
    return target.value in ordinary_tasks.BOOK
