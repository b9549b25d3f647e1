"""Markdown and small coloured texts for terminals; the only file that knows rich."""

import io
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement, Paragraph, TableElement
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from bot.chat.terminal.view import Option, safe
from bot.domain.chat import ToolEnded

if TYPE_CHECKING:
    from markdown_it.token import Token

INDENT = "  "
_WIDEST = 100
_NARROWEST = 20
"""Longer lines are hard to read, even in a wide window."""

_PADDING = re.compile(r" +((?:\x1b\[[0-9;]*m)*)$", re.MULTILINE)
_THEME = Theme(
    {
        "markdown.code": "cyan",
        "markdown.h1": "bold",
        "markdown.h2": "bold",
        "markdown.h3": "bold",
        "markdown.h4": "bold dim",
        "markdown.item.bullet": "cyan",
        "markdown.item.number": "cyan",
        "markdown.block_quote": "dim",
        "markdown.hr": "dim",
        "markdown.link": "underline",
        "markdown.link_url": "dim underline",
    }
)


class _LeftHeading(Heading):
    """A plain heading: rich would centre it and draw a box around the first level."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        yield self.text


class _BareCode(CodeBlock):
    """Code without padding and background: it can be copied, and suits light and dark terminals."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = str(self.text).rstrip()
        highlighted = Syntax(
            code, self.lexer_name, theme="ansi_dark", background_color="default"
        ).highlight(code)
        highlighted.rstrip()
        highlighted.overflow = "fold"
        highlighted.no_wrap = False
        yield highlighted


class _TightTable(TableElement):
    """A table without blank lines around it."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                table.box = box.SIMPLE_HEAD
                table.show_edge = False
                for column in table.columns:
                    column.overflow = "fold"
            yield table


class _Verbatim(Paragraph):
    """Shows text that markdown takes for HTML, such as `<name>`, as it is."""

    new_line = True


class _ChatMarkdown(Markdown):
    """Markdown that shows every written line break and every `<name>`."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _LeftHeading,
        "fence": _BareCode,
        "code_block": _BareCode,
        "table_open": _TightTable,
        "html_block": _Verbatim,
    }
    _SHOWN: ClassVar[dict[str, str]] = {"softbreak": "hardbreak", "html_inline": "text"}

    def _flatten_tokens(self, tokens: "Iterable[Token]") -> "Iterable[Token]":
        for token in super()._flatten_tokens(tokens):
            token.type = self._SHOWN.get(token.type, token.type)
            yield token


def text_columns(columns: int) -> int:
    """The characters of a line of text on a screen with this many columns."""
    return max(min(columns, _WIDEST) - len(INDENT) - 1, _NARROWEST)


def markdown(text: str, columns: int) -> str:
    """Render an answer, indented, as text with colour codes; ends with a newline."""
    rendered = _render(_ChatMarkdown(safe(text), hyperlinks=False), text_columns(columns))
    return _indented(rendered)


def options(choices: Sequence[Option], columns: int) -> str:
    """Numbered ways to answer, one a line."""
    lines = Text("\n").join(
        Text.assemble((f"{option.number}", "bold cyan"), " ", safe(option.label))
        for option in choices
    )
    return _indented(_render(lines, text_columns(columns)))


def tool_line(summary: str, ended: ToolEnded) -> str:
    """`⚙ manage_todos create "buy milk" ✓ 0.1s`."""
    mark, style = ("✓", "green") if ended.ok else ("✗", "red")
    after = _one_line(f"{ended.seconds:.1f}s {ended.note}")
    if ended.waits:
        mark, style, after = "…", "yellow", "waits for a yes"
    text = Text.assemble(
        ("⚙ ", "cyan"), (f"{_one_line(summary)} ", "dim"), (f"{mark} ", style), (after, "dim")
    )
    return _indented(_render(text, _WIDEST + 60))


@lru_cache(maxsize=256)
def styled(text: str, style: str) -> str:
    """One piece of text in a rich style (`dim`, `bold cyan`), without a newline."""
    return _render(Text(safe(text), style=style), 100_000).rstrip("\n")


def _one_line(text: str) -> str:
    return " ".join(safe(text).split())


def _render(renderable: RenderableType, width: int) -> str:
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=True, width=max(width, _NARROWEST), theme=_THEME, highlight=False
    )
    console.print(renderable, soft_wrap=False)
    return out.getvalue()


def _indented(rendered: str) -> str:
    trimmed = _PADDING.sub(r"\1", rendered).strip("\n")
    return "".join(f"{INDENT}{line}".rstrip() + "\n" for line in trimmed.split("\n"))
