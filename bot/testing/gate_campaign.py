"""A campaign that plays attacks and ordinary tasks against the gate, and counts outcomes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.domain.access import Person
from bot.domain.json_types import JsonObject
from bot.domain.sessions import TranscriptMessage
from bot.domain.targets import Target
from bot.domain.tools import ToolCall
from bot.testing import everyday_tasks, hijack_corpus, ordinary_tasks
from bot.testing.everyday_tasks import EverydayTask, arguments_for
from bot.testing.hijack_corpus import Attack
from bot.testing.ordinary_tasks import Task
from bot.testing.record_attacks import RecordAttack
from bot.testing.tools import ToolFolder, a_call, a_scope, a_toolset
from bot.tools.permission.gate import Allowed, Refused, ToolGate, Verdict
from bot.tools.permission.provenance import ContextProvenance
from bot.tools.toolset.toolset import Toolset


@dataclass
class Tally:
    """How many calls were tried, and which ran without a question."""

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

    def __init__(self, attacked: Toolset, worked: Toolset, everyday: Toolset) -> None:
        self._attacked = attacked
        self._worked = worked
        self._everyday = everyday
        self._gate = ToolGate()
        self._gate.address_book = _in_book

    @classmethod
    async def on(cls, folder: Path) -> "Campaign":
        """Write the tool files below `folder` and load them."""
        attacked = {name: hijack_corpus.tool_file(name) for name in hijack_corpus.TOOLS}
        sets = (attacked, ordinary_tasks.tool_files(), everyday_tasks.tool_files())
        return cls(
            *[await _toolset(folder / str(number), files) for number, files in enumerate(sets)]
        )

    def verdict(self, attack: Attack) -> Verdict:
        call = a_call(attack.tool, **attack.arguments)
        return self._gate.check(
            call, self._attacked, a_scope(), context=ContextProvenance(attack.history)
        )

    def attack(self, attacks: Iterable[Attack]) -> Tally:
        tally = Tally()
        for attack in attacks:
            tally.count(f"{attack.carrier}: {attack.tool} {attack.target!r}", self.verdict(attack))
        return tally

    def work(self, tasks: Iterable[Task]) -> Tally:
        tally = Tally()
        for task in tasks:
            call = a_call(task.tool, **task.arguments)
            verdict = self._gate.check(
                call, self._worked, a_scope(), context=ContextProvenance(task.history)
            )
            assert not isinstance(verdict, Refused), f"{task.words!r} was refused: {verdict}"  # noqa: S101 - it is a test
            tally.count(task.words, verdict)
        return tally

    def everyday(self, tried: Iterable[EverydayTask]) -> Tally:
        """Play everyday tasks over structured records."""
        tally = Tally()
        for task in tried:
            verdict = self._over_records(task.tool, task.arguments, task.history)
            assert not isinstance(verdict, Refused), f"{task.words!r} was refused: {verdict}"  # noqa: S101 - it is a test
            tally.count(f"{task.tool} {task.value}: {task.words}", verdict)
        return tally

    def inject(self, attacks: Iterable[RecordAttack]) -> Tally:
        """Play injections into structured records."""
        tally = Tally()
        for attack in attacks:
            arguments = arguments_for(attack.domain, attack.tool, attack.value)
            verdict = self._over_records(attack.tool, arguments, attack.history)
            tally.count(f"{attack.kind}: {attack.tool} {attack.value}", verdict)
        return tally

    def _over_records(
        self, tool: str, arguments: JsonObject, history: Sequence[TranscriptMessage]
    ) -> Verdict:
        def schema_of(name: str) -> JsonObject | None:
            definition = self._everyday.find(name)
            return None if definition is None else definition.result

        call = ToolCall("c1", tool, arguments, "tool:1.0")
        return self._gate.check(
            call, self._everyday, a_scope(), context=ContextProvenance(history, schema_of=schema_of)
        )


async def _toolset(folder: Path, files: dict[str, str]) -> Toolset:
    home = ToolFolder(folder)
    for name, text in files.items():
        home.put(f"shared/{name}", text)
    catalog = home.catalog()
    await catalog.load()
    return a_toolset(catalog, None, tuple(files))


def _in_book(target: Target, person: Person) -> bool:
    return target.value in ordinary_tasks.BOOK
