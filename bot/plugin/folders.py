"""For plug-ins with files: kept below one folder, never through a link, replaced as a whole.

These functions block; call them in a thread.
"""

from bot.domain.memory import KeepsFiles as KeepsFiles
from bot.regular_file import open_regular_file as open_regular_file
from bot.storage.confined import open_folder as open_folder
from bot.storage.confined import read_bytes as read_bytes
from bot.storage.confined import replace_bytes as replace_bytes
from bot.storage.log_files import log_files as log_files
