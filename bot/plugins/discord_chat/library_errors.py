"""Translates discord.py's errors to this adapter's errors."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

import aiohttp
import discord

from bot.plugin.chat import DeliveryError, SettingsError
from bot.plugin.drawing import wait_words
from bot.plugins.discord_chat.account import NO_CONTENT
from bot.plugins.discord_chat.seen import CallFailed, CallRefused

_BAD_TOKEN = 4004


@contextmanager
def as_calls() -> Generator[None]:
    """discord.py's error of a call, as CallRefused or CallFailed."""
    try:
        yield
    except discord.HTTPException as error:
        raise CallRefused(error.status, error.code, error.text or "no reason given") from error
    except discord.RateLimited as error:
        raise CallFailed(
            f"rate limited for {wait_words(error.retry_after)}", error.retry_after
        ) from error
    except (
        aiohttp.ClientError,
        OSError,
        TimeoutError,
        RuntimeError,
    ) as error:  # RuntimeError: session is closed
        raise CallFailed(repr(error)) from error


@contextmanager
def explained(was_connected: Callable[[], bool]) -> Generator[None]:
    """Every way in which a client ends, in words for the operator."""
    try:
        yield
    except discord.LoginFailure as error:
        raise _bad_token() from error
    except discord.PrivilegedIntentsRequired as error:
        raise SettingsError(f"Discord refuses the connection: {NO_CONTENT}") from error
    except discord.ConnectionClosed as error:
        if error.code == _BAD_TOKEN:
            raise _bad_token() from error
        raise DeliveryError(
            f"Discord closed the connection with code {error.code}", retryable=True
        ) from error
    except discord.HTTPException as error:
        raise DeliveryError(
            f"Discord refused the login with status {error.status}", retryable=True
        ) from error
    except (aiohttp.ClientError, OSError, TimeoutError, discord.GatewayNotFound) as error:
        raise DeliveryError(f"Discord cannot be reached: {_why(error)}", retryable=True) from error
    except AttributeError as error:
        if was_connected():
            raise _unreadable(error) from error
        # discord.py's own error when the first connection to the gateway fails
        raise DeliveryError("Discord's gateway cannot be reached", retryable=True) from error
    except Exception as error:
        raise _unreadable(error) from error


def _why(error: Exception) -> str:
    """In words: what aiohttp writes of a connection is meant for programmers."""
    if isinstance(error, aiohttp.ClientConnectorError):
        return (
            f"no connection to {error.host} ({error.strerror or type(error.os_error).__name__}); "
            "check this machine's network and discord.api_base"
        )
    return str(error) or type(error).__name__


def _bad_token() -> SettingsError:
    return SettingsError(
        "Discord does not accept DISCORD_TOKEN; copy the bot's token from the developer portal "
        "again (Bot > Reset Token)"
    )


def _unreadable(error: Exception) -> DeliveryError:
    return DeliveryError(
        f"an event of Discord could not be read ({type(error).__name__}: {error}); the client "
        "starts afresh",
        retryable=True,
    )
