"""For tools that run programs of this machine, each in a process group that ends with it.

What others wrote runs in the sandbox: `Sandbox.line` is the command that a runner is given then.
"""

from bot.tools.definitions.read_paths import SCRATCH
from bot.tools.running.output import ERROR
from bot.tools.running.sandbox import SCRIPT_PATH, WORKSPACE, Sandbox
from bot.tools.running.shell import Ended, ProgramRunner

__all__ = ["ERROR", "SCRATCH", "SCRIPT_PATH", "WORKSPACE", "Ended", "ProgramRunner", "Sandbox"]
