"""What rooms below the chats know of a platform: how its people are named, mentioned and reached.

Each platform fills in one `PlatformTraits` in its `platform.py`; `build_app` hands them down.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.domain.messages import Conversation, Place, ReplyTarget

_ANY = re.compile(r".+")


@dataclass(frozen=True)
class Account:
    """A platform account; `workspace` is empty if ids are the same in all of them."""

    platform: str
    workspace: str
    id: str


@dataclass(frozen=True)
class PlatformTraits:
    """One platform; the defaults fit one that is not known."""

    name: str
    """As settings, rules and keys write it: `slack`."""
    title: str = ""
    """As people write it: `Slack`."""
    formatting: str = ""
    """What it can show. Each request carries it, so it is short."""
    ids_per_workspace: bool = False
    """Whether an id holds in its workspace only; contacts.yaml then says `<workspace>:<id>`."""
    workspace_in_person_id: bool = True
    """Whether people whom contacts.yaml does not name are told apart by workspace, too."""
    id_form: str = "ID"
    """How contacts.yaml writes somebody's id, for help texts: `TEAM:USER`."""
    id_example: str = ""
    id_shape: re.Pattern[str] = _ANY
    """What such an id looks like."""
    id_remedy: str = "is no id"
    """Follows an id of another shape: what is wrong with it and what to write."""
    id_required: bool = False
    """Whether contacts.yaml is refused for an id of another shape."""
    handle: re.Pattern[str] | None = None
    """Found in names that people take for ids; contacts.yaml is read with them, and says so."""
    mention: re.Pattern[str] | None = None
    """A text that is a mention of somebody or their bare id; the group that matches is the id."""
    direct_workspace: str | None = None
    """The workspace of every direct message; None: that of the person."""
    direct_to_person: bool = False
    """Whether a direct message that is not open yet names its person beside the conversation."""
    claim: str = ""
    """How an owner claims with a code there: `/claim {code}`; empty where nobody can."""
    role_table: str = ""
    """The setting in `access:` that gives roles of the platform a role here."""
    has_categories: bool = False
    """Whether its channels stand in categories."""
    earlier_person_id: re.Pattern[str] | None = None
    """Person ids of an earlier version; group 1 is the id on the platform."""

    def written_id(self, workspace: str, id_: str) -> str:
        """An id as contacts.yaml writes it."""
        return f"{workspace}:{id_}" if self.ids_per_workspace else id_

    def account(self, written: str) -> Account:
        """Who an id of contacts.yaml is."""
        workspace, _, id_ = written.rpartition(":") if self.ids_per_workspace else ("", "", written)
        return Account(self.name, workspace, id_)

    def not_an_id(self, written: str) -> str | None:
        """What is wrong with an id and what to write instead; None for one that can be right."""
        if self.id_shape.fullmatch(written):
            return None
        return f"{written!r} {self.id_remedy}"

    def person_id(self, workspace: str, id_: str) -> str:
        """The id of a person that contacts.yaml does not name.

        It is also a folder name, so odd characters are replaced and a hash is added.
        """
        workspaces = (workspace,) if self.workspace_in_person_id else ()
        plain = "-".join((self.name, *workspaces, id_))
        safe = re.sub(r"[^A-Za-z0-9-]", "_", plain)[:80]
        return safe if safe == plain else f"{safe}-{hashlib.sha256(plain.encode()).hexdigest()[:8]}"

    def account_of(self, person: str) -> Account | None:
        """Who a person id of `person_id` is; None for another one, and where it doesn't tell."""
        if self.workspace_in_person_id:
            found = re.fullmatch(rf"{re.escape(self.name)}-([A-Za-z0-9]+)-([A-Za-z0-9]+)", person)
            return None if found is None else Account(self.name, found[1], found[2])
        found = re.fullmatch(rf"{re.escape(self.name)}-([A-Za-z0-9-]+)", person)
        return None if found is None else Account(self.name, "", found[1])

    def mentioned(self, text: str) -> str | None:
        """The id that a text names, if it is nothing but a mention or an id."""
        found = None if self.mention is None else self.mention.fullmatch(text.strip())
        return None if found is None else next(filter(None, found.groups()), None)

    def direct(self, workspace: str, id_: str) -> ReplyTarget:
        """The direct conversation with somebody who has not written to Bellhop yet."""
        workspace = workspace if self.direct_workspace is None else self.direct_workspace
        conversation = Conversation(self.name, workspace, id_, Place.DM)
        return ReplyTarget(conversation, ephemeral_to=id_ if self.direct_to_person else None)


class KnownPlatforms:
    """The platforms that this program knows, in the order in which people are looked for there."""

    def __init__(self, traits: Iterable[PlatformTraits]) -> None:
        self._traits = {one.name: one for one in traits}

    @property
    def shared(self) -> str:
        """Those where several people are, in words: `Discord or Slack`."""
        return " or ".join(one.title for one in self if one.claim)

    def __iter__(self) -> Iterator[PlatformTraits]:
        return iter(self._traits.values())

    def __contains__(self, name: object) -> bool:
        return name in self._traits

    def __getitem__(self, name: str) -> PlatformTraits:
        """Traits of the platform with this name; of one that is not known the defaults."""
        return self._traits.get(name) or PlatformTraits(name)
