"""What people want is found in the shipped catalogue; what nothing serves is said to fit nowhere.

`python bench/wants.py` gives the figures of all sets, beside thousands of tools of others.
"""

from pathlib import Path

import bot
from bot.domain.finding import ServiceOffer
from bot.testing.wants import Want, judged, read_wants, want_house

WANTS = Path(bot.__file__).parent.parent / "bench" / "wants.json"
GOOGLE = ServiceOffer(
    "google", "Google", "Gmail", frozenset({"read_emails", "read_calendar"}), "Ask Ann.", ()
)


def some(*, served: bool) -> list[Want]:
    wants = [one for one in read_wants(WANTS) if not one.unconnected]
    return [one for one in wants if bool(one.finds) is served][::3]


async def test_wants_are_found_and_hardly_anything_else_is_unlocked():
    toolset = (await want_house()).toolset()
    wants = some(served=True)
    verdicts = [judged(one, toolset.search(None, one.text), toolset) for one in wants]
    assert sum(one.found for one in verdicts) >= 0.9 * len(wants)
    wrong = sum(len(one.wrong) for one in verdicts)
    assert wrong <= 0.01 * sum(len(one.unlocked) for one in verdicts)
    assert sum(one.ready for one in verdicts) >= 0.8 * len(wants)


async def test_what_nothing_serves_is_said_to_fit_nowhere():
    toolset = (await want_house()).toolset()
    wants = some(served=False)
    verdicts = [judged(one, toolset.search(None, one.text), toolset) for one in wants]
    assert sum(one.nothing for one in verdicts) >= 0.9 * len(wants)
    assert [name for one in verdicts for name in one.wrong] == []


async def test_a_tool_of_a_skill_is_found_and_its_activation_unlocked_with_it():
    found = (await want_house()).toolset().search(None, "DNS lookup and open ports")
    hits = {hit.name: hit for hit in found.hits}
    assert {"port_check", "dns_lookup"} <= hits.keys()
    assert hits["port_check"].skill_id == "network-auditing"
    assert hits["port_check"].tool is None, "it can't be called before that"


async def test_mail_that_nobody_set_up_names_the_way_in_the_first_search():
    toolset = (await want_house()).toolset([GOOGLE])
    best = toolset.search(None, "what's in my mail?").hits[0]
    assert (best.name, best.offers, best.tool) == ("read_emails", (GOOGLE,), None)
    assert toolset.offers() == [GOOGLE]


async def test_a_service_is_not_named_beside_the_tool_that_lacks_it():
    search = ServiceOffer(
        "web_search", "Web search", "finding pages on the web", frozenset({"web_search"}), "Ask Ann"
    )
    found = (await want_house()).toolset([search]).search(None, "web search")
    assert [hit.offers for hit in found.hits if hit.name == "web_search"] == [(search,)]


async def test_a_service_that_is_not_there_is_not_told_beside_what_fits():
    slack = ServiceOffer("slack", "Slack", "lists", frozenset({"slack_list"}), "Ask Ann.")
    toolset = (await want_house()).toolset([slack])
    beside = toolset.search(None, "list and read the files of a project").hits
    assert [hit.name for hit in beside if hit.offers] == []
    assert toolset.search(None, "read the list in Slack").hits[0].offers == (slack,)


async def test_the_files_of_a_project_are_found_with_the_set_that_opens_them():
    toolset = (await want_house()).toolset()
    for text in ("list and read the files of a project", "lies die Dateien im Projekt shop"):
        best = toolset.search(None, text).hits[0]
        assert (best.name, best.skill_id, best.sure) == ("pm_shell", "webdev", True)


async def test_an_offer_that_brings_this_person_nothing_is_not_named():
    unknown = ServiceOffer(
        "other", "Other", "other things", frozenset({"no_such_tool"}), "Ask Ann."
    )
    toolset = (await want_house()).toolset([unknown])
    assert toolset.offers() == []
    assert "other" not in [hit.name for hit in toolset.search(None, "other things").hits]
