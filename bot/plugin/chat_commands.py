"""For commands that people type or choose in any chat: `/name`."""

from bot.domain.access import Person as Person
from bot.domain.access import Role as Role
from bot.domain.chat_commands import Asked as Asked
from bot.domain.chat_commands import ChatCommand as ChatCommand
from bot.domain.chat_commands import CommandReply as CommandReply
from bot.domain.chat_commands import Completing as Completing
from bot.domain.chat_commands import words as words
from bot.domain.languages import CountedPhrase as CountedPhrase
from bot.domain.languages import Language as Language
from bot.domain.languages import Phrase as Phrase
from bot.domain.messages import Choice as Choice
from bot.domain.messages import OutgoingFile as OutgoingFile
from bot.domain.native_commands import Completion as Completion
from bot.domain.origins import Trust as Trust
from bot.domain.privacy import Viewer as Viewer
from bot.domain.privacy import left_out as left_out
