"""For chat platforms: what one has beside messages, such as polls, forums, events, a home page."""

from bot.domain.forums import ForumPost, PostTag
from bot.domain.home import HomeDesk, HomeSection, LinkDesk
from bot.domain.polls import NewPoll, Poll, PollAnswer
from bot.domain.server_events import NewServerEvent, PlannedEvent
