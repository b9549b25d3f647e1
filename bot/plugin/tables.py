"""For plug-ins with tables of their own: reads, and units of writes.

Their tables are made by `migrations/NNNN_<what>.sql` beside the plug-in. The name of each begins
with the plug-in's and an underscore. `Plugin.tables` says which of them hold people's rows.
"""

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Read, Row, Unit, Write, made_of, read_number
from bot.domain.languages import CountedPhrase, Phrase
from bot.domain.memory import KeepsForPerson, RecallQuery, Recalls, Recollection
from bot.domain.person_tables import PartTable, PersonTable
from bot.errors import StorageError, UnitRejected
from bot.storage.fulltext import STOP_WORDS, fts_query, index_text
from bot.storage.inserts import insert_into, purge_of, row_of, taken_in
from bot.storage.seen import NARROWED, Seen, narrowed, seen
from bot.storage.stems import StemmedQuery, indexed
