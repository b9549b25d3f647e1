"""The terminal's entry for the rest of the program; no setting enables it."""

from bot.domain.platforms import PlatformTraits

TRAITS = PlatformTraits(
    name="terminal",
    title="Terminal",
    formatting=" Terminal: markdown.",
    id_form="NAME",
    id_example="anna",
    prints_numbers=lambda _choices: True,
)
