"""Compiles the program for benches that start it as a process, as an installation does.

Where Python may not write bytecode (PYTHONDONTWRITEBYTECODE, a folder that is read-only), each
start would compile all modules again, which takes as long as the rest of it.
"""

import compileall
from pathlib import Path

PROGRAM = Path(__file__).parent.parent / "bot"


def compile_program() -> None:
    """Write the bytecode of modules that have none yet, or have changed since."""
    if not compileall.compile_dir(PROGRAM, quiet=1):
        raise SystemExit(f"{PROGRAM} doesn't compile")
