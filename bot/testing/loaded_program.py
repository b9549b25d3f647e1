"""`bellhop` in a process of its own, forked from an interpreter that has imported it already.

A start takes two seconds of a processor, nearly all of it for imports. Tests of what a command does
don't pay for them again; tests of the start itself run `python -m bot`.
"""

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

_LOADED = multiprocessing.get_context("forkserver")
_LOADED.set_forkserver_preload(["bot.app", "bot.cli.main"])
_IN, _OUT, _ERR = "in", "out", "err"


def run_loaded(
    arguments: list[str],
    environment: Mapping[str, str],
    given: bytes = b"",
    patience_s: float = 60,
) -> subprocess.CompletedProcess[bytes]:
    """Run `bellhop` with these arguments, and `given` as its standard input.

    Raises subprocess.TimeoutExpired after it was killed.
    """
    with TemporaryDirectory(prefix="bellhop-loaded-") as folder:
        streams = Path(folder)
        (streams / _IN).write_bytes(given)
        process = _LOADED.Process(target=_run, args=(arguments, dict(environment), streams))
        process.start()
        process.join(patience_s)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(["bellhop", *arguments], patience_s)
        out, err = (streams / _OUT).read_bytes(), (streams / _ERR).read_bytes()
        return subprocess.CompletedProcess(arguments, process.exitcode, out, err)


def _run(arguments: list[str], environment: dict[str, str], streams: Path) -> None:
    for number, name in enumerate((_IN, _OUT, _ERR)):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND if number else os.O_RDONLY
        os.dup2(os.open(streams / name, flags), number)
    # These live as long as the process, which closes nothing that it was given.
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["bellhop", *arguments]

    from bot.cli.main import run  # noqa: PLC0415 - the fork has it; the test needn't import it

    run()
