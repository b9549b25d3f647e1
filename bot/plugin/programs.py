"""For tools that run programs of this machine, each in a process group that ends with it."""

from bot.tools.running.output import ERROR
from bot.tools.running.shell import Ended, ProgramRunner

__all__ = ["ERROR", "Ended", "ProgramRunner"]
