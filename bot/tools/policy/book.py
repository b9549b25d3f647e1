"""The policy in force: the last valid policy.yaml, reloaded on change.

See docs/rules.md#live-files.
"""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from bot.errors import SettingsError
from bot.regular_file import plain_lines
from bot.storage.live_files import LiveFile
from bot.storage.markdown import MarkdownStore
from bot.tools.policy.file import Policy, is_blank, parse_policy
from bot.yaml_file import read_text

POLICY_FILE = "policy.yaml"
"""In the home folder."""

log = logging.getLogger(__name__)


class PolicyBook:
    """Holds the rules of one home. A missing file has none.

    If the file breaks, vanishes or is suddenly empty, the last good version stays in force, except
    its allowing rules.
    """

    def __init__(self, path: Path, lock: Path | None = None) -> None:
        self.path = path
        self._store = MarkdownStore(path.parent, lock)
        self.on_change: list[Callable[[Policy], None]] = []
        """Called with each policy that comes into force."""
        self.on_doubt: list[Callable[[Policy], None]] = []
        """Called with the rest of a policy whose file became unreadable."""
        self.checks: list[Callable[[Policy], None]] = []
        """Further checks of a readable policy; each raises SettingsError."""
        self.source = ""
        """The text of the policy that was read last."""
        self._policy = Policy()
        self._file = LiveFile(path)
        self._trouble: str | None = None

    @property
    def policy(self) -> Policy:
        return self._policy

    @property
    def problems(self) -> tuple[str, ...]:
        """The current problems of the file, one line each."""
        return tuple(self._trouble.splitlines()) if self._trouble else ()

    async def load(self) -> None:
        """Read the file for the first time.

        If it is invalid, no rule is in force, and `problems` says why.
        """
        await asyncio.to_thread(self._file.changed)
        try:
            text = await asyncio.to_thread(read_text, self.path)
            self._take(self.parse(text), text)
        except SettingsError as error:
            self._trouble = str(error)

    async def reload_changed(self) -> bool:
        """Reload the file if it changed; returns whether the rules in force changed."""
        if not await asyncio.to_thread(self._file.changed):
            return False
        try:
            text = await asyncio.to_thread(read_text, self.path)
            policy = self._checked(text)
        except SettingsError as error:
            self._trouble = f"{error} (the last good version is in use, without what it allowed)"
            log.warning("file=<%s> | %s", self.path, self._trouble)
            for told in self.on_doubt:
                told(self._policy.without_allowing())
            return False
        if self._policy.count and not policy.count:
            log.warning(
                "file=<%s>, before=<%d> | no rule is in force any more",
                self.path,
                self._policy.count,
            )
        self._take(policy, text)
        return True

    def _checked(self, text: str) -> Policy:
        """Parse the file. Raises SettingsError if its content seems to be lost."""
        name = self.path.name
        if self._policy.count and not self._file.exists:
            raise SettingsError(
                f"{name} has vanished; put it back, or write `rules: []` for no rules"
            )
        if self._policy.count and is_blank(text):
            raise SettingsError(f"{name} is empty; write `rules: []` for no rules")
        return self.parse(text)

    def parse(self, text: str) -> Policy:
        """Parse a text as a policy of this home. Raises SettingsError."""
        policy = parse_policy(text, self.path.name)
        for check in self.checks:
            check(policy)
        return policy

    async def text(self) -> str:
        """The text of the file; empty if there is none.

        Raises SettingsError when it can't be read.
        """
        return await asyncio.to_thread(read_text, self.path)

    async def replace(self, text: str, expected: str) -> None:
        """Write `text` to the file and put it into force; the old file is kept as `<file>.bak`.

        Raises SettingsError naming the lines when it is not valid, or when the file no longer holds
        `expected`; StorageError when it can't be written.
        """
        name = self.path.name
        self.parse(text)
        if self._policy.count and is_blank(text):
            raise SettingsError(f"{name} would be empty; write `rules: []` for no rules")

        def swap(found: str) -> str:
            if plain_lines(found) not in (expected, text):
                raise SettingsError(
                    f"{name} was changed meanwhile; read it again and repeat the change"
                )
            return text

        await self._store.update(name, swap, backup=True)
        await self.reload_changed()

    def _take(self, policy: Policy, text: str) -> None:
        self._trouble = None
        self.source = text
        self._policy = policy
        log.info(
            "file=<%s>, rules=<%d>, outputs=<%d> | policy read",
            self.path,
            len(policy.rules),
            len(policy.outputs),
        )
        for told in self.on_change:
            told(policy)
