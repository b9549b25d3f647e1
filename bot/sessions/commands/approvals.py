"""/approve, /reject and /approvals: deciding about waiting calls. `/grants`: standing yeses.

See docs/rules.md#approvals.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.domain.access import Person, Role
from bot.domain.approvals import Approval, ApprovalState, Grant, GrantScope
from bot.domain.chat_commands import Asked, ChatCommand, CommandReply, Completing
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.native_commands import Completion
from bot.sessions.approvals.cards import ApprovalCards, CardPlaces, asks_of
from bot.sessions.approvals.decisions import CardAnswer, Decisions
from bot.sessions.outbox.cards import Cards
from bot.sessions.people.pairing import PAIR
from bot.sessions.records.envelope import message_of
from bot.sessions.wording import phrases
from bot.sessions.wording.card_text import asked_for, card_of
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.grants import GrantStore, describe, may_revoke

NOTHING_WAITS = Phrase("No approval is waiting for you.")
FOR_PERSON = Phrase("for {person}")


@dataclass(frozen=True)
class ApprovalCommands:
    """Finds the intended call, and decides about it."""

    approvals: ApprovalStore
    cards: Cards
    decisions: Decisions
    places: CardPlaces
    making: ApprovalCards

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(
                "approve",
                partial(self._decide, approve=True),
                usage="[REF] [session|target]",
                offers=self.offered,
            ),
            ChatCommand(
                "reject", partial(self._decide, approve=False), usage="[REF]", offers=self.offered
            ),
            ChatCommand("approvals", self.waiting, usage="[REF]", offers=self.offered),
        )

    async def offered(self, asks: Completing) -> Sequence[Completion]:
        """What waits for this person."""
        waiting = await self.approvals.open_for(asks.person)
        return [Completion(f"{one.ref}: {one.tool}", one.ref) for one in waiting]

    async def waiting(self, asked: Asked) -> str | CommandReply:
        """What waits for this person; with a reference, its card again."""
        ref = asked.args.partition(" ")[0]
        if not ref:
            waiting = await self.approvals.open_for(asked.person)
            lines = [f"- {item.ref}: {told_of(item, asked)}" for item in waiting]
            return "\n".join(lines) or NOTHING_WAITS.said(asked.language)
        approval = await self.approvals.get(ref)
        if approval is None or approval.tool == PAIR:
            return phrases.NO_APPROVAL.said(asked.language, ref=ref)
        why = await self.decisions.why_not(
            approval, asked.person, self.places.asked_for, asked.language
        )
        if why:
            return why
        lead = Phrase(
            "I ask again about approval {ref}, so that your answer means this and nothing else:"
        )
        return await self._shown(approval, asked, lead)

    async def _decide(self, asked: Asked, *, approve: bool) -> str | CommandReply:
        ref, *more = asked.args.split() or [""]
        if approve and _numbers([ref]):  # of the calls of the only one that waits
            ref, more = "", [ref, *more]
        scope = next((one for one in GrantScope if more and more[0].casefold() == one), None)
        if not ref:
            here = await self.cards.only_one(asked.person, asked.message.conversation.key)
            waiting = await self.approvals.open_for(asked.person)
            if here is None or len(waiting) != 1:
                refs = ", ".join(item.ref for item in waiting)
                told = Phrase("Say which one: {refs}.") if refs else NOTHING_WAITS
                return told.said(asked.language, refs=refs)
            ref = here
        # Other words after the reference are politeness ("please").
        by_ref = ref.casefold() in asked.message.text.casefold()
        answer = CardAnswer(approve, alone=asked.alone, by_ref=by_ref)
        if approve:
            answer = replace(answer, grant=scope, lines=_numbers(more))
            if (unread := await self._unread(ref, asked, answer)) is not None:
                lead = Phrase("Approval {ref} is not decided yet: this is all of it. Decide now.")
                return await self._shown(unread, asked, lead)
        before, there = await self.approvals.get(ref), asked.message.conversation.key
        on_card = await self.cards.has_before(asked.person, asked.message, ref)
        text = await self.decisions.decide(
            ref,
            asked.person,
            answer,
            again=asked.again,
            asked=self.places.asked_for,
            language=asked.language,
        )
        after = await self.approvals.get(ref)
        goes_on = before is not None and before.state is ApprovalState.OPEN
        here = after is not None and after.conversation == there
        decided = after is not None and after.decided_by == asked.person.id
        if on_card and goes_on and decided and answer.grant is None:
            return ""  # the card says it
        # After their own no, its asker may hear no more.
        return CommandReply(text, continues=approve and goes_on and here and decided)

    async def _unread(self, ref: str, asked: Asked, answer: CardAnswer) -> Approval | None:
        """The approval, if this person may decide it and has not read all of it."""
        approval = await self.approvals.get(ref)
        if (
            approval is None
            or approval.tool == PAIR
            or await self.decisions.why_not(approval, asked.person)
            or await self.decisions.has_read(approval, asked.person, answer)
        ):
            return None
        return approval

    async def _shown(self, approval: Approval, asked: Asked, lead: Phrase) -> str | CommandReply:
        """The whole call with its choices, or why it is not shown here."""
        if not may_read(asked, approval):
            return Phrase(
                "Approval {ref} was asked for elsewhere, and others read here. Send me `/approve "
                "{ref}` in a direct message: there I show all of it, and you can decide."
            ).said(asked.language, ref=approval.ref)
        asker = self.making.contacts.person(approval.person)
        name = asker.name if asker else approval.person
        card = card_of(approval, name, alone=asked.alone, language=asked.language)
        if not card.shown:
            why_not = (
                Phrase(
                    "Approval {ref} is too long to be shown whole, so nobody can approve it: ask "
                    "for less."
                )
                if asked.alone
                else Phrase(
                    "Something in approval {ref} looks like a secret, and others read here. Send "
                    "me `/approve {ref}` in a direct message: there I show all of it, and you can "
                    "decide."
                )
            )
            return why_not.said(asked.language, ref=approval.ref)
        return CommandReply(
            f"{lead.said(asked.language, ref=approval.ref)}\n{card.text}",
            files=await self.making.file(card),
            on_record=card.summary,
            choices=card.choices,
            while_open=card.how,
            asks=asks_of(approval, card, asked.person.id if asked.alone else ""),
        )


def may_read(asked: Asked, approval: Approval) -> bool:
    """Whether the readers of the answer may read of a call.

    Those of its place may, unless it was asked about alone there.
    """
    if asked.alone:
        return True
    about = message_of({"message": approval.envelope}) if approval.envelope else None
    alone = about is not None and about.aside
    return not alone and approval.conversation == asked.message.conversation.key


def told_of(approval: Approval, asked: Asked) -> str:
    """What waits, for a list: only its own place is told which tool."""
    if not may_read(asked, approval):
        return Phrase("asked elsewhere").said(asked.language)
    return asked_for(approval, asked.language)


def _numbers(words: Sequence[str]) -> tuple[int, ...]:
    """The intended calls of a plan: `1,3` or `1 3`. Other words are politeness."""
    found = " ".join(words).replace(",", " ").split()
    return tuple(int(word) for word in found if word.isascii() and word.isdigit())


_MOST = 30
_MORE = CountedPhrase(
    Phrase("… and {count} more: `bellhop grants list`", context="one"),
    Phrase("… and {count} more: `bellhop grants list`"),
)


@dataclass(frozen=True)
class GrantCommands:
    """Lists and revokes grants; the text is for people."""

    grants: GrantStore

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("grants", self.run, usage="[revoke REF]", offers=self.offered),)

    async def offered(self, asks: Completing) -> Sequence[Completion]:
        """The person's own grants."""
        own = await self.grants.of_person(asks.person.id)
        return [
            Completion(f"revoke {one.ref}: {describe(one)}", f"revoke {one.ref}")
            for one in own
            if one.revoked_at is None
        ]

    async def run(self, asked: Asked) -> str:
        """`/grants`, `/grants revoke REF`. A list names what calls may act on."""
        verb, _, ref = asked.args.partition(" ")
        match verb.casefold():
            case "":
                if asked.alone:
                    return await self._list(asked.person, asked.language)
                alone = Phrase("Ask me in a direct message; others read along here.")
                return alone.said(asked.language)
            case "revoke" if ref.strip():
                ref = ref.split()[0]
                return await self.revoke(ref, asked.person, asked.language, again=asked.again)
            case _:
                return Phrase(
                    "Say /grants to see what I needn't ask about, or /grants revoke REF to take "
                    "one back."
                ).said(asked.language)

    async def revoke(
        self, ref: str, person: Person, language: Language = Language.EN, *, again: bool = False
    ) -> str:
        """Revoke a grant; the answer is the same for others' grants and unknown ones.

        `again`: the process ended during an earlier run.
        """
        grant = await self.grants.get(ref)
        if grant is None or not may_revoke(grant, person):
            return Phrase("There is no grant {ref} of yours.").said(language, ref=ref[:40])
        revoked = grant.revoked_at is None and await self.grants.revoke(grant, person)
        if not (revoked or again):
            return Phrase("Grant {ref} is revoked already.").said(language, ref=grant.ref)
        return Phrase("Grant {ref} is revoked: I ask again before {tool}.").said(
            language, ref=grant.ref, tool=grant.tool
        )

    async def _list(self, person: Person, language: Language) -> str:
        everybody = person.role is Role.MASTER_ADMIN
        found = await self.grants.newest() if everybody else await self.grants.of_person(person.id)
        live = [grant for grant in found if grant.revoked_at is None]
        if not live:
            none = Phrase("There are no grants: I ask about each call that needs a yes.")
            return none.said(language)
        lines = [_line(grant, language, whose=everybody) for grant in live[:_MOST]]
        if (more := len(live) - _MOST) > 0:
            lines.append(_MORE.said(language, more))
        return "\n".join([*lines, Phrase("`/grants revoke REF` takes one back.").said(language)])


def _line(grant: Grant, language: Language, *, whose: bool) -> str:
    of = f" {FOR_PERSON.said(language, person=grant.person)}" if whose else ""
    what, day = phrases.grant_words(grant, language), f"{grant.made_at:%Y-%m-%d}"
    given = Phrase("{what} (given by {by} on {day})").said(
        language, what=what, by=grant.made_by, day=day
    )
    return f"- {grant.ref}{of}: {given}"
