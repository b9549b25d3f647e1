"""`/share`: shows a text and who would see it, and shares it after a yes to exactly that."""

import re
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.domain.access import Role
from bot.domain.approvals import SHARE, Approval, ApprovalState
from bot.domain.card_words import visible
from bot.domain.chat_commands import Asked, ChatCommand, CommandReply
from bot.domain.database import Database
from bot.domain.languages import Phrase
from bot.domain.messages import Asks, Choice
from bot.sessions.learning.sharing import Audience, Sharing, as_entry
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.wording.card_text import unfenced
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.shown import digest_of_approval
from bot.turns.refs import hashed_ref

SHARE_USAGE = "TEXT | back REF"
LIFE = timedelta(minutes=30)
SHOWN = 20
_BACK = re.compile(r"back\s+(s[a-z2-7]{8})", re.IGNORECASE)


@dataclass(frozen=True)
class ShareCommand:
    """Only its person decides, so the card and all answers are for them alone."""

    sharing: Sharing
    approvals: ApprovalStore
    channels: Channels
    database: Database

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("share", self.run, usage=SHARE_USAGE, listed_from=Role.FRIEND),)

    async def run(self, asked: Asked) -> CommandReply:
        language = asked.language
        if back := _BACK.fullmatch(asked.args):
            ref = back[1].casefold()
            return _alone(await self.sharing.take_back(ref, asked.person, language))
        text = as_entry(asked.args)
        if not text:
            return _alone(await self._help(asked))
        location = await self.channels.locate_for(asked.person.id, asked.message.conversation)
        if problem := self.sharing.problem(text, asked.person, location, language):
            return _alone(problem)
        audience = self.sharing.audience(location)
        approval = self._approval(asked, text, audience)
        await self.database.write(self.approvals.store_unit(approval))
        ref = approval.ref
        asks = Phrase("**Shall I share this?** It would be seen by {readers}.").said(
            language, readers=audience.said(language)
        )
        how = Phrase(
            "Answer yes or no, or use `/approve {ref}` or `/reject {ref}`. Until your yes, nobody "
            "sees it."
        ).said(language, ref=ref)
        return CommandReply(
            f"{asks}\n```\n{unfenced(visible(text))}\n```\n{how}",
            on_record=f"(I asked whether to share something. Approval {ref}.)",
            alone=True,
            choices=(
                Choice(Phrase("Yes, share it").said(language), ref, "approve"),
                Choice(Phrase("No").said(language), ref, "reject"),
            ),
            asks=Asks(ref, shown=digest_of_approval(approval), reader=asked.person.id),
            while_open=how,
        )

    async def _help(self, asked: Asked) -> str:
        shared = await self.sharing.shared_by(asked.person.id)
        how = Phrase(
            "Say `/share {usage}`. I show you the text and who would see it. After your yes it is "
            "in the memory that all members share; `/share back REF` takes it out."
        ).said(asked.language, usage=SHARE_USAGE)
        if not shared:
            return how
        lines = [f"- `{ref}` {' '.join(text.split())}" for ref, text in shared[-SHOWN:]]
        return "\n".join([how, Phrase("You have shared:").said(asked.language), *lines])

    def _approval(self, asked: Asked, text: str, audience: Audience) -> Approval:
        """The question. The same message gives the same one, also after a crash."""
        message, now = asked.message, self.sharing.clock.now()
        answer_to = replace(message.reply_to, interaction=None, ephemeral_to=message.sender.id)
        home = message if message.private else replace(message, reply_to=answer_to)
        return Approval(
            ref=hashed_ref("a", SHARE, message.key, text),
            session=str(asked.key),
            person=asked.person.id,
            agent="",
            tool=SHARE,
            arguments={
                "text": text,
                "seen_by": audience.said(asked.language),
                "readers": audience.ref,
                "workspace": audience.workspace,
            },
            risk=None,
            reason="",
            approver_rank=0,
            state=ApprovalState.OPEN,
            asked_at=now,
            expires_at=now + LIFE,
            private=True,
            conversation=message.conversation.key,
            envelope=incoming_to_json(home),
        )


def _alone(text: str) -> CommandReply:
    return CommandReply(text, alone=True)
