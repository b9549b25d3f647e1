"""What `/home`, `/usage`, `/rate`, `/files`, `/export` and App Home say."""

from bot.domain.languages import CountedPhrase, Phrase

NOTHING = Phrase("nothing")
TODAY = Phrase("Today")
LAST_DAYS = Phrase("Last 30 days")
TOKENS = CountedPhrase(Phrase("{count} token"), Phrase("{count} tokens"))
HANDED = Phrase("{own}. Of that by agents that were called: {handed}")
RATE_HOW = Phrase("Say `/rate {usage}`; without a reference it is your last answer here.")
NOT_RATED = Phrase("I remember no such answer to you, so there is nothing to rate.")
HELPED = Phrase("Thank you. I noted that it helped.")
NOT_HELPED = Phrase(
    "Noted: it did not help. I won't choose tools by it. `/why {ref}` shows how it came about."
    " Tell me what was wrong, and I try again."
)
HOW_CAME_ABOUT = Phrase("How did it come about?")
CANT_LOOK = Phrase("I can't look there: {error}.")
FILES_BELOW = Phrase("Your files are below {root}; `/files` lists them. Others: {others}.")
NO_FILE = Phrase("You have no file {path}. `/files` lists yours.")
FILE_PRIVATE = Phrase("That file is private; ask me in a DM.")
FILE_EMPTY = Phrase("{path} is empty.")
HERE_IS = Phrase("Here is `{path}`.")
CHARACTERS = CountedPhrase(Phrase("{count} character"), Phrase("{count} characters"))
MORE_FILES = CountedPhrase(
    Phrase("{count} more is not shown; `/files FOLDER` lists one folder."),
    Phrase("{count} more are not shown; `/files FOLDER` lists one folder."),
)
FILES_SEND = Phrase("`/files PATH` sends one.")
NO_FILES = Phrase("You have no files yet.")
EXPORT_DIRECTLY = Phrase("Ask me in a direct message: I send it there alone.")
EXPORT_LARGE = Phrase(
    "It is too large to send here. Whoever runs me gets it for you with `bellhop export --person"
    " {id}`."
)
EXPORTED = Phrase("What I keep of you; README.txt in it says what is where.")
WAITING = Phrase("Waiting for your yes")
NOTHING_WAITS = Phrase("Nothing waits for you.")
SHOW = Phrase("Show")
TODOS = Phrase("Todos")
NOTHING_OPEN = Phrase("Nothing is open.")
DONE = Phrase("Done")
TOMORROW = Phrase("Tomorrow")
SCHEDULES = Phrase("Schedules")
GO_ON = Phrase("Go on")
PAUSE = Phrase("Pause")
RUN_NOW = Phrase("Run now")
CONNECTIONS = Phrase("Connections")
CONNECTED = Phrase("{service}: connected")
BY_WORKSPACE = Phrase("{service}: by the workspace's account")
DISCONNECT = Phrase("Disconnect")
CONNECT = Phrase("Connect")
NOTHING_CONNECTABLE = Phrase("Nothing can be connected here.")
LEARNS_NOT = Phrase("I learn nothing from you.")
LEARN_AGAIN = Phrase("Learn again")
LEARNS = Phrase("I learn from what you tell me.")
STOP_LEARNING = Phrase("Stop learning")
MEMORY = Phrase("Memory")
MEMORY_HOW = Phrase("/memory shows what I know of you, and forgets it.")
USED = Phrase("What your requests used")
AND_MORE = Phrase("And {count} more.")
CAN_DO = Phrase("What can you do?")
ASKS_CAN_DO = Phrase("What can you do for me?")
MY_TODOS = Phrase("My todos")
ASKS_TODOS = Phrase("What is on my todo list?")
A_NOTE = Phrase("Take a note")
ASKS_NOTE = Phrase("Take a note: ")
WHAT_WAITS = Phrase("What waits for my yes?")
WHAT_IS_OPEN = Phrase("What is open?")
WHAT_RUNS = Phrase("What runs for me?")
READ_ME = Phrase(
    """\
What Bellhop keeps of {person}, as files.

memory.json   what it remembers about you, from the files of memory
files/        your files: documents, preferences, skills of your own
*.json        one file for each kind of thing: todos, notes, messages, schedules, settings ...

Left out: access to your accounts elsewhere (it can't be read); what other people wrote in the same
places; the record of the work that requests made (it ends after a while); documents on
the platforms themselves.
"""
)
"""The page about an archive of `/export`."""
