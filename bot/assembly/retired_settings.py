"""Settings of earlier versions, which bellhop.yaml may still have, and what became of each.

A start names the line. It goes on with what holds now, or with the value below its name of today,
and ends where a home would be another without it. A section stands for all in it, `*` for any name.
"""

from collections.abc import Mapping

from bot.settings import Renamed, Retired, Withdrawn

_BUDGETS = (
    *("per_turn", "per_person_day", "per_channel_day", "total_day"),
    *("per_guest_day", "strangers_day", "per_schedule_month"),
)

RETIRED: Mapping[str, Retired] = {
    **{
        f"budgets.{span}_{measure}": Renamed(f"budgets.{span}.{measure}")
        for span in _BUDGETS
        for measure in ("usd", "model_calls", "tool_calls")
    },
    "services.*.authorize_url": Renamed("services.*.oauth.authorize_url"),
    "services.*.token_url": Renamed("services.*.oauth.token_url"),
    "services.*.revoke_url": Renamed("services.*.oauth.revoke_url"),
    **{
        f"memory.{tier}_chars": Renamed(f"memory.chars.{tier}")
        for tier in ("shared", "agent", "user")
    },
    "model.system_notes": "system messages are sent where `unlock` is inline",
    "model.cache_ttl": "a conversation is cached for 5 minutes, renewed by each request",
    "model.fallback.system_notes": "the fallback is sent no system messages",
    "model.fallback.cache_ttl": "a conversation is cached for 5 minutes, renewed by each request",
    "tools.catalogue_tokens": "one-liners of tools have room for 600 tokens",
    "tools.timeout_s": "a tool has 60 seconds, or what `## Timeout` in its file says",
    "tools.output_chars": "a result has at most 16,000 characters",
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
    "agents.swarm_parallel": "at most 5 ants of a swarm work at the same time",
    "sessions.question_hours": "an unanswered question is dropped after 24 hours",
    "sessions.files_person_mb": "one person's files have a tenth of sessions.files_total_mb, or 25",
    "turns.working": "32 requests use this machine at the same time, at most",
    "turns.begun": "1,000 requests run at the same time, at most",
    "turns.reserved": "8 of 32 places are kept for requests that somebody waits for",
    "catch_up.older": "each place is told how many older messages were not answered",
    "schedules": "a person has at most 30, each due every 15 minutes at most; 3 failed runs in "
    "a row pause one; a reminder that names only a day rings at 09:00",
    "automations": "a person has at most 20 triggers; 3 failed runs in a row or more than 20 runs "
    "within an hour pause one; events of 10 seconds join, or what its file says; a webhook has at "
    "most 64 KB, and its time may be off by 5 minutes",
    "mcp.servers.*.relist_s": "a server's tools are asked for again every 5 minutes",
    "web.timeout_s": "a request has 30 seconds",
    "web.max_bytes": "an answer has at most 5 MB",
    "browser.timeout_s": "a step has 20 seconds",
    "browser.download_bytes": "a download has at most 5 MB",
    "browser.traffic_bytes": "a call loads at most 60 MB",
    "browser.sessions": "4 sessions may be open at the same time",
    "browser.idle_minutes": "a session is closed when it was unused for 30 minutes",
    "transcription.max_mb": "a recording may have 25 MB",
    "transcription.max_minutes": "a recording may last 30 minutes",
    "transcription.timeout_s": "writing a recording down may take 5 minutes",
    "transcription.ffmpeg": "ffmpeg is used where it is on PATH",
    "console.session_hours": "somebody stays signed in for 12 hours",
    "booking.days_ahead": "the coming 14 days are offered",
    "booking.notice_hours": "times in less than 12 hours are not offered",
    "booking.most_per_day": "10 bookings with one person are taken in 24 hours",
    "browser.executable": Renamed("browser.chromium"),
    "browser.cdp_url": Renamed("browser.chromium"),
    "browser.proxy_host": "a browser elsewhere uses the address that Bellhop reaches it from",
    "discord.gateway_url": "discord.api_base says where the gateway is",
    "discord.commands": "slash commands are registered in all servers; a server hides them under "
    "Integrations",
    "slack.host": "Slack's requests are taken on console.host",
    "slack.port": Withdrawn(
        "let the server in front lead to console.port, which takes Slack's requests"
    ),
    "slack.previews": "the manifest asks for links where booking.enabled and console.public_url are"
    " set",
    "mail.send_with": "Mailgun sends where mail.mailgun_domain is set, else Resend",
    "mail.resend_url": Renamed("mail.addresses.resend"),
    "mail.mailgun_url": Renamed("mail.addresses.mailgun"),
    "web_tools.brave_url": Renamed("web_tools.addresses.brave"),
    "web_tools.firecrawl_url": Renamed("web_tools.addresses.firecrawl"),
    "mail.skew_s": "the time of a notice of new mail may be off by 5 minutes",
}
