"""Runs a specialist's loop as a process of its own, over lines of JSON.

The program decides when the model is asked, when the tools of a reply are called, and when it ends.
This process makes the calls, with the same loop and journal as for a specialist without a program.
So a program can do nothing that its agent could not, and after a crash it is started again and led
through the recorded steps. Files that it made for its caller become text behind its reply.
"""

import asyncio
import json
import logging
import shutil
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import assert_never

from bot.agents.cycle_log.log_store import PREFIX_CHARS
from bot.agents.delegation.specialist_programs import (
    CompleteLine,
    ErrorLine,
    ModelCallLine,
    ProgressLine,
    SpecialistFailed,
    SpecialistProcess,
    SpecialistProgram,
    SpecialistPrograms,
    Terminal,
    ToolCallLine,
    running,
    write_line,
)
from bot.agents.delegation.specialists import NO_REPLY, Specialists, reply_of, said
from bot.agents.loop.loop import ReactLoop
from bot.agents.loop.outcomes import Stopped
from bot.agents.loop.run import Run
from bot.clock import format_utc
from bot.domain.agents import AgentDefinition, Brief, Runner, SpecialistReply
from bot.domain.characters import short_line
from bot.domain.chat import Status
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEvent
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply
from bot.domain.origins import Trust
from bot.domain.tools import ToolCall
from bot.domain.turns import Turn
from bot.errors import ToolError
from bot.regular_file import read_regular_file
from bot.tools.running.output import cut_middle, readable

log = logging.getLogger(__name__)

_RESULT_CHARS = 150_000
"""Characters of one tool result sent to the program; the history here has all of it."""
_REPLY_CHARS = 16_000
"""Characters of a reply that a program wrote itself."""
_ERROR_CHARS = 500
_ARTEFACTS = "artefacts"
"""In the program's own folder."""
_MOST_ARTEFACTS = 10
_ARTEFACT_CHARS = 8_000
"""Bytes of one file."""
_ALL_ARTEFACT_CHARS = 24_000
_ARTEFACT_BYTES = 1024 * 1024


class _Ended(Exception):
    """The program ended before the loop did."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__(terminal.status)
        self.terminal = terminal


@dataclass(frozen=True)
class AutoRunner:
    """Runs an agent as a program of its own where there is one for it, else in this process."""

    programs: SpecialistPrograms
    subprocess: "SubprocessRunner"
    here: Runner[Run]

    async def run(
        self, agent: AgentDefinition, brief: Brief, caller: Run, turn: Turn
    ) -> SpecialistReply:
        if (program := await self.programs.of(agent)) is None:
            return await self.here.run(agent, brief, caller, turn)
        return await self.subprocess.run(agent, brief, caller, turn, program)


class SubprocessRunner:
    """Runs a specialist's loop as a program."""

    def __init__(
        self,
        specialists: Specialists,
        loop: ReactLoop,
        programs: SpecialistPrograms,
        clock: Clock,
        instance_id: str = "",
    ) -> None:
        self._specialists = specialists
        self._loop = loop
        self._programs = programs
        self._clock = clock
        self._instance_id = instance_id[:PREFIX_CHARS]

    async def run(
        self,
        agent: AgentDefinition,
        brief: Brief,
        caller: Run,
        turn: Turn,
        program: SpecialistProgram,
    ) -> SpecialistReply:
        child = await self._specialists.open(agent, brief, caller, turn)
        process: SpecialistProcess | None = None
        outside = broken = False
        try:
            async with _folder() as folder:
                async with self._started(program, folder, agent, brief, child) as process:
                    success, text, outside, made = await self._led(
                        _Wire(process, child.cycle.id), child, turn
                    )
                if made:  # read after the program has ended, so that nobody changes them meanwhile
                    text, outside = (
                        f"{text}\n\n{await asyncio.to_thread(_artefacts_in, folder, made)}",
                        True,
                    )
        except (SpecialistFailed, ToolError) as error:
            broken, success, text = True, False, f"subprocess {agent.name}: {error}"
            outside = isinstance(error, SpecialistFailed) and error.own_words
            log.warning(
                (
                    "session=<%s>, agent=<%s>, cycle=<%s>, error=<%s> | the program of a "
                    "specialist failed"
                ),
                turn.session, agent.name, child.cycle.id, error,
            )  # fmt: skip
        events: list[CycleEvent] = []
        if process is not None and process.watchdog_fired:
            after = timedelta(seconds=self._programs.bounds.patience_s)
            events.append(child.cycle.watchdog_fire("close", f"program of {agent.name}", after))
        reply = reply_of(child, success, text, broken=broken)
        delivered = await self._specialists.close(child, caller, turn, reply, events=events)
        return replace(delivered, trust=Trust.EXTERNAL) if outside else delivered

    async def _led(
        self, wire: "_Wire", child: Run, turn: Turn
    ) -> tuple[bool, str, bool, tuple[str, ...]]:
        """Success, the reply, whether the reply is the program's own, and the files it made."""
        success, text = False, ""
        try:
            outcome = await self._loop.run(child, turn, wire)
            success, text = said(outcome)
            if isinstance(outcome, Stopped):
                return success, text, False, ()
            terminal = await wire.end(success=success, text=text)
        except _Ended as ended:
            terminal = ended.terminal
        await wire.process.last()
        match terminal:
            case ErrorLine(error=error):
                raise SpecialistFailed(short_line(error, _ERROR_CHARS), own_words=True)
            case CompleteLine(success=claimed, result=result, artefact_paths=made):
                if (claimed, result) == (success, text):
                    return success, text, False, made
                own = cut_middle(readable(result), _REPLY_CHARS).strip()
                return claimed and bool(own), own or NO_REPLY, True, made
            case _:
                assert_never(terminal)

    @asynccontextmanager
    async def _started(
        self,
        program: SpecialistProgram,
        folder: Path,
        agent: AgentDefinition,
        brief: Brief,
        child: Run,
    ) -> AsyncGenerator[SpecialistProcess]:
        start, inside = await self._programs.start(program, folder)
        request: JsonObject = {
            "id": child.cycle.id,
            "parent_cycle_id": child.cycle.key.parent_id,
            **({"instance_id": self._instance_id} if self._instance_id else {}),
            "agent": agent.name,
            "timestamp": format_utc(self._clock.now()),
            "instruction": brief.instruction,
            **({"context": brief.context} if brief.context else {}),
            "workspace_root": inside,
            "artefact_dir": f"{inside}/{_ARTEFACTS}",
            "max_turns": agent.turns,
        }
        patience_s = self._programs.bounds.patience_s
        async with running(start, child.cycle.id, agent.name, self._clock, patience_s) as process:
            process.on_progress = lambda line: _show(child, line)
            await process.send(write_line(child.cycle.id, "request", **request))
            yield process


class _Wire:
    """Leads the loop by the program's lines."""

    def __init__(self, process: SpecialistProcess, request: str) -> None:
        self.process = process
        self._request = request
        self._uses: list[JsonObject] = []
        self._unanswered = False
        """The program asked for the model, and waits for the result."""

    async def before_model(self, n: int) -> None:
        await self._asked_for_model()

    async def replied(self, reply: ModelReply) -> None:
        self._unanswered = False
        shown = [block for block in reply.content if block.get("type") in {"text", "tool_use"}]
        self._uses = [block for block in shown if block.get("type") == "tool_use"]
        await self._send(
            "model_reply",
            stop_reason=reply.stop_reason,
            content=shown,
            input_tokens=reply.usage.total_input,
            output_tokens=reply.usage.output_tokens,
        )

    async def before_tools(self, calls: Sequence[ToolCall]) -> None:
        """The program names each call of the reply, in its order, as the model made it."""
        for use in self._uses:
            line = await self.process.receive()
            match line:
                case ToolCallLine(call=call, tool_name=name, tool_input=given):
                    if (call, name, given) != (use.get("id"), use.get("name"), use.get("input")):
                        raise SpecialistFailed("asked for a tool call that the model did not make")
                case CompleteLine() | ErrorLine():
                    raise _Ended(line)
                case _:
                    raise SpecialistFailed(
                        f"sent {line.status} where the tool calls of the reply were due"
                    )

    async def ran(self, results: Sequence[JsonObject]) -> None:
        for result in results:
            await self._send(
                "tool_result",
                call=result.get("tool_use_id"),
                content=_text(result),
                is_error=bool(result.get("is_error")),
            )

    async def end(self, *, success: bool, text: str) -> Terminal:
        """Tell the program that the work is over; returns its last line."""
        try:
            if not self._unanswered:
                await self._asked_for_model()
            await self._send("ended", success=success, text=text)
            await self._asked_for_model()
        except _Ended as ended:
            return ended.terminal
        raise SpecialistFailed("asked for the model after it was told that the run had ended")

    async def _asked_for_model(self) -> None:
        line = await self.process.receive()
        match line:
            case ModelCallLine():
                self._unanswered = True
            case CompleteLine() | ErrorLine():
                raise _Ended(line)
            case _:
                raise SpecialistFailed(
                    f"sent {line.status} where model_call or its terminal response was due"
                )

    async def _send(self, kind: str, **fields: object) -> None:
        await self.process.send(write_line(self._request, kind, **fields))


def _show(child: Run, line: ProgressLine) -> None:
    if line.turn > 0:
        of = f" of {line.max_turns}" if line.max_turns >= line.turn else ""
        child.callbacks.live(Status(f"{child.agent.name}: turn {line.turn}{of}"))


def _text(result: Mapping[str, object]) -> str:
    content = result.get("content")
    text = (
        content
        if isinstance(content, str)
        else json.dumps(content, ensure_ascii=False, default=str)
    )
    return text if len(text) <= _RESULT_CHARS else f"{text[:_RESULT_CHARS]}…"


@asynccontextmanager
async def _folder() -> AsyncGenerator[Path]:
    """An empty folder of the program's own, which goes with it."""
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="bellhop-specialist-"))
    try:
        await asyncio.to_thread((folder / _ARTEFACTS).mkdir)
        yield folder
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _artefacts_in(folder: Path, paths: Sequence[str]) -> str:
    """Blocking.

    The files that a program reports, if they are text and lie in its artefact folder.

    `paths` are the program's own: absolute, or relative to the artefact folder.
    """
    shown = [_artefact(folder / _ARTEFACTS, path) for path in paths[:_MOST_ARTEFACTS]]
    if len(paths) > _MOST_ARTEFACTS:
        shown.append(f"[{len(paths) - _MOST_ARTEFACTS} more artefacts are left out]")
    return cut_middle("\n\n".join(shown), _ALL_ARTEFACT_CHARS)


def _artefact(root: Path, given: str) -> str:
    parts = PurePosixPath(given).parts
    below = parts[parts.index(_ARTEFACTS) + 1 :] if _ARTEFACTS in parts else None
    name = given if below is None else str(PurePosixPath(*below))
    called = readable(name)[:100]
    try:
        real = (root / name).resolve(strict=True)
        if not name or not real.is_relative_to(root.resolve()):
            return f"[artefact {called}: it is not in the artefact folder]"
        data = read_regular_file(real, _ARTEFACT_BYTES)
    except (OSError, ValueError) as error:
        reason = (
            error.strerror
            if isinstance(error, OSError) and error.strerror
            else "it has no usable name"
        )
        return f"[artefact {called}: {reason}]"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return f"[artefact {called}: {len(data):,} bytes that are no text]"
    return f"Artefact {called}:\n{cut_middle(readable(text).strip(), _ARTEFACT_CHARS)}"
