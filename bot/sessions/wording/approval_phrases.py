"""What somebody reads who decides about a waiting call, or who may not decide."""

from collections.abc import Sequence

from bot.domain.access import Role
from bot.domain.languages import Language, Phrase, joined

ASKER_DECIDES = Phrase("Only the person who asked for it can decide approval {ref}.")
OTHERS_DECIDE = Phrase("Only {who} can decide this.")
OTHERS_ASKED = Phrase("Only {who} can decide this; I have asked {names}.")
AN_ADMIN = Phrase("a MasterAdmin")
THAT_ROLE = Phrase("a {role} or higher")
SAY_ROLE = Phrase("Say as what: `/pair {ref} {roles}`.")


def not_yours(rank: int, ref: str, asked: Sequence[str], language: Language = Language.EN) -> str:
    """For a person who may not decide; `asked`: the names of the people who were asked."""
    if rank == 0:
        return ASKER_DECIDES.said(language, ref=ref)
    return waits_for(rank, asked, language)


def waits_for(rank: int, asked: Sequence[str], language: Language = Language.EN) -> str:
    """On a card without choices: the people who may decide."""
    admin = rank >= Role.MASTER_ADMIN.rank
    who = AN_ADMIN.said(language) if admin else THAT_ROLE.said(language, role=_lowest(rank))
    if not asked:
        return OTHERS_DECIDE.said(language, who=who)
    return OTHERS_ASKED.said(language, who=who, names=joined(asked, language))


def _lowest(rank: int) -> str:
    roles = sorted(Role, key=lambda role: role.rank)
    return next((role.value for role in roles if role.rank >= rank), Role.MASTER_ADMIN.value)
