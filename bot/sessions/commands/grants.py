"""`/grants`: lists a person's standing yeses and revokes them (docs/rules.md#approvals)."""

from bot.domain.access import Person, Role
from bot.domain.grants import Grant
from bot.tools.permission.grants import GrantStore, describe, may_revoke

_MOST = 30
_ELSEWHERE = "Ask me in a direct message; others read along here."


class GrantCommands:
    """Lists and revokes grants; the text is for people."""

    def __init__(self, grants: GrantStore) -> None:
        self._grants = grants

    async def run(self, args: str, person: Person, *, alone: bool, again: bool = False) -> str:
        """`/grants`, `/grants revoke REF`.

        `alone`: nobody else reads the answer; a list names what calls may act on. `again`: the
        process ended during an earlier run.
        """
        verb, _, ref = args.strip().partition(" ")
        match verb.casefold():
            case "":
                return await self._list(person) if alone else _ELSEWHERE
            case "revoke" if ref.strip():
                return await self.revoke(ref.strip().split()[0], person, again=again)
            case _:
                return (
                    "Say /grants to see what I needn't ask about, or /grants revoke REF to take "
                    "one back."
                )

    async def revoke(self, ref: str, person: Person, *, again: bool = False) -> str:
        """Revoke a grant; the answer is the same for others' grants and unknown ones."""
        grant = await self._grants.get(ref)
        if grant is None or not may_revoke(grant, person):
            return f"There is no grant {ref[:40]} of yours."
        if not again and (
            grant.revoked_at is not None or not await self._grants.revoke(grant, person)
        ):
            return f"Grant {grant.ref} is revoked already."
        if again and grant.revoked_at is None:
            await self._grants.revoke(grant, person)
        return f"Grant {grant.ref} is revoked: I ask again before {grant.tool}."

    async def _list(self, person: Person) -> str:
        everybody = person.role is Role.MASTER_ADMIN
        found = (
            await self._grants.newest() if everybody else await self._grants.of_person(person.id)
        )
        live = [grant for grant in found if grant.revoked_at is None]
        if not live:
            return "There are no grants: I ask about each call that needs a yes."
        more = (
            [f"… and {len(live) - _MOST} more: `bellhop grants list`"] if len(live) > _MOST else []
        )
        return "\n".join(
            [
                *(_line(grant, whose=everybody) for grant in live[:_MOST]),
                *more,
                "`/grants revoke REF` takes one back.",
            ]
        )


def _line(grant: Grant, *, whose: bool) -> str:
    of = f" for {grant.person}" if whose else ""
    return (
        f"- {grant.ref}{of}: {describe(grant)} (given by {grant.made_by} on "
        f"{grant.made_at:%Y-%m-%d})"
    )
