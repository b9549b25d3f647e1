"""For chat platforms: commands that people type or choose, and the forms that they fill in."""

from bot.chat.commands import parse_command as parse_command
from bot.domain.command_words import COMMANDS as COMMANDS
from bot.domain.message_actions import ASK_COMMAND as ASK_COMMAND
from bot.domain.message_actions import LABELS as LABELS
from bot.domain.message_actions import MESSAGE_ACTIONS as MESSAGE_ACTIONS
from bot.domain.message_actions import MenuAction as MenuAction
from bot.domain.message_actions import menu_command as menu_command
from bot.domain.message_actions import question_form as question_form
from bot.domain.message_actions import question_in as question_in
from bot.domain.native_commands import SEND_FILES as SEND_FILES
from bot.domain.native_commands import SKILL_FORM as SKILL_FORM
from bot.domain.native_commands import Completion as Completion
from bot.domain.native_commands import Fields as Fields
from bot.domain.native_commands import Form as Form
from bot.domain.native_commands import FormField as FormField
from bot.domain.native_commands import FormRefusal as FormRefusal
from bot.domain.native_commands import NativeCommands as NativeCommands
from bot.domain.native_commands import files_form as files_form
from bot.domain.native_commands import note_in as note_in
from bot.domain.native_commands import opens_form as opens_form
from bot.domain.skills import SkillScope as SkillScope
from bot.domain.skills import SlashCommand as SlashCommand
