"""The command of a forked program (`bot.testing.forked_programs`), which starts in a moment.

`python -I -S ask_for_fork.py SOCKET ARGUMENT ...` imports nothing of Bellhop. It shares all
its streams, and ends as the program ended: then whoever started it sees their end, too.
"""

import json
import os
import signal
import socket
import sys
from types import FrameType

SIZE_BYTES = 8


def _open_streams() -> list[int]:
    """What this process inherited, by number."""
    found: list[int] = []
    for name in sorted(os.listdir("/dev/fd"), key=int):  # noqa: PTH208 - pathlib takes long to import
        try:
            os.fstat(int(name))
        except OSError:  # the folder itself, which is closed by now
            continue
        found.append(int(name))
    return found


def main() -> int:
    where, *arguments = sys.argv[1:]
    streams = _open_streams()
    environment, folder = dict(os.environ), os.getcwd()  # noqa: PTH109 - as above
    wanted = {"arguments": arguments, "environment": environment, "folder": folder}
    text = json.dumps({**wanted, "streams": streams}).encode()
    asked = socket.socket(socket.AF_UNIX)
    asked.connect(where)
    socket.send_fds(asked, [len(text).to_bytes(SIZE_BYTES, "big")], streams)
    asked.sendall(text)

    def end(_number: int, _frame: FrameType | None) -> None:
        asked.shutdown(socket.SHUT_WR)

    signal.signal(signal.SIGTERM, end)
    ended = asked.recv(1)
    return ended[0] if ended else 1


if __name__ == "__main__":
    sys.exit(main())
