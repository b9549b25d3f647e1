"""For plug-ins with files: kept below one folder, never through a link, replaced as a whole.

These functions block; call them in a thread.
"""

from bot.domain.memory import KeepsFiles
from bot.regular_file import open_regular_file
from bot.storage.confined import open_folder, read_bytes, replace_bytes
from bot.storage.log_files import log_files
