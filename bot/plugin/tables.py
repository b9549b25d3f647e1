"""For plug-ins with tables of their own: reads, and units of writes.

Their tables are made by `migrations/NNNN_<what>.sql` beside the plug-in. The name of each begins
with the plug-in's and an underscore. `Plugin.tables` says which of them hold people's rows.
"""

from bot.clock import format_utc as format_utc
from bot.clock import parse_utc as parse_utc
from bot.domain.database import Database as Database
from bot.domain.database import Read as Read
from bot.domain.database import Row as Row
from bot.domain.database import Unit as Unit
from bot.domain.database import Write as Write
from bot.domain.database import made_of as made_of
from bot.domain.database import read_number as read_number
from bot.domain.languages import CountedPhrase as CountedPhrase
from bot.domain.languages import Phrase as Phrase
from bot.domain.memory import KeepsForPerson as KeepsForPerson
from bot.domain.memory import RecallQuery as RecallQuery
from bot.domain.memory import Recalls as Recalls
from bot.domain.memory import Recollection as Recollection
from bot.domain.person_tables import PartTable as PartTable
from bot.domain.person_tables import PersonTable as PersonTable
from bot.errors import StorageError as StorageError
from bot.errors import UnitRejected as UnitRejected
from bot.storage.fulltext import STOP_WORDS as STOP_WORDS
from bot.storage.fulltext import fts_query as fts_query
from bot.storage.fulltext import index_text as index_text
from bot.storage.inserts import insert_into as insert_into
from bot.storage.inserts import row_of as row_of
from bot.storage.plugin_tables import purge_of as purge_of
from bot.storage.seen import NARROWED as NARROWED
from bot.storage.seen import Seen as Seen
from bot.storage.seen import narrowed as narrowed
from bot.storage.seen import seen as seen
from bot.storage.stems import StemmedQuery as StemmedQuery
from bot.storage.stems import indexed as indexed
