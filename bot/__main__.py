"""`python -m bot` is `bellhop`."""

from bot.cli.main import run

if __name__ == "__main__":
    run()
