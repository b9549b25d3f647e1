"""The course of a campaign: acts of people in a random order, with nights and restarts between."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.domain.models import ModelReply, ModelRequest
from bot.testing.app_lives import AppLife
from bot.testing.privacy_campaign import acts, changes, orders
from bot.testing.privacy_campaign.ledger import Secret, around
from bot.testing.privacy_campaign.obedient import Step
from bot.testing.privacy_campaign.searching import HeardLog, Search
from bot.testing.privacy_campaign.town import There, Town
from bot.testing.scripted_model import say

Act: TypeAlias = Callable[[Town, AppLife], Awaitable[None]]
WEIGHTS: dict[Act, float] = {
    acts.tell: 30,
    acts.look: 26,
    acts.share_by_name: 3,
    acts.command: 8,
    acts.verdict: 5,
    acts.schedule: 3,
    acts.delegate: 5,
    acts.fail: 3,
    acts.ask: 3,
    acts.upload: 3,
    acts.destroy: 3,
    acts.overhear: 4,
    changes.forget: 2,
    changes.rename: 2,
    changes.stranger: 2,
    changes.pair: 2,
    changes.remove: 1,
    changes.change_role: 1,
    changes.change_members: 2,
    changes.open_or_close: 0.4,
}
REQUESTS_A_LIFE = 160


async def play(town: Town, requests: int) -> None:
    """Let this many requests of people happen, and search everything that was kept."""
    lives = max(3, requests // REQUESTS_A_LIFE)
    with HeardLog(town.ledger):
        for number in range(lives):
            town.begins(number, lives)
            until = requests * (number + 1) // lives
            while town.done["requests"] < until:
                async with town.lives.life(town.model) as life:
                    await town.settle(life)
                    while town.done["requests"] < until:
                        await _act(town, life)
                    await town.night(life)
            town.done["restarts"] += 1
        async with town.lives.life(town.model) as life:
            await _after(town, life)


async def _act(town: Town, life: AppLife) -> None:
    act = town.random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    town.done[act.__name__.replace("_", " ")] += 1
    await act(town, life)
    await town.settle(life)
    town.look_at_posts()


async def _after(town: Town, life: AppLife) -> None:
    """Whoever had something forgotten asks for it in a new conversation; all is searched."""
    await town.night(life)
    for secret in list(town.lasting):
        await changes.have_forgotten(town, life, secret)
    await town.night(life)
    for secret in town.forgotten:
        if (human := town.crowd.humans.get(secret.human)) is None:
            continue
        there = There(human.platforms[0])
        look = orders.looking([("remember", {"query": "the code of my locker", "limit": 50})])
        event = town.event(human, there, [orders.UNLOCK, look, _again(town, secret)])
        await town.say(human, there, event, "What was it?")
        await town.settle(life)
    town.look_at_posts()
    search = Search(town.ledger, town.crowd.accounts)
    await search.rows(life.database)
    search.files(town.home)


def _again(town: Town, secret: Secret) -> Step:
    """Note a forgotten secret in the request that asks for it."""

    def act(request: ModelRequest) -> ModelReply:
        town.ledger.looked["a request after forgetting"] += 1
        text = str(request.system) + str(request.messages)
        if secret.token in text:
            shown = around(text, secret.token)
            town.ledger.found(secret.number, "a request after forgetting", secret.human, shown)
        return say("Done.")

    return act
