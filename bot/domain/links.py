"""Bellhop's own links, and what may stand below one where everybody in the place reads it."""

from typing import Protocol, runtime_checkable


class LinkDesk(Protocol):
    """Knows the links; `build_app` hands it to adapters."""

    async def line(self, url: str) -> str:
        """What whoever opens this link reads there anyway, in one line; empty for any other.

        So a preview tells nobody more than the link does. May raise StorageError.
        """
        ...


@runtime_checkable
class PreviewsLinks(Protocol):
    """An adapter whose platform asks the app what its links lead to."""

    def offer_links(self, desk: LinkDesk) -> None:
        """Called once by build_app, before `run`."""
        ...
