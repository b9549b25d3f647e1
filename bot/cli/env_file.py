"""Secrets in the .env of a home."""

import os
import re
from pathlib import Path

from bot.yaml_file import read_text


def set_secret(path: Path, name: str, value: str) -> None:
    """Set one line of .env atomically and keep the others; only its owner may read it."""
    text = read_text(path)
    line = f"{name}={value}"
    pattern = re.compile(rf"^(?:export\s+)?{name}\s*=.*$", re.MULTILINE)
    text = (
        pattern.sub(lambda _: line, text)
        if pattern.search(text)
        else f"{text.rstrip()}\n{line}\n".lstrip()
    )
    new = path.with_name(path.name + ".new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
