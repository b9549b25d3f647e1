"""The formats that are read here, by the words of `--format`."""

from enum import StrEnum


class Format(StrEnum):
    """`auto` looks at the files."""

    AUTO = "auto"
    OPENCLAW = "openclaw"
    HERMES = "hermes"
    GITHUB = "github"
    GEMINI = "gemini"


SKILL_FORMATS = tuple(str(one) for one in Format if one is not Format.AUTO)
