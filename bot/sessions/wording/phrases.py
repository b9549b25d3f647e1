"""Short answers of commands in the language of a person's app."""

from bot.domain.languages import CountedPhrase, Phrase

ABOUT_ME = Phrase(
    "Write to me in plain words: I keep todos and notes, remember what you tell me, look things up"
    " in your files, and ask back when something is unclear."
)
MORE_SKILLS = Phrase("and {count} more: `/skill list`")
UNKNOWN = Phrase("I don't know /{name}. /help lists the commands.")
UNKNOWN_NEAR = Phrase("I don't know /{name}. Did you mean /{near}? /help lists the commands.")
SEND_FILES_HERE = Phrase("Send the files here, with a message.")
ATTACH_OR_SEND = Phrase("Attach the files with the button, or send them here with a message.")
QUESTION_OVER = Phrase("That question is not open any more.")
QUESTION_EXPIRED = Phrase("That question has expired.")
QUESTION_OF_ANOTHER = Phrase("That question is for somebody else.")
STARTED_AFRESH = Phrase("Started afresh.")
ALREADY_FRESH = Phrase("This is a fresh start already.")
STOPPING = Phrase("Stopping.")
NOTHING_RUNS = Phrase("Nothing is running or waiting here.")
NO_TODOS = Phrase("You have no open todos.")
NOT_YOUR_TODO = Phrase("That is not one of your todos. `/todo` lists yours.")
ASK_WHAT = Phrase("Say what you want to know: `/ask QUESTION`.")
CATCH_ME_UP = Phrase("Catch me up: what happened here since I was last here?")
FOLLOWING = Phrase("I follow this thread: write here without a mention. `/leave` sends me away.")
LEFT = Phrase(
    "I leave you to it: in this thread I answer only who mentions me. `/follow` brings me back."
)
NO_THREAD = Phrase("That works in a thread alone. In a channel I answer who mentions me.")
MEMBERS_ALONE = Phrase("Only members can have me follow a thread. Mention me, and I answer.")
ANSWER_FILE = Phrase("answer.md")
REST_IN_FILE = Phrase("The whole answer, {count} characters, is in the file.")
ANSWERS_SHORT = Phrase(
    "You get the beginning of long answers, and the whole as a file. `/answers whole` changes it."
)
REST_IN_THREAD = Phrase("The rest is in the thread.")
ANSWERS_THREAD = Phrase(
    "Where an answer opens a thread, a long one begins in the channel, and the rest is in the"
    " thread. `/answers whole` changes it."
)
ANSWERS_WHOLE = Phrase(
    "You get answers whole. `/answers short` shows the beginning of long ones, and the rest as a"
    " file; `/answers thread` the rest in the thread."
)
ANSWER_FIRST = Phrase("I am waiting for your answer; answer first, or /stop, and then ask again.")
YOUR_ROLE = Phrase("Your role here is {role}; `/rights` says what it allows.")
MODE_MENTION = Phrase(
    "In this channel I answer who mentions me or replies to me, and the threads that I am in."
)
MODE_FREE = Phrase("In this channel I answer everybody who doesn't speak to somebody else.")
MODE_QUIET = Phrase("In this channel I only listen. Commands still work.")
MODE_HOW = Phrase(
    "A Partner changes it: `/mode mention`, `free`, `quiet`, or `default` for the setting."
)
MODE_KEPT = Phrase("The operator's rules keep this as it is.")
MODE_NOT_HERE = Phrase("Here I answer everything. `/mode` is for channels.")
PARTNER_DECIDES = Phrase("A Partner or MasterAdmin decides that.")
ANSWERED_ALONE = Phrase("I answer {name} privately.")
NOT_REACHED_ALONE = Phrase(
    "{name}, I can't reach you privately. Allow direct messages from here, and ask again."
)
NO_PLAN = Phrase("No plan of yours runs here.")
PLAN_OVER = Phrase("The plan ended before I could change it.")
NO_TASK = Phrase("There is no task {task} in the plan. /plan shows it.")
TASK_STRUCK = Phrase("Struck: {task}. Tasks that needed it go on without its result.")
TASK_ADDED = Phrase("Added: {task}")
QUEEN_ADDS = Phrase("Only the queen of this plan adds tasks. /plan strike NUMBER takes one out.")
PLAN_FULL = Phrase("The plan is full: it has {most} tasks.")
TASK_LONG = Phrase("A task has at most {most} characters, and this has {count}.")
CALLS = CountedPhrase(Phrase("{count} call"), Phrase("{count} calls"))
"""What waits for a yes together."""
ASKED_ELSEWHERE = Phrase("asked elsewhere")
