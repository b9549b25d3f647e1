"""Criteria with a command: pm_shell calls of the queen, with gate, sandbox and budgets."""

from bot.agents.loop.pipeline import UNKNOWN_OUTCOME, ToolPipeline
from bot.agents.loop.run import Run
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import ToolCall
from bot.domain.turns import Turn
from bot.tools.permission.gate import Ask, Later

SHELL = "pm_shell"


class CommandChecks:
    """Runs the commands of criteria."""

    def __init__(self, pipeline: ToolPipeline) -> None:
        self._pipeline = pipeline

    async def check(self, run: Run, turn: Turn, key: str, project: str, command: str) -> ToolResult:
        """The command's result; an error when the criterion is not met or the command can't run.

        A check may be repeated.
        """
        # After a crash in the middle, the outcome of the first call is unknown.
        for tried in (key, step_key(StepKind.AGAIN, within=key)):
            scope = turn.scope(tried)
            given, own = {"project": project, "command": command}, step_key(StepKind.TOOL, "1.0")
            call = ToolCall(scope.prefix, SHELL, given, own)
            if not scope.done(call.key):
                verdict = self._pipeline.gate.check(
                    call, run.toolset, run.live_scope(), context=run.provenance
                )
                if isinstance(verdict, Ask | Later):
                    return ToolResult(
                        "not checked: the command needs somebody's yes here", is_error=True
                    )
            result = (await self._pipeline.run(run, scope, call)).outcome
            if isinstance(result, ToolResult) and result.content != UNKNOWN_OUTCOME:
                return result
        return ToolResult("not checked: the command was interrupted twice", is_error=True)
