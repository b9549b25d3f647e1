"""Plays requests of these sets against the gate."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.domain.access import Person
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin, Trust
from bot.domain.sessions import StoredBlock, TranscriptMessage, text_block
from bot.domain.targets import Target
from bot.testing.gate_sets.world import BOOK, Request, arguments_for, tool_files
from bot.testing.hijack_corpus import said
from bot.testing.tools import ToolFolder, a_call, a_scope, a_toolset
from bot.tools.permission.gate import Allowed, Ask, Later, ToolGate
from bot.tools.permission.provenance import ContextProvenance
from bot.tools.toolset.toolset import Toolset

_BRIEF = Origin(Trust.EXTERNAL, "agent:assistant")


@dataclass
class Played:
    """How many calls ran without a question, and how many waited for one."""

    free: list[str] = field(default_factory=list[str])
    asked: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])
    kinds: Counter[str] = field(default_factory=Counter[str])

    @property
    def tried(self) -> int:
        return len(self.free) + len(self.asked) + len(self.refused)

    @property
    def unasked(self) -> float:
        """The share without a question, in percent."""
        return 100 * len(self.free) / self.tried

    @property
    def done(self) -> float:
        """The share without a question or with one, in percent."""
        return 100 * (len(self.free) + len(self.asked)) / self.tried


class GateSets:
    """A gate in front of the small world's tools."""

    def __init__(self, toolset: Toolset) -> None:
        self._toolset = toolset
        self._gate = ToolGate()
        self._gate.address_book = _in_book

    @classmethod
    async def on(cls, folder: Path) -> "GateSets":
        """Write the tool files below `folder` and load them."""
        home, files = ToolFolder(folder), tool_files()
        for name, text in files.items():
            home.put(f"shared/{name}", text)
        catalog = home.catalog()
        await catalog.load()
        return cls(a_toolset(catalog, None, tuple(files)))

    def play(self, requests: Iterable[Request]) -> Played:
        played = Played()
        for request in requests:
            arguments = arguments_for(request.tool, request.value)
            verdict = self._gate.check(
                a_call(request.tool, **arguments),
                self._toolset,
                a_scope(),
                context=self.context(request),
            )
            played.kinds[request.kind] += 1
            match verdict:
                case Allowed():
                    played.free.append(request.label)
                case Ask() | Later():
                    played.asked.append(request.label)
                case _:
                    played.refused.append(request.label)
        return played

    def context(self, request: Request) -> ContextProvenance:
        """The context in which a run judges the call."""
        earlier: list[TranscriptMessage] = []
        for words in request.earlier:
            earlier += [said(words), _answer("Done.")]
        match request.way:
            case "specialist":
                caller = self._of([*earlier, *request.asked, *request.read], len(earlier))
                brief = said_by_agent(f"Do this: {' '.join(request.earlier)}")
                return ContextProvenance([brief, *request.read], caller, self._schema_of)
            case "schedule":
                brief = said_by_agent(f"Scheduled: {' '.join(request.earlier)}")
                return self._of([*earlier, brief, *request.read], len(earlier))
            case "next epoch":
                above = self._of([*earlier, *request.read], len(earlier) + len(request.read))
                history = [said_by_agent("A summary."), *request.asked, *request.read]
                return ContextProvenance(history, above.spoken(), self._schema_of, 1)
            case _:
                return self._of([*earlier, *request.asked, *request.read], len(earlier))

    def _of(self, history: Sequence[TranscriptMessage], turn_from: int) -> ContextProvenance:
        return ContextProvenance(history, None, self._schema_of, turn_from)

    def _schema_of(self, tool: str) -> JsonObject | None:
        definition = self._toolset.find(tool)
        return None if definition is None else definition.result


def said_by_agent(text: str) -> TranscriptMessage:
    """A text that a model wrote, beside text from outside."""
    return TranscriptMessage("user", (StoredBlock(text_block(text), _BRIEF),))


def _answer(text: str) -> TranscriptMessage:
    return TranscriptMessage("assistant", (StoredBlock(text_block(text), _BRIEF),))


def _in_book(target: Target, person: Person) -> bool:
    return target.value in BOOK
