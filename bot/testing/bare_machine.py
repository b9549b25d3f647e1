"""A machine without Chromium, bubblewrap and PostgreSQL, for `make bare`.

With `BARE_MACHINE=1` in the environment, programs are looked for in a folder that links all others.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

BARE = "BARE_MACHINE"
_MISSING = ("chrom", "google-chrome", "bwrap", "initdb", "pg_ctl", "psql", "postgres")


def is_bare() -> bool:
    """Whether nothing may be used that a bare machine lacks."""
    return os.environ.get(BARE) == "1"


def hide_programs() -> None:
    """Let this process and those that it starts find no program that a bare machine lacks."""
    folder = Path(tempfile.mkdtemp(prefix="bellhop-bare-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for place in os.get_exec_path():
        for program in Path(place).iterdir() if Path(place).is_dir() else ():
            link = folder / program.name
            if not program.name.startswith(_MISSING) and not link.is_symlink():
                link.symlink_to(program)
    os.environ["PATH"] = str(folder)
