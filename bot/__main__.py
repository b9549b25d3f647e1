"""`python -m bot` is `bellhop`."""

import sys


def run() -> None:
    """Start the command line, or a specialist, which starts quickly without it."""
    if sys.argv[1:] == ["specialist"]:
        from bot.specialist.loop import run as specialist  # noqa: PLC0415 - one of both

        sys.exit(specialist())
    from bot.cli.main import run as command_line  # noqa: PLC0415 - one of both

    command_line()


if __name__ == "__main__":
    run()
