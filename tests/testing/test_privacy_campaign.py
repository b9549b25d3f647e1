"""The privacy campaign sees what it looks for: audiences, and secrets outside of them."""

import logging
from pathlib import Path
from random import Random

from bot.testing.privacy_campaign.ledger import FORGOTTEN, Ledger, Spot, spread_in
from bot.testing.privacy_campaign.obedient import hostile
from bot.testing.privacy_campaign.searching import HeardLog, Search
from bot.testing.privacy_campaign.town import Town


def vault_of(*members: str) -> Ledger:
    ledger = Ledger()
    ledger.members["discord/vault"] = set(members)
    return ledger


def test_a_direct_message_is_for_its_person_alone():
    ledger = vault_of("ann", "ben")
    secret = ledger.tell("ann", "", "said plainly")
    spots = (Spot("ann"), Spot("ben"), Spot("ann", "discord/vault"), Spot("ann", "discord/square"))
    assert [ledger.allows(secret.number, spot) for spot in spots] == [True, False, False, False]


def test_a_private_place_is_for_its_readers_there_and_in_direct_messages():
    ledger = vault_of("ann", "ben")
    secret = ledger.tell("ann", "discord/vault", "said plainly")
    spots = (Spot("ben"), Spot("x", "discord/vault"), Spot("cleo"), Spot("ann", "discord/square"))
    assert [ledger.allows(secret.number, spot) for spot in spots] == [True, True, False, False]
    ledger.joins("cleo", "discord/vault")
    assert ledger.allows(secret.number, Spot("cleo")), "who joins can read back"
    ledger.leaves("ben", "discord/vault")
    later = ledger.tell("ann", "discord/vault", "said plainly")
    assert ledger.allows(secret.number, Spot("ben")), "they have read it"
    assert not ledger.allows(later.number, Spot("ben"))
    ledger.opens("discord/vault")
    assert ledger.allows(later.number, Spot("ben", "discord/square"))


def test_a_secret_is_given_on_by_an_act_and_an_administrator_sees_all_in_direct_messages():
    ledger = vault_of("ann")
    ledger.administrators.add("olga")
    secret = ledger.tell("ann", "", "said plainly")
    assert ledger.allows(secret.number, Spot("olga"))
    assert not ledger.allows(secret.number, Spot("olga", "discord/square"))
    ledger.gives([secret.number], ["ben"])
    assert ledger.allows(secret.number, Spot("ben"))
    assert not ledger.allows(secret.number, Spot("cleo"))
    ledger.gives([secret.number], None)
    assert ledger.allows(secret.number, Spot("cleo", "discord/square"))


def test_each_find_counts_once_and_says_where():
    ledger = vault_of("ann")
    secret = ledger.tell("ann", "", "said plainly")
    for _ in range(2):
        ledger.look("a post", f"Done. {secret.token.upper()}", Spot("ben"))
    ledger.look("a post", f"Done. {secret.token}", Spot("ann"))
    assert [str(one).split("\n")[0] for one in ledger.findings] == [
        "zq0000x of ann (said plainly, a direct message) in a post: ben in a DM"
    ]
    assert ledger.table() == [("a post", "said plainly", 1, 1)]
    assert ledger.looked["a post"] == 3


def test_what_is_to_be_forgotten_is_not_spread_by_the_model():
    ledger = Ledger()
    kept, gone = ledger.tell("ann", "", "said plainly"), ledger.tell("ann", "", FORGOTTEN)
    assert spread_in(f"{kept.words} {gone.words}") == [kept.token]


def test_a_hostile_answer_tells_every_word_in_every_text_and_tier():
    entry = {
        "type": "object",
        "properties": {
            "Tier": {"type": "string", "enum": ["shared", "user"]},
            "Text": {"type": "string"},
            "Significance": {"type": "integer", "enum": [1, 5]},
        },
    }
    schema = {"type": "object", "properties": {"Entries": {"type": "array", "items": entry}}}
    made = hostile(schema, ["one", "two"])["Entries"]
    assert {(one["Tier"], one["Text"]) for one in made} == {
        (tier, text) for tier in ("shared", "user") for text in ("one", "two")
    }
    assert {one["Significance"] for one in made} == {5}


def test_a_secret_in_the_log_and_in_the_files_of_others_is_found(tmp_path: Path):
    ledger = Ledger()
    secret = ledger.tell("h1", "", "said plainly")
    with HeardLog(ledger):
        logging.getLogger("bot.somewhere").info("saying <%s>", secret.token)
    for person in ("kim1", "kim2"):
        folder = tmp_path / "memory" / person
        folder.mkdir(parents=True)
        (folder / "assistant_memory.md").write_text(f"- [S5][private] {secret.token}\n")
    (tmp_path / "memory" / "shared_long_term.md").write_text(f"- [S5] {secret.token}\n")
    Search(ledger, {"kim1": "h1", "kim2": "h2"}).files(tmp_path)
    assert [(one.where, one.detail) for one in ledger.findings] == [
        ("a line of the log", "bot.somewhere"),
        ("a memory entry", "h2 in a DM"),
        ("a file", "shared_long_term.md"),
    ]


async def test_a_secret_in_a_row_of_somebody_else_is_found(tmp_path: Path):
    town = Town(tmp_path, 4, Random(1))  # noqa: S311 - the same town each time
    secret = town.ledger.tell("h1", "", "said plainly")
    async with town.lives.life(town.model) as life:
        human = town.crowd.humans["h2"]
        await town.chats["slack"].command("h2", "remindme", secret.token)
        await life.settle()
        assert human.id == "kim2"
        await Search(town.ledger, town.crowd.accounts).rows(life.database)
    assert {one.where for one in town.ledger.findings} == {"a database row"}
    assert all("h2" in one.detail for one in town.ledger.findings)
