"""For chat platforms: what was said there while nobody listened, read from their history."""

from bot.chat.catch_up import CatchUp, Gap, GapHistory, Missed, News
from bot.domain.chat import RecordedMessage, Recovered, Recovery, SaidThere
