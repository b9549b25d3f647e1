"""Take-overs: a MasterAdmin gives a contact what is kept under another id.

That is a former id of a contact, an id that came back with other accounts, or an account that was
added to a contact. The former owner's accounts are asked first, in their direct messages. Where
none is known, or none has answered for some days, it is done without their yes, and the audit says
so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from bot.clock import format_utc
from bot.domain.access import Person, Role
from bot.domain.card_words import in_words
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.messages import Choice, OutgoingMessage, ReplyTarget
from bot.errors import UnitRejected
from bot.sessions.outbox.outbox_store import notice_write
from bot.sessions.people.contact_record import AccountKey, ContactRecord
from bot.sessions.people.contact_store import (
    AGREED,
    ASKED,
    REFUSED,
    TakeOver,
    newest_take_over,
    settle_unit,
    store_unit,
    take_over,
)
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import Contact
from bot.sessions.people.person_ids import TERMINAL, ids_of_accounts, reserved_for
from bot.sessions.people.person_links import PersonLinks
from bot.sessions.records.conversation_store import own_place
from bot.tools.permission.approvals import ApprovalStore
from bot.turns.refs import hashed_ref

ACT = "take_over"
"""Stands in place of a tool's name in the audit; no tool has this name."""
PATIENCE = timedelta(days=3)
"""So long a former owner may take to answer."""


@dataclass(frozen=True)
class TakeOvers:
    """Lists what would be taken over, asks its former owner, and records the decision.

    `told`: called after a message to people entered the outbox.
    """

    database: Database
    clock: Clock
    contacts: Contacts
    record: ContactRecord
    links: PersonLinks
    approvals: ApprovalStore
    told: Callable[[], None] = lambda: None

    async def run(self, by: Person, earlier: str, contact: str, *, yes: bool, key: str) -> str:
        """List what a contact would take over; with `yes` do it, or ask for it.

        `key` names this request, so that a repetition after a crash is the same act. Returns the
        sentences for the MasterAdmin.
        """
        if by.role is not Role.MASTER_ADMIN:
            return "Only a MasterAdmin can decide this."
        act = await self._act(by, earlier, contact, key)
        if isinstance(act, str):
            return act
        before = await newest_take_over(self.database, act.earlier, act.contact)
        if settled := _settled_before(act, before):
            return settled
        kept = await self.links.kept_of(act.earlier) or "nothing"
        if not yes:
            return (
                f"Under `{act.earlier}` I keep: {kept}. {self._name(act.contact)} "
                f"(`{act.contact}`) would own it and could read it. {_who_is_asked(act)} To go on: "
                f"`/takeover {earlier} {contact} yes`, or `bellhop contacts take-over {earlier} "
                f"{contact} --yes`."
            )
        if not act.asked:
            return await self._do(act, "without a yes: no account of its owner is known")
        if before is not None and before.state == ASKED:
            if before.at + PATIENCE > self.clock.now():
                return (
                    f"I have asked {_names(before.asked)}, and wait for the answer. Without one for"
                    f" {PATIENCE.days} days, say this again."
                )
            return await self._do(before, f"without a yes: no answer for {PATIENCE.days} days")
        await self.database.write(self._question(act, kept))
        self.told()
        return f"I have asked {_names(act.asked)}. Nothing is moved without their yes."

    async def answer(self, ref: str, account: AccountKey, *, yes: bool, again: bool = False) -> str:
        """The decision of a former owner, who is known by the account that asked nothing else.

        `again`: this decision was begun before a crash, and may have been recorded.
        """
        act = await take_over(self.database, ref)
        if act is None or account not in act.asked:
            return "There is no such question to this account."
        wanted = AGREED if yes else REFUSED
        if act.state != ASKED:
            return _said(yes=yes) if again and act.state == wanted else "That is settled already."
        if yes:
            return await self._do(act, f"with the yes of {_names([account])}", theirs=True)
        unit = settle_unit(act.ref, REFUSED) + self._audit(
            act, "rejected", f"{act.earlier} to {act.contact}: no from {_names([account])}"
        )
        return await self._settled(act, unit, yes=False, theirs=True)

    async def own(self, contact: str, account: AccountKey) -> None:
        """The account itself has shown that it is this contact's."""
        await self.database.write(self.record.take_unit(contact, account))
        self.links.wake()

    async def offers(self, account: AccountKey) -> tuple[str, ...]:
        """Former ids of this account, whose things its new contact may take over."""
        return await self.record.former_ids(account)

    # --- which act ---

    async def _act(self, by: Person, earlier: str, contact: str, key: str) -> TakeOver | str:
        """The act that these words mean, or why there is none."""
        new = self.contacts.written(contact)
        if new is None:
            return f"contacts.yaml has no {contact[:80]!r}."
        if earlier == contact:
            if new.id not in self.contacts.withheld:
                return f"{new.id} has what is kept under that id."
            return self._made(by, new, new.id, key, asked=await self.record.accounts(new.id))
        if new.id in self.contacts.withheld:
            return (
                f"The id {new.id} belonged to somebody else. Settle that first: `/takeover {new.id}"
                f" {new.id}`."
            )
        for account, id_ in ids_of_accounts(new.ids, self.contacts.platforms).items():
            if earlier in {id_, ":".join(account)}:
                return await self._of_account(by, new, account, id_, key)
        return await self._of_former_id(by, new, earlier, key)

    async def _of_account(
        self, by: Person, new: Contact, account: AccountKey, id_: str, key: str
    ) -> TakeOver | str:
        if account[0] == TERMINAL or (new.id.casefold(), account) in await self.record.own():
            return f"{new.id} has what is kept for {_names([account])}."
        return self._made(by, new, id_, key, account=account, asked=(account,))

    async def _of_former_id(
        self, by: Person, new: Contact, earlier: str, key: str
    ) -> TakeOver | str:
        known = self.contacts
        if ":" in earlier or reserved_for(earlier, known.platforms) is not None:
            return (
                f"{earlier[:80]!r} is no account of {new.id}. First: `bellhop contacts link "
                f"{new.id} PLATFORM:ID`."
            )
        if known.person(earlier) is not None or known.written(earlier) is not None:
            return f"{earlier} is a contact. First: `bellhop contacts remove {earlier}`."
        former = await self.record.former_id(earlier)
        if former is None:
            return f"No contact ever had the id {earlier[:80]!r}."
        return self._made(by, new, former, key, asked=await self.record.accounts(former))

    def _made(
        self,
        by: Person,
        new: Contact,
        earlier: str,
        key: str,
        account: AccountKey = ("", ""),
        asked: tuple[AccountKey, ...] = (),
    ) -> TakeOver:
        ref = hashed_ref("v", ACT, key, earlier, new.id, chars=10)
        return TakeOver(ref, earlier, new.id, *account, asked, ASKED, by.id, self.clock.now())

    def _name(self, contact: str) -> str:
        known = self.contacts.written(contact)
        return in_words(known.name) if known is not None else contact

    # --- asking and doing ---

    def _question(self, act: TakeOver, kept: str) -> Unit:
        """The act and its cards, stored together: after a crash both are there, or none."""
        unit = store_unit(act) + self._audit(
            act, "security", f"{act.earlier} to {act.contact}: asked {_names(act.asked)}"
        )
        text = (
            f"What I keep for you ({kept}) is to become that of **{self._name(act.contact)}**, who "
            "could then read it. A MasterAdmin has asked for this; say yes only if that is you, or "
            "if you agree. Nothing is moved without your yes, unless you leave this unanswered for "
            f"{PATIENCE.days} days."
        )
        choices = (
            Choice("Yes, hand it over", act.ref, "takeover_yes"),
            Choice("No", act.ref, "takeover_no"),
        )
        for platform, written in act.asked:
            traits = self.contacts.platforms[platform]
            account = traits.account(written)
            message = OutgoingMessage(
                traits.direct(account.workspace, account.id), text, choices=choices
            )
            id_ = traits.person_id(account.workspace, account.id)
            unit += Unit.of(notice_write(f"{act.ref}/{id_}", id_, message, self.clock.now()))
        return unit

    async def _do(self, act: TakeOver, how: str, *, theirs: bool = False) -> str:
        """Take it over. `theirs`: its former owner said yes, and reads the answer."""
        new = self.contacts.written(act.contact)
        if new is None or not self._still_holds(act, new):
            return "contacts.yaml says something else by now, so nothing is taken over."
        effect = Unit()
        if act.platform:
            effect = self.record.take_unit(new.id, (act.platform, act.account))
        elif act.earlier == act.contact:
            effect = self.record.vouch_unit(new)
        unit = store_unit(act) + settle_unit(act.ref, AGREED) + effect
        unit += self._audit(act, "approved", f"{act.earlier} to {act.contact}, {how}")
        told = await self._settled(act, unit, yes=True, theirs=theirs)
        await self.contacts.reread()
        self.links.wake()
        return told

    def _still_holds(self, act: TakeOver, new: Contact) -> bool:
        if act.platform:
            return act.account in new.ids.get(act.platform, ())
        if act.earlier == act.contact:
            return new.id in self.contacts.withheld
        return self.contacts.written(act.earlier) is None

    async def _settled(self, act: TakeOver, unit: Unit, *, yes: bool, theirs: bool) -> str:
        """Write a decision; the MasterAdmin who asked is told of an answer in the same unit."""
        target = await self._reach(act.by) if theirs else None
        if target is not None:
            word = "yes: it is moved now" if yes else "no: nothing is moved"
            text = f"About {act.earlier} and {self._name(act.contact)}: the owner said {word}."
            message = OutgoingMessage(target, text)
            unit += Unit.of(notice_write(f"{act.ref}/told", act.by, message, self.clock.now()))
        try:
            await self.database.write(unit)
        except UnitRejected:
            return "That is settled already."
        self.told()
        if theirs:
            return _said(yes=yes)
        return f"What was kept under {act.earlier} is {self._name(act.contact)}'s now."

    async def _reach(self, person: str) -> ReplyTarget | None:
        """Their last direct conversation with Bellhop, else one by their first account."""
        place = await own_place(self.database, person)
        if place is not None:
            return ReplyTarget(place)
        accounts = [one for one in self.contacts.accounts(person) if one.platform != TERMINAL]
        return next(
            (
                self.contacts.platforms[one.platform].direct(one.workspace, one.id)
                for one in accounts
            ),
            None,
        )

    def _audit(self, act: TakeOver, kind: str, detail: str) -> Unit:
        said = f"{detail} ({act.ref}, {format_utc(self.clock.now())})"
        return self.approvals.audit_unit(act.by, kind, ACT, said)


def _settled_before(act: TakeOver, before: TakeOver | None) -> str:
    """Why this is not asked again; empty if it may be."""
    if before is not None and before.state == REFUSED:
        return f"{_names(before.asked)} said no, so {act.earlier} keeps its own things."
    former = not act.platform and act.earlier != act.contact
    if before is not None and before.state == AGREED and former:
        return f"{act.contact} has what was kept under {act.earlier}."
    return ""


def _said(*, yes: bool) -> str:
    return (
        "Thank you. It is being handed over."
        if yes
        else "Thank you. Nothing is handed over, and I won't ask again."
    )


def _who_is_asked(act: TakeOver) -> str:
    if act.asked:
        return f"I ask {_names(act.asked)} first, in their direct messages."
    return "No account of its owner is known, so nobody can be asked: the audit will say so."


def _names(accounts: tuple[AccountKey, ...] | list[AccountKey]) -> str:
    return " and ".join(":".join(account) for account in accounts)
