"""The bot's Discord account, its missing settings, and its invite link, for doctor and init."""

from dataclasses import dataclass

NO_CONTENT = (
    "switch on MESSAGE CONTENT INTENT for this bot in the developer portal (Bot > Privileged "
    "Gateway Intents)"
)
_VIEW, _SEND, _ATTACH, _HISTORY, _REACT = 1 << 10, 1 << 11, 1 << 15, 1 << 16, 1 << 6
_MAKE_THREADS, _SEND_IN_THREADS = 1 << 35, 1 << 38
_SEND_POLLS, _CREATE_EVENTS = 1 << 49, 1 << 44
_POST = _VIEW | _SEND | _ATTACH | _HISTORY | _REACT | _SEND_POLLS
PERMISSIONS = _POST | _MAKE_THREADS | _SEND_IN_THREADS | _CREATE_EVENTS
"""The permissions in the bot's invitation; none of them administers."""


@dataclass(frozen=True)
class DiscordAccount:
    """Discord's answer about a token."""

    id: str
    name: str
    guilds: tuple[str, ...]
    message_content: bool
    interactions_endpoint: str | None = None
    """The address to which Discord sends interactions instead of to us, if somebody set one."""


def invite_link(application: str) -> str:
    """The page on which a server's administrator adds the bot."""
    scope = "scope=bot+applications.commands"
    return (
        f"https://discord.com/oauth2/authorize?client_id={application}"
        f"&{scope}&permissions={PERMISSIONS}"
    )


def setup_steps(application: str) -> tuple[str, ...]:
    """The clicks that create a bot on Discord for Bellhop; `application` is its id, if known."""
    which = "" if application else " (with the Application ID of General Information)"
    return (
        "1. https://discord.com/developers/applications > New Application",
        "2. Bot > Reset Token: put the token into .env as DISCORD_TOKEN",
        "3. Bot > Privileged Gateway Intents: switch on MESSAGE CONTENT INTENT",
        f"4. Open {invite_link(application or 'APPLICATION_ID')}{which}",
        "5. bellhop.yaml: discord: {enabled: true}",
    )
