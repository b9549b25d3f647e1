"""`/skill`: runs a skill by name; lists, shows, makes, shares and removes skills.

The library's skills are listed as families with an example, then one family whole.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.domain.access import Person
from bot.domain.chat_commands import Asked
from bot.domain.languages import CountedPhrase, Language, Phrase, joined
from bot.domain.messages import OutgoingMessage
from bot.domain.native_commands import Fields
from bot.domain.places import Location
from bot.domain.privacy import left_out
from bot.domain.skills import Skill, SkillScope
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Turn
from bot.domain.work import InterviewWork, dump_work
from bot.sessions.commands.skill_turns import SkillTurns
from bot.sessions.learning.memory_passes import OwnWays, steps_of
from bot.sessions.outbox.outbox import Outbox, Sending
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.wording.phrases import OTHERS, family_title
from bot.skills.custom import (
    NO_NAME,
    CustomSkill,
    CustomSkills,
    SkillDraft,
    SkillOutcome,
    SkillRefused,
)
from bot.skills.families import by_family, title_of
from bot.skills.names import command_name

USAGE = Phrase(
    "`/skill NAME [TASK]` runs a skill. `/skill list` names them, `/skill show NAME` shows one,"
    " `/skill new NAME` makes one of your own (or in one go: `/skill new NAME: INSTRUCTIONS`),"
    " `/skill share NAME` gives it to everybody here, `/skill remove NAME` removes it,"
    " `/skill found` offers what you do again and again."
)
AND_MORE = CountedPhrase(
    Phrase("and {count} more", context="one skill"), Phrase("and {count} more", context="skills")
)
HOW_TO_RUN = Phrase("Say what you want in your own words, or run one with `/skill NAME`.")
OF_PEOPLE = Phrase("Of people here")
REMOVED = Phrase("Removed {name}.")
SAVED = Phrase("Saved: {what}")
NOTHING_RUNS_IT = Phrase("nothing runs it")
TIMES = CountedPhrase(Phrase("{count} time"), Phrase("{count} times"))

_ALONE = OTHERS.en
"""Names the skills without a family."""


class SkillShelf:
    """`/skills [FAMILY]`."""

    def __init__(self, visible: Callable[[Person], Sequence[Skill]]) -> None:
        """`visible`: the library's skills that a person may see."""
        self._visible = visible

    def text(self, person: Person, wanted: str = "", language: Language = Language.EN) -> str:
        """All families with an example each; or the skills of the one that is named."""
        families = by_family(self._visible(person))
        if not families:
            return Phrase("There is no skill here for you.").said(language)
        title, how = Phrase("Skills").said(language), HOW_TO_RUN.said(language)
        if not wanted.strip():
            return "\n".join([f"**{title}**", "", *_overview(families, language), "", how])
        family = _meant(wanted, families, language)
        if family is None:
            known = ", ".join(_id(one) for one in families)
            return Phrase("There is no family '{name}'; there are: {names}.").said(
                language, name=wanted.strip()[:40], names=known
            )
        lines = [_shelf_line(skill) for skill in families[family]]
        colon = " :" if language is Language.FR else ":"
        head = f"**{title}{colon} {family_title(family, language)}**"
        return "\n".join([head, "", *lines, "", how])


def _overview(families: Mapping[str, Sequence[Skill]], language: Language) -> list[str]:
    lines: list[str] = []
    for family, skills in families.items():
        examples = [skill.example for skill in skills if skill.example]
        such_as = f": “{examples[0]}”" if examples else ""
        counted = f"{len(skills)}, `/skills {_id(family)}`"
        lines.append(f"- **{family_title(family, language)}** ({counted}){such_as}")
    return lines


def _shelf_line(skill: Skill) -> str:
    example = f" “{skill.example}”" if skill.example else ""
    return f"- **{skill.name}**: {skill.description}{example}"


def _meant(wanted: str, families: Mapping[str, Sequence[Skill]], language: Language) -> str | None:
    """The family by its id, its title in English or in this language, or one of its skills."""
    named = wanted.strip().casefold()
    for family, skills in families.items():
        titles = {title_of(family).casefold(), family_title(family, language).casefold()}
        if named in {_id(family), *titles, *(one.name for one in skills)}:
            return family
    return None


def _id(family: str) -> str:
    return family or _ALONE


LISTED = 50
SHOWN_CHARS = 6_000
_NEVER_MIND = frozenset(
    {
        *("cancel", "never mind", "nevermind", "stop", "forget it"),
        *("abbrechen", "annuler", "cancelar", "annulla"),
    }
)
_NO = frozenset({"no", "none", "never", "-", "nothing", "skip", "nein", "nie", "non", "jamais"})


@dataclass
class _Interview:
    """Asks for missing parts of a new skill; each question is a step of the person's turn."""

    outbox: Outbox
    agent: str
    asked: Asked
    count: int = 0

    async def ask(self, text: str) -> str | None:
        """The answer; None when the person has changed their mind."""
        self.count += 1
        turn: Turn = self.asked.turn
        message, person = self.asked.message, self.asked.person
        outgoing = OutgoingMessage(message.reply_to, text)
        sending = Sending(outgoing, person.id, self.agent)
        await self.outbox.send(turn, step_key(StepKind.SEND, f"ask:{self.count}"), sending)
        answer = await turn.ask(
            step_key(StepKind.ASK, self.count), person.id, message.conversation.key, text
        )
        answered = answer.text.strip()
        return None if answered.casefold().rstrip(".!") in _NEVER_MIND else answered


@dataclass(eq=False)
class SkillDesk:
    """Answers `/skill …` of one person about the skills that they may see."""

    turns: SkillTurns
    outbox: Outbox
    custom: CustomSkills
    visible: Callable[[Person], Sequence[Skill]]
    """The library's skills that a person may see."""
    agent: str
    """Who asks what is missing."""
    ways: OwnWays

    def __post_init__(self) -> None:
        self._verbs: dict[str, Callable[[Asked, str], Awaitable[str]]] = {
            "list": self._list,
            "show": self._show,
            "new": self._new,
            "found": self._found,
            "share": self._share,
            "remove": self._remove,
            "run": self._run,
        }

    async def run(self, asked: Asked) -> str:
        verb, _, rest = asked.args.partition(" ")
        if not verb:
            return USAGE.said(asked.language)
        handler = self._verbs.get(verb.casefold().rstrip(":"))
        return await handler(asked, rest.strip()) if handler else await self._run(asked, asked.args)

    async def _run(self, asked: Asked, args: str) -> str:
        name, _, task = args.partition(" ")
        commands, conversation = self.turns.commands, asked.message.conversation
        ref = await commands.find_by_name(name, asked.person, conversation) if name else None
        if ref is None:
            usage = USAGE.said(asked.language)
            return f"{_none(name, asked.language)} {usage}" if name else usage
        return await self.turns.submit(asked, ref, command_name(name), task.strip())

    async def _list(self, asked: Asked, args: str) -> str:
        commands, conversation = self.turns.commands, asked.message.conversation
        language = asked.language
        runnable = {
            one.ref: one.command.name for one in await commands.runnable(asked.person, conversation)
        }
        by_skill = {(ref.scope, ref.name): name for ref, name in runnable.items()}
        lines: list[str] = []
        custom = await self.custom.visible(asked.person, conversation)
        viewer = await asked.viewer()
        shown = [skill for skill in custom if skill.seen_by(viewer)]
        for skill in shown:
            own = skill.scope is SkillScope.PERSON
            shared = Phrase("shared by {who}").said(language, who=skill.author)
            whose = Phrase("yours").said(language) if own else shared
            about = f"{skill.text.description or skill.text.title} ({whose})"
            lines.append(_line(skill.slug, about, by_skill.get((skill.scope, skill.slug))))
        rest, hidden = len(lines) - LISTED, len(custom) - len(shown)
        more = [f"- {AND_MORE.said(language, rest)}"] if rest > 0 else []
        more += [f"- {left_out(hidden, language)}"] if hidden else []
        own = [*lines[:LISTED], *more]
        here = [f"**{OF_PEOPLE.said(language)}**", "", *own, ""] if own else []
        shelf = SkillShelf(self.visible).text(asked.person, args, language)
        return "\n".join([*here, shelf])

    async def _show(self, asked: Asked, args: str) -> str:
        commands, conversation = self.turns.commands, asked.message.conversation
        ref = await commands.find_by_name(args, asked.person, conversation) if args else None
        found = await commands.read(ref, asked.person, conversation) if ref else None
        if ref is None or found is None:
            shows = Phrase("`/skill list` shows which there are.").said(asked.language)
            return f"{_none(args, asked.language)} {shows}"
        if not (await asked.viewer()).sees(asked.person.id, found.learned):
            return Phrase("That skill is private; ask me in a direct message.").said(asked.language)
        text = found.text if len(found.text) <= SHOWN_CHARS else found.text[:SHOWN_CHARS] + "\n…"
        return f"**{ref.name}** ({found.origin.source}):\n\n{text}"

    async def _share(self, asked: Asked, args: str) -> str:
        outcome = await self.custom.share(args, asked.person, asked.message.conversation)
        return await self._told(asked, outcome, Phrase("Now everybody here has it: {what}"))

    async def _remove(self, asked: Asked, args: str) -> str:
        outcome = await self.custom.remove(args, asked.person, asked.message.conversation)
        if isinstance(outcome, SkillRefused):
            removed = REMOVED.said(asked.language, name=args)
            return removed if asked.again else outcome.told.said(asked.language)
        return REMOVED.said(asked.language, name=outcome.skill.slug)

    # --- making one ---

    async def _found(self, asked: Asked, args: str) -> str:
        """Ways of working that recur in the person's own conversations, or a skill of one."""
        if not asked.alone:
            return Phrase("Ask me in a direct message: it is about your conversations.").said(
                asked.language
            )
        ways = await self.ways.of(asked.person.id)
        if not ways:
            return Phrase(
                "No way of working recurs in your conversations yet: I look for four or more "
                "tools in the same order in three conversations that have ended."
            ).said(asked.language)
        number, _, name = args.partition(" ")
        language = asked.language
        if not (number.isascii() and number.isdigit() and 1 <= int(number) <= len(ways)):
            lines = [
                f"{position}. {' → '.join(way.tools)} ({TIMES.said(language, len(way.sessions))})"
                for position, way in enumerate(ways, 1)
            ]
            lead = Phrase(
                "This recurs in your conversations. I kept the order of the tools, and nothing you "
                "said:"
            )
            end = Phrase(
                "`/skill found NUMBER NAME` makes one a skill of your own, which nobody else sees."
            )
            return "\n".join([lead.said(language), *lines, end.said(language)])
        if not name.strip():
            how = Phrase("Say what it is called: `/skill found {number} NAME`.")
            return how.said(language, number=number)
        return await self._save(asked, SkillDraft(name.strip(), steps_of(ways[int(number) - 1])))

    async def _new(self, asked: Asked, args: str) -> str:
        """Make the skill at once if the command is complete; else a turn asks for missing parts."""
        if asked.message.command is not None and asked.message.command.fields:
            return await self._from_form(asked, dict(asked.message.command.fields))
        name, colon, instructions = args.partition(":")
        if name.strip() and colon and instructions.strip():
            return await self._save(asked, SkillDraft(name.strip(), instructions.strip()))
        body = dump_work(InterviewWork(incoming_to_json(asked.message), name.strip()))
        await self.turns.engine.submit(str(asked.key), f"skill_new:{asked.message.key}", body)
        return ""

    async def _from_form(self, asked: Asked, fields: Fields) -> str:
        """A refused skill is shown whole, so that nobody has to write it twice."""
        draft = draft_of(fields)
        message = asked.message
        outcome = await self.custom.save_custom_skill(
            draft, asked.person, message.conversation, await self._location(asked)
        )
        if not isinstance(outcome, SkillRefused):
            return await self._told(asked, outcome, SAVED)
        written = "\n".join(
            f"{name}: {value}" for name, value in fields.items() if name != "instructions" and value
        )
        text = f"{written}\n\n{draft.instructions}"
        language = asked.language
        kept = Phrase("Nothing was saved. This is what you wrote:").said(language)
        return f"{outcome.told.said(language)}\n\n{kept}\n{fenced(text)}"

    async def interview(self, asked: Asked) -> str:
        """Ask for a new skill's name, steps and occasion, and save it; `asked.args` is its name."""
        interview, language = _Interview(self.outbox, self.agent, asked), asked.language
        left = Phrase("All right, I left it as it was.").said(language)
        name = asked.args or await interview.ask(
            Phrase("What is the new skill called? Such as weekly_report. (Or: cancel)").said(
                language
            )
        )
        if not name:
            return left
        if not command_name(name):
            return NO_NAME.said(language, name=repr(name[:40]))
        steps = await interview.ask(
            Phrase("What should I do for /{name}? Write the steps. (Or: cancel)").said(
                language, name=command_name(name)
            )
        )
        if not steps:
            return left
        when = await interview.ask(
            Phrase(
                "When should I use it by myself? Say it in a sentence, or *no* if only the "
                "command starts it. (Or: cancel)"
            ).said(language)
        )
        if when is None:
            return left
        slash_only = not when or when.casefold().rstrip(".!") in _NO
        description = "" if slash_only else when
        draft = SkillDraft(name, steps, description, command_name(name), auto_invoke=not slash_only)
        return await self._save(asked, draft)

    async def _save(self, asked: Asked, draft: SkillDraft) -> str:
        message = asked.message
        outcome = await self.custom.save_custom_skill(
            draft, asked.person, message.conversation, await self._location(asked)
        )
        return await self._told(asked, outcome, SAVED)

    async def _location(self, asked: Asked) -> Location:
        there = await asked.located()
        return there.read_by(asked.person.id if asked.message.aside else "")

    async def _told(self, asked: Asked, outcome: SkillOutcome, done: Phrase) -> str:
        if isinstance(outcome, SkillRefused):
            return outcome.told.said(asked.language)
        return done.said(asked.language, what=await self._how_to_run(asked, outcome.skill))

    async def _how_to_run(self, asked: Asked, skill: CustomSkill) -> str:
        runnable = await self.turns.commands.runnable(asked.person, asked.message.conversation)
        key = (skill.scope, skill.slug)
        names = [one.command.name for one in runnable if (one.ref.scope, one.ref.name) == key]
        name = names[0] if names else ""
        language = asked.language
        asks = [Phrase("`/{name}` runs it").said(language, name=name)] if name else []
        if skill.text.auto_invoke:
            asks.append(Phrase("I use it by myself from your next session on").said(language))
        return f"`{skill.path}`. {joined(asks, language) or NOTHING_RUNS_IT.said(language)}."


def draft_of(fields: Fields) -> SkillDraft:
    """The skill that a completed SKILL_FORM describes."""
    return SkillDraft(
        name=fields.get("name", "").strip(),
        instructions=fields.get("instructions", "").strip(),
        description=fields.get("description", "").strip(),
        command=fields.get("command", "").strip(),
        auto_invoke=fields.get("auto_invoke", "") == "yes",
    )


def fenced(text: str) -> str:
    """A code block to copy the text from; its fence is longer than any fence inside."""
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", text)), 3)
    return f"{fence}\n{text}\n{fence}"


def _none(name: str, language: Language) -> str:
    return Phrase("There is no skill '{name}' for you.").said(language, name=name[:40])


def _line(name: str, about: str, command: str | None) -> str:
    called = f" `/{command}`" if command else ""
    return f"- **{name}**{called}: {about}"
