"""`bellhop settings`: what can be set in bellhop.yaml."""

import difflib
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from bot.assembly.sections import SECTIONS
from bot.cli.options import NO_HOME, AnyHome, AsJson
from bot.cli.printing import print_json, print_table
from bot.cli.settings_reference import PLAIN, Described, Setting, described
from bot.errors import SettingsError

_OPENING = """\
# Settings

For operators: every setting of `bellhop.yaml`, with its default and what it may be. `bellhop
settings SECTION` shows the same in the terminal. This page is written by `bellhop settings
--markdown` from the program itself.

`bellhop.yaml` is in the home folder, and may be missing. Unknown names are refused with a
suggestion; each mistake is named with its line. A change needs a restart. Secrets are refused here:
they belong [into the environment or `.env`](setting-up.md#secrets). An example:

```yaml
# bellhop.yaml
timezone: Europe/Berlin
model:
  provider: compatible
  base_url: http://localhost:11434
  name: qwen3
sessions:
  idle_minutes: 60
log:
  format: json
```

`default` says what holds where the file is silent; `none` is nothing at all. NAME stands for a name
that you choose, or one of those that the section gives.
"""


def settings(
    section: Annotated[
        str, typer.Argument(help="A section or setting, such as `sessions` or `tools.shell`.")
    ] = "",
    as_json: AsJson = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the page docs/settings.md.")
    ] = False,
    _home: AnyHome = NO_HOME,
) -> None:
    """Show what can be set in bellhop.yaml.

    Each setting has its default, its value and its meaning.
    """
    everything = described(SECTIONS)
    if markdown:
        typer.echo(page(PLAIN, everything), nl=False)
        return
    rows = [*PLAIN, *(one for each in everything for one in each.settings)]
    wanted = section.strip().strip(".").lower()
    found = [one for one in rows if _is_below(one.name, wanted)]
    if not found:
        raise SettingsError(f"there is no setting {section!r}; {_near(wanted, everything)}")
    if as_json:
        print_json([asdict(one) for one in found])
    elif wanted:
        typer.echo("\n".join(_paragraphs(found)))
    else:
        print_table(
            ("setting", "default", "meaning"),
            [(one.name, one.default, one.meaning) for one in found],
            empty="",
        )


def _is_below(name: str, wanted: str) -> bool:
    low = name.lower()
    return not wanted or low == wanted or low.startswith(f"{wanted}.")


def _near(wanted: str, everything: Sequence[Described]) -> str:
    known = [one.name for one in everything]
    full = [one.name for each in everything for one in each.settings]
    near = difflib.get_close_matches(wanted, [*known, *full], n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else f"the sections are {', '.join(known)}"


def _paragraphs(found: Sequence[Setting]) -> Iterator[str]:
    for one in found:
        yield typer.style(one.name, bold=True)
        yield f"    {one.values}; default: {one.default}"
        yield textwrap.fill(
            one.meaning, 96, initial_indent="    ", subsequent_indent="    ", break_long_words=False
        )


def page(plain: Sequence[Setting], everything: Sequence[Described]) -> str:
    """docs/settings.md: a table for each section."""
    parts = [_OPENING, "## Outside sections\n", _table(plain)]
    for one in everything:
        parts += [f"## {one.name}\n", f"{_linked(one.meaning)}\n", _table(one.settings)]
    return "\n".join(parts)


def _table(settings: Sequence[Setting]) -> str:
    lines = ["| setting | default | values | meaning |", "|---|---|---|---|"]
    for one in settings:
        cells = (f"`{one.name}`", _linked(one.default), _linked(one.values), _linked(one.meaning))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _linked(text: str) -> str:
    """For a page in docs: documents become links, and nothing ends a cell."""
    return re.sub(r"(?<![\w/`])docs/([\w-]+)\.md(#[\w-]+)?", _link, text.replace("|", "\\|"))


def _link(found: re.Match[str]) -> str:
    anchor = found[2] or ""
    said = anchor.removeprefix("#") or found[1]
    return f"[{said.replace('-', ' ')}]({found[1]}.md{anchor})"
