"""Reads the settings of a home, without building anything."""

from dataclasses import replace
from pathlib import Path

from bot.assembly.plugins import (
    hide_secrets,
    idle_sections,
    installed_names,
    require_platforms,
    require_provider,
    sections_of_plugins,
)
from bot.assembly.sections import SECTIONS
from bot.llm.settings import ModelSettings
from bot.retired_settings import RETIRED
from bot.settings import Settings, load


def load_settings(home: Path) -> Settings:
    """Read bellhop.yaml of a home with the sections of all rooms and plug-ins.

    Raises SettingsError.
    """
    settings = load(
        home, SECTIONS, of_plugins=sections_of_plugins, installed=installed_names, retired=RETIRED
    )
    require_platforms(settings)
    require_provider(settings, settings.get(ModelSettings).provider)
    hide_secrets(settings)
    return replace(settings, ignored=(*settings.ignored, *idle_sections(settings)))
