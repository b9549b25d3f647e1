"""What the rest of the program knows of the terminal, which no setting switches on."""

from bot.domain.platforms import PlatformTraits

TRAITS = PlatformTraits(
    name="terminal",
    title="Terminal",
    formatting=" Terminal: markdown.",
    id_form="NAME",
    id_example="anna",
)
