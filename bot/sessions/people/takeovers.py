"""Take-overs: a MasterAdmin gives a contact what is kept under another id.

That is a former id of a contact, an id that came back with other accounts, or an account that was
added to a contact. The former owner's accounts are asked first, in their direct messages. Where
none is known, or none has answered for some days, it is done without their yes, and the audit says
so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from bot.clock import format_utc
from bot.domain.access import Person, Role
from bot.domain.card_words import in_words
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Language, Phrase, Translations, joined
from bot.domain.messages import Choice, OutgoingMessage, ReplyTarget
from bot.errors import UnitRejected
from bot.sessions.outbox.outbox_store import notice_write
from bot.sessions.outbox.spoken_language import spoken_by
from bot.sessions.people.contact_record import AccountKey, ContactRecord, key_of
from bot.sessions.people.contact_store import (
    AGREED,
    ASKED,
    REFUSED,
    TakeOver,
    accounts_stood_for,
    gone_ids,
    id_as_written,
    newest_take_over,
    own_accounts,
    settle_unit,
    store_unit,
    take_over,
)
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import TERMINAL, Contact, ids_of_accounts, reserved_for
from bot.sessions.people.person_links import PersonLinks
from bot.sessions.records.conversation_store import own_place
from bot.sessions.wording.phrases import ADMIN_ALONE
from bot.tools.permission.approvals import ApprovalStore
from bot.turns.refs import hashed_ref

SETTLED = Phrase("That is settled already.")

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

    async def run(
        self, by: Person, earlier: str, contact: str, language: Language, *, yes: bool, key: str
    ) -> str:
        """List what a contact would take over; with `yes` do it, or ask for it.

        `key` names this request, so that a repetition after a crash is the same act. Returns the
        sentences for the MasterAdmin.
        """
        if by.role is not Role.MASTER_ADMIN:
            return ADMIN_ALONE.said(language)
        act = await self._act(by, earlier, contact, key)
        if isinstance(act, Translations):
            return act.said(language)
        before = await newest_take_over(self.database, act.earlier, act.contact)
        if settled := _settled_before(act, before, language):
            return settled
        if not yes:
            return Phrase(
                "Under `{earlier}` I keep: {kept}. {name} (`{contact}`) would own it and could "
                "read it. {asked} To go on: `/takeover {old} {new} yes`, or `bellhop contacts "
                "take-over {old} {new} --yes`."
            ).said(
                language,
                earlier=act.earlier,
                kept=await self._kept(act, language),
                name=self._name(act.contact),
                contact=act.contact,
                asked=_who_is_asked(act, language),
                old=earlier,
                new=contact,
            )
        if not act.asked:
            how = "without a yes: no account of its owner is known"
            return await self._do(act, how, language)
        if before is not None and before.state == ASKED:
            if before.at + PATIENCE > self.clock.now():
                names = _names(before.asked, language)
                return Phrase(
                    "I have asked {names}, and wait for the answer. Without one for {days} days, "
                    "say this again."
                ).said(language, names=names, days=PATIENCE.days)
            how = f"without a yes: no answer for {PATIENCE.days} days"
            return await self._do(before, how, language)
        await self.database.write(await self._question(act))
        self.told()
        return Phrase("I have asked {names}. Nothing is moved without their yes.").said(
            language, names=_names(act.asked, language)
        )

    async def answer(
        self, ref: str, account: AccountKey, language: Language, *, yes: bool, again: bool = False
    ) -> str:
        """The decision of a former owner, who is known by the account that asked nothing else.

        `again`: this decision was begun before a crash, and may have been recorded.
        """
        act = await take_over(self.database, ref)
        if act is None or account not in act.asked:
            return Phrase("There is no such question to this account.").said(language)
        wanted = AGREED if yes else REFUSED
        if act.state != ASKED:
            settled = SETTLED.said(language)
            return _thanks(language, yes=yes) if again and act.state == wanted else settled
        if yes:
            how = f"with the yes of {_names([account])}"
            return await self._do(act, how, language, theirs=True)
        unit = settle_unit(act.ref, REFUSED) + self._audit(
            act, "rejected", f"{act.earlier} to {act.contact}: no from {_names([account])}"
        )
        return await self._settled(act, unit, language, yes=False, theirs=True)

    async def own(self, contact: str, account: AccountKey) -> None:
        """The account itself has shown that it is this contact's."""
        await self.database.write(self.record.take_unit(contact, account))
        self.links.wake()

    async def offers(self, account: AccountKey) -> tuple[str, ...]:
        """Former ids of this account, whose things its new contact may take over."""
        return await gone_ids(self.database, account)

    # --- which act ---

    async def _act(
        self, by: Person, earlier: str, contact: str, key: str
    ) -> TakeOver | Translations:
        """The act that these words mean, or why there is none."""
        new = self.contacts.written(contact)
        if new is None:
            return Phrase("contacts.yaml has no {contact}.").filled(contact=repr(contact[:80]))
        if earlier == contact:
            if new.id not in self.contacts.withheld:
                return Phrase("{contact} has what is kept under that id.").filled(contact=new.id)
            return self._made(by, new, new.id, key, asked=await self._stood_for(new.id))
        if new.id in self.contacts.withheld:
            return Phrase(
                "The id {contact} belonged to somebody else. Settle that first: `/takeover "
                "{contact} {contact}`."
            ).filled(contact=new.id)
        for account, id_ in ids_of_accounts(new.ids, self.contacts.platforms).items():
            if earlier in {id_, ":".join(account)}:
                return await self._of_account(by, new, account, id_, key)
        return await self._of_former_id(by, new, earlier, key)

    async def _of_account(
        self, by: Person, new: Contact, account: AccountKey, id_: str, key: str
    ) -> TakeOver | Translations:
        if account[0] == TERMINAL or (new.id.casefold(), account) in await own_accounts(
            self.database
        ):
            return Phrase("{contact} has what is kept for {account}.").filled(
                contact=new.id, account=_names([account])
            )
        return self._made(by, new, id_, key, account=account, asked=(account,))

    async def _of_former_id(
        self, by: Person, new: Contact, earlier: str, key: str
    ) -> TakeOver | Translations:
        known = self.contacts
        if ":" in earlier or reserved_for(earlier, known.platforms) is not None:
            return Phrase(
                "{earlier} is no account of {contact}. First: `bellhop contacts link {contact} "
                "PLATFORM:ID`."
            ).filled(earlier=repr(earlier[:80]), contact=new.id)
        if known.person(earlier) is not None or known.written(earlier) is not None:
            return Phrase(
                "{earlier} is a contact. First: `bellhop contacts remove {earlier}`."
            ).filled(earlier=earlier)
        former = await id_as_written(self.database, key_of(earlier))
        if former is None:
            return Phrase("No contact ever had the id {earlier}.").filled(
                earlier=repr(earlier[:80])
            )
        return self._made(by, new, former, key, asked=await self._stood_for(former))

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

    async def _stood_for(self, id_: str) -> tuple[AccountKey, ...]:
        return await accounts_stood_for(self.database, key_of(id_))

    def _name(self, contact: str) -> str:
        known = self.contacts.written(contact)
        return in_words(known.name) if known is not None else contact

    # --- asking and doing ---

    async def _question(self, act: TakeOver) -> Unit:
        """The act and its cards, stored together: after a crash both are there, or none."""
        unit = store_unit(act) + self._audit(
            act, "security", f"{act.earlier} to {act.contact}: asked {_names(act.asked)}"
        )
        card = await self._card(act)
        for platform, written in act.asked:
            traits = self.contacts.platforms[platform]
            account = traits.account(written)
            id_ = traits.person_id(account.workspace, account.id)
            message = card(traits.direct(account.workspace, account.id))
            unit += Unit.of(notice_write(f"{act.ref}/{id_}", id_, message, self.clock.now()))
        return unit

    async def _card(self, act: TakeOver) -> Callable[[ReplyTarget], OutgoingMessage]:
        """The question to the former owner, in the language that they write in."""
        language = await spoken_by(self.database, act.earlier)
        kept, name = await self._kept(act, language), self._name(act.contact)
        text = Phrase(
            "What I keep for you ({kept}) is to become that of **{name}**, who could then read "
            "it. A MasterAdmin has asked for this; say yes only if that is you, or if you agree. "
            "Nothing is moved without your yes, unless you leave this unanswered for {days} days."
        ).said(language, kept=kept, name=name, days=PATIENCE.days)
        choices = (
            Choice(Phrase("Yes, hand it over").said(language), act.ref, "takeover_yes"),
            Choice(Phrase("No").said(language), act.ref, "takeover_no"),
        )
        return partial(OutgoingMessage, text=text, choices=choices, language=language)

    async def _kept(self, act: TakeOver, language: Language) -> str:
        return await self.links.kept_of(act.earlier, language) or Phrase("nothing").said(language)

    async def _do(
        self, act: TakeOver, how: str, language: Language, *, theirs: bool = False
    ) -> str:
        """Take it over. `theirs`: its former owner said yes, and reads the answer."""
        new = self.contacts.written(act.contact)
        if new is None or not self._still_holds(act, new):
            return Phrase(
                "contacts.yaml says something else by now, so nothing is taken over."
            ).said(language)
        effect = Unit()
        if act.platform:
            effect = self.record.take_unit(new.id, (act.platform, act.account))
        elif act.earlier == act.contact:
            effect = self.record.vouch_unit(new)
        unit = store_unit(act) + settle_unit(act.ref, AGREED) + effect
        unit += self._audit(act, "approved", f"{act.earlier} to {act.contact}, {how}")
        told = await self._settled(act, unit, language, yes=True, theirs=theirs)
        await self.contacts.reread()
        self.links.wake()
        return told

    def _still_holds(self, act: TakeOver, new: Contact) -> bool:
        if act.platform:
            return act.account in new.ids.get(act.platform, ())
        if act.earlier == act.contact:
            return new.id in self.contacts.withheld
        return self.contacts.written(act.earlier) is None

    async def _settled(
        self, act: TakeOver, unit: Unit, language: Language, *, yes: bool, theirs: bool
    ) -> str:
        """Write a decision; the MasterAdmin who asked is told of an answer in the same unit."""
        target = await self._reach(act.by) if theirs else None
        if target is not None:
            askers = await spoken_by(self.database, act.by)
            phrase = (
                Phrase("About {earlier} and {name}: the owner said yes: it is moved now.")
                if yes
                else Phrase("About {earlier} and {name}: the owner said no: nothing is moved.")
            )
            text = phrase.said(askers, earlier=act.earlier, name=self._name(act.contact))
            message = OutgoingMessage(target, text, language=askers)
            unit += Unit.of(notice_write(f"{act.ref}/told", act.by, message, self.clock.now()))
        try:
            await self.database.write(unit)
        except UnitRejected:
            return SETTLED.said(language)
        self.told()
        if theirs:
            return _thanks(language, yes=yes)
        name = self._name(act.contact)
        return Phrase("What was kept under {earlier} is {name}'s now.").said(
            language, earlier=act.earlier, name=name
        )

    async def _reach(self, person: str) -> ReplyTarget | None:
        """Their last direct conversation with Bellhop, else one by their first account."""
        place = await own_place(self.database, person)
        if place is not None:
            return ReplyTarget(place)
        for one in self.contacts.accounts(person):
            if one.platform != TERMINAL:
                return self.contacts.platforms[one.platform].direct(one.workspace, one.id)
        return None

    def _audit(self, act: TakeOver, kind: str, detail: str) -> Unit:
        line = f"{detail} ({act.ref}, {format_utc(self.clock.now())})"
        return self.approvals.audit_unit(act.by, kind, ACT, line)


def _settled_before(act: TakeOver, before: TakeOver | None, language: Language) -> str:
    """Why this is not asked again; empty if it may be."""
    if before is not None and before.state == REFUSED:
        names = _names(before.asked, language)
        return Phrase("{names} said no, so {earlier} keeps its own things.").said(
            language, names=names, earlier=act.earlier
        )
    former = not act.platform and act.earlier != act.contact
    if before is not None and before.state == AGREED and former:
        return Phrase("{contact} has what was kept under {earlier}.").said(
            language, contact=act.contact, earlier=act.earlier
        )
    return ""


def _thanks(language: Language, *, yes: bool) -> str:
    return (
        Phrase("Thank you. It is being handed over.")
        if yes
        else Phrase("Thank you. Nothing is handed over, and I won't ask again.")
    ).said(language)


def _who_is_asked(act: TakeOver, language: Language) -> str:
    if act.asked:
        return Phrase("I ask {names} first, in their direct messages.").said(
            language, names=_names(act.asked, language)
        )
    return Phrase(
        "No account of its owner is known, so nobody can be asked: the audit will say so."
    ).said(language)


def _names(accounts: Sequence[AccountKey], language: Language = Language.EN) -> str:
    return joined([":".join(account) for account in accounts], language)
