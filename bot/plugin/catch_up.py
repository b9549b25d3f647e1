"""For chat platforms: what was said there while nobody listened, read from their history."""

from bot.chat.catch_up import CatchUp as CatchUp
from bot.chat.catch_up import Gap as Gap
from bot.chat.catch_up import GapHistory as GapHistory
from bot.chat.catch_up import Missed as Missed
from bot.chat.catch_up import News as News
from bot.domain.chat import RecordedMessage as RecordedMessage
from bot.domain.chat import Recovered as Recovered
from bot.domain.chat import Recovery as Recovery
from bot.domain.chat import SaidThere as SaidThere
