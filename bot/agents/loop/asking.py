"""What a call means to the person who is asked about it, and what speaks against it.

Both are worked out before anybody is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.agents.loop.calls import call_context
from bot.agents.loop.run import Run
from bot.domain.card_words import About
from bot.domain.clock import Clock
from bot.domain.languages import Translations
from bot.domain.places import Reach
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import Deferred, NeedsApproval
from bot.domain.tools import ToolCall, ToolDefinition
from bot.domain.turns import Turn
from bot.errors import ToolError
from bot.tools.native.registry import tried
from bot.tools.permission.approvals import may_decide_rank
from bot.tools.permission.record_names import names_of
from bot.tools.running.executor import arguments_of


@dataclass(frozen=True)
class CallWords:
    """Asks the tools what their calls mean."""

    clock: Clock

    async def told(
        self, run: Run, turn: Turn, question: NeedsApproval | Deferred
    ) -> NeedsApproval | Deferred:
        """The question with what its call means. Raises ToolError if it can't be carried out.

        Names of records are for those who asked: nobody else reads what their session read, nor in
        what a tool says what is kept of them alone.
        """
        if question.about:
            return question
        call, definition = question.call, run.toolset.find(question.call.name)
        words: str | Translations = ""
        names: tuple[str, ...] = ()
        own = may_decide_rank(question.approver_rank, run.scope.person)
        if (handler := run.toolset.native(call.name)) is not None:
            context = call_context(run, call, self.clock.now(), turn)
            given = arguments_of(handler.arguments, call)
            check = tried(handler.run) if handler.pure else handler.check
            if check is not None:
                await check(context, given)
            words = await _words(handler, context if own else _in_public(context), given)
            names = await _replaced(handler, context, given)
        if definition is not None:
            names = (*names, *self._names(run, call, definition))
        about = About.told(words, tuple(dict.fromkeys(names)) if own else ())
        return replace(question, about=about)

    def _names(self, run: Run, call: ToolCall, definition: ToolDefinition) -> Sequence[str]:
        results = run.provenance.results()
        return names_of(definition, call.arguments, results, run.toolset.find)


def _in_public(context: ToolContext) -> ToolContext:
    """The context of a call in a direct message, as if everybody read it."""
    place = context.location
    if Reach.DM not in place.reaches:
        return context
    return replace(context, location=replace(place, reaches=frozenset({Reach.PUBLIC})))


async def _words(handler: NativeTool[Any], context: ToolContext, given: Any) -> str | Translations:
    """Empty for a tool that says nothing, or a call of which there is nothing to say."""
    try:
        return await handler.tells(context, given) if handler.tells is not None else ""
    except ToolError:
        return ""


async def _replaced(handler: NativeTool[Any], context: ToolContext, given: Any) -> tuple[str, ...]:
    """The names of what the call would delete or replace."""
    try:
        made = await handler.makes(context, given) if handler.makes is not None else ()
    except ToolError:
        return ()
    kept = [one.replaced for one in made if one.replaced is not None]
    return tuple(
        f"{one.id}: {one.names[0]}" for one in kept if one.names and one.id != one.names[0]
    )
