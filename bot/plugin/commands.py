"""For chat platforms: commands that people type or choose, and the forms that they fill in."""

from bot.chat.commands import parse_command
from bot.domain.command_words import COMMANDS
from bot.domain.message_actions import (
    ASK_COMMAND,
    LABELS,
    MESSAGE_ACTIONS,
    MenuAction,
    menu_command,
    question_form,
    question_in,
)
from bot.domain.native_commands import (
    SEND_FILES,
    SKILL_FORM,
    Completion,
    Fields,
    Form,
    FormField,
    FormRefusal,
    NativeCommands,
    files_form,
    note_in,
    opens_form,
)
from bot.domain.skills import SkillScope, SlashCommand
