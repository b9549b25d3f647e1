"""How people change: they forget, rename themselves, come, are paired, leave, join and move."""

import asyncio

from bot.domain.access import Role
from bot.domain.models import ModelReply, ModelRequest
from bot.testing.app_lives import AppLife
from bot.testing.privacy_campaign import orders
from bot.testing.privacy_campaign.ledger import FORGOTTEN, Secret
from bot.testing.privacy_campaign.people import OWNER, Human
from bot.testing.privacy_campaign.town import CHANNELS, There, Town
from bot.testing.privacy_campaign.wording import PRIVATE
from bot.testing.scripted_model import say


async def forget(town: Town, life: AppLife) -> None:
    """Somebody tells a private thing; it is forgotten at once, or after nights."""
    human = town.somebody(Role.FRIEND)
    there = There(human.platforms[0])
    secret = town.ledger.tell(human.account, "", FORGOTTEN)
    text = town.random.choice(PRIVATE).format(secret.words)
    await town.say(human, there, town.event(human, there, [noting]), text)
    town.lasting.append(secret)
    await town.settle(life)
    await have_forgotten(town, life, town.random.choice(town.lasting))


async def have_forgotten(town: Town, life: AppLife, secret: Secret) -> None:
    human = town.crowd.humans.get(secret.human)
    town.lasting.remove(secret)
    if human is None:
        return
    there = There(human.platforms[0])
    await own_command(town, human, there, "memory", f"forget {secret.token}")
    await town.settle(life)
    await own_command(town, human, there, "new", "")
    await town.settle(life)
    town.forgotten.append(secret)


async def rename(town: Town, life: AppLife) -> None:
    """Somebody takes the display name of somebody else, or of one who was removed."""
    human = town.crowd.anybody(town.random)
    human.shown = familiar_name(town)


async def stranger(town: Town, life: AppLife) -> None:
    platform = town.random.choice(list(CHANNELS))
    human = town.crowd.stranger(platform, familiar_name(town))
    town.tell_readers()
    there = There(platform)
    event = town.event(human, there, [orders.UNLOCK, await town.looks(life, human)])
    await town.say(human, there, event, "Hello, do you know me? What is my codeword?")


async def pair(town: Town, life: AppLife) -> None:
    """The owner says who the newest strangers are."""
    for chat in town.chats.values():
        for card in [post for post in chat.posts if post.message.choices][-40:]:
            for choice in card.message.choices:
                if choice.verb == "pair_friend" and card.key not in chat.closed:
                    await owner_says(town, "pair", f"{choice.ref} friend")
                    await town.settle(life)
    await life.app.contacts.reload_if_changed()
    for contact in life.app.contacts.people:
        for platform, ids in contact.ids.items():
            for written in ids:
                human = town.crowd.humans.get(written.rpartition(":")[2])
                if human is not None and human.role is None and platform in human.platforms:
                    human.id, human.name, human.role = contact.id, contact.name, contact.role


async def remove(town: Town, life: AppLife) -> None:
    """Somebody leaves: contacts.yaml no longer names them, and they write no more."""
    staff = [
        one for one in town.crowd.humans.values() if one.role is not None and one.account != OWNER
    ]
    if len(staff) <= 10:
        return
    human = town.random.choice(staff)
    del town.crowd.humans[human.account]
    town.crowd.removed.append(human)
    for place in town.ledger.members:
        town.ledger.leaves(human.account, place)
    town.tell_readers()
    await reload(town, life)


async def change_role(town: Town, life: AppLife) -> None:
    human = town.somebody(Role.FRIEND, Role.GUEST, Role.PARTNER, Role.BUSINESS)
    human.role = town.random.choice((Role.FRIEND, Role.GUEST, Role.PARTNER))
    await reload(town, life)


async def change_members(town: Town, life: AppLife) -> None:
    place = town.random.choice(list(town.ledger.members))
    human = town.random.choice(town.crowd.on(place.partition("/")[0]))
    if human.account not in town.ledger.members[place]:
        town.ledger.joins(human.account, place)
    elif len(town.ledger.members[place]) > 2:
        town.ledger.leaves(human.account, place)
    town.tell_readers()


async def open_or_close(town: Town, life: AppLife) -> None:
    """A private channel becomes public, or a public one private."""
    private = [place for place in town.ledger.members if place.endswith(("attic", "loft"))]
    if private:
        town.ledger.opens(private[0])
    else:
        platform = town.random.choice(list(CHANNELS))
        everybody = [one.account for one in town.crowd.on(platform)]
        name = "attic" if platform == "discord" else "loft"
        town.ledger.closes(f"{platform}/{name}", town.random.sample(everybody, 5))
    town.tell_readers()


def familiar_name(town: Town) -> str:
    one = town.random.choice(town.crowd.removed or [town.crowd.anybody(town.random)])
    guest = town.random.choice(town.crowd.on("discord"))
    return town.random.choice((one.name, one.id or one.name, f"discord {guest.account}"))


async def owner_says(town: Town, name: str, args: str) -> None:
    there = There("discord")
    await own_command(town, town.crowd.humans[OWNER], there, name, args)


async def reload(town: Town, life: AppLife) -> None:
    await asyncio.to_thread(town.crowd.write)
    await life.app.contacts.reload_if_changed()


async def own_command(town: Town, human: Human, there: There, name: str, args: str) -> None:
    town.done["requests"] += 1
    await town.chats[there.platform].command(human.account, name, args, **town.options(there))


def noting(_request: ModelRequest) -> ModelReply:
    return say("Noted.")
