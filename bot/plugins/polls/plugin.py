"""Polls of platforms: posting one, reading the votes, and what comes of its end."""

from functools import partial

from bot.plugin.places import PlaceGround, PlaceParts
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugins.polls.ends import PollEnds
from bot.plugins.polls.store import OPEN_POLLS, purge_polls
from bot.plugins.polls.tool import PollTool


class Polls(Plugin[NoSettings]):
    name = "polls"
    title = "polls of the platform: posting, reading and ending them"
    tables = (OPEN_POLLS,)
    starts = ("poll_ended",)
    purges = (purge_polls,)

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(places=partial(_built, given))


def _built(given: Given[NoSettings], ground: PlaceGround) -> PlaceParts:
    ends = PollEnds(given.database, given.clock, ground.adapters, ground.announce)
    return PlaceParts((PollTool(ground, ends).registration(),), (ends.run,))
