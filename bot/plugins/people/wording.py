"""What people are told about files about people."""

from bot.plugin.chat_commands import CountedPhrase, Phrase

HOW = Phrase(
    "Say `/people merge NAME NAME` or `/people apart NAME NAME`, with names as in /people/NAME.md."
)
NO_FILE = Phrase("There is no file {name} here, or several are called that.")
ONE_FILE = Phrase("Both names mean one file already.")
CHANGED = Phrase("One of the two was changed just now. Try again.")
MERGED = Phrase("{gone} is {kept} now, with the notes of both.")
APART = Phrase("{one} and {other} are two people: I won't ask again.")
MAYBE = Phrase("Maybe the same: `/people merge {two} {one}`, else `apart`.")
NOBODY = Phrase("I keep no files about people yet. Ask me who somebody is.")
WHO_MAY = Phrase("Only a Partner or a MasterAdmin merges files that others read.")
MORE = CountedPhrase(
    Phrase("and {count} more", context="one file"), Phrase("and {count} more", context="files")
)
ABOUT = Phrase("people I know; merge two files about one person")
CALLED = Phrase("people")
LOOKING_UP = Phrase("Looking up who is who")
