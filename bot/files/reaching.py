"""How a person gets one of their virtual files: by `/files`, or handed over with `send`."""

from bot.files.paths import is_below

DOCUMENTS = "/documents"
SENT_BY_COMMAND = (DOCUMENTS, "/daily-notes", "/preferences", "/custom-skills")
"""The folders of a person's own files that `/files` sends."""
_NOT_THEIRS = ("/custom-skills/shared", "/preferences/permissions.md")
_TERMINAL = "terminal"


def way_to(path: str, platform: str, *, sends: bool) -> str:
    """The sentence for a model that made or changed a file: how its person gets it.

    `path` is where the file is kept. `sends`: whether the model has `send`.
    """
    by_send = "send with `file` hands it over"
    if not _has_command(path):
        return f"{by_send[0].upper()}{by_send[1:]}." if sends else ""
    gives = "saves it on" if platform == _TERMINAL else "gives it to"
    whom = "the person's disk" if platform == _TERMINAL else "the person"
    command = f"`/files {path.removeprefix(f'{DOCUMENTS}/')}` {gives} {whom}"
    return f"{command}; {by_send}." if sends else f"{command}."


def _has_command(path: str) -> bool:
    return any(is_below(path, root) for root in SENT_BY_COMMAND) and not any(
        is_below(path, root) for root in _NOT_THEIRS
    )
