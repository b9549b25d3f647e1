"""Runs a call that passed the gate, and always returns an outcome to the loop.

See docs/rules.md#order-of-checks.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from bot.domain.clock import Clock
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolOutcome, ToolResult
from bot.domain.tools import NativeImplementation, ToolCall, ToolDefinition
from bot.domain.turns import OutcomeUnknown
from bot.errors import DeliveryError, ToolError, TurnError
from bot.log import redact_secrets
from bot.tools.native.registry import NativeTools
from bot.tools.running.output import ERROR, OUTPUT_CHARS, cut_middle, readable
from bot.tools.toolset.toolset import may_run_again

log = logging.getLogger(__name__)

EMPTY = "(no output)"
TIMEOUT_S = 60.0
"""For tools whose file has no `## Timeout`: the person who asked is waiting."""
_UNWIND_S = 5.0
"""Time for a handler to clean up after its time-out."""

T = TypeVar("T")
ModelT = TypeVar("ModelT", bound=BaseModel)


class TimeIsUp(Exception):
    """A tool did not finish in its time."""


class ToolExecutor:
    """Runs native handlers, and other kinds of tools through their routes."""

    def __init__(
        self, natives: NativeTools, clock: Clock, output_chars: int = OUTPUT_CHARS
    ) -> None:
        self._natives = natives
        self._output_chars = output_chars
        self._clock = clock

    async def execute(self, definition: ToolDefinition, context: ToolContext) -> ToolOutcome:
        """Run the call within its time.

        Raises only on cancellation, suspension or a lost claim. Failures become results with
        `is_error` and a text that begins with `ERROR: `. A tool that is part of the turn
        (`NativeTool.in_turn`) has no limits, and its faults are raised.
        """
        native = definition.implementation
        handler = (
            context.tools.handler(native.name) if isinstance(native, NativeImplementation) else None
        )
        if handler is not None and handler.in_turn:
            return await _in_turn(handler, context)
        limit = definition.timeout_s or TIMEOUT_S
        started = self._clock.monotonic()
        try:
            waited = (
                (lambda: asking.waited_s) if (asking := context.ask_now) is not None else _never
            )
            outcome = await within(
                limit, self._run(definition, handler, context), self._clock, waited
            )
        except TimeIsUp:
            outcome = error_result(_late(definition, handler, context, limit))
        except TurnError:
            raise
        except (ToolError, DeliveryError) as error:
            outcome = error_result(str(error))
        except OutcomeUnknown:
            outcome = error_result(
                "whether this took effect is unknown. Don't repeat it blindly: check first."
            )
        except Exception:
            log.exception(
                "session=<%s>, person=<%s>, tool=<%s>, call=<%s> | a tool failed unexpectedly",
                context.session_id, context.person.id, definition.name, context.call.key,
            )  # fmt: skip
            outcome = error_result(
                f"{definition.name} failed because of a fault in Bellhop; its operator finds it in "
                "the log. Don't repeat the call; go on without it."
            )
        if isinstance(outcome, ToolResult):
            outcome = _foreign(definition, outcome)
            outcome = fit(outcome, self._output_chars)
        log.debug(
            "session=<%s>, tool=<%s>, seconds=<%.3f> | tool ran",
            context.session_id, definition.name, self._clock.monotonic() - started,
        )  # fmt: skip
        return outcome

    async def _run(
        self, definition: ToolDefinition, handler: NativeTool[Any] | None, context: ToolContext
    ) -> ToolOutcome:
        match definition.implementation:
            case NativeImplementation(name):
                if handler is None:
                    raise ToolError(f"{name} is not available here any more; go on without it")
                return await _called(handler, context)
            case other:
                route = self._natives.routes.get(type(other))
                if route is None:
                    raise ToolError(
                        f"nothing in this installation can run {definition.name}; go on without it"
                    )
                return await route(definition, context)


async def _called(handler: NativeTool[Any], context: ToolContext) -> ToolOutcome:
    arguments = arguments_of(handler.arguments, context.call)
    return await handler.run(context, arguments)


async def _in_turn(handler: NativeTool[Any], context: ToolContext) -> ToolOutcome:
    try:
        return await _called(handler, context)
    except ToolError as error:
        return ToolResult(str(error), is_error=True)


def _late(
    definition: ToolDefinition, handler: NativeTool[Any] | None, context: ToolContext, limit: float
) -> str:
    # A new call would have another key than the late one.
    again = may_run_again(definition, handler, context.call.arguments) and not (
        handler is not None and handler.repeatable
    )
    what = (
        "Try again or ask for less."
        if again
        else "It may or may not have taken effect: check first."
    )
    return f"{definition.name} did not finish within {limit:g} seconds. {what}"


def _foreign(definition: ToolDefinition, result: ToolResult) -> ToolResult:
    """Results of scripts, servers and web services are foreign; even their errors quote."""
    if (
        isinstance(definition.implementation, NativeImplementation)
        or result.origin.trust is not Trust.OPERATOR
    ):
        return result
    return replace(result, origin=Origin(Trust.EXTERNAL, f"tool:{definition.name}"))


def error_result(text: str) -> ToolResult:
    """A failed call, as the model sees it."""
    return ToolResult(ERROR + text.removeprefix(ERROR), is_error=True)


def fit(result: ToolResult, limit: int) -> ToolResult:
    """The result with at most `limit` characters of content (the note about the cut included).

    Secrets are removed first, because half a secret at a cut would not be recognised.
    """
    content = result.content
    if "\x00" in content or not content.isascii():
        content = readable(content)
    content = redact_secrets(content)
    if len(content) > limit:
        content = cut_middle(content, limit)
    content = content or EMPTY
    return result if content == result.content else replace(result, content=content)


def _never() -> float:
    return 0.0


async def within(
    seconds: float, work: Coroutine[Any, Any, T], clock: Clock, waited: Callable[[], float] = _never
) -> T:
    """Await `work` for at most `seconds` of this clock. Raises TimeIsUp, after cancelling it.

    Work that doesn't end within a few seconds of being cancelled is left behind and logged.
    `waited`: seconds so far in which the work waited for a person, which don't count.
    """
    task = asyncio.ensure_future(work)
    started = clock.monotonic()
    try:
        await _end_of(task, seconds, clock)
        while not task.done() and (left := started + seconds + waited() - clock.monotonic()) > 0:
            await _end_of(task, left, clock)
        if task.cancelled():
            raise RuntimeError("the tool cancelled itself")
        if task.done():
            return task.result()
        await _unwind(task, clock)
        raise TimeIsUp
    finally:
        if not task.done():
            await _unwind(task, clock)


async def _end_of(task: asyncio.Future[Any], seconds: float, clock: Clock) -> None:
    """Wait for the task, or for so many seconds."""
    late: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    timer = clock.after(seconds, lambda: late.done() or late.set_result(None))
    try:
        await asyncio.wait({task, late}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        timer.cancel()


async def _unwind(task: asyncio.Future[Any], clock: Clock) -> None:
    task.cancel()
    await _end_of(task, _UNWIND_S, clock)
    if not task.done():
        log.error("task=<%r> | a tool does not stop when cancelled and was left behind", task)
    elif not task.cancelled() and (error := task.exception()) is not None:
        log.info("error=<%r> | a tool failed while it was being stopped", error)


def explain(error: ValidationError) -> str:
    """The first mismatches of a model, naming the argument and what was expected."""
    texts = [
        f"{'.'.join(str(part) for part in item['loc']) or 'the arguments'}: {item['msg']}"
        for item in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    return "; ".join(texts[:3]) + (f"; and {len(texts) - 3} more" if len(texts) > 3 else "")


def arguments_of(kind: type[ModelT], call: ToolCall) -> ModelT:
    """A call's arguments; null for an optional one counts as missing.

    Raises ToolError for the model, naming the argument and what was expected.
    """
    required = _required(kind)
    given = {
        name: value
        for name, value in call.arguments.items()
        if value is not None or name in required
    }
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise ToolError(
            f"{call.name}: {explain(error)}. Correct the arguments and call it again."
        ) from error


def _required(kind: type[BaseModel]) -> frozenset[str]:
    """The arguments that a call must give."""
    fields = kind.model_fields.items()
    return frozenset(field.alias or name for name, field in fields if field.is_required())
