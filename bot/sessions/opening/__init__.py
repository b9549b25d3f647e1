"""What a turn opens with: quoted context, the words of the person, their attachments."""
