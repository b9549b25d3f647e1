"""The folders of imported skills: staged (read by nobody), live, and replaced.

Blocking: runs in a thread.
"""

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.domain.languages import Language, Phrase, ToldError, Translations
from bot.regular_file import read_regular_file
from bot.skills.skill_file import SKILL_FILE
from bot.storage.confined import TEMPORARY, open_folder, parts_of, read_bytes, replace_bytes
from bot.storage.file_locks import lock_of, locked
from bot.tools.catalog.catalog import STAGING
from bot.workshop.review.finding_words import finding_text
from bot.workshop.review.findings import Finding, blocking
from bot.workshop.review.provenance import PROVENANCE, ImportProvenance, digest

STAGED = ".staged"
REPLACED = ".replaced"
HALF = re.compile(r"\.(new|old)-[0-9a-f]{12}")
"""Folders among the staged that are being filled or removed."""
TOOLS_ONLY = ".tools"
"""The folder with the provenance of approved tools that came without a skill."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_PROVENANCE_BYTES = 4 * 1024 * 1024


class NotReviewed(ToldError):
    """A staged skill can't be approved, rejected or removed; one sentence with the remedy."""


@dataclass(frozen=True)
class Package:
    """A skill as it is to be staged: what its folder and its tool files hold."""

    provenance: ImportProvenance
    files: Mapping[str, bytes]
    tools: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    scripts: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """Scripts of its tools, by file name."""


class Staging:
    """Imported skills of one home.

    Every method raises NotReviewed or OSError with the files as they were.
    """

    def __init__(self, home: Path) -> None:
        self.skills = home / "skills"
        self._lock = lock_of(home, self.skills)
        """Changes take turns, those of other processes too."""
        self.tools = home / "prompts" / "tools"

    # --- looking ---

    def staged(self) -> tuple[ImportProvenance, ...]:
        """Staged skills by name."""
        return self._all(self.skills / STAGED)

    def live(self) -> tuple[ImportProvenance, ...]:
        """Approved imports by name."""
        return (*self._all(self.skills), *self._all(self.skills / TOOLS_ONLY))

    def get(self, name: str) -> ImportProvenance:
        """What is staged under a name. Raises NotReviewed."""
        found = self._load(self.skills / STAGED / name) if _NAME.fullmatch(name) else None
        if found is None:
            none_such = Phrase("nothing is staged as {name}; staged is {known}")
            raise _none_such(none_such, name, self.staged(), Phrase("nothing at all"))
        return found

    def live_one(self, name: str) -> ImportProvenance:
        """What was imported and approved under a name. Raises NotReviewed."""
        found = self._live(name) if _NAME.fullmatch(name) else None
        if found is None:
            none_such = Phrase("{name} is no imported skill that is live; there is {known}")
            raise _none_such(none_such, name, self.live(), Phrase("none at all"))
        return found

    def texts(self, staged: ImportProvenance) -> dict[str, str]:
        """Everything that would become live, by file name."""
        root = self.skills / STAGED / staged.name
        found = {path: read_regular_file(root / path) for path in staged.files}
        found |= {
            file: read_regular_file(self.tools / STAGING / file) for file in _tool_files(staged)
        }
        return {name: data.decode("utf-8", "replace") for name, data in found.items()}

    def live_texts(self, staged: ImportProvenance) -> dict[str, str]:
        """What is live now under the names that an approval would write; missing ones left out."""
        live, found = self._live(staged.name), dict[str, bytes]()
        root = self.skills / staged.name if live is None else self._place(live)
        places = {path: root / path for path in staged.files}
        places |= {file: self.tools / staged.folder / file for file in _tool_files(staged)}
        for name, path in places.items():
            with contextlib.suppress(OSError):
                found[name] = read_regular_file(path)
        return {name: data.decode("utf-8", "replace") for name, data in found.items()}

    def intact(self, name: str) -> bool:
        """Whether the staged files are unchanged since the audit."""
        found = self._load(self.skills / STAGED / name)
        return found is not None and self._changed(found) is None

    def _all(self, root: Path) -> tuple[ImportProvenance, ...]:
        try:
            names = sorted(name for name in os.listdir(root) if _NAME.fullmatch(name))  # noqa: PTH208 - names only
        except OSError:
            return ()
        found = (self._load(root / name) for name in names)
        return tuple(one for one in found if one is not None)

    def _load(self, folder: Path) -> ImportProvenance | None:
        with (
            contextlib.suppress(OSError, ValueError),
            open_folder(folder.parent, (folder.name,)) as opened,
        ):
            found = ImportProvenance.load(read_bytes(opened, PROVENANCE, _PROVENANCE_BYTES))
            return found if found.name == folder.name else None
        return None

    # --- changing ---

    def put(self, package: Package) -> None:
        """Stage a package in place of what was staged under its name before."""
        with locked(self._lock):
            self._put(package)

    def _put(self, package: Package) -> None:
        name = package.provenance.name
        new = f"{STAGED}/{_half('new')}"
        try:
            for path, data in {**package.files, PROVENANCE: package.provenance.dump()}.items():
                self._write(self.skills, f"{new}/{path}", data)
            if (before := self._load(self.skills / STAGED / name)) is not None:
                self._drop_tools(before, keep={*package.tools, *package.scripts})
            for script, data in package.scripts.items():
                self._write(self.tools, f"{STAGING}/{script}", data)
            for tool, data in package.tools.items():
                self._write(self.tools, f"{STAGING}/{tool}.md", data)
            self._swap(self.skills / new, self.skills / STAGED / name)
        finally:
            shutil.rmtree(self.skills / new, ignore_errors=True)

    def check(self, name: str, *, accept_findings: bool) -> ImportProvenance:
        """What would become live by an approval. Raises NotReviewed when it may not."""
        staged = self.get(name)
        if (changed := self._changed(staged)) is not None:
            told = Phrase(
                "{file} was changed after it had been audited; import {name} again, or reject it"
            )
            raise NotReviewed(told.filled(file=changed, name=name))
        live = self._live(name)
        if live is None and (self.skills / name).exists() and not self._replaced_skill(staged):
            told = Phrase(
                "there is a skill {name} of your own in {place}; rename it, or reject this one"
            )
            raise NotReviewed(told.filled(name=name, place=self.skills / name))
        for file in _tool_files(staged):
            target = self.tools / staged.folder / file
            if target.exists() and not self._ours(staged, live, file):
                told = Phrase(
                    "there is a tool {tool} of your own in {place}; rename it, or reject {name}"
                ).filled(tool=target.stem, place=target, name=name)
                raise NotReviewed(told)
        if staged.manifest and not (live and live.manifest) and not self._free_manifest(staged):
            told = Phrase("there is a manifest of your own, {place}; rename it")
            raise NotReviewed(told.filled(place=self.skills / staged.manifest))
        found = blocking(staged.findings)
        if found and not accept_findings:
            raise NotReviewed(_refusal(name, found))
        return staged

    def approve(self, staged: ImportProvenance) -> None:
        """Make live what `check` returned, if unchanged; `.replaced` keeps the version before."""
        with locked(self._lock):
            if (changed := self._changed(staged)) is not None:
                told = Phrase(
                    "{file} was changed meanwhile; read it again, then approve {name} again"
                ).filled(file=changed, name=staged.name)
                raise NotReviewed(told)
            self._approve(staged)

    def _approve(self, staged: ImportProvenance) -> None:
        name = staged.name
        folder = self.skills / STAGED / name
        for path in folder.iterdir():
            if TEMPORARY.fullmatch(path.name):  # of an approval that was killed
                path.unlink()
        self._write(self.skills, f"{STAGED}/{name}/{PROVENANCE}", staged.dump())
        before = self._live(name)
        self._release_tools(staged)
        if staged.manifest:
            data = read_regular_file(folder / staged.manifest)
            self._write(self.skills, staged.manifest, data)
        if before is not None:
            self._take_away(before, keep=staged)
        if before is not None and self._place(before) != self._place(staged):
            self._put_away(before)
        self._swap(folder, self._place(staged), keep=self.skills / REPLACED / name)

    def reject(self, name: str) -> ImportProvenance:
        """Delete a staged skill; a live version stays."""
        staged = self.get(name)
        self._drop_tools(staged, keep=())
        gone = self.skills / STAGED / _half("old")
        (self.skills / STAGED / name).rename(gone)
        shutil.rmtree(gone)
        return staged

    def remove(self, name: str) -> ImportProvenance:
        """Remove a live imported skill and its tools; its folder is kept in `.replaced`."""
        live = self.live_one(name)
        self._take_away(live)
        self._put_away(live)
        return live

    def _live(self, name: str) -> ImportProvenance | None:
        return self._load(self.skills / name) or self._load(self.skills / TOOLS_ONLY / name)

    def _place(self, one: ImportProvenance) -> Path:
        """Tools without a skill have no folder among the skills."""
        return (self.skills if SKILL_FILE in one.files else self.skills / TOOLS_ONLY) / one.name

    def _put_away(self, live: ImportProvenance) -> None:
        kept = self.skills / REPLACED / live.name
        shutil.rmtree(kept, ignore_errors=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        self._place(live).rename(kept)

    # --- files ---

    def _changed(self, staged: ImportProvenance) -> str | None:
        """The file of a staged skill that changed since the audit."""
        root = self.skills / STAGED / staged.name
        there = {
            str(path.relative_to(root))
            for path in root.rglob("*")
            if path.is_symlink() or not path.is_dir()
            if not (path.parent == root and TEMPORARY.fullmatch(path.name))
        }
        if there != {*staged.files, PROVENANCE}:
            return str(root / min(there ^ {*staged.files, PROVENANCE}))
        for path, known in staged.files.items():
            if self._digest(root, path) != known:
                return str(root / path)
        for file, known in _tool_files(staged).items():
            # An approval that a crash cut short has moved some of them.
            places = (f"{place}/{file}" for place in (STAGING, staged.folder))
            found = (self._digest(self.tools, place) for place in places)
            if next(filter(None, found), None) != known:
                return str(self.tools / STAGING / file)
        return None

    def _ours(self, staged: ImportProvenance, live: ImportProvenance | None, file: str) -> bool:
        """Whether a live tool file may be replaced: an earlier version, a known one, or itself."""
        if live is not None and live.folder == staged.folder and file in _tool_files(live):
            return True
        found = self._digest(self.tools, f"{staged.folder}/{file}")
        return found is not None and found in {staged.replaces.get(file), _tool_files(staged)[file]}

    def _free_manifest(self, staged: ImportProvenance) -> bool:
        """Whether its place is empty, or holds what an update was made for or this itself."""
        found = self._digest(self.skills, staged.manifest)
        return found is None or found in {
            staged.replaces.get(staged.manifest),
            staged.files[staged.manifest],
        }

    def _replaced_skill(self, staged: ImportProvenance) -> bool:
        """Whether a live skill of the operator's own is still what an update was made for."""
        known = staged.replaces.get(SKILL_FILE)
        return (
            known is not None and self._digest(self.skills, f"{staged.name}/{SKILL_FILE}") == known
        )

    def _release_tools(self, staged: ImportProvenance) -> None:
        """Move tools to their live place: scripts first, so that no tool lacks its own."""
        if not staged.tools:
            return
        target = self.tools / staged.folder
        target.mkdir(parents=True, exist_ok=True)
        for file in sorted(_tool_files(staged), key=lambda name: not name.endswith(".sh")):
            source = self.tools / STAGING / file
            if not source.exists():
                continue  # moved before a crash
            if (target / file).exists() and file in staged.replaces:
                kept = self.skills / REPLACED / ".tools" / file
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(target / file, kept)
            if file in staged.scripts:
                source.chmod(0o755)
            source.replace(target / file)

    def _take_away(self, before: ImportProvenance, keep: ImportProvenance | None = None) -> None:
        """Remove a version's live tools, scripts and manifest, except those of the next one."""
        kept = _tool_files(keep) if keep is not None and keep.folder == before.folder else {}
        for file in _tool_files(before).keys() - kept.keys():
            (self.tools / before.folder / file).unlink(missing_ok=True)
        if before.manifest and not (keep and keep.manifest == before.manifest):
            (self.skills / before.manifest).unlink(missing_ok=True)

    def _digest(self, root: Path, path: str) -> str | None:
        *folders, name = parts_of(path)
        with contextlib.suppress(OSError), open_folder(root, folders) as folder:
            return digest(read_bytes(folder, name, _PROVENANCE_BYTES))
        return None

    def _write(self, root: Path, path: str, data: bytes) -> None:
        """New files get mode 0644 less the umask: nothing imported is executable."""
        *folders, name = parts_of(path)
        with open_folder(root, folders, create=True) as folder:
            replace_bytes(folder, name, data)

    def _drop_tools(self, staged: ImportProvenance, keep: Collection[str]) -> None:
        """Remove staged tools (by name) and scripts (by file) that are not kept."""
        for tool in staged.tools.keys() - set(keep):
            (self.tools / STAGING / f"{tool}.md").unlink(missing_ok=True)
        for script in staged.scripts.keys() - set(keep):
            (self.tools / STAGING / script).unlink(missing_ok=True)

    def _swap(self, new: Path, place: Path, keep: Path | None = None) -> None:
        """Put a folder in a place; what was there goes to `keep` or away."""
        if place.exists():
            old = keep or place.with_name(_half("old"))
            shutil.rmtree(old, ignore_errors=True)
            old.parent.mkdir(parents=True, exist_ok=True)
            place.rename(old)
            new.rename(place)
            if keep is None:
                shutil.rmtree(old, ignore_errors=True)
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        new.rename(place)


def _half(what: str) -> str:
    return f".{what}-{secrets.token_hex(6)}"


def _tool_files(one: ImportProvenance) -> dict[str, str]:
    """Hashes of tool files and scripts by file name."""
    return {**{f"{tool}.md": known for tool, known in one.tools.items()}, **one.scripts}


def _none_such(
    phrase: Phrase, name: str, there: Sequence[ImportProvenance], none: Phrase
) -> NotReviewed:
    known = ", ".join(one.name for one in there)

    def said(language: Language) -> str:
        return phrase.said(language, name=repr(name[:64]), known=known or none.said(language))

    return NotReviewed(Translations.by(said))


def _refusal(name: str, found: tuple[Finding, ...]) -> Translations:
    def said(language: Language) -> str:
        lines = [
            Phrase(
                "{name} has findings that block it; read them, then approve it with "
                "--accept-findings or reject it:"
            ).said(language, name=name)
        ]
        return "\n".join([*lines, *(f"  {finding_text(one, language)}" for one in found)])

    return Translations.by(said)
