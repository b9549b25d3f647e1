"""Whether a browser can run here; imports nothing of it."""

import importlib.util
import os
import shutil

from bot.plugins.browser.settings import BrowserSettings

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def hindrance(settings: BrowserSettings) -> str:
    """Why the browser can't run here, with the remedy; empty if no reason is known."""
    if importlib.util.find_spec("playwright") is None:
        return (
            "the package playwright is missing; install bellhop-assistant[browser], or set "
            "browser.enabled: false"
        )
    if settings.cdp_url:
        return ""
    if not executable(settings):
        wanted = settings.executable or "chromium"
        return (
            f"{wanted} is not there; on Debian and Ubuntu: apt-get install chromium, or set "
            "browser.chromium"
        )
    if settings.sandbox and os.geteuid() == 0:
        return (
            "Chromium's sandbox does not work for root; run Bellhop as another user, or set "
            "browser.sandbox: false and trust every page that is opened"
        )
    return ""


def executable(settings: BrowserSettings) -> str:
    """The path of the program; empty when there is none."""
    names = (settings.executable,) if settings.executable else NAMES
    return next((path for name in names if (path := shutil.which(name))), "")
