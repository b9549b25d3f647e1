"""A home to import into, the fixtures, and a folder to import from."""

from tests.workshop.review.conftest import fixtures, home, written

__all__ = ["fixtures", "home", "written"]
