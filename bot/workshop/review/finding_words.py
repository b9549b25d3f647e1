"""Findings and refusals of an import in the language of whoever decides about it.

Both are kept in English, and found here by their English words.
"""

from collections.abc import Mapping

from bot.domain.languages import Language, Phrase, ToldError
from bot.domain.retelling import Retelling
from bot.errors import BotError
from bot.workshop.review.findings import Finding, ImportRefused, Severity

SEVERITY: Mapping[Severity, Phrase] = {
    Severity.BLOCK: Phrase("block"),
    Severity.WARN: Phrase("warn"),
    Severity.INFO: Phrase("info"),
}
SEEN = (
    Phrase("tells the model to put its instructions aside"),
    Phrase("wants something kept from the person"),
    Phrase("imitates the marks of a system prompt"),
    Phrase("speaks about who the model is or what it may do"),
    Phrase("writes to a place that outlives the task"),
    Phrase("installs something that starts by itself"),
    Phrase("reads where keys and passwords lie"),
    Phrase("reads a file of secrets"),
    Phrase("reads a key chain, a browser's passwords or a wallet"),
    Phrase("reads the whole environment"),
    Phrase("uses keys of the environment, which no skill gets"),
    Phrase("pipes a download into a shell"),
    Phrase("runs what it downloads, or opens a shell to elsewhere"),
    Phrase("runs what was hidden in another spelling"),
    Phrase("sends secrets or conversations elsewhere"),
    Phrase("uploads a file or a variable"),
    Phrase("an image whose address would carry data away"),
    Phrase("names a place that collects what it is sent"),
    Phrase("talks to the network"),
    Phrase("a script that would run when something is installed"),
    Phrase("asks a person to run something by hand"),
    Phrase("installs something"),
    Phrase("destroys files or a system"),
    Phrase("raises rights or lifts a guard"),
    Phrase("points at files of the machine"),
    Phrase("a link out"),
    Phrase("a link to a bare address"),
    Phrase("a link that hides where it leads"),
    Phrase("a short link that hides where it leads"),
    Phrase("a long encoded text"),
    Phrase("decodes a text"),
    Phrase("text that a rendered page would not show"),
    Phrase("a picture or document; it was not read"),
    Phrase("no text, so nobody can review it here"),
    Phrase("{kind}, which nobody can review here"),
    Phrase("a script; it is kept without the right to run"),
    Phrase("a file that installers run; nothing here runs it"),
    Phrase("points outside the skill's folder"),
    Phrase("a line of {count} characters"),
    Phrase("{count} invisible {kind} character from column {column} on; they spell {says}"),
    Phrase("{count} invisible {kind} characters from column {column} on; they spell {says}"),
    Phrase("{count} invisible {kind} character from column {column} on"),
    Phrase("{count} invisible {kind} characters from column {column} on"),
    Phrase("{count} more of this kind in the file"),
)
"""What the audit finds in the files of an import."""
READ = (
    Phrase("a hidden file; it was left out"),
    Phrase("a symbolic link; it was not followed and left out"),
    Phrase("an archive inside the archive; it was not opened"),
    Phrase("{count} functions are declared, the first {most} were taken"),
    Phrase("a function was left out: {text}"),
    Phrase("it is no object"),
    Phrase("it has no name"),
    Phrase("the parameters of {name} are no schema"),
    Phrase("{key} means nothing here and allows nothing"),
    Phrase("its turns are held to what it states: {limits}"),
    Phrase("{count} file belongs to no skill and were left out"),
    Phrase("{count} files belong to no skill and were left out"),
    Phrase("not UTF-8; what is unreadable was replaced"),
    Phrase("no front matter; name and description are taken from the text"),
    Phrase("the front matter has no end; the lines that look like keys were taken"),
    Phrase("the front matter {text}; it was read line by line"),
    Phrase("has {count} characters, at most {most} are read as YAML"),
    Phrase("is not a list of `key: value` lines"),
    Phrase("uses YAML anchors, aliases, tags or directives, which are not followed"),
    Phrase("is nested more than {count} levels deep"),
    Phrase("is not valid YAML"),
    Phrase("the file {text}; it was left out"),
    Phrase("metadata {text}; it was kept as text"),
    Phrase("is not valid JSON5 ({why})"),
    Phrase("is not valid JSON ({why})"),
    Phrase("has {count} characters, at most {most} are read"),
    Phrase("holds no skills and no function declarations; it was left out"),
    Phrase("holds {count} skills, the first {most} were taken"),
    Phrase("declares no function that can be a tool"),
    Phrase("names tools, which it is not given: {names}"),
    Phrase("name is missing; {name} was taken"),
    Phrase("description is missing; the beginning of the instructions was taken"),
    Phrase("description is missing; the first paragraph was taken"),
    Phrase("the description is longer than {most} characters and was cut"),
    Phrase(
        "is neither for people nor for the model; it was given a slash command so that it can be"
        " used at all"
    ),
    Phrase("the skill wants environment variables, which no skill gets: {names}"),
    Phrase("the skill needs the toolsets: {names}"),
    Phrase("the skill needs the tools: {names}"),
    Phrase("the skill needs: {names}"),
    Phrase("the skill is for the systems: {names}"),
    Phrase("the skill wants to install (never done by itself): {names}"),
    Phrase("the skill wants the key: {names}"),
    Phrase("the skill wants the settings: {names}"),
    Phrase(
        "its slash command would call the tool {tool} directly; here it goes through the agent and"
        " the gate"
    ),
    Phrase("{key} is not taken from the file; say it yourself"),
    Phrase("the skill «{name}» {text}"),
    Phrase("the tool «{name}» {text}"),
    Phrase("has letters of another script in its name; it is {name} here"),
    Phrase("is named {name} here"),
    Phrase("has a name that is taken here; it gets a prefix"),
    Phrase("looks like {name}, which is here already; it gets a prefix"),
    Phrase("begins like names that Bellhop gives; it gets a prefix"),
    Phrase("takes the place of {name}, which came from {source}"),
    Phrase("has no instructions; write them below its front matter"),
    Phrase("the instructions are longer than {most} KB; move details into files beside them"),
    Phrase("can't be a skill ({why})"),
    Phrase("can't be a tool ({why})"),
    Phrase("{name} would be read as something else"),
)
"""What was seen when they were read."""
REFUSED = (
    Phrase("is larger than {most} KB; leave it out of the skill"),
    Phrase("with it the source is larger than {most} MB; import fewer skills at once"),
    Phrase("two files have this name; keep one of them"),
    Phrase("is a link or no plain file; pack the skill without it"),
    Phrase("is encrypted, so nobody can review it; pack it without a password"),
    Phrase("is packed by an unusual method; pack it with deflate"),
    Phrase("grows more than {count} times when unpacked; that is how a bomb looks"),
    Phrase("{where}: is larger than {most} MB; import fewer skills at once"),
    Phrase("{where}: has {count} entries, at most {most} files are read"),
    Phrase("{where}: is not a sound zip archive ({why}); pack it again"),
    Phrase("{where}: has more than {most} files; import the folder of one skill"),
    Phrase(
        "{where}: {path} is no path below the skill; absolute names, `..` and backslashes are"
        " refused"
    ),
    Phrase("{where}: {path} is nested too deeply or too long a name; shorten it"),
    Phrase(
        "{where}: holds no skill and no function declarations; name a SKILL.md, a .md file, a JSON"
        " export or a folder with one"
    ),
    Phrase("{where}: holds no skill and no function declarations:"),
    Phrase("{where}: no plug-in of this home reads skills from elsewhere; switch one on"),
    Phrase("{where}, line {line}: {text}"),
)
"""Why a source is not read at all."""


def _lines(phrase: Phrase) -> tuple[Phrase, Phrase]:
    """How `Finding` tells one of this severity, with and without an excerpt."""
    words = phrase.all
    line = Phrase(
        f"{words[Language.EN]}: {{file}}, line {{line}}: {{text}} [{{rule}}]",
        f"{words[Language.DE]}: {{file}}, Zeile {{line}}: {{text}} [{{rule}}]",
        f"{words[Language.FR]} : {{file}}, ligne {{line}} : {{text}} [{{rule}}]",
        f"{words[Language.ES]}: {{file}}, línea {{line}}: {{text}} [{{rule}}]",
        f"{words[Language.IT]}: {{file}}, riga {{line}}: {{text}} [{{rule}}]",
    )
    return Phrase(*(f"{said}  «{{excerpt}}»" for said in line.all.values())), line


LINES = tuple(line for phrase in SEVERITY.values() for line in _lines(phrase))
_TOLD = Retelling((*LINES, *SEEN, *READ, *REFUSED))


def finding_text(finding: Finding, language: Language) -> str:
    return _TOLD.told(str(finding), language)


def refusal_text(error: BotError, language: Language) -> str:
    """Why an import or a decision is refused; as it is where it was not said for people."""
    match error:
        case ToldError():
            return error.said(language)
        case ImportRefused():
            return "\n".join(_line(line, language) for line in str(error).split("\n"))
        case _:
            return str(error)


def _line(line: str, language: Language) -> str:
    said = line.lstrip(" ")
    return line[: len(line) - len(said)] + _TOLD.told(said, language)
