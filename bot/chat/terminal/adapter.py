"""The terminal as a `ChatAdapter`: reads one person's input, and shows the output."""

import asyncio
import logging
import re
import uuid
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from pathlib import Path

from bot.chat.commands import parse_command
from bot.chat.terminal.files import (
    CannotAttach,
    CannotSave,
    find_attachments,
    read_attachment,
    save,
)
from bot.chat.terminal.typed import MAX_CHARACTERS, OpenChoices, readable
from bot.chat.terminal.view import Interrupted, Left, TerminalView, TurnProgress, Typed
from bot.domain.chat import Accept, Acceptance, LiveReply, LiveUpdate, ToolEnded, ToolStarted
from bot.domain.clock import Clock
from bot.domain.messages import (
    Action,
    Addressed,
    Attachment,
    Command,
    Conversation,
    IncomingMessage,
    MessageKind,
    OutgoingMessage,
    PlatformPerson,
    PostedCard,
    Receipt,
    ReplyTarget,
)
from bot.errors import BotError, DeliveryError

log = logging.getLogger(__name__)

PLATFORM = "terminal"
_TITLE_CHARS = 80
_LEAVING = frozenset({"exit", "quit"})


def terminal_conversation(name: str | None) -> Conversation:
    """The conversation of a person's terminal: named after them, or `chat` for the owner."""
    return Conversation(PLATFORM, "local", name or "chat", title="terminal")


class TerminalChat:
    """Implements `domain.chat.ChatAdapter` for one person at one screen.

    `person` is the id of the typing person; `role` is sent as their platform role. With `serial`
    each answer is awaited before the next line is read: for pipes and `--once`. `piped` are files
    that go with the first message; files of answers lie in `blobs`, and are saved in `downloads`.
    `left` is set when the person has gone; `problem` then says what was refused or stayed
    unanswered, if anything.
    """

    def __init__(  # noqa: PLR0913 - what stands in for a platform's connection
        self,
        view: TerminalView,
        clock: Clock,
        *,
        person: PlatformPerson,
        conversation: Conversation,
        folder: Path,
        blobs: Path = Path("data/blobs"),
        downloads: Path = Path("downloads"),
        serial: bool = False,
        piped: Sequence[Attachment] = (),
    ) -> None:
        self.left = asyncio.Event()
        self.problem: str | None = None
        self.conversation = conversation
        self._view = view
        self._clock = clock
        self._person = person
        self._folder = folder
        self._blobs = blobs
        self._downloads = downloads.absolute()
        self._serial = serial
        self._piped = tuple(piped)
        self._choices = OpenChoices()
        self._lives: list[TerminalLive] = []
        self._shown: dict[str, Receipt] = {}
        self._issued: set[str] = set()
        self._waiting = False
        self._answered = False
        self._turn_closed = False
        self._resumed = False
        self._changed = asyncio.Event()

    @property
    def platform(self) -> str:
        return PLATFORM

    @property
    def busy(self) -> bool:
        """Whether a turn of this person runs or is about to begin."""
        return self._waiting or bool(self._lives)

    # --- what the person does ---

    async def run(self, accept: Accept) -> None:
        """Read until the person leaves, set `left`, and then stay until cancelled."""
        await self._view.open()
        try:
            await self._converse(accept)
        finally:
            self.left.set()
            await self._view.close()
        # The supervisor treats a return as a failure and would restart the adapter.
        await asyncio.Event().wait()

    async def _converse(self, accept: Accept) -> None:
        while True:
            match await self._view.read():
                case Left(problem):
                    self.problem = problem or self.problem
                    return
                case Interrupted():
                    await self._interrupt(accept)
                case Typed(text):
                    if not await self._take(readable(text), text, accept):
                        return

    async def _interrupt(self, accept: Accept) -> None:
        if not self.busy:
            self._view.notice("Nothing is running. Ctrl-D or /exit leaves.")
            return
        await self._submit(
            self._message("/stop", kind=MessageKind.STOP, command=Command("stop")), accept
        )

    async def _take(self, text: str, as_typed: str, accept: Accept) -> bool:
        """Handle one typed text. Returns False if the person leaves."""
        if not text.strip():
            self._refuse("There is nothing to answer yet: write a message, or /help.")
            return True
        if len(text) > MAX_CHARACTERS:
            self._refuse(
                f"That message has {len(text):,} characters; up to {MAX_CHARACTERS:,} can be sent."
                " Save it to a file and attach that with @path."
            )
            return True
        if text != as_typed:
            self._view.notice(
                "Some of that was not valid UTF-8; unreadable characters were replaced by \ufffd."
            )
        command = parse_command(text)
        if command is not None and command.name in _LEAVING:
            return False
        message = await self._read_message(text, command)
        if message is not None:
            await self._submit(message, accept)
        return True

    async def _read_message(self, text: str, command: Command | None) -> IncomingMessage | None:
        choice = self._choices.pick(text)
        if choice is not None:
            self._view.notice(f"→ {choice.label}")
            action = Action(choice.ref, choice.verb, choice.value)
            return self._message(choice.label, kind=MessageKind.ACTION, action=action)
        if command is not None:
            return self._message(
                text, kind=MessageKind.COMMAND, command=command, addressed=Addressed.COMMAND
            )
        try:
            attachments = await asyncio.to_thread(find_attachments, text, self._folder)
        except CannotAttach as error:
            self._refuse(str(error))
            return None
        self._choices.clear()
        piped, self._piped = self._piped, ()
        return self._message(text, attachments=(*piped, *attachments))

    def _message(
        self,
        text: str,
        *,
        kind: MessageKind = MessageKind.TEXT,
        command: Command | None = None,
        action: Action | None = None,
        attachments: tuple[Attachment, ...] = (),
        addressed: Addressed = Addressed.DM,
    ) -> IncomingMessage:
        identity = uuid.uuid4().hex
        self._issued.add(identity)
        return IncomingMessage(
            key=f"{PLATFORM}:{identity}",
            conversation=self.conversation,
            sender=self._person,
            text=text,
            reply_to=ReplyTarget(self.conversation, message=identity),
            sent_at=self._clock.now(),
            kind=kind,
            command=command,
            action=action,
            attachments=attachments,
            addressed=addressed,
            columns=self._view.columns,
        )

    async def _submit(self, message: IncomingMessage, accept: Accept) -> None:
        self._answered = self._turn_closed = self._resumed = False
        try:
            acceptance = await accept(message)
        except BotError as error:
            self._refuse(f"That message was not accepted: {error}")
            return
        # The answer to a question may resume a turn of an earlier process, whose messages then
        # belong here.
        self._resumed = acceptance is Acceptance.CONTROL
        if acceptance is Acceptance.TURN:
            self._waiting = not (self.busy or self._answered)
            self._show_progress()
        elif acceptance in {Acceptance.IGNORED, Acceptance.CONTEXT}:
            self._refuse("Bellhop does not answer this.")
            return
        if self._serial and acceptance is not Acceptance.DUPLICATE:
            await self._until_answered()

    async def _until_answered(self) -> None:
        while self._lives or not (self._answered or self._turn_closed):
            self._changed.clear()
            await self._changed.wait()
        if not self._answered:
            self._refuse(
                "The turn ended without an answer. If something failed, data/bellhop.log says what,"
                " and Bellhop tries again when it runs next."
            )

    def _refuse(self, text: str) -> None:
        self.problem = text
        self._view.notice(text)

    # --- what comes back ---

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        """Show a message, exactly once per key.

        Raises DeliveryError (retryable) when its person isn't here.
        """
        if (receipt := self._shown.get(key)) is not None:
            return receipt
        self._require_here(message.target)
        text = message.text
        if message.files:
            text = await self._with_files(message)
            if (receipt := self._shown.get(key)) is not None:
                return receipt
            self._require_here(message.target)
        if isinstance(live, TerminalLive):
            live.settle_text()
        if not message.choices:
            self._choices.said_more()
        self._print(message, text)
        self._waiting = False
        self._show_progress()
        receipt = Receipt((key,), self.conversation.id, sent_at=self._clock.now())
        self._shown[key] = receipt
        return receipt

    def _require_here(self, target: ReplyTarget) -> None:
        if self.left.is_set() or target.conversation.id != self.conversation.id:
            raise DeliveryError(
                (
                    f"nobody is at the terminal of {target.conversation.id}; it is shown when they "
                    "come back"
                ),
                retryable=True,
            )

    async def _with_files(self, message: OutgoingMessage) -> str:
        """The text, and where each of the files is saved now."""
        lines: list[str] = []
        for file in message.files:
            try:
                path = await asyncio.to_thread(save, file, self._blobs, self._downloads)
                lines.append(f"\N{PAPERCLIP} Saved as `{path}`")
            except CannotSave as error:
                lines.append(f"({error}.)")
        return "\n\n".join(part for part in (message.text.rstrip(), "  \n".join(lines)) if part)

    def _print(self, message: OutgoingMessage, text: str) -> None:
        """Only what is printed with its numbers can be chosen by a number."""
        own = self._is_own(message.target) or not self._issued.isdisjoint(message.covers)
        if own or (message.target.message is None and not self._serial):
            self._view.say(text, self._choices.offer(message.choices))
        else:
            self._view.aside(text)
        if own:
            self._answered = self._answered or not message.continues
            if message.failed:
                self.problem = message.text

    def _is_own(self, target: ReplyTarget) -> bool:
        """Whether a message to the place answers something that was typed here."""
        return self._resumed or target.message in self._issued

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        """Whether this process showed the send; an earlier process's screen is gone."""
        return self._shown.get(key)

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        own = self._is_own(target)
        live = TerminalLive(self, foreign=target.conversation.id != self.conversation.id, own=own)
        if not live.foreign:
            self._waiting = False
            self._lives.append(live)
            self._show_progress()
        return live

    def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        return read_attachment(attachment)

    async def close_card(self, card: PostedCard, line: str) -> None:
        """Disable the choices of a printed card, and print a line that says so."""
        if self._choices.withdraw(card.message.choices) and not self.left.is_set():
            title = next((part for part in card.message.text.splitlines() if part.strip()), "")
            self._view.notice(f"{line} ({re.sub('[*`]', '', title)[:_TITLE_CHARS]})")

    def updated(self, live: "TerminalLive", done: tuple[ToolStarted, ToolEnded] | None) -> None:
        """A live reply got an update: redraw, and keep a line about a finished tool call."""
        if live not in self._lives or self.left.is_set():
            return
        if done is not None:
            started, ended = done
            self._view.tool_done(started.summary or started.name, ended)
        self._show_progress()

    def closed(self, live: "TerminalLive") -> None:
        """A turn is over."""
        if live in self._lives:
            self._lives.remove(live)
            self._turn_closed = self._turn_closed or live.own
            self._show_progress()

    def _show_progress(self) -> None:
        self._changed.set()
        if self.left.is_set():
            return
        if self._lives:
            self._view.progress(self._lives[-1].progress)
        else:
            self._view.progress(TurnProgress() if self._waiting else None)


class TerminalLive:
    """Implements `domain.chat.LiveReply`: what the running turn shows until its answer is there."""

    def __init__(self, chat: TerminalChat, *, foreign: bool, own: bool) -> None:
        self.progress = TurnProgress()
        self.foreign = foreign
        """True if its conversation isn't on this screen; then nothing is shown."""
        self.own = own
        """Whether it answers what was typed here, and not in an earlier process."""
        self._chat = chat

    def show(self, update: LiveUpdate) -> None:
        if self.foreign:
            return
        done: tuple[ToolStarted, ToolEnded] | None = None
        if isinstance(update, ToolEnded):
            fallback = ToolStarted(update.call, update.name, update.name)
            running = (tool for tool in self.progress.tools if tool.call == update.call)
            done = next(running, fallback), update
        self.progress = self.progress.after(update)
        self._chat.updated(self, done)

    def settle_text(self) -> None:
        """Clear the streamed text, which is about to be shown as a message."""
        self.progress = replace(self.progress, text="", status="")

    async def close(self) -> None:
        self._chat.closed(self)
