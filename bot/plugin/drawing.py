"""For chat platforms: how answers, drafts, plans and words are shown there."""

from bot.chat.draft_lines import DoingLine, DraftLines, about_task, change_hint
from bot.chat.rendering import split_pieces, split_text, tables_as_code, tail_of
from bot.domain.languages import Language, Phrase, decimal, language_of_app, number
from bot.domain.plans import REPLACED, PlanTask, TaskState
from bot.domain.waits import wait_words
