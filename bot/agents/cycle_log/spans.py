"""Cycles as spans of a trace, in the terms of OpenTelemetry's conventions for generative AI.

An agent's run is a span `invoke_agent`; below it stand its model calls (`chat`), its tools
(`execute_tool`) and the runs of agents that it called. All cycles of one request are one trace. Ids
are derived from the cycles' ids, so a cycle that is sent twice gives the same spans.

They are sent to a collector beside the turns. The log is the queue: ended cycles are read from it
in the background, and the database stores the position. So a turn never waits for a collector, and
a collector that was away gets everything when it is back.
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeAlias

from bot.agents.cycle_log.events import usage_of
from bot.agents.cycle_log.log_store import CycleLog
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEvent, CycleEventType, CycleStatus
from bot.domain.models import Usage
from bot.errors import StorageError

Attribute: TypeAlias = str | int | tuple[str, ...]

_STARTS = (CycleEventType.CYCLE_START, CycleEventType.AGENT_CYCLE_START)
_ENDS = (CycleEventType.CYCLE_COMPLETE, CycleEventType.AGENT_CYCLE_COMPLETE)
log = logging.getLogger(__name__)
_LOOK_S = 5.0
"""The interval of looks for ended cycles."""
_AT_ONCE = 50
"""Cycles in one request."""
_WAITS_S = (10.0, 30.0, 60.0, 300.0)
"""The pauses after a failed request, and after each one that follows it."""


@dataclass(frozen=True)
class TraceSpan:
    """A period of work. `trace` has 128 bits, `id` and `parent` have 64."""

    trace: int
    id: int
    parent: int | None
    name: str
    start: datetime
    end: datetime
    attributes: Mapping[str, Attribute]
    error: str = ""
    """The kind of failure; empty for none."""
    client: bool = False
    """Whether it is a request to another system."""


def spans_of(events: Sequence[CycleEvent], top: str, *, contents: bool = False) -> list[TraceSpan]:
    """The spans of one cycle, given all of its events; none before it has ended.

    `top`: the id of the cycle that its request began with. `contents` adds requests, answers, tool
    inputs and outputs in the cycle log's form: redacted, 2,000 characters each.
    """
    start = next((event for event in events if event.type in _STARTS), None)
    end = next((event for event in events if event.type in _ENDS), None)
    if start is None or end is None:
        return []
    trace, agent = int(top, 16), _id(start.cycle_id)
    inner = [_inner(trace, agent, event, events, contents) for event in events]
    return [
        _agent(trace, agent, start, end, events, contents),
        *(span for span in inner if span is not None),
    ]


def _agent(
    trace: int,
    own: int,
    start: CycleEvent,
    end: CycleEvent,
    events: Sequence[CycleEvent],
    contents: bool,
) -> TraceSpan:
    replies = [usage_of(event) for event in events if event.type is CycleEventType.LLM_RESPONSE]
    status = str(end.data.get("status"))
    said = {
        "gen_ai.input.messages": _message("user", start.data.get("text")),
        "gen_ai.output.messages": _message("assistant", end.data.get("text")),
    }
    return TraceSpan(
        trace,
        own,
        _id(start.parent_id) if start.parent_id else None,
        f"invoke_agent {start.agent}",
        start.at,
        max(start.at, end.at),
        {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": start.agent,
            "gen_ai.conversation.id": start.session_id,
            **_tokens(sum(replies, Usage())),
            "bellhop.cycle.id": start.cycle_id,
            "bellhop.cycle.outcome": str(end.data.get("outcome") or ""),
            **(said if contents else {}),
        },
        error="" if status == CycleStatus.COMPLETE else status,
    )


def _inner(
    trace: int, agent: int, event: CycleEvent, events: Sequence[CycleEvent], contents: bool
) -> TraceSpan | None:
    """The span of a model call or a tool that this event ends."""
    match event.type:
        case CycleEventType.LLM_RESPONSE:
            return _chat(trace, agent, event, _beside(event, CycleEventType.LLM_REQUEST, events))
        case CycleEventType.TOOL_RESULT:
            return _tool(
                trace, agent, event, _beside(event, CycleEventType.TOOL_CALL, events), contents
            )
        case _:
            return None


def _chat(trace: int, agent: int, reply: CycleEvent, request: CycleEvent | None) -> TraceSpan:
    asked = str((request.data if request else reply.data).get("model") or "")
    attributes: dict[str, Attribute] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic" if asked.startswith("claude") else "bellhop",
        "gen_ai.request.model": asked,
        **_tokens(usage_of(reply)),
    }
    if request is not None:
        attributes["gen_ai.request.max_tokens"] = int(request.data.get("max_tokens") or 0)
    if reply.data.get("model"):
        attributes["gen_ai.response.model"] = str(reply.data["model"])
    if reply.data.get("stop_reason"):
        attributes["gen_ai.response.finish_reasons"] = (str(reply.data["stop_reason"]),)
    failed = "model_error" if reply.data.get("error") else ""
    return TraceSpan(
        trace,
        _id(_place(reply)),
        agent,
        f"chat {asked}",
        *_when(reply),
        attributes,
        failed,
        client=True,
    )


def _tool(
    trace: int, agent: int, result: CycleEvent, call: CycleEvent | None, contents: bool
) -> TraceSpan:
    name = str(result.data.get("tool_name"))
    attributes: dict[str, Attribute] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.type": "function",
    }
    if contents:
        attributes["gen_ai.tool.call.arguments"] = str(
            (call.data if call else {}).get("tool_input") or ""
        )
        attributes["gen_ai.tool.call.result"] = str(result.data.get("output") or "")
    failed = "" if result.data.get("success") else "tool_error"
    return TraceSpan(
        trace,
        _id(_place(result)),
        agent,
        f"execute_tool {name}",
        *_when(result),
        attributes,
        failed,
    )


def _beside(
    event: CycleEvent, kind: CycleEventType, events: Sequence[CycleEvent]
) -> CycleEvent | None:
    return next(
        (other for other in events if other.type is kind and other.step == event.step), None
    )


def _when(event: CycleEvent) -> tuple[datetime, datetime]:
    return event.at - timedelta(milliseconds=event.duration_ms or 0), event.at


def _place(event: CycleEvent) -> str:
    return f"{event.cycle_id}/{event.step}/{event.type}"


def _id(name: str) -> int:
    """64 bits that are not all zero."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]) or 1


def _tokens(usage: Usage) -> dict[str, Attribute]:
    return {
        "gen_ai.usage.input_tokens": usage.total_input,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_write_tokens,
    }


def _message(role: str, text: object) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": str(text or "")}]}])


class SendsSpans(Protocol):
    """A collector. Both block and are called in threads."""

    def send(self, spans: Sequence[TraceSpan]) -> bool:
        """Whether the collector accepted them. Never raises."""
        ...

    def close(self) -> None:
        """Abandon the current sending."""
        ...


@dataclass(frozen=True)
class SpanExport:
    """Sends each ended cycle as spans; after a crash some are sent again, identically."""

    cycle_log: CycleLog
    clock: Clock
    collector: Callable[[], SendsSpans]
    contents: bool

    async def run(self) -> None:
        """Run until cancelled."""
        collector = await asyncio.to_thread(self.collector)
        failures = 0
        try:
            while True:
                sent = await self.send(collector)
                failures = 0 if sent is not None else failures + 1
                if failures == 1:
                    log.warning(
                        "the collector of traces doesn't answer; it gets everything once it does"
                    )
                if not sent:
                    wait = _LOOK_S if sent == 0 else _WAITS_S[min(failures, len(_WAITS_S)) - 1]
                    await self.clock.sleep(wait)
        finally:
            collector.close()

    async def send(self, collector: SendsSpans) -> int | None:
        """Send the next ended cycles; returns how many, or None if sending failed."""
        try:
            after, ended = await self.cycle_log.not_exported(_AT_ONCE)
            spans: list[TraceSpan] = []
            for cycle in ended:
                top = (await self.cycle_log.with_callers(cycle))[-1]
                spans += spans_of(await self.cycle_log.of_cycle(cycle), top, contents=self.contents)
            if spans and not await asyncio.to_thread(collector.send, spans):
                return None
            if ended:
                await self.cycle_log.exported(after)
        except StorageError as error:
            log.warning("error=<%s> | cycles can't be sent as traces", error)
            return None
        return len(ended)
