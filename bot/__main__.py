"""`python -m bot` is `bellhop`."""

import signal
import sys


def run() -> None:
    """Start the command line, or a specialist, which starts quickly without it."""
    if sys.argv[1:] == ["specialist"]:
        from bot.specialist.loop import run as specialist  # noqa: PLC0415 - one of both

        sys.exit(specialist())
    # Until somebody catches it, Ctrl-C would show where the imports were.
    if handled := signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from bot.cli.main import run as command_line  # noqa: PLC0415 - one of both

    if handled:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    command_line()


if __name__ == "__main__":
    run()
