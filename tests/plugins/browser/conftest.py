"""A Chromium that somebody else started."""

import subprocess
from collections.abc import Iterator

import pytest

from bot.plugins.browser.installed import executable
from bot.plugins.browser.settings import BrowserSettings

FLAGS = ("--headless=new", "--no-sandbox", "--remote-debugging-port=0", "--disable-gpu")


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Chromium that runs by itself, for all tests that don't mind: a start takes seconds."""
    profile = tmp_path_factory.mktemp("chromium")
    command = [executable(BrowserSettings()), *FLAGS, f"--user-data-dir={profile}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        line = next(one for one in running.stderr if "DevTools listening on" in one)
        yield f"http://{line.split('ws://')[1].split('/')[0]}"
        assert running.poll() is None, "what somebody else started goes on"
        running.kill()
