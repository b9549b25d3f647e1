"""What `/connect`, `/disconnect`, `/grants` and the lists of approvals say."""

from bot.domain.grants import Grant, GrantScope
from bot.domain.languages import CountedPhrase, Language, Phrase

NOT_CONNECTABLE = Phrase("{name} can't be connected here. `/connect` lists what can.")
NOTHING_CONNECTABLE = Phrase("Nothing can be connected here: the operator has not set it up.")
DISCONNECT_WHICH = Phrase("Say which: `/disconnect SERVICE`, one of {names}.")
NOT_CONNECTED = Phrase("You have not connected {service}.")
DISCONNECTED = Phrase("{service} is disconnected, and I have forgotten its tokens.")
NOT_TOLD = Phrase("{service} couldn't be told. End the access there, too: {url}")
LAPSED = Phrase(
    "{service}: no longer accepts the workspace's account. The MasterAdmins have been told."
)
CONNECTED = Phrase("{service}: connected. `/disconnect {id}` ends it.")
CONNECTED_FOR_ALL = Phrase("{service}: connected, by the workspace's account.")
INVITATION = Phrase(
    "Connect {what}, for your requests alone:\n{url}\n{then} The link is yours, works once, and is"
    " good for 15 minutes."
)
THEN_CONNECT = Phrase("Say yes there, then press Connect on the page that follows.")
THEN_PASTE = Phrase(
    "After your yes the browser shows a page that may not load. Copy its whole address and send me"
    " `/connect {id} ADDRESS` in a direct message."
)
PASTE_ALL = Phrase(
    "Paste the whole address that the browser shows after your yes, with `code=` and `state=` in"
    " it."
)

NO_APPROVAL = Phrase("There is no approval {ref}.")
NOTHING_WAITS = Phrase("No approval is waiting for you.")
SAY_WHICH = Phrase("Say which one: {refs}.")

GRANTS_ALONE = Phrase("Ask me in a direct message; others read along here.")
GRANTS_HOW = Phrase(
    "Say /grants to see what I needn't ask about, or /grants revoke REF to take one back."
)
NO_GRANT = Phrase("There is no grant {ref} of yours.")
REVOKED_ALREADY = Phrase("Grant {ref} is revoked already.")
REVOKED = Phrase("Grant {ref} is revoked: I ask again before {tool}.")
NO_GRANTS = Phrase("There are no grants: I ask about each call that needs a yes.")
MORE_GRANTS = CountedPhrase(
    Phrase("… and {count} more: `bellhop grants list`", context="one"),
    Phrase("… and {count} more: `bellhop grants list`"),
)
TAKE_BACK = Phrase("`/grants revoke REF` takes one back.")
GIVEN = Phrase("{what} (given by {by} on {day})")
FOR_PERSON = Phrase("for {person}")
FOR_ONE_SESSION = Phrase("{tool}, for one session")
ALWAYS_TO = Phrase("{tool} to {targets}, always")


def grant_words(grant: Grant, language: Language) -> str:
    """What a grant covers: `send_email to ann@example.org, always`."""
    if grant.scope is GrantScope.SESSION:
        return FOR_ONE_SESSION.said(language, tool=grant.tool)
    targets = ", ".join(sorted({target.value for target in grant.targets}))
    return ALWAYS_TO.said(language, tool=grant.tool, targets=targets)


ADMIN_ALONE = Phrase("Only a MasterAdmin can decide this.")
PAIR_HOW = Phrase(
    "Say who and as what: `/pair REF friend`. The card about them names the reference."
)
CONTACTS_NOT_WRITTEN = Phrase(
    "I can't write contacts.yaml, so nothing was changed. `bellhop doctor` says why."
)
IN_CONTACTS = Phrase("{name} is in contacts.yaml already; that entry was not changed.")
IS_BANNED = Phrase("{name} is `{id}` in contacts.yaml now: Banned. I don't answer them.")
IS_KNOWN = Phrase(
    "{name} is `{id}` in contacts.yaml now: {role}. I answer the message that waited."
)
WAS_CONTACT = Phrase("This account was a contact before; {ways} gives it what was kept.")
OR = Phrase(" or ")
ASKS_FOR_ACCESS = Phrase(
    "**{name} ({platform}) asks for access.** Their id there is `{id}`. They chose the name"
    " themselves."
)
THEY_WROTE = Phrase("They wrote:")
CHOOSE_ROLE = Phrase("Choose, or use `/pair {ref} {roles}`. Their message waits until then.")
