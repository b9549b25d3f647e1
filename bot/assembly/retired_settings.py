"""Settings of earlier versions, which bellhop.yaml may still have, and what holds in place of each.

A start names the line and goes on. `*` stands for any name.
"""

from collections.abc import Mapping

RETIRED: Mapping[str, str] = {
    "model.system_notes": "system messages are sent where `unlock` is inline",
    "model.cache_ttl": "a conversation is cached for 5 minutes, renewed by each request",
    "model.fallback.system_notes": "the fallback is sent no system messages",
    "model.fallback.cache_ttl": "a conversation is cached for 5 minutes, renewed by each request",
    "tools.catalogue_tokens": "one-liners of tools have room for 600 tokens",
    "tools.timeout_s": "a tool has 60 seconds, or what `## Timeout` in its file says",
    "tools.shell.kill_grace_s": "a script that is to stop is killed after 2 seconds",
    "tools.shell.processes": "a script may have 256 processes",
    "tools.shell.scratch_mb": "a script may write 256 MB",
    "memory.distill_at": "the nightly learning begins at 02:00",
    "memory.goal_agents": "summaries of nikki, lia and marvin keep goals",
    "memory.embedder.timeout_s": "a search waits 5 seconds for the embedder",
    "agents.plan_tasks": "a plan has at least 3 tasks",
    "agents.plan_parallel": "4 tasks of a plan run at the same time",
    "agents.swarm_ants": "3 ants work side by side where no skill says how many",
    "agents.turns": "the agent's file counts, or agents.overrides.NAME.turns",
    "sessions.question_hours": "an unanswered question is dropped after 24 hours",
    "sessions.files_person_mb": "one person's files have a tenth of sessions.files_total_mb, or 25",
    "turns.reserved": "a quarter of turns.working is kept for requests that somebody waits for",
    "schedules.least_minutes": "a repeating schedule is due every 15 minutes at most",
    "schedules.failures": "a schedule is paused after 3 failed runs in a row",
    "schedules.morning": "a reminder that names only a day rings at 09:00",
    "automations.window_s": "events of 10 seconds join, or what the trigger's file says",
    "automations.failures": "a trigger is paused after 3 failed runs in a row",
    "automations.webhook_kb": "the body of a webhook has at most 64 KB",
    "automations.webhook_skew_s": "the time of a webhook may be off by 5 minutes",
    "mcp.servers.*.relist_s": "a server's tools are asked for again every 5 minutes",
    "browser.timeout_s": "a step has 20 seconds",
    "browser.download_bytes": "a download has at most 5 MB",
    "browser.traffic_bytes": "a call loads at most 60 MB",
    "mail.skew_s": "the time of a notice of new mail may be off by 5 minutes",
}
