"""For plug-ins that keep files: below one folder, never through a link, replaced as a whole.

These functions block; call them in a thread.
"""

from bot.domain.memory import KeepsFiles
from bot.storage.confined import open_folder, read_bytes, replace_bytes

__all__ = ["KeepsFiles", "open_folder", "read_bytes", "replace_bytes"]
