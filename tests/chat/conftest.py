"""Fixtures of the terminal's tests."""

import pytest

from bot.testing.scripted_view import ScriptedView


@pytest.fixture
def view() -> ScriptedView:
    return ScriptedView()
