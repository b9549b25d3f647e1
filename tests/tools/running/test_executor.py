"""The executor: whatever a tool does, the loop gets an outcome."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pydantic import BaseModel, Field

from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import AskPerson, Finish, ToolOutcome, ToolResult
from bot.domain.tools import HttpImplementation, NativeImplementation, ToolDefinition
from bot.domain.turns import OutcomeUnknown, Suspended
from bot.errors import ClaimLost, DeliveryError, ToolError
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.tools import ToolFolder, a_call, a_context, a_scope, a_toolset
from bot.tools.native.registry import NativeTools, ToolRegistration
from bot.tools.running.executor import ToolExecutor
from bot.tools.running.output import OUTPUT_CHARS
from bot.tools.toolset.toolset import Toolset


class Numbers(BaseModel):
    n: int = Field(default=1, ge=1)


Handler = Callable[[ToolContext, Numbers], Awaitable[ToolOutcome]]


async def run(
    files: ToolFolder, handler: Handler, output_chars: int = OUTPUT_CHARS, **arguments: Any
) -> ToolOutcome:
    files.put("shared/thing")
    catalog = await files.loaded()
    natives = NativeTools([ToolRegistration([NativeTool("thing", Numbers, handler)])])
    toolset = Toolset(catalog, a_scope(), natives=natives)
    definition = toolset.find("thing")
    assert definition is not None
    executor = ToolExecutor(natives, FakeClock(), output_chars)
    return await executor.execute(definition, a_context(toolset, a_call("thing", **arguments)))


def raising(error: BaseException) -> Handler:
    async def handler(context: ToolContext, arguments: Numbers) -> ToolOutcome:
        raise error

    return handler


async def counting(context: ToolContext, arguments: Numbers) -> ToolOutcome:
    return ToolResult("x" * arguments.n)


async def test_a_handler_gets_checked_arguments_and_its_outcome_comes_back(files: ToolFolder):
    assert await run(files, counting, n=3) == ToolResult("xxx")
    assert await run(files, counting, n=None) == ToolResult("x")


@pytest.mark.parametrize("outcome", [Finish("done"), AskPerson("which?")])
async def test_other_outcomes_pass_untouched(files: ToolFolder, outcome: ToolOutcome):
    async def handler(context: ToolContext, arguments: Numbers) -> ToolOutcome:
        return outcome

    assert await run(files, handler) == outcome


async def test_arguments_that_the_model_refuses_are_an_error_result(files: ToolFolder):
    outcome = await run(files, counting, n=0)
    assert outcome == ToolResult(
        (
            "ERROR: thing: n: Input should be greater than or equal to 1. Correct the arguments "
            "and call it again."
        ),
        is_error=True,
    )


@pytest.mark.parametrize("error", [ToolError("no such note"), DeliveryError("no such note")])
async def test_an_error_for_the_model_becomes_its_result(files: ToolFolder, error: Exception):
    assert await run(files, raising(error)) == ToolResult("ERROR: no such note", is_error=True)


async def test_an_unexpected_error_is_short_for_the_model_and_whole_in_the_log(
    files: ToolFolder, caplog: pytest.LogCaptureFixture
):
    outcome = await run(files, raising(KeyError("secret detail")))
    assert isinstance(outcome, ToolResult)
    assert outcome.is_error
    assert outcome.content.startswith("ERROR: thing failed because of a fault")
    assert "secret detail" not in outcome.content
    assert any(record.levelno == logging.ERROR and record.exc_info for record in caplog.records)


async def test_an_unknown_outcome_is_told_and_not_raised(files: ToolFolder):
    outcome = await run(files, raising(OutcomeUnknown()))
    assert isinstance(outcome, ToolResult)
    assert "unknown" in outcome.content


@pytest.mark.parametrize("error", [Suspended(), ClaimLost("moved")])
async def test_suspension_and_a_lost_claim_go_through(files: ToolFolder, error: BaseException):
    with pytest.raises(type(error)):
        await run(files, raising(error))


async def test_a_tool_that_cancels_itself_is_an_error_and_no_stop(files: ToolFolder):
    outcome = await run(files, raising(asyncio.CancelledError()))
    assert isinstance(outcome, ToolResult)
    assert outcome.is_error


async def waiting(
    files: ToolFolder, section: str, stopped: list[str], *, acts: bool = False
) -> tuple[asyncio.Task[ToolOutcome], FakeClock]:
    async def handler(context: ToolContext, arguments: Numbers) -> ToolOutcome:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.append("stopped")
        raise AssertionError

    files.put("shared/thing", section)
    catalog = await files.loaded()
    natives = NativeTools([ToolRegistration([NativeTool("thing", Numbers, handler, acts=acts)])])
    toolset = Toolset(catalog, a_scope(), natives=natives)
    definition = toolset.find("thing")
    assert definition is not None
    clock = FakeClock()
    executor = ToolExecutor(natives, clock)
    return asyncio.create_task(
        executor.execute(definition, a_context(toolset, a_call("thing")))
    ), clock


@pytest.mark.parametrize(
    ("section", "acts", "seconds", "advice"),
    [
        ("", False, 60, "Try again or ask for less."),
        ("## Timeout\n5", True, 5, "It may or may not have taken effect: check first."),
        ("## Idempotent\nyes", True, 60, "Try again or ask for less."),
        ("## Risk\nexternal-write", False, 60, "It may or may not have taken effect: check first."),
    ],
)
async def test_a_tool_that_takes_too_long_is_cancelled(
    files: ToolFolder, section: str, acts: bool, seconds: int, advice: str
):
    stopped: list[str] = []
    task, clock = await waiting(files, section, stopped, acts=acts)
    await settle()
    await clock.advance(seconds - 1)
    assert not task.done()
    await clock.advance(1)
    outcome = await task
    assert isinstance(outcome, ToolResult)
    assert outcome.content == (f"ERROR: thing did not finish within {seconds} seconds. {advice}")
    assert stopped == ["stopped"]


async def test_a_stop_reaches_the_handler(files: ToolFolder):
    stopped: list[str] = []
    task, clock = await waiting(files, "", stopped)
    await settle()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stopped == ["stopped"]
    await settle()
    assert clock.sleepers == 0


async def test_long_output_keeps_its_ends_and_says_what_is_missing(files: ToolFolder):
    outcome = await run(files, counting, 1000, n=50_000)
    assert isinstance(outcome, ToolResult)
    assert len(outcome.content) <= 1000
    assert "50,000 characters in all" in outcome.content


async def test_text_that_cannot_be_sent_is_replaced_and_none_is_named(files: ToolFolder):
    async def strange(context: ToolContext, arguments: Numbers) -> ToolOutcome:
        return ToolResult("a\x00b\ud800" if arguments.n == 1 else "")

    assert await run(files, strange) == ToolResult("a\ufffdb?")
    assert await run(files, strange, n=2) == ToolResult("(no output)")


async def test_a_kind_without_a_route_is_an_error_and_with_one_it_runs(files: ToolFolder):
    async def route(definition: ToolDefinition, context: ToolContext) -> ToolOutcome:
        return ToolResult(definition.name)

    catalog = await files.loaded()
    remote = ToolDefinition(
        "remote",
        "x",
        {"type": "object"},
        "shared",
        HttpImplementation("GET", "https://example.org"),
    )
    context = a_context(a_toolset(catalog), a_call("remote"))
    without = await ToolExecutor(NativeTools(), FakeClock()).execute(remote, context)
    assert isinstance(without, ToolResult)
    assert without.is_error
    routed = NativeTools(routes={HttpImplementation: route})
    outcome = await ToolExecutor(routed, FakeClock()).execute(remote, context)
    assert outcome == ToolResult("remote", origin=Origin(Trust.EXTERNAL, "tool:remote")), (
        "what it says is not ours"
    )


async def test_a_handler_that_is_gone_is_an_error(files: ToolFolder):
    catalog = await files.loaded()
    gone = ToolDefinition("gone", "x", {"type": "object"}, "shared", NativeImplementation("gone"))
    executor = ToolExecutor(NativeTools(), FakeClock())
    outcome = await executor.execute(gone, a_context(a_toolset(catalog), a_call("gone")))
    assert isinstance(outcome, ToolResult)
    assert "not available here any more" in outcome.content
