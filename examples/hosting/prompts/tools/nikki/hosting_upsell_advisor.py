"""Compares a customer's use with hosting_plans.json: JSON on standard input, JSON as answer."""

import json
import sys
from pathlib import Path
from typing import Any

MEASURES = {
    "disk_mb": "MB of disk",
    "traffic_gb": "GB of traffic a month",
    "sites": "sites",
    "mailboxes": "mailboxes",
}


def main() -> None:
    asked = json.load(sys.stdin)
    listed = json.loads(Path(__file__).with_name("hosting_plans.json").read_text(encoding="utf-8"))
    plans = sorted(listed["plans"], key=lambda plan: plan["price"])
    reserve = 1 + listed.get("reserve_percent", 25) / 100
    used = {name: asked[name] for name in MEASURES if asked.get(name) is not None}
    named = str(asked.get("plan") or "").casefold()
    now = next((plan for plan in plans if plan["name"].casefold() == named), None)
    if named and now is None:
        names = ", ".join(plan["name"] for plan in plans)
        sys.exit(f"there is no plan {asked['plan']!r} in the price list; it has {names}")
    fitting = next((plan for plan in plans if not short_of(plan, used, reserve)), None)
    told = {"currency": listed["currency"], "reserve_percent": round((reserve - 1) * 100)}
    if fitting is None:
        told |= {"advice": "none", "why": short_of(plans[-1], used, reserve)}
    elif now is None:
        told |= {"advice": "take", "plan": fitting}
    elif fitting["name"] == now["name"]:
        told |= {"advice": "stay", "plan": now}
    else:
        more = fitting["price"] > now["price"]
        told |= {
            "advice": "larger" if more else "smaller",
            "plan": fitting,
            "instead_of": now,
            "price_difference": round(fitting["price"] - now["price"], 2),
            "why": short_of(now, used, reserve) if more else ["the smaller plan is enough"],
        }
    sys.stdout.write(json.dumps(told))


def short_of(plan: dict[str, Any], used: dict[str, float], reserve: float) -> list[str]:
    """Where a plan is too small; a measure that it doesn't name is unlimited."""
    return [
        f"{used[name]:g} {words} with the reserve is more than {plan[name]:g} of {plan['name']}"
        for name, words in MEASURES.items()
        if name in used
        and name in plan
        and used[name] * (1 if is_count(name) else reserve) > plan[name]
    ]


def is_count(name: str) -> bool:
    return name in {"sites", "mailboxes"}


main()
