"""What `bellhop chat` draws on a terminal: the prompt, its banner, and markdown."""

import shutil
from collections.abc import Sequence

from bot import __version__
from bot.chat.terminal.paint import markdown, styled, text_columns
from bot.chat.terminal.prompt import OWN_COMMANDS, PromptView


class ChatScreen(PromptView):
    """The prompt of a chat in this process, or of one that is attached to another."""

    def introduce(self, model: str, *, offline: bool, where: str = "") -> None:
        """Make the banner."""
        about = " · ".join(part for part in (__version__, model, where) if part)
        keys = "/help lists commands · @path attaches a file · Ctrl-C stops a turn · Ctrl-D leaves"
        lines = [
            "",
            f"  {styled('Bellhop', 'bold')} {styled(about, 'dim')}",
            f"  {styled(keys, 'dim')}",
        ]
        if offline:
            problem = "This is the offline model: no language model is configured."
            remedy = "Set ANTHROPIC_API_KEY, or model.base_url in bellhop.yaml for a local server."
            lines += [f"  {styled(problem, 'yellow')}", f"  {styled(remedy, 'yellow')}"]
        self.banner = "\n".join([*lines, "", ""])

    def offer(self, commands: Sequence[tuple[str, str]]) -> None:
        """Complete these commands after a slash, and the terminal's own."""
        offered = (*commands, *OWN_COMMANDS)
        self.commands = lambda: offered


def columns() -> int:
    """How wide text may be."""
    return text_columns(shutil.get_terminal_size().columns)


def render(text: str) -> str:
    """Markdown as this terminal shows it."""
    return markdown(text, shutil.get_terminal_size().columns) + "\n"
