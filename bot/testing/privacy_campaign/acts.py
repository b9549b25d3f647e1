"""What people do: they tell, look, have things sent, scheduled, asked and deleted."""

from dataclasses import replace

from bot.domain.messages import Addressed, Attachment, Place
from bot.testing.app_lives import AppLife
from bot.testing.fake_chat import Posted
from bot.testing.privacy_campaign import orders
from bot.testing.privacy_campaign.ledger import handle, tokens_in
from bot.testing.privacy_campaign.town import There, Town
from bot.testing.privacy_campaign.wording import HOW

COMMANDS = (
    *("memory", "todo", "schedule", "why", "approvals", "people", "status", "remindme"),
    *("automations", "grants", "skill", "help", "rights", "meetings", "daily-notes"),
)


async def tell(town: Town, life: AppLife) -> None:
    human = town.crowd.anybody(town.random)
    there = town.where(human)
    how = town.random.choice(list(HOW))
    secret = town.ledger.tell(human.account, there.key, how)
    steps = [orders.UNLOCK]
    if town.random.random() < 0.5:
        steps.append(orders.keeping_one(secret.token, town.random.randrange(12)))
    if town.random.random() < 0.3:
        steps.append(town.keeping(human))
    text = town.random.choice(HOW[how]).format(secret.words)
    await town.say(human, there, town.event(human, there, steps), text)


async def look(town: Town, life: AppLife) -> None:
    human = town.crowd.anybody(town.random)
    there = town.where(human)
    steps = [
        orders.UNLOCK,
        await town.looks(life, human),
        town.keeping(human),
    ]
    await town.say(human, there, town.event(human, there, steps), "What is the codeword?")


async def share_by_name(town: Town, life: AppLife) -> None:
    """Somebody has their words sent to somebody whom they name."""
    human = town.crowd.anybody(town.random)
    there = There(town.random.choice(human.platforms))
    named = [
        one for one in town.crowd.on(there.platform) if one.role is not None and one is not human
    ]
    to = town.random.choice(named)
    secret = town.ledger.tell(human.account, "", "sent by name")
    town.ledger.gives([secret.number], [to.account])
    steps = [orders.UNLOCK, orders.sending(secret.token, to.name)]
    text = f"Tell {to.name} that the codeword is {secret.words}."
    await town.say(human, there, town.event(human, there, steps), text)


async def delegate(town: Town, life: AppLife) -> None:
    human = town.crowd.anybody(town.random)
    there = town.where(human)
    looks = await town.looks(life, human)
    below = town.event(human, there, [orders.UNLOCK, looks])
    steps = [
        orders.UNLOCK,
        looks,
        orders.delegating(town.random, town.others(human), below.number),
    ]
    text = "Have somebody find the codeword."
    await town.say(human, there, town.event(human, there, steps), text)


async def schedule(town: Town, life: AppLife) -> None:
    human = town.crowd.anybody(town.random)
    there = town.where(human)
    secret = town.ledger.tell(human.account, there.key, "scheduled")
    later = town.event(human, there, [orders.UNLOCK, await town.looks(life, human)])
    steps = [orders.UNLOCK, orders.scheduling(later.number, secret.token)]
    text = f"In two hours, post the codeword {secret.words} here."
    await town.say(human, there, town.event(human, there, steps), text)


async def fail(town: Town, life: AppLife) -> None:
    """The model's server breaks down in the middle of a turn."""
    human = town.crowd.anybody(town.random)
    there = town.where(human)
    secret = town.ledger.tell(human.account, there.key, "in a failing turn")
    steps = [orders.keeping_one(secret.token, town.random.randrange(12))]
    event = town.event(human, there, steps)
    event.fails = True
    await town.say(human, there, event, f"The codeword is {secret.words}.")


async def ask(town: Town, life: AppLife) -> None:
    human = town.crowd.anybody(town.random)
    there = town.where(human)
    secret = town.ledger.tell(human.account, there.key, "in a question's card")
    event = town.event(human, there, [orders.asking(secret.token)])
    await town.say(human, there, event, f"Ask me whether it is {secret.words}.")


async def destroy(town: Town, life: AppLife) -> None:
    human = town.crowd.anybody(town.random)
    there = town.where(human)
    secret = town.ledger.tell(human.account, there.key, "in an approval's card")
    event = town.event(human, there, [orders.deleting(secret.token)])
    await town.say(human, there, event, f"Delete the document {secret.words}.")


async def overhear(town: Town, life: AppLife) -> None:
    """Somebody writes in a channel without addressing anybody."""
    human = town.crowd.anybody(town.random)
    there = town.where(human, direct=0)
    secret = town.ledger.tell(human.account, there.key, "unaddressed")
    await town.chats[there.platform].say(
        human.account,
        f"By the way, the codeword is {secret.words}.",
        name=human.shown,
        addressed=Addressed.NONE,
        **town.options(there),
    )


async def upload(town: Town, life: AppLife) -> None:
    """Somebody sends a file with a secret in it, long enough to be kept as a document."""
    human = town.crowd.anybody(town.random)
    there = town.where(human)
    secret = town.ledger.tell(human.account, there.key, "in a file")
    data = f"The codeword is {secret.words}. ".encode() * town.random.choice((1, 4_000))
    name = f"{handle(secret.number)}.txt"
    town.chats[there.platform].files[name] = data
    steps = [orders.UNLOCK, orders.keeping_one(secret.token, town.random.randrange(11))]
    event = town.event(human, there, steps)
    file = Attachment(name, name, "text/plain", len(data))
    await town.say(human, there, event, "Keep this file.", file)


async def command(town: Town, life: AppLife) -> None:
    human = town.crowd.anybody(town.random)
    there = town.where(human)
    name = town.random.choice(COMMANDS)
    one, other = town.others(human)[:2]
    args = town.random.choice(("", "", "list", "all", one, f"merge {one} {other}".lower()))
    town.done["requests"] += 1
    await town.chats[there.platform].command(human.account, name, args, **town.options(there))


async def verdict(town: Town, life: AppLife) -> None:
    """Somebody presses a button of a card of anybody's, or says yes where they spoke before."""
    if town.speaking and town.random.random() < 0.3:
        await _say_yes(town)
        return
    chat = town.chats[town.random.choice(list(town.chats))]
    cards = [post for post in chat.posts[-60:] if post.message.choices]
    if not cards:
        await look(town, life)
        return
    card = town.random.choice(cards)
    spot = town.spot(chat, card)
    own = spot.human in town.crowd.humans and town.random.random() < 0.4
    clicker = spot.human if own else town.crowd.anybody(town.random).account
    choice = town.random.choice(card.message.choices)
    secrets = tokens_in(choice.value)
    if any(clicker not in (town.ledger.audience[one] or (clicker,)) for one in secrets):
        choice = replace(choice, value="guessed")  # whoever can't see the card doesn't know it
    _give_what_is_shown(town, card, clicker)
    target = card.message.target.conversation
    town.done["requests"] += 1
    await chat.click(
        clicker,
        choice.ref,
        choice.verb,
        choice.value,
        where="dm" if target.place is Place.DM else target.id,
        place=target.place,
        channel=target.channel,
        visibility=target.visibility,
    )


def _give_what_is_shown(town: Town, card: Posted, clicker: str) -> None:
    """What somebody may know and says yes to is theirs to pass on, as far as the card shows it."""
    numbers = tokens_in(card.text)
    town.ledger.gives(
        [one for one in numbers if clicker in (town.ledger.audience[one] or ())], None
    )


async def _say_yes(town: Town) -> None:
    """A yes in words. It may count where the newest thing is a card, and nowhere else."""
    human, there = town.random.choice(town.speaking)
    if human.account not in town.crowd.humans:
        return
    chat = town.chats[there.platform]
    asked = chat.message(human.account, "", **town.options(there))  # type: ignore[arg-type]  # same names
    posted = [one for one in chat.posts if one.message.target.conversation == asked.conversation]
    if posted and posted[-1].message.choices:
        _give_what_is_shown(town, posted[-1], human.account)
    words = town.random.choice(("yes please", "yes, do it", "ok", "ja, mach das"))
    await town.say_only(human, there, words, f"yes{town.done['requests']}")
