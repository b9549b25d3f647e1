"""For commands that people type or choose in any chat: `/name`."""

from bot.domain.access import Person, Role
from bot.domain.chat_commands import Asked, ChatCommand, CommandReply, Completing, words
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.messages import Choice, OutgoingFile
from bot.domain.native_commands import Completion
from bot.domain.origins import Trust
from bot.domain.privacy import Viewer, left_out
