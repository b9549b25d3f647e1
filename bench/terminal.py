"""CPU of a terminal in which nothing happens: at its prompt, and while its model doesn't answer.

    python bench/terminal.py [--seconds 30]

`bellhop chat` runs in a terminal of its own; the model is a loopback server that never replies.
Exits with 1 where a goal is missed.
"""

import argparse
import fcntl
import os
import pty
import struct
import sys
import tempfile
import termios
import threading
import time
from pathlib import Path

from bytecode import compile_program
from figures import Figures
from platforms import Measured, model_server

MOST = 1.0
"""Percent of a core."""
ROWS, COLUMNS = 40, 100
WHERE_IS_THE_CURSOR, TOP_LEFT = b"\x1b[6n", b"\x1b[1;1R"
PROMPT, SPINNER = "❯".encode(), b"Ctrl-C stops"  # noqa: RUF001 - the prompt is this sign
QUESTION = b"what time is it? (hangs)\r"
PATIENCE_S = 60.0
SETTLED_S = 3.0
"""After what is awaited, some of its work is still to be done."""


class Terminal:
    """A terminal that shows nothing to anybody, and answers what programs ask it."""

    def __init__(self) -> None:
        self._ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._shown = b""
        self._grew = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def type(self, text: bytes) -> None:
        os.write(self._ours, text)

    def until_shown(self, text: bytes) -> None:
        with self._grew:
            if not self._grew.wait_for(lambda: text in self._shown, PATIENCE_S):
                raise TimeoutError(self._shown.decode(errors="replace"))

    def _read(self) -> None:
        while True:
            try:
                text = os.read(self._ours, 65_536)
            except OSError:  # the program has ended
                return
            if WHERE_IS_THE_CURSOR in text:
                self.type(TOP_LEFT)
            with self._grew:
                self._shown += text
                self._grew.notify_all()


def percent(program: Measured, seconds: float) -> float:
    """CPU of a core that it takes in this time."""
    time.sleep(SETTLED_S)
    cpu, began = program.cpu_s(), time.perf_counter()
    time.sleep(seconds)
    return (program.cpu_s() - cpu) / (time.perf_counter() - began) * 100


def measure(home: Path, url: str, seconds: float, figures: Figures) -> None:
    (home / "bellhop.yaml").write_text(
        f"model: {{provider: compatible, name: bench, base_url: '{url}'}}\n"
    )
    terminal = Terminal()
    program = Measured(
        [sys.executable, "-m", "bot", "--home", str(home), "chat"],
        {"TERM": "xterm-256color", "ANTHROPIC_API_KEY": "bench"},
        terminal.theirs,
    )
    try:
        terminal.until_shown(PROMPT)
        figures.at_most("at its prompt", percent(program, seconds), MOST, "%")
        terminal.type(QUESTION)
        terminal.until_shown(SPINNER)
        figures.at_most("while it waits for a model", percent(program, seconds), MOST, "%")
    finally:
        program.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30, help="of each measurement")
    seconds = parser.parse_args().seconds
    compile_program()
    figures = Figures()
    with tempfile.TemporaryDirectory() as home, model_server() as url:
        measure(Path(home), url, seconds, figures)
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
