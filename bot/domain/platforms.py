"""Traits of a platform: how its people are named, mentioned and reached.

Each platform defines one `PlatformTraits` beside its record; `build_app` hands them to packages
below `chat`.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.domain.languages import Phrase
from bot.domain.messages import Choice, Conversation, Place, ReplyTarget

_ANY = re.compile(r".+")
_HERE = Phrase("in this {platform} workspace")
_THERE = Phrase("in the {platform} workspace {id}")


@dataclass(frozen=True)
class Account:
    """A platform account. `workspace` is empty if ids are the same in all workspaces."""

    platform: str
    workspace: str
    id: str


@dataclass(frozen=True)
class PlatformTraits:
    """The traits of one platform. The defaults fit an unknown platform."""

    name: str
    """Its name in settings, rules and keys: `slack`."""
    title: str = ""
    """Its name for people: `Slack`."""
    formatting: str = ""
    """What it can display. Short, because each request carries it."""
    ids_per_workspace: bool = False
    """Whether ids are valid in one workspace only; contacts.yaml then has `<workspace>:<id>`."""
    workspace_in_person_id: bool = True
    """Whether the ids of people who are not in contacts.yaml include the workspace."""
    id_form: str = "ID"
    """The form of an id in contacts.yaml, for help texts: `TEAM:USER`."""
    id_example: str = ""
    id_shape: re.Pattern[str] = _ANY
    """Matches a valid id."""
    id_remedy: str = "is no id"
    """The end of the error about an invalid id: what is wrong, and what to write."""
    id_required: bool = False
    """Whether an invalid id makes contacts.yaml invalid."""
    handle: re.Pattern[str] | None = None
    """Matches names that people mistake for ids. contacts.yaml stays valid, with a warning."""
    mention: re.Pattern[str] | None = None
    """Matches a mention of somebody or their bare id; the group that matches is the id."""
    direct_workspace: str | None = None
    """The workspace of every direct message; None: the person's workspace."""
    direct_to_person: bool = False
    """Whether a direct message that is not open yet also names its person."""
    claim: str = ""
    """How an owner claims with a code: `/claim {code}`; empty if nobody can."""
    has_roles: bool = False
    """Whether its people have roles of its own, which `access.roles` can map to ours."""
    has_categories: bool = False
    """Whether its channels have categories."""
    has_polls: bool = False
    """Whether it has polls of its own; its adapter then has `domain.polls.HasPolls`."""
    has_file_forms: bool = False
    """Whether a click can open a form that takes files."""
    has_forums: bool = False
    """Whether it has forums; its adapter then has `domain.forums.HasForums`."""
    has_server_events: bool = False
    """Whether its servers have events; its adapter then has `HasServerEvents`."""
    names_emoji: bool = False
    """Whether reactions come by the platform's own names (`+1`), which nobody else can take."""
    prints_numbers: Callable[[Sequence[Choice]], bool] = lambda _choices: False
    """Whether people read a number, from 1, beside each of these choices."""
    here: Phrase = _HERE
    """Where the people of one workspace are, said to them; `{platform}` is the title."""
    there: Phrase = _THERE
    """The same, said to others."""

    def written_id(self, workspace: str, id_: str) -> str:
        """The id in the form of contacts.yaml."""
        return f"{workspace}:{id_}" if self.ids_per_workspace else id_

    def account(self, written: str) -> Account:
        """The account that an id in contacts.yaml names."""
        workspace, _, id_ = written.rpartition(":") if self.ids_per_workspace else ("", "", written)
        return Account(self.name, workspace, id_)

    def not_an_id(self, written: str) -> str | None:
        """What is wrong with an id, and what to write instead; None for a valid one."""
        if self.id_shape.fullmatch(written):
            return None
        return f"{written!r} {self.id_remedy}"

    def person_id(self, workspace: str, id_: str) -> str:
        """The person id of somebody who is not in contacts.yaml.

        It is also a folder name, so odd characters are replaced and a hash is added, also where the
        parts could be read in two ways.
        """
        workspaces = (workspace,) if self.workspace_in_person_id else ()
        plain = "-".join((self.name, *workspaces, id_))
        safe = re.sub(r"[^A-Za-z0-9-]", "_", plain)[:80]
        if self.workspace_in_person_id and "-" in workspace + id_:
            plain = "\0".join((plain, workspace))
        return safe if safe == plain else f"{safe}-{hashlib.sha256(plain.encode()).hexdigest()[:8]}"

    def account_of(self, person: str) -> Account | None:
        """The account of a `person_id`; None if the id doesn't tell."""
        if self.workspace_in_person_id:
            found = re.fullmatch(rf"{re.escape(self.name)}-([A-Za-z0-9]+)-([A-Za-z0-9]+)", person)
            return None if found is None else Account(self.name, found[1], found[2])
        found = re.fullmatch(rf"{re.escape(self.name)}-([A-Za-z0-9-]+)", person)
        return None if found is None else Account(self.name, "", found[1])

    def mentioned(self, text: str) -> str | None:
        """The id in a text that is only a mention or an id."""
        found = None if self.mention is None else self.mention.fullmatch(text.strip())
        return None if found is None else next(filter(None, found.groups()), None)

    def direct(self, workspace: str, id_: str) -> ReplyTarget:
        """The direct conversation with somebody who has not yet written to Bellhop."""
        workspace = workspace if self.direct_workspace is None else self.direct_workspace
        conversation = Conversation(self.name, workspace, id_, Place.DM)
        return ReplyTarget(conversation, ephemeral_to=id_ if self.direct_to_person else None)


class KnownPlatforms:
    """All known platforms, in the order in which people are looked up."""

    def __init__(self, traits: Iterable[PlatformTraits]) -> None:
        self._traits = {one.name: one for one in traits}

    @property
    def shared(self) -> str:
        """The platforms with several people, in words: `Discord or Slack`."""
        return " or ".join(one.title for one in self if one.claim)

    def __iter__(self) -> Iterator[PlatformTraits]:
        return iter(self._traits.values())

    def __contains__(self, name: object) -> bool:
        return name in self._traits

    def __getitem__(self, name: str) -> PlatformTraits:
        """The traits of a platform by name; the defaults for an unknown one."""
        return self._traits.get(name) or PlatformTraits(name)
