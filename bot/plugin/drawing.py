"""For chat platforms: how answers, drafts, plans and words are shown there."""

from bot.chat.draft_lines import DoingLine as DoingLine
from bot.chat.draft_lines import DraftLines as DraftLines
from bot.chat.draft_lines import about_task as about_task
from bot.chat.draft_lines import change_hint as change_hint
from bot.chat.rendering import split_pieces as split_pieces
from bot.chat.rendering import split_text as split_text
from bot.chat.rendering import tables_as_code as tables_as_code
from bot.chat.rendering import tail_of as tail_of
from bot.domain.languages import Language as Language
from bot.domain.languages import Phrase as Phrase
from bot.domain.languages import decimal as decimal
from bot.domain.languages import language_of_app as language_of_app
from bot.domain.languages import number as number
from bot.domain.plans import REPLACED as REPLACED
from bot.domain.plans import PlanTask as PlanTask
from bot.domain.plans import TaskState as TaskState
from bot.domain.waits import wait_words as wait_words
