"""An action in words on the open page: moves until it is done, and a question before what sends."""

import asyncio
import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TypeAlias
from urllib.parse import urlsplit

from bot.plugin.asking import CheapModel
from bot.plugin.files import FileSource
from bot.plugin.tools import (
    Deferred,
    NeedsApproval,
    Risk,
    Stem,
    Target,
    TargetKind,
    ToolContext,
    ToolError,
    ToolOutcome,
)
from bot.plugins.browser.dialogs import DialogAnswer, PageQuestion, read_answer
from bot.plugins.browser.downloads import PageDownloads
from bot.plugins.browser.elements import ElementFacts, StepEffect, effect_of
from bot.plugins.browser.hands import UploadFile
from bot.plugins.browser.results import changed, external, news
from bot.plugins.browser.session import BrowserSession, Doing
from bot.plugins.browser.snapshot import PageNode, PageSnapshot
from bot.plugins.browser.steps import BrowserStep, Verb, element_of, read_exact, read_simple
from bot.plugins.browser.wording import Move, Wording, checked, named_step

_MISSED = "not done: the page is not as it was when you were asked; look at it again and ask anew"
_MOVES = 12
"""Most moves for one action."""
_TIME_S = 75.0
"""After this time no further move begins: the tool has to answer."""
_WAIT_S = 2.0
_WAITS = 3
_CHANGED_CHARS = 300
"""Characters that the model sees of what an earlier move changed."""

Needed: TypeAlias = NeedsApproval | Deferred


@dataclass
class _Course:
    """One action under way."""

    action: str
    page: PageSnapshot
    moves: list[str] = field(default_factory=list[str])
    """For the model: each with what it changed."""
    lines: list[str] = field(default_factory=list[str])
    waits: int = 0
    misses: int = 0

    def note(self, line: str, changed: str = "") -> None:
        self.moves.append(f"{line}{changed}")
        self.lines.append(line)

    @property
    def told(self) -> str:
        return "; ".join(self.lines)


@dataclass(frozen=True)
class Acting:
    """browser_act. `documents` are the files that may be uploaded."""

    model: CheapModel
    downloads: PageDownloads
    documents: FileSource | None

    async def act(self, context: ToolContext, session: BrowserSession, action: str) -> ToolOutcome:
        """Raises ToolError."""
        approved = context.confirmed or context.approved_rank > 0
        if session.question is not None:
            return await self._answer(context, session, session.question, action, approved=approved)
        if approved and session.held:
            return await self._release(context, session, action)
        await session.let_go()
        page = await session.snapshot()
        step = _plain_step(action, page, session, approved=approved)
        if step is not None:
            outcome = await self._step(context, session, page, step, action, approved=approved)
            return outcome or await self._done(context, session, step.line, page)
        return await self._moves(context, session, _Course(action, page))

    # --- several moves ---

    async def _moves(
        self, context: ToolContext, session: BrowserSession, course: _Course
    ) -> ToolOutcome:
        """Do what the model chooses, one move after the other, until it says that all is done."""
        first, end = course.page, time.monotonic() + _TIME_S
        while len(course.moves) < _MOVES and time.monotonic() < end:
            below = await session.below()
            move = await Wording(self.model).move(
                context, course.action, course.page, session.host, course.moves, below=below
            )
            if move.method == "finish" or (move.method == "none" and await _late(session, course)):
                if move.method == "finish":
                    break
                continue
            if move.method == "none":
                return await self._stopped(context, session, course, first, move.value)
            outcome = await self._move(context, session, course, move)
            if outcome is not None:
                return outcome
            done = move.step is not None and move.done and not course.misses
            if done or session.question is not None or not session.has_page:
                break
            course.page = await session.snapshot()
        else:
            return await self._stopped(context, session, course, first, "it takes more moves")
        return await self._done(context, session, course.told or "nothing was left to do", first)

    async def _move(
        self, context: ToolContext, session: BrowserSession, course: _Course, move: Move
    ) -> ToolOutcome | None:
        """One move, noted in the course. An error is noted once: the model sees it and goes on."""
        if move.step is None:
            course.note(await _look(session, move))
            return None
        node = _element(course.page, move.step)
        try:
            facts = await session.facts(node) if node is not None else ElementFacts()
            if node is not None:
                checked(move.step, course.action, node, facts)
            outcome = await self._step(
                context, session, course.page, move.step, course.action, approved=False
            )
        except ToolError as error:
            course.misses += 1
            if course.misses > 2 or session.question is not None:
                raise
            course.note(f"{_short(move.step)} failed: {error}"[:_CHANGED_CHARS])
            return None
        course.misses = 0
        if outcome is not None:
            return outcome
        told = ""
        if session.has_page and session.question is None and not move.done:
            after = await session.snapshot()
            told = f" → {changed(course.page, after, _CHANGED_CHARS)}"
        course.note(_short(move.step), told)
        return None

    async def _stopped(
        self,
        context: ToolContext,
        session: BrowserSession,
        course: _Course,
        first: PageSnapshot,
        why: str,
    ) -> ToolOutcome:
        """What was done of an action that can't be finished. Raises ToolError where it is nothing.

        `why` comes from the model that reads the page, so it counts as the page's words.
        """
        reason = " ".join(why.split())[:160]
        if not course.moves:
            raise ToolError(
                f"no element of the page fits “{course.action[:120]}”; see what there is with "
                "browser_observe"
            )
        done = f"not finished ({reason}); so far: {course.told}"
        return await self._done(context, session, done, first, success=False)

    # --- one step ---

    async def _step(
        self,
        context: ToolContext,
        session: BrowserSession,
        page: PageSnapshot,
        step: BrowserStep,
        action: str,
        *,
        approved: bool,
    ) -> Needed | None:
        """Do a step, or return the question that it needs. Raises ToolError."""
        node = _element(page, step)
        onto = _onto(page, step)
        facts = await session.facts(node) if node is not None else ElementFacts()
        if approved and session.asked.pop(step.line, "") != _fingerprint(page, facts):
            raise ToolError(_MISSED)
        effect = effect_of(step, node, facts)
        if effect.writes and not approved:
            return _ask(context, session, page, step, facts, effect, action)
        file = await self._file(context, step)
        sealed = file is not None or _is_foreign_text(context, session, step)
        if sealed:
            session.typed[step.name] = "(hidden)" if facts.type == "password" else step.value
        doing = Doing(step, node, facts, onto, file, effect.link, approved, sealed)
        await session.perform(doing)
        if approved:
            session.approved_hosts.add(step.host)
            return None
        if session.held:
            kept_from = StepEffect(f"makes the page send something ({session.held.told})")
            return _ask(context, session, page, step, facts, kept_from, action)
        if session.happened.held_back and not (effect.link and session.url != page.url):
            kept_from = StepEffect(
                f"makes the page send something ({session.happened.held_back[0]})"
            )
            await session.restore()
            return _ask(context, session, page, step, facts, kept_from, action)
        return None

    async def _release(
        self, context: ToolContext, session: BrowserSession, action: str
    ) -> ToolOutcome:
        """After a yes, send what the page wanted to send and nothing else. Raises ToolError."""
        step = read_exact(action)
        same = f"held {session.held.fingerprint}"
        if step is None or session.asked.pop(step.line, "") != same:
            raise ToolError(_MISSED)
        before = await session.snapshot()
        await session.release()
        session.approved_hosts.add(step.host)
        return await self._done(context, session, step.line, before)

    async def _file(self, context: ToolContext, step: BrowserStep) -> UploadFile | None:
        """The document that a step uploads. Raises ToolError when there is none."""
        if step.verb is not Verb.UPLOAD:
            return None
        found = None
        if self.documents is not None and step.value.startswith(f"{self.documents.prefix}/"):
            found = await self.documents.read(context, step.value)
        if found is None:
            raise ToolError(f"there is no document {step.value[:200]} that can be uploaded")
        name = PurePosixPath(step.value).name
        return UploadFile(name, found.text.encode())

    # --- dialogs ---

    async def _answer(
        self,
        context: ToolContext,
        session: BrowserSession,
        question: PageQuestion,
        action: str,
        *,
        approved: bool,
    ) -> ToolOutcome:
        """Answer the dialog that is open. Accepting it may send something, so it needs a yes."""
        answer = read_answer(action, session.host)
        if answer is None and not approved:
            answer = await Wording(self.model).answer(context, action, question, session.host)
        if answer is None or answer.host != session.host:
            raise ToolError(_MISSED if approved else question.text)
        if approved and session.asked.pop(answer.line, "") != question.fingerprint:
            raise ToolError(_MISSED)
        if answer.accept and not approved:
            session.asked[answer.line] = question.fingerprint
            excerpt = f"the page asks: “{question.message}”"
            return _needed(
                context, session.host, answer.line, f"accepts a {question.kind}", excerpt
            )
        await session.answer(answer, sending=approved)
        if approved:
            session.approved_hosts.add(answer.host)
        notes = [f"not sent: {what}" for what in session.happened.held_back[:3]]
        return await self._done(context, session, answer, None, notes=notes)

    # --- results ---

    async def _done(
        self,
        context: ToolContext,
        session: BrowserSession,
        done: str | DialogAnswer,
        before: PageSnapshot | None,
        *,
        notes: Sequence[str] = (),
        success: bool = True,
    ) -> ToolOutcome:
        saved, unit = await self.downloads.keep(context, session.happened.downloads)
        asks = session.question
        page = await session.snapshot() if session.has_page and asks is None else None
        notes = [*notes, *session.happened.told, *saved, *([asks.text] if asks else [])]
        if session.typed:
            notes.append("nothing leaves this page until a step that sends it is approved")
        notes += [
            f"{host}: {why}"
            for host, why in list(session.refusals.items())[:3]
            if host == session.host
        ]
        if session.instruction and not isinstance(done, DialogAnswer) and context.confirmed:
            notes.append(f"go on if more is left of: {session.instruction[:300]}")
            session.instruction = ""
        notes += [f"the page said: “{one}”" for one in await session.said()]
        new = news(before, page) if page is not None else ""
        about = f" on “{page.title[:80]}”" if page is not None and page.title else ""
        line = done.line if isinstance(done, DialogAnswer) else done
        message = "; ".join([f"{line}{about}", *notes])
        told = {
            "success": success,
            "message": f"{message}; new on the page:\n{new}" if new else message,
            "url": session.url[:2_000],
        }
        return external(context, json.dumps(told, ensure_ascii=False), line[:100], unit)


def _short(step: BrowserStep) -> str:
    return step.line.removesuffix(f" on {step.host}")


async def _look(session: BrowserSession, move: Move) -> str:
    """A move that touches no element. Raises ToolError."""
    match move.method:
        case "find":
            found = await session.find(move.value)
            return f"find “{move.value[:80]}”: {'it shows now' if found else 'it did not show'}"
        case "wait":
            await asyncio.sleep(_WAIT_S)
            await session.settle()
            return "wait"
        case "back":
            await session.perform(Doing(BrowserStep(Verb.BACK), None, ElementFacts()))
            return "back"
        case _:
            way = "up" if move.value == "up" else "down"
            await session.perform(Doing(BrowserStep(Verb.SCROLL, way), None, ElementFacts()))
            return f"scroll {way}"


async def _late(session: BrowserSession, course: _Course) -> bool:
    """Whether the page changed after a wait: what was not there may have come late."""
    while course.waits < _WAITS:
        course.waits += 1
        await asyncio.sleep(_WAIT_S)
        await session.settle()
        page = await session.snapshot()
        if news(course.page, page):
            course.page = page
            return True
    return False


def _plain_step(
    action: str, page: PageSnapshot, session: BrowserSession, *, approved: bool
) -> BrowserStep | None:
    """The step that an action names by itself, or None for words. Raises ToolError."""
    exact = read_exact(action)
    if approved and (exact is None or exact.line not in session.asked):
        raise ToolError(_MISSED)
    if exact is not None:
        if exact.host != session.host:
            raise ToolError(
                f"the open page is on {session.host}, not on {exact.host}; nothing was done"
            )
        return exact
    simple = read_simple(action, page, session.host)
    if simple is None:
        return named_step(action, page, session.host)
    if simple.ref and session.shown.get(simple.ref, (simple.role, simple.name)) != (
        simple.role,
        simple.name,
    ):
        raise ToolError(f"{simple.ref} is another element now; observe the page again")
    return simple


def _element(page: PageSnapshot, step: BrowserStep) -> PageNode | None:
    if step.verb in {Verb.SCROLL, Verb.BACK}:
        return None
    found = page.find(step.ref) if step.ref else element_of(page, step.role, step.name, step.nth)
    if found is None:
        raise ToolError(
            f"there is no {step.role} “{step.name}” on the page; see what there is with "
            "browser_observe"
        )
    if "disabled" in found.marks and step.verb is not Verb.CLICK:
        raise ToolError(f"the {found.kind} “{found.label}” is disabled")
    return found


def _onto(page: PageSnapshot, step: BrowserStep) -> PageNode | None:
    if not step.to_role:
        return None
    if step.to_ref:
        found = page.find(step.to_ref)
    else:
        found = element_of(page, step.to_role, step.to_name, step.to_nth)
    if found is None:
        raise ToolError(f"there is no {step.to_role} “{step.to_name}” to drag it onto")
    return found


def _is_foreign_text(context: ToolContext, session: BrowserSession, step: BrowserStep) -> bool:
    """Whether the step types text that the person did not give for this site."""
    if step.verb is not Verb.TYPE or not step.value:
        return False
    words = context.own_words
    if words is None or not words.said(step.value):
        return True
    named = words.said_by_person(Target("action", TargetKind.HOST, step.host))
    return not named and step.host not in session.approved_hosts


# --- questions ---


def _ask(
    context: ToolContext,
    session: BrowserSession,
    page: PageSnapshot,
    step: BrowserStep,
    facts: ElementFacts,
    effect: StepEffect,
    action: str,
) -> Needed:
    """The question about a step: its exact line, the host, and what would be sent."""
    held = f"held {session.held.fingerprint}" if session.held else ""
    session.asked[step.line] = held or _fingerprint(page, facts)
    session.instruction = "" if action == step.line else action
    typed = ", ".join(f"{name}={value[:60]}" for name, value in session.typed.items())[:300]
    receiver = urlsplit(facts.action if facts.submits or facts.action else page.url)
    where = f"to {receiver.scheme}://{receiver.netloc}{receiver.path}" if receiver.netloc else ""
    frame = f"in a frame of {facts.host}" if facts.host not in {"", session.host} else ""
    parts = [
        f"the page “{page.title[:60]}”",
        frame,
        session.held.told or where,
        facts.sent,
        f"typed: {typed}" if typed else "",
    ]
    excerpt = "; ".join(part for part in parts if part)
    return _needed(context, step.host, step.line, effect.writes, excerpt)


def _needed(context: ToolContext, host: str, line: str, does: str, excerpt: str) -> Needed:
    """The question that asks permission for exactly this line."""
    stems = (Stem(Target("action", TargetKind.HOST, host), "tool:browser_act", excerpt),)
    call = replace(context.call, arguments={"action": line})
    reason = f"it {does} on {host}"
    if context.run.shape.person_present:
        return NeedsApproval(call, Risk.EXTERNAL_WRITE, reason, 0, stems=stems, untrusted=True)
    return Deferred(call, reason, Risk.EXTERNAL_WRITE, 0, stems=stems, untrusted=True)


def _fingerprint(page: PageSnapshot, facts: ElementFacts) -> str:
    """The facts that must not change before a yes: the page's address and the form's content."""
    address = urlsplit(page.url)
    same = [address.scheme, address.netloc, address.path, facts.model_dump()]
    return hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()
