"""Rules about places that stand in bellhop.yaml: the `channels:` of each platform."""

from bot.assembly.plugins import platforms_of
from bot.place_settings import place_of_key
from bot.plugin.chat import PlaceTable
from bot.settings import Settings
from bot.tools.policy.places import PlaceRule


def place_rules(settings: Settings) -> tuple[PlaceRule, ...]:
    """One rule for each entry that says anything about rights, in the order of the file."""
    return tuple(
        rule
        for platform in platforms_of(settings)
        for table in platform.place_tables(settings.get(platform.settings))
        for rule in _rules(settings, platform.name, table)
    )


def _rules(settings: Settings, platform: str, table: PlaceTable) -> list[PlaceRule]:
    path = (platform, table.setting)
    return [
        PlaceRule(
            ".".join((*path, key)),
            (place_of_key(key),),
            said,
            settings.where((*path, key)),
            platform=platform,
        )
        for key, said in table.terms.items()
    ]
