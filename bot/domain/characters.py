"""Text that can be written down: JSON from elsewhere may hold half of a character, which no encoding has."""


def whole_characters(text: str) -> str:
    """The text with each half of a character replaced by the mark for what can't be read; both halves are one."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
