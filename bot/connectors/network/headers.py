"""Security headers of a web page."""

from collections.abc import Mapping
from typing import Any

WANTED = (
    ("strict-transport-security", "browsers may be led back to http"),
    ("content-security-policy", "scripts of others are not kept out"),
    ("x-content-type-options", "files may be run as another type than they have"),
    ("referrer-policy", "addresses are told to other sites"),
    ("permissions-policy", "camera, microphone and place are not switched off"),
)
TELLING = ("server", "x-powered-by", "x-aspnet-version", "x-generator")
MOST_CHARS = 500


def judged(headers: Mapping[str, str], scheme: str) -> dict[str, Any]:
    """The safety headers present, the risk of each missing one, and headers that leak facts."""
    present = {name: headers[name][:MOST_CHARS] for name, _ in WANTED if name in headers}
    missing = {name: what for name, what in WANTED if name not in headers}
    if scheme != "https":
        missing.pop("strict-transport-security", None)  # it means nothing over http
    framing = (
        "frame-ancestors" in headers.get("content-security-policy", "")
        or "x-frame-options" in headers
    )
    if not framing:
        missing["x-frame-options"] = "other sites may show it in a frame (or use frame-ancestors)"
    cookies = headers.get("set-cookie", "").lower()
    weak = [flag for flag in ("secure", "httponly", "samesite") if cookies and flag not in cookies]
    telling = {name: headers[name][:MOST_CHARS] for name in TELLING if name in headers}
    found: dict[str, Any] = {"present": present, "missing": missing}
    if weak:
        found["cookie_without"] = weak
    return {**found, "tells": telling} if telling else found
