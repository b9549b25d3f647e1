"""`/skills`: shows the skills that ship; for MasterAdmins, imports some and decides about them."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.domain.access import Role
from bot.domain.card_words import visible
from bot.domain.chat_commands import Asked, ChatCommand, words
from bot.domain.database import Database, Unit
from bot.domain.languages import Phrase, number
from bot.errors import BotError
from bot.sessions.commands.skill_desk import SkillShelf
from bot.sessions.opening.attachments import Attachments
from bot.storage.values import PersonValue, person_value, put_person_value
from bot.workshop.review.desk import ImportDesk
from bot.workshop.review.finding_words import refusal_text
from bot.workshop.review.provenance import ImportProvenance
from bot.workshop.review.staging import NotReviewed
from bot.workshop.review.wording import (
    approved_text,
    finding_lines,
    promoted_text,
    report_text,
    staged_line,
    staged_text,
)

SHOWS_ALL = Phrase("… (`bellhop skills staged` shows all)")
IMPORTS = Phrase(
    "`/skills import` with a file attached stages what is in it. `/skills staged [NAME]` shows what"
    " waits, with its findings. `/skills approve NAME [accept-findings]` makes it live,"
    " `/skills reject NAME` deletes it, `/skills remove NAME` removes a live imported skill,"
    " `/skills promote NAME` makes a skill of a playbook candidate."
)

FINDINGS = 15
"""Characters of one skill that a chat shows; the command line shows all."""
ANSWER_CHARS = 6_000
_NOTE_CHARS = 500
_HASH = re.compile(r"[0-9a-f]{64}")
_ACCEPT = frozenset({"accept-findings", "--accept-findings"})


@dataclass(eq=False)
class ImportCommands:
    """Answers `/skills …`; every mistake is a sentence."""

    desk: ImportDesk
    attachments: Attachments
    database: Database
    shelf: SkillShelf

    def __post_init__(self) -> None:
        self._verbs: dict[str, Callable[[Asked, list[str]], Awaitable[str]]] = {
            "import": self._import,
            "staged": self._staged,
            "approve": self._approve,
            "reject": self._reject,
            "remove": self._remove,
            "promote": self._promote,
        }

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(
                "tools",
                self.run_tools,
                usage="staged|approve|reject|remove [NAME]",
                listed_from=Role.MASTER_ADMIN,
                offers=words("staged", "approve", "reject", "remove"),
            ),
            ChatCommand("skills", self.run, usage="[FAMILY]"),
        )

    async def run(self, asked: Asked) -> str:
        """The skills that are here for the person; for a MasterAdmin also what waits."""
        verb, *words = asked.args.split() or [""]
        handler = self._verbs.get(verb.casefold())
        admin = asked.person.role is Role.MASTER_ADMIN
        if handler is None:
            shown = self.shelf.text(asked.person, asked.args, asked.language)
            return f"{shown}\n\n{IMPORTS.said(asked.language)}" if admin else shown
        if not admin:
            return Phrase(
                "Importing skills is for a MasterAdmin. `/skills` shows what is here for you."
            ).said(asked.language)
        try:
            text = await handler(asked, words)
        except BotError as error:
            told = refusal_text(error, asked.language)
            text = told.replace("--accept-findings", "accept-findings")
        if len(text) <= ANSWER_CHARS + 500:
            return text
        return f"{text[:ANSWER_CHARS]}\n{SHOWS_ALL.said(asked.language)}"

    async def run_tools(self, asked: Asked) -> str:
        """`/tools …`: the same desk, for tools by mrtool; nothing is imported here."""
        if asked.person.role is not Role.MASTER_ADMIN:
            return Phrase(
                "Deciding about tools is for a MasterAdmin. Ask me what I can do for you here."
            ).said(asked.language)
        verb = asked.args.partition(" ")[0].casefold()
        if verb not in self._verbs or verb in {"import", "promote"}:
            return Phrase(
                "`/tools staged [NAME]` shows what waits, with its files and findings. `/tools "
                "approve NAME` makes live what you were shown, `/tools reject NAME` deletes it, "
                "`/tools remove NAME` removes a live one."
            ).said(asked.language)
        return await self.run(asked)

    async def _import(self, asked: Asked, words: list[str]) -> str:
        files = await self.attachments.fetch(asked.turn, asked.message)
        language = asked.language
        if not files:
            return Phrase(
                "Attach the skill to the message: a SKILL.md, another .md, a JSON export or a zip "
                "archive."
            ).said(language)
        parts: list[str] = []
        for file in files:
            if file.data is None:
                parts.append(f"{file.name}: {file.problem}")
                continue
            try:
                data = await self.attachments.whole(file)
                report = await self.desk.import_attachment(asked.person, file.name, data)
            except BotError as error:
                parts.append(refusal_text(error, language))
            else:
                parts.append(report_text(report, most=FINDINGS, language=language))
        return "\n\n".join(
            [
                *parts,
                Phrase(
                    "`/skills approve NAME` makes it live, `/skills reject NAME` deletes it."
                ).said(language),
            ]
        )

    async def _staged(self, asked: Asked, words: list[str]) -> str:
        if not words:
            return staged_text(await self.desk.staged(), asked.language)
        return await self._shown(asked, await self.desk.find(words[0]))

    async def _shown(self, asked: Asked, found: ImportProvenance) -> str:
        """The whole staged content. Records that it was shown: a later yes covers this version."""
        language = asked.language
        lines = [staged_line(found, language), *finding_lines(found.findings, FINDINGS, language)]
        if not found.made:
            return "\n".join(lines)
        for name, text in (await self.desk.texts(found)).items():
            lines += [
                "",
                f"{name}:",
                "```",
                visible(text).replace("```", "\\u0060``").rstrip(),
                "```",
            ]
        whole = "\n".join(lines)
        if len(whole) <= ANSWER_CHARS:
            kept = put_person_value(asked.person.id, PersonValue.SHOWN, found.content, found.name)
            await self.database.write(Unit.of(kept))
            return whole
        rest = Phrase(
            "{count} more characters are not shown here. `bellhop tools staged {name}` shows all, "
            "and `/tools approve {name} {content}` then makes exactly this live."
        ).said(
            language,
            count=number(len(whole) - ANSWER_CHARS, language),
            name=found.name,
            content=found.content,
        )
        return f"{whole[:ANSWER_CHARS]}\n…\n```\n{rest}"

    async def _approve(self, asked: Asked, words: list[str]) -> str:
        if not words:
            return staged_text(await self.desk.staged(), asked.language)
        name, more = words[0], [word.casefold() for word in words[1:]]
        accepted = any(word in _ACCEPT for word in more)
        content = next((word for word in more if _HASH.fullmatch(word)), None)
        try:
            found = await self.desk.find(name)
            if found.made and content is None:
                person = asked.person.id
                content = await person_value(self.database, person, PersonValue.SHOWN, found.name)
                if content is None:
                    asks = Phrase(
                        "This is what would be live. `/tools approve {name}` makes it so."
                    ).said(asked.language, name=name)
                    return f"{await self._shown(asked, found)}\n{asks}"
            approved = await self.desk.approve(
                asked.person, name, accept_findings=accepted, content=content
            )
            return approved_text(approved, asked.language)
        except NotReviewed:
            live = await self.desk.live(name) if asked.again else None
            if live is None or live.approved_by != asked.person.id:
                raise
            return approved_text(live, asked.language)

    async def _reject(self, asked: Asked, words: list[str]) -> str:
        return await self._done(asked, words, self.desk.reject, Phrase("{name} was deleted."))

    async def _remove(self, asked: Asked, words: list[str]) -> str:
        return await self._done(
            asked, words, self.desk.remove, Phrase("{name} is not live any more.")
        )

    async def _promote(self, asked: Asked, words: list[str]) -> str:
        if not words:
            return IMPORTS.said(asked.language)
        playbook, done = await self.desk.promote(asked.person, words[0])
        return promoted_text(playbook, done, asked.language)

    async def _done(
        self, asked: Asked, words: list[str], act: Callable[..., Awaitable[object]], done: Phrase
    ) -> str:
        if not words:
            return IMPORTS.said(asked.language)
        try:
            await act(asked.person, words[0])
        except NotReviewed:
            if not asked.again:
                raise
        return done.said(asked.language, name=words[0][:64])
