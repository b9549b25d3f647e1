"""Programs in Python that start at once: forked from a process that has imported them already.

An MCP server in Python takes more than a second of a processor to import its SDK, and tests start a
hundred. `forked` gives a command that behaves as `python -m MODULE` does: it has the same streams,
environment and folder, it ends with the program, and the program ends with it.

`python -m bot.testing.forked_programs MODULE FD` is the process that forks.
"""

import atexit
import contextlib
import fcntl
import importlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NoReturn

from bot.testing.ask_for_fork import SIZE_BYTES

_ASKER = Path(__file__).with_name("ask_for_fork.py")
_MOST_STREAMS = 16
_HIGH = 200
"""The number of the connection: what a process holds is closed in order, and this comes last."""


def forked(module: str, *arguments: str) -> list[str]:
    """The command of a program whose module has `main`; one process forks all of them."""
    return [sys.executable, "-I", "-S", str(_ASKER), _forks(module), *arguments]


@cache
def _forks(module: str) -> str:
    """Start the process that forks; returns where to ask it. It ends with this process."""
    folder = tempfile.mkdtemp(prefix="bellhop-forks-")
    where = str(Path(folder, "asked"))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(where)
        listening.listen()
        number = listening.fileno()
        command = [sys.executable, "-m", __name__, module, str(number)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[number])  # noqa: S603 - ours
    atexit.register(_end, process, folder)
    return where


def _end(process: subprocess.Popen[bytes], folder: str) -> None:
    process.kill()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def _serve(module: str, listening: socket.socket) -> None:
    """Fork for each connection until standard input ends."""
    importlib.import_module(module)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how they ended
    while True:
        ready, _, _ = select.select([0, listening], [], [])
        if 0 in ready:
            return
        asked, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            _run(module, asked)
        asked.close()


def _run(module: str, asked: socket.socket) -> NoReturn:
    """Become the program that was asked for."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, streams, _, _ = socket.recv_fds(asked, SIZE_BYTES, _MOST_STREAMS)
    wanted = json.loads(_received(asked, int.from_bytes(size, "big")))
    for held, number in zip(streams, wanted["streams"], strict=True):
        os.dup2(held, number)
    asked = socket.socket(fileno=fcntl.fcntl(asked.detach(), fcntl.F_DUPFD_CLOEXEC, _HIGH))
    os.chdir(wanted["folder"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    sys.argv = [module, *wanted["arguments"]]
    threading.Thread(target=_end_with, args=(asked,), daemon=True).start()
    code = _exit_code(importlib.import_module(module).main)
    sys.stdout.flush()
    with contextlib.suppress(OSError):
        asked.send(bytes([code]))
    os._exit(code)


def _received(asked: socket.socket, size: int) -> bytes:
    text = b""
    while len(text) < size:
        text += asked.recv(size - len(text))
    return text


def _exit_code(main: Callable[[], object]) -> int:
    try:
        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - the process ends with it
        traceback.print_exc()
        return 1
    return 0


def _end_with(asked: socket.socket) -> None:
    """Kill this process when the command that asked for it was ended."""
    asked.recv(1)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    _serve(sys.argv[1], socket.socket(fileno=int(sys.argv[2])))
