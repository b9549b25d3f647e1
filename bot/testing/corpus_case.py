"""One file of the corpus, and what is expected of reading it."""

from dataclasses import dataclass

from bot.testing.reading_batch import Outcome, SampleFile


@dataclass(frozen=True)
class Case:
    """`says`: words that are shown, in the text or beside it; `never`: words that are not."""

    file: SampleFile
    says: tuple[str, ...]
    never: tuple[str, ...] = ()
    pictures: int = 0
    refused: bool = False

    def wrong(self, found: Outcome) -> str:
        """What differs from what is expected; empty if nothing does."""
        missing = [words for words in self.says if words not in found.told]
        shown = [words for words in self.never if words in found.told]
        if found.died:
            return f"the process died: {found.died}"
        if bool(found.problem) is not self.refused:
            return f"problem: {found.problem!r}"
        if missing or shown:
            return f"missing {missing}, shown {shown}, in {found.told[:300]!r}"
        if found.pictures != self.pictures:
            return f"{found.pictures} pictures"
        return ""


def case(
    name: str, data: bytes, *says: str, never: tuple[str, ...] = (), pictures: int = 0
) -> Case:
    """A file that is read."""
    return Case(SampleFile(name, data), says, never, pictures)


def refused(name: str, data: bytes, *says: str) -> Case:
    """A file that nothing is read from; its person gets a sentence with these words."""
    return Case(SampleFile(name, data), says, refused=True)
