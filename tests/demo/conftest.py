"""Where Chromium is missing, what needs it is left out; tests/conftest.py says so in a line."""

from bot.plugins.browser.installed import executable
from bot.plugins.browser.settings import BrowserSettings

collect_ignore_glob = [] if executable(BrowserSettings()) else ["test_chromium*.py"]
