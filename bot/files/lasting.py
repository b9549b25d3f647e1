"""What a write to a virtual file makes that outlasts its conversation (docs/rules.md#trust)."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from bot.domain.files import FileText
from bot.domain.lasting import Kept, Lasting, Makes
from bot.files.paths import is_below

PREFERENCES = "/preferences"


def made_by_text(path: str, before: FileText | None, text: str | None) -> Sequence[Makes]:
    """What it makes to give a file this text; None deletes it. `path` is normalised.

    Preferences are instructions, so their new lines have to be the person's. Another text only adds
    to a file if the whole earlier one is still in it. A file of which all was written while text
    from outside was there holds nothing that the person wrote, so it may be replaced.
    """
    if is_below(path.casefold(), PREFERENCES):
        return _instructions(path, before, text)
    if before is None or before.outsiders or (text is not None and before.text in text):
        return ()
    return (Makes(Lasting.REPLACES, replaced=kept_file(path)),)


def _instructions(path: str, before: FileText | None, text: str | None) -> Sequence[Makes]:
    old = before.text.splitlines() if before is not None else []
    new = text.splitlines() if text is not None else []
    makes: list[Makes] = []
    if added := tuple(line for line in new if line.strip() and line not in old):
        makes.append(Makes(Lasting.INSTRUCTIONS, added))
    if any(line.strip() and line not in new for line in old):
        makes.append(Makes(Lasting.REPLACES, replaced=kept_file(path)))
    return makes


def kept_file(path: str) -> Kept:
    """A file, known by its path or its name with the ending."""
    return Kept(path, (PurePosixPath(path).name,), exact=True)
