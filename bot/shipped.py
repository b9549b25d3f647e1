"""Where the files lie that ship with Bellhop: `prompts/`, `skills/` and `examples/`."""

from pathlib import Path
from typing import Literal


def shipped_dir(name: Literal["prompts", "skills", "examples"]) -> Path:
    """The shipped folder: inside the installed wheel (`bot/shipped`), or at the top of a checkout.

    Lookup is home first, then here (docs/architecture.md, "Lookup"). The folder may be missing in a
    broken installation; `bellhop doctor` says so.
    """
    package = Path(__file__).parent
    installed = package / "shipped" / name
    return installed if installed.is_dir() else package.parent / name
