"""For chat platforms: what one has beside messages, such as polls, forums, events, a home page."""

from bot.domain.forums import ForumPost as ForumPost
from bot.domain.forums import PostTag as PostTag
from bot.domain.home import HomeDesk as HomeDesk
from bot.domain.home import HomeSection as HomeSection
from bot.domain.home import LinkDesk as LinkDesk
from bot.domain.polls import NewPoll as NewPoll
from bot.domain.polls import Poll as Poll
from bot.domain.polls import PollAnswer as PollAnswer
from bot.domain.server_events import NewServerEvent as NewServerEvent
from bot.domain.server_events import PlannedEvent as PlannedEvent
