"""`bellhop skills import`: skills and tools from elsewhere."""

from bot.plugin.imports import SkillImporter
from bot.plugin.plugin import NoSettings, Plugin
from bot.plugins.importing.formats import SKILL_FORMATS


class Importing(Plugin[NoSettings]):
    name = "importing"
    title = "skills and tools of OpenClaw, Hermes, GitHub and Gemini"
    skill_importers = (SkillImporter(SKILL_FORMATS, "bot.plugins.importing.reading:read"),)
