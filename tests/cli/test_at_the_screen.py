"""`bellhop chat` on a real pseudo-terminal: it talks, takes over from a dead bot, leaves."""

import contextlib
import fcntl
import os
import pty
import re
import selectors
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.cli.conftest import Running

pytestmark = pytest.mark.slow

PATIENCE_S = 60.0


class Screen:
    """What a person would see, and a keyboard."""

    def __init__(self, home: Path, environment: dict[str, str]) -> None:
        self._end, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bot", "chat", "--home", str(home)],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={**environment, "TERM": "xterm"},
            start_new_session=True,
        )
        os.close(inner)
        self._seen = ""

    def type(self, text: str) -> None:
        os.write(self._end, f"{text}\r".encode())

    def until(self, wanted: str) -> str:
        """Read on until this text has come; what was before it is not looked at again."""
        ends = time.monotonic() + PATIENCE_S
        with selectors.DefaultSelector() as selector:
            selector.register(self._end, selectors.EVENT_READ)
            while wanted not in (text := self._text()):
                assert time.monotonic() < ends, f"{wanted!r} is not in {text!r}"
                if selector.select(timeout=1.0):
                    self._seen += self._read()
        self._seen = ""
        return text

    def _read(self) -> str:
        chunk = os.read(self._end, 65_536).decode("utf-8", "replace")
        if "\x1b[6n" in chunk:  # it asks where the cursor is, and waits for the answer
            os.write(self._end, b"\x1b[1;1R")
        return chunk

    def _text(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self._seen)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        with contextlib.suppress(OSError):
            os.close(self._end)


@pytest.fixture
def at(tmp_path: Path, environment: dict[str, str]) -> Generator[Screen]:
    """A screen with `bellhop chat` on it."""
    opened = Screen(tmp_path, environment)
    yield opened
    opened.close()


def test_a_conversation_from_hello_to_exit(at: Screen) -> None:
    at.until("Message Bellhop")
    at.type("add buy milk to my todos")
    at.until("manage_todos")
    at.until("Added to your todos")
    at.type("/nonsense")
    at.until("I don't know /nonsense")
    at.type("/exit")
    assert at.process.wait(timeout=PATIENCE_S) == 0


def test_it_goes_on_here_when_the_running_bot_is_killed(
    tmp_path: Path,
    environment: dict[str, str],
    running: Running,
) -> None:
    with running(tmp_path) as bot, contextlib.closing(Screen(tmp_path, environment)) as at:
        at.until(f"attached to process {bot.pid}")
        at.type("add tea to my todos")
        at.until("Added to your todos")
        bot.kill()
        at.until("going on here")
        at.until("Message Bellhop")
        at.type("list my todos")
        at.until("open todo")
        at.type("/exit")
        assert at.process.wait(timeout=PATIENCE_S) == 0


def test_run_displaces_the_chat_that_holds_the_home(
    tmp_path: Path, at: Screen, running: Running
) -> None:
    at.until("Message Bellhop")
    with running(tmp_path) as bot:
        at.until("`bellhop run` serves this home now; this terminal attaches to it.")
        at.until(f"attached to process {bot.pid}")
        at.type("add tea to my todos")
        at.until("Added to your todos")
        at.type("/exit")
        assert at.process.wait(timeout=PATIENCE_S) == 0


def test_an_attached_chat_does_not_replace_a_bot_with_platforms(
    tmp_path: Path, environment: dict[str, str], running: Running
) -> None:
    nobody = "{enabled: true, api_base: 'http://127.0.0.1:9/'}"
    (tmp_path / "bellhop.yaml").write_text(f"discord: {nobody}\n")
    (tmp_path / ".env").write_text("DISCORD_TOKEN=loopback-discord-token\n")
    with running(tmp_path) as bot, contextlib.closing(Screen(tmp_path, environment)) as at:
        at.until(f"attached to process {bot.pid}")
        bot.kill()
        at.until("This terminal waits until `bellhop run` serves the home")
        bot.wait(timeout=PATIENCE_S)
        with running(tmp_path) as again:  # nobody has taken the home meanwhile
            at.until(f"attached to process {again.pid}")
            at.type("/exit")
            assert at.process.wait(timeout=PATIENCE_S) == 0
