"""For connectors of services: accounts that people connect by OAuth, keys, and web pages."""

from bot.connections.client import (
    ServiceAnswer,
    ServiceClient,
    ServiceRefused,
    ServiceRequest,
    as_fields,
    as_items,
)
from bot.connections.pages import by_address, by_link, by_token
from bot.connections.services import Revoking, Service
from bot.connectors.service import (
    READS_ACCOUNT,
    WORKS_IN_ACCOUNT,
    ServiceConnector,
    read_for,
    reading_tool,
)
from bot.domain.languages import Phrase
from bot.web.addresses import is_global_unicast
from bot.web.client import WebClient, WebRequest
from bot.web.pages import Page, Pages
from bot.web.response import WebError, WebRefused, WebResponse
from bot.web.service import (
    Call,
    KeyedService,
    ServiceError,
    checked_base_url,
    key_check,
    service_client,
    told_to_model,
)
from bot.web.targets import parse_target

__all__ = [
    "READS_ACCOUNT",
    "WORKS_IN_ACCOUNT",
    "Call",
    "KeyedService",
    "Page",
    "Pages",
    "Phrase",
    "Revoking",
    "Service",
    "ServiceAnswer",
    "ServiceClient",
    "ServiceConnector",
    "ServiceError",
    "ServiceRefused",
    "ServiceRequest",
    "WebClient",
    "WebError",
    "WebRefused",
    "WebRequest",
    "WebResponse",
    "as_fields",
    "as_items",
    "by_address",
    "by_link",
    "by_token",
    "checked_base_url",
    "is_global_unicast",
    "key_check",
    "parse_target",
    "read_for",
    "reading_tool",
    "service_client",
    "told_to_model",
]
