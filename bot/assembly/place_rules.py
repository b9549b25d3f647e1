"""Rules about places that stand in bellhop.yaml: the `channels:` of each platform."""

from collections.abc import Mapping

from bot.chat.discord_chat.settings import DiscordSettings
from bot.chat.slack_chat.settings import SlackSettings
from bot.domain.places import NameKind, PlaceName
from bot.place_settings import PlaceTerms, place_of_key
from bot.settings import Settings
from bot.tools.policy.places import PlaceRule


def place_rules(settings: Settings) -> tuple[PlaceRule, ...]:
    """One rule for each entry that says anything about rights, in the order of the file."""
    discord, slack = settings.get(DiscordSettings), settings.get(SlackSettings)
    guilds = {key: PlaceName(NameKind.WORKSPACE, key) for key in discord.guilds}
    return (
        *_rules(settings, ("discord", "channels"), discord.channels, _names(discord.channels)),
        *_rules(settings, ("discord", "guilds"), discord.guilds, guilds),
        *_rules(settings, ("slack", "channels"), slack.channels, _names(slack.channels)),
    )


def _names(channels: Mapping[str, PlaceTerms]) -> Mapping[str, PlaceName]:
    return {key: place_of_key(key) for key in channels}


def _rules(
    settings: Settings,
    path: tuple[str, str],
    terms: Mapping[str, PlaceTerms],
    names: Mapping[str, PlaceName],
) -> list[PlaceRule]:
    return [
        PlaceRule(
            ".".join((*path, key)),
            (names[key],),
            said,
            settings.where((*path, key)),
            platform=path[0],
        )
        for key, said in terms.items()
    ]
