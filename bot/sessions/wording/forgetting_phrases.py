"""What `/memory forget` says: what goes, what stays, and what still holds the words."""

from bot.domain.languages import CountedPhrase, Phrase

REMOVED = Phrase("Removed, with all copies in the archive and the backups of memory: {counts}")
ONE = {
    "entry": Phrase("entry"),
    "archived": Phrase("archived"),
    "summary": Phrase("summary"),
    "fact": Phrase("fact"),
    "knowledge": Phrase("knowledge", context="forgotten"),
    "note": Phrase("note"),
    "message": Phrase("message"),
}
"""One thing, by its kind."""
AND_MORE = CountedPhrase(Phrase("and {count} more", context="one"), Phrase("and {count} more"))
OPEN_KEEP = Phrase("Open conversations keep it until they end. Nothing is learned from them.")
STAYS = Phrase(
    "What stays: messages on the platform itself (delete them there); what other people wrote, were"
    " told or saved; files, tools and skills of everybody; and copies outside of this home, like"
    " backups and what was sent to others."
)
ALL_NOT_OFFERED = Phrase(
    "Everywhere takes words: those of what is to be gone. All at once is not offered."
)
NOTHING_HOLDS = Phrase("Nothing of yours holds all of these words.")
WOULD_GO = Phrase("Everything of yours that holds all of these words would be removed for good:")
NO_WAY_BACK = Phrase("This can't be undone. `{how} {yes} {ref}` does it, within 30 minutes.")
SESSIONS_END = Phrase("open conversations that end: {count}; the next message begins a new one")
REQUESTS_STOP = Phrase("requests that are stopped: {count}")
HOLDS_STILL = Phrase("Holds the words still: {what}.")
TRACES = Phrase("Traces of these cycles were sent to the collector of traces: {names}.")
RECORD_KEEPS = CountedPhrase(
    Phrase(
        "The record of work keeps its words for {count} day; `/memory forget everywhere WORDS`"
        " removes them from everything of yours, for good. The platform keeps its messages, and"
        " whoever read them what they read."
    ),
    Phrase(
        "The record of work keeps its words for {count} days; `/memory forget everywhere WORDS`"
        " removes them from everything of yours, for good. The platform keeps its messages, and"
        " whoever read them what they read."
    ),
)
ON_RECORD = Phrase("Still on record: {counts}.")
WAS_DONE = Phrase("It is done. I was interrupted before I could say what was removed.")
UNFINISHED = CountedPhrase(
    Phrase("Not finished: {count} wish. I go on by myself."),
    Phrase("Not finished: {count} wishes. I go on by myself."),
)
NOTHING_WAITS = Phrase(
    "Nothing is waiting to be forgotten. Say `/memory forget everywhere WORDS`; I show what would"
    " go first."
)
NO_SUCH_YES = Phrase(
    "Nothing waits for a yes under `{ref}`; it may have run out. Say `/memory forget everywhere"
    " WORDS` again."
)
GONE = Phrase("Removed for good:")
GOES_ON = Phrase(
    "It is not finished: requests hold the words until they have stopped, and then the files of the"
    " database are written anew. I go on by myself, every five minutes; `/memory forget everywhere`"
    " says whether it is finished."
)
ABOUT_YOU = Phrase("What I remember about you")
MESSAGES_ON_RECORD = Phrase(
    "{count} messages that you wrote or that answered you are on record. `/memory forget` finds"
    " them, too."
)
