"""Tools of other trades, as servers and homes bring them: for measuring what they do to a search.

They come from a grammar: an action on a thing of a product, in the words that such tools use. None
of them does what the shipped tools do, but most of their words are everyday words: open, close,
list, send, note, calendar, page.
"""

import random
from collections.abc import Iterator

PRODUCTS = {
    "desk": ("ticket queue macro canned_reply agent_shift escalation", "the support desk"),
    "crm": ("lead deal account pipeline_stage campaign quote", "the sales system"),
    "stock": ("item bin pallet delivery supplier count", "the warehouse"),
    "clinic": ("patient ward prescription bed shift referral", "the clinic"),
    "fleet": ("vehicle trip driver fuel_card inspection tyre", "the car pool"),
    "school": ("pupil class timetable grade absence exam", "the school"),
    "library": ("loan copy reader reservation shelf fine", "the library"),
    "payroll": ("payslip allowance employee leave_balance tax_class bonus", "the payroll"),
    "build": ("pipeline runner artifact branch_rule release cache", "the build farm"),
    "cloud": ("instance volume bucket load_balancer subnet image", "the cloud"),
    "shop": ("basket voucher product return refund review", "the online shop"),
    "farm": ("field crop irrigation_plan harvest tractor silo", "the farm"),
    "lab": ("sample assay reagent freezer protocol_run result_sheet", "the laboratory"),
    "press": ("article photo issue_plan headline correction advert", "the newspaper"),
    "legal": ("case brief deadline_entry court party invoice_line", "the law firm"),
    "hotel": ("room guest minibar housekeeping_task rate booking_channel", "the front desk"),
    "energy": ("meter tariff outage grid_node reading contract", "the utility"),
    "rail": ("platform carriage delay crew signal ticket_check", "the railway"),
    "claims": ("claim policy_holder damage assessor payout fraud_check", "the insurer"),
    "museum": ("exhibit loan_request visitor tour caption vitrine", "the museum"),
}
ACTIONS = {
    "list": "List the {things} of {place}, newest first, filtered by state or owner.",
    "get": "Show one {thing} of {place} with its history and notes.",
    "create": "Create a {thing} in {place}; needs a name and a responsible person.",
    "update": "Change fields of a {thing} in {place}.",
    "close": "Close a {thing} in {place}; it can be opened again within 30 days.",
    "open": "Open a closed {thing} of {place} again.",
    "delete": "Remove a {thing} from {place} for good.",
    "assign": "Give a {thing} of {place} to somebody and tell them.",
    "export": "Write the {things} of {place} into a spreadsheet file.",
    "import": "Read {things} from a file into {place}.",
    "note_on": "Add a note to a {thing} of {place}, seen by the team.",
    "search": "Find {things} of {place} by words, dates or numbers.",
    "report_on": "Count the {things} of {place} by week, month or person.",
    "watch": "Tell somebody when a {thing} of {place} changes.",
    "merge": "Join two {things} of {place} that are the same.",
    "archive": "Put old {things} of {place} away; they stay readable.",
    "send": "Send a {thing} of {place} to a contact as a message or letter.",
    "plan": "Put a {thing} of {place} on the calendar of a team.",
    "check": "Check a {thing} of {place} for missing fields and mistakes.",
    "link": "Connect a {thing} of {place} with another record.",
}
SITES = ("", "north", "south", "east", "west", "test", "archive")


def foreign_tools(count: int) -> Iterator[tuple[str, str]]:
    """Name and description of `count` tools, the same ones each time."""
    every = [
        (site, product, thing, action)
        for site in SITES
        for product, (things, _) in PRODUCTS.items()
        for thing in things.split()
        for action in ACTIONS
    ]
    chance = random.Random(7)  # noqa: S311 - repeatable, not secret
    for site, product, thing, action in chance.sample(every, count):
        words = thing.replace("_", " ")
        place = PRODUCTS[product][1] + (f" ({site})" if site else "")
        about = ACTIONS[action].format(thing=words, things=f"{words}s", place=place)
        yield "_".join(filter(None, (product, site, action, thing))), about
