"""What `/rights` says."""

from bot.domain.languages import Language, Phrase

_LINE = Phrase("{file}, line {line}")


def at_line(source: str, language: Language) -> str:
    """A file and the line in it, as the house writes them: `policy.yaml, line 5`."""
    file, _, line = source.rpartition(", line ")
    return _LINE.said(language, file=file, line=line) if file else source
