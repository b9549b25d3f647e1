"""What `/status`, `/new`, `/compact` and `/stop` say."""

from bot.domain.languages import CountedPhrase, Phrase

YOU = Phrase("You: {name} (`{id}`), role {role}")
MODEL = Phrase("Model: {name}")
AT_WORK = Phrase("Running for you here: yes, waiting: {count}")
IDLE = Phrase("Running for you here: no, waiting: {count}")
SESSION = Phrase("Session `{id}` since {time} UTC, {came_in} tokens in, {out} out")
WAITS_FOR_YOU = Phrase("Waiting for your answer: {question}")
RUNS_IN = Phrase("Running for you in {place}")
IN_BACKGROUND = Phrase("In the background: {task}")
APPROVAL_WAITS = Phrase("Approval {ref} waits: {what}")
MACHINE_SHORT = Phrase(
    "The machine is short of {what}: requests wait and are tried again (see the log)"
)
MEMORY_PASS = Phrase("Memory: {at} UTC, {told}")
OFF_HERE = Phrase("Off here: {what}")
STARTING = Phrase("starting")
SERVING = Phrase("serving")
DEAF = Phrase("deaf")
RESTARTING = Phrase("restarting")
LAST_HEARD = Phrase("last heard {seconds} s ago")
RESTARTED = CountedPhrase(Phrase("restarted once"), Phrase("restarted {count} times"))
UNREADABLE = CountedPhrase(
    Phrase("could not read {count} of its objects (the log says which)", context="one"),
    Phrase("could not read {count} of its objects (the log says which)"),
)
AGENT = Phrase("agent {agent} ({ref}, {state})")
AGENT_WAITS = Phrase("waits")
AGENT_WORKS = Phrase("at work")
AFRESH_IN = Phrase("Started afresh in {places}.")
STOPPING_IN = Phrase("Stopping in {places}.")
COMPACT_ANSWER_FIRST = Phrase(
    "I am waiting for your answer; answer first, or /stop, then /compact."
)
COMPACT_BUSY = Phrase(
    "I am busy with your last message; try /compact again when I have answered, or /stop first."
)
THREAD_HERE = Phrase("a thread here")
SHORT_OF_MEMORY = Phrase("memory", context="machine")
SHORT_OF_FILES = Phrase("open files")
SUMMARIES = CountedPhrase(Phrase("{count} summary"), Phrase("{count} summaries"))
PEOPLE = CountedPhrase(Phrase("{count} person"), Phrase("{count} people"))
ENTRIES = CountedPhrase(Phrase("{count} entry"), Phrase("{count} entries"))
GAVE = Phrase("{summaries} of {people} gave {entries}")
MERGED = CountedPhrase(Phrase("{count} merged", context="one"), Phrase("{count} merged"))
ARCHIVED = CountedPhrase(
    Phrase("{count} moved to the archive", context="one"), Phrase("{count} moved to the archive")
)
FAILED = CountedPhrase(
    Phrase("{count} failed and are tried again", context="one"),
    Phrase("{count} failed and are tried again"),
)
