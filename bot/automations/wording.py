"""What an automation would do, in words for the card that asks about it."""

from bot.automations.schedule_file import ScheduleText
from bot.dates.repeats import spoken_repeat
from bot.domain.automations import EventKind, Filter, Trigger
from bot.domain.card_words import coded, titled

PROMPT_CHARS = 300


def trigger_words(trigger: Trigger) -> str:
    """Behind "Ann asks to"."""
    where = f", told in channel {coded(trigger.channel)}" if trigger.channel else ""
    begins = "have this done" if trigger.enabled else "keep this, switched off"
    return f"{begins} whenever {_event(trigger)}{where}: {titled(trigger.prompt, PROMPT_CHARS)}"


def schedule_words(said: ScheduleText) -> str:
    """Behind "Ann asks to"."""
    if said.cron:
        when = f"again and again, {spoken_repeat(said.cron) or coded(said.cron)}"
    else:
        when = f"once, at {titled(said.at)}"
    zone = f" ({coded(said.timezone)})" if said.timezone else ""
    begins = "have this done" if said.enabled else "keep this, switched off"
    return f"{begins} {when}{zone}: {titled(said.prompt, PROMPT_CHARS)}"


def _event(trigger: Trigger) -> str:
    rule = trigger.filter
    parts = [_happens(trigger.event, rule)]
    if rule.contains:
        parts.append(f"with {_any(rule.contains)}")
    if rule.subject:
        parts.append(f"with the subject {_any(rule.subject)}")
    if rule.label:
        parts.append(f"labelled {_any(rule.label)}")
    if rule.matches:
        parts.append(f"matching {coded(rule.matches)}")
    if trigger.event.in_channel:
        parts.append(f"in channel {coded(rule.channel)}" if rule.channel else "here")
    return " ".join(parts)


def _who(rule: Filter) -> str:
    known = {"members": "a member", "anyone": "anybody at all"}
    return known.get(rule.author) or coded(rule.author)


def _happens(event: EventKind, rule: Filter) -> str:
    if event is EventKind.REACTION:
        how = f" with {_any(rule.emoji)}" if rule.emoji else ""
        return f"{_who(rule)} reacts{how} to something"
    address = "anybody" if rule.author in {"members", "anyone"} else coded(rule.author)
    words = {
        EventKind.MESSAGE: f"{_who(rule)} writes something",
        EventKind.POLL_ENDED: "a poll that I posted ends",
        EventKind.WEBHOOK: "its web address is called, by whoever knows that,",
        EventKind.NEW_PERSON: "somebody new writes",
        EventKind.MEETING_PREP: f"a meeting begins in {rule.minutes} minutes",
        EventKind.TODO_ASSIGNED: "I begin to work on a todo of theirs",
        EventKind.TODO_WOKEN: "a todo of theirs wakes up, and I begin to work on it",
        EventKind.EMAIL_RECEIVED: f"a mail comes from {address}",
        EventKind.EMAIL_SENT: f"they send a mail to {address}",
        EventKind.EVENT_ADDED: "an event comes into their calendar",
        EventKind.PLUGIN: f"{coded(rule.source)} happens",
    }
    return words[event]


def _any(words: tuple[str, ...]) -> str:
    return " or ".join(map(titled, words))
