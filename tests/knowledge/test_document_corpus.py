"""What a model gets of each file of the corpus, within the limits of the reading process."""

import pytest

from bot.knowledge.reading import CPU_S, TEXT_BYTES
from bot.testing.document_corpus import corpus
from bot.testing.reading_batch import read_all
from tests.thoroughness import tried


@pytest.mark.thorough
@pytest.mark.slow
def test_every_file_of_the_corpus_gives_what_is_expected():
    all_of_them = corpus()
    cases = {one.file.name: one for one in all_of_them}
    assert len(cases) == len(all_of_them) >= 170, "each name once"
    found = {one.name: one for one in read_all(one.file for one in tried(cases.values(), 3))}
    wrong = {name: cases[name].wrong(one) for name, one in found.items()}
    assert {name: why for name, why in wrong.items() if why} == {}
    for one in found.values():
        assert one.megabytes * 1024**2 <= TEXT_BYTES, one
        assert one.seconds < CPU_S / 2, one
