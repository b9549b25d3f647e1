"""What `/memory` and `/people` say about what is kept of people."""

from bot.domain.languages import CountedPhrase, Phrase

MEMORY_HOW = Phrase("Say `/memory {usage}`. Without arguments it shows what I remember about you.")
NOTHING_REMEMBERED = Phrase("I remember nothing about you yet.")
MORE_ENTRIES = CountedPhrase(
    Phrase("{count} more entry is in the file."), Phrase("{count} more entries are in the file.")
)
IN_FILE = Phrase("In the file, too: {counts}.")
FORGET_HOW = Phrase("`/memory forget REF` or `/memory forget WORDS` removes something for good.")
NOTHING_MATCHES = Phrase("I remember nothing about you that matches.")
MEMORY_SHOWS = Phrase("`/memory` shows what I remember.")
CHANNEL_IS_DECIDED = Phrase(
    "A Partner or MasterAdmin decides that for a channel; `/memory off me` is for you alone."
)
LEARNS_FROM_YOU = Phrase("From your next conversation on I learn from you, anywhere.")
LEARNS_HERE = Phrase("From your next conversation on I learn from what is said here.")
LEARNS_NOTHING_OF_YOU = Phrase(
    "I learn nothing from you any more, anywhere. `/memory` shows what I know,"
    " `/memory forget all` removes it."
)
LEARNS_NOTHING_HERE = Phrase(
    "I learn nothing from what is said here any more. `/memory` shows what I know,"
    " `/memory forget all` removes it."
)
KINDS = {
    "entry": Phrase("memory"),
    "archived": Phrase("archive"),
    "summary": Phrase("summaries of conversations"),
    "fact": Phrase("facts of conversations"),
    "knowledge": Phrase("knowledge"),
    "note": Phrase("notes"),
}
"""What is kept, by kind, inside a sentence."""

PEOPLE_HOW = Phrase(
    "Say `/people merge NAME NAME` or `/people apart NAME NAME`, with names as in /people/NAME.md."
)
NO_FILE = Phrase("There is no file {name} here, or several are called that.")
ONE_FILE = Phrase("Both names mean one file already.")
JUST_CHANGED = Phrase("One of the two was changed just now. Try again.")
MERGED = Phrase("{gone} is {kept} now, with the notes of both.")
TWO_PEOPLE = Phrase("{one} and {other} are two people: I won't ask again.")
MORE_PEOPLE = CountedPhrase(
    Phrase("and {count} more", context="one file"), Phrase("and {count} more", context="files")
)
MAYBE_SAME = Phrase("Maybe the same: `/people merge {two} {one}`, else `apart`.")
NO_FILES = Phrase("I keep no files about people yet. Ask me who somebody is.")
PARTNERS_MERGE = Phrase("Only a Partner or a MasterAdmin merges files that others read.")
