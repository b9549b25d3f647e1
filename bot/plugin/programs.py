"""For tools that run programs of this machine, each in a process group that ends with it.

What others wrote runs in the sandbox: `Sandbox.line` is the command that a runner is given then.
`run_program` gives the operator's own program some bytes, within limits and without secrets.
`run_limited` calls the `main` of a parser's module in a process that has no secrets either.
"""

from bot.tools.definitions.read_paths import SCRATCH
from bot.tools.running.output import ERROR
from bot.tools.running.sandbox import SCRIPT_PATH, WORKSPACE, Sandbox
from bot.tools.running.shell import Ended, ProgramRunner
from bot.web.limited_process import run_limited
from bot.web.programs import ProgramEnd, ProgramLimits, run_program
