"""The folders of the skills that connectors ship, found without importing a connector."""

from collections.abc import Mapping
from pathlib import Path


def shipped_skills() -> Mapping[str, Path]:
    """By connector id."""
    return {path.parent.name: path for path in sorted(Path(__file__).parent.glob("*/skills"))}
