"""Problems of a tool file."""

from dataclasses import dataclass
from pathlib import Path

from bot.errors import DefinitionError


@dataclass(frozen=True)
class ToolProblem:
    """A problem of a tool file. `line` is 0 when it concerns the whole file."""

    path: Path
    line: int
    message: str
    warning: bool = False

    def __str__(self) -> str:
        where = f"{self.path}, line {self.line}" if self.line else str(self.path)
        return f"{where}: {self.message}"


class ToolFileError(DefinitionError):
    """A DefinitionError that knows its line."""

    def __init__(self, problem: ToolProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem
