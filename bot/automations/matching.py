"""Decides whether an event matches a trigger."""

from collections.abc import Collection

from bot.domain.access import INNER_RANK, Person
from bot.domain.automations import Filter
from bot.tools.text.patterns import matches


def fits_text(rule: Filter, text: str) -> bool:
    """Whether a text contains one of the words and matches the pattern."""
    folded = text.casefold()
    if rule.contains and not any(word.casefold() in folded for word in rule.contains):
        return False
    return not rule.matches or matches(rule.matches, text)


def fits_author(rule: Filter, person: Person) -> bool:
    """Whether events by this person match.

    Guests start nothing unless the file says `anyone`, or names them.
    """
    if rule.author == "anyone":
        return True
    if rule.author == "members":
        return person.role.rank >= INNER_RANK
    return rule.author == person.id


def fits_mail(
    rule: Filter,
    addresses: Collection[str],
    subject: str,
    text: str,
    labels: Collection[str] = (),
) -> bool:
    """Whether a mail matches.

    `addresses` are bare: of its sender, which can be forged, or of those it was sent to.
    """
    if rule.label and not {label.casefold() for label in rule.label} & {
        label.casefold() for label in labels
    }:
        return False
    folded_addresses = {address.casefold() for address in addresses}
    known = rule.author in {"anyone", *folded_addresses} or (
        rule.author.startswith("@")
        and any(address.endswith(rule.author) for address in folded_addresses)
    )
    folded = subject.casefold()
    about = not rule.subject or any(word.casefold() in folded for word in rule.subject)
    return known and about and fits_text(rule, f"{subject}\n{text}")


def fits_emoji(rule: Filter, emoji: str) -> bool:
    """Whether a reaction matches. Skin tones and variants are ignored."""
    return not rule.emoji or plain_emoji(emoji) in {plain_emoji(one) for one in rule.emoji}


def plain_emoji(emoji: str) -> str:
    """An emoji without colons, skin tone and variation selector."""
    name = emoji.strip(":").split("::", 1)[0]
    return "".join(
        char for char in name if char != "\ufe0f" and not "\U0001f3fb" <= char <= "\U0001f3ff"
    ).casefold()
