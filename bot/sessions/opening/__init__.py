"""The opening of a turn: quoted context, the person's words, their attachments."""
