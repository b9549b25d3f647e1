"""Whether the meaning of people's words brings them to a skill that shares no word with them.

    python bench/skill_meaning.py [--embedder URL] [--model multilingual-e5-small]

Needs an embedder, such as `embedding_server.py`, whose address and model are the defaults. It puts
the wants of `skill_wants.py` to the skills by words alone, as Bellhop does, by meaning alone, and
by both: what words name stays, and the nearest by meaning come in turn with what words find. By
meaning a skill is as near as the nearest of its description, its example and all its phrases. It is
named where its cosine is at least `near` and `ahead` of the next one; both are chosen on
`skill_wants.json`, as the pair that names most with at most 2 % wrong. Words were tuned on that set
and its fresh one, so `skill_wants_apart.json` is the fair one.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product, zip_longest
from pathlib import Path

from embedding_server import PORT
from figures import Figures

from bot.domain.memory import Embedder
from bot.memory.embedding import OllamaEmbedder
from bot.memory.settings import EmbedderSettings
from bot.shipped import shipped_dir
from bot.skills.library import SkillLibrary
from bot.testing.wants import SKILL_AMONG, Want, read_wants, skill_judged, want_house

HERE = Path(__file__).parent
SETS = ("skill_wants", "skill_wants_fresh", "skill_wants_apart")
AT_ONCE = 32
WAIT_S = 600.0
"""For the vectors of one batch, on a machine that others use, too."""
MOST_WRONG = 0.02
NEARS = tuple(step / 50 for step in range(10, 50))
AHEADS = (0.0, 0.02, 0.05, 0.1)


@dataclass(frozen=True)
class Found:
    """What one search came to: the skill that is named, empty for none, and the first three."""

    named: str
    first: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """One want, with the skills by their nearness to it."""

    want: Want
    order: Sequence[tuple[str, float]]

    def found(self, near: float, ahead: float) -> Found:
        (name, cosine), (_, behind) = self.order[0], self.order[1]
        fits = cosine >= near and cosine - behind >= ahead
        return Found(name if fits else "", tuple(one for one, _ in self.order[:SKILL_AMONG]))


async def vectors(embedder: Embedder, texts: Sequence[str]) -> list[Sequence[float]]:
    found: list[Sequence[float]] = []
    for at in range(0, len(texts), AT_ONCE):
        found += await embedder.embed(texts[at : at + AT_ONCE])
    return found


def ranked(
    asked: Sequence[float], known: Sequence[tuple[str, Sequence[float]]]
) -> list[tuple[str, float]]:
    best: dict[str, float] = {}
    for name, vector in known:
        cosine = sum(a * b for a, b in zip(asked, vector, strict=True))
        best[name] = max(best.get(name, -1.0), cosine)
    return sorted(best.items(), key=lambda one: -one[1])


def is_wrong(found: Found, want: Want) -> bool:
    return bool(found.named) and found.named not in want.finds | want.near


def limits(asked: Sequence[Asked]) -> tuple[float, float]:
    """`near` and `ahead`; the strictest where every pair names too many wrong ones."""
    best, most = (NEARS[-1], AHEADS[-1]), 0
    for near, ahead in product(NEARS, AHEADS):
        found = [(one.found(near, ahead), one.want) for one in asked]
        if sum(is_wrong(one, want) for one, want in found) > MOST_WRONG * len(asked):
            continue
        right = sum(one.named in want.finds for one, want in found)
        if right > most:
            best, most = (near, ahead), right
    return best


def both(words: Found, meaning: Found) -> Found:
    in_turn = chain.from_iterable(zip_longest(words.first, meaning.first, fillvalue=""))
    first = dict.fromkeys(filter(None, (words.named, *in_turn)))
    return Found(words.named or meaning.named, tuple(first)[:SKILL_AMONG])


def rows(name: str, wants: Sequence[Want], found: Sequence[Found]) -> Iterator[tuple[str, str]]:
    pairs = list(zip(found, wants, strict=True))
    asking = [(one, want) for one, want in pairs if want.finds]
    served = sum(not want.finds.isdisjoint(one.first) for one, want in asking)
    right = sum(one.named in want.finds for one, want in asking)
    wrong = sum(is_wrong(one, want) for one, want in pairs)
    share = 100 / len(asking)
    yield f"{name}: among the first three", f"{served * share:.1f} %"
    told = f"{right * share:.1f} %, wrong {100 * wrong / len(wants):.2f} %"
    yield f"{name}: named without a search", told


async def main(embedder: Embedder, model: str) -> int:
    figures, toolset = Figures(), (await want_house()).toolset()
    library = SkillLibrary([shipped_dir("skills")])
    await library.load()
    texts = [
        (one.name, text.strip("=~"))
        for one in library.all()
        for text in (one.description, one.example, *one.words)
        if text
    ]
    began = time.perf_counter()
    found = await vectors(embedder, [text for _, text in texts])
    took = time.perf_counter() - began
    figures.told(f"{model}: {len(texts):,} texts of skills", f"{took:.0f} s, once")
    known = list(zip((name for name, _ in texts), found, strict=True))
    chosen: tuple[float, float] | None = None
    for name in SETS:
        wants = read_wants(HERE / f"{name}.json")
        began = time.perf_counter()
        found = await vectors(embedder, [want.text for want in wants])
        each = (time.perf_counter() - began) * 1e3 / len(wants)
        asked = [Asked(want, ranked(one, known)) for want, one in zip(wants, found, strict=True)]
        chosen = chosen or limits(asked)
        judged = [skill_judged(want, toolset) for want in wants]
        words = [Found(one.named, one.first) for one in judged]
        meaning = [one.found(*chosen) for one in asked]
        mixed = [both(one, other) for one, other in zip(words, meaning, strict=True)]
        for way, ones in (("words", words), ("meaning", meaning), ("both", mixed)):
            for row in rows(f"{name}, {way}", wants, ones):
                figures.told(*row)
        figures.told(f"{name}: the embedder, for each want", f"{each:.1f} ms")
    figures.told("named by meaning", f"near {chosen[0]}, ahead {chosen[1]}" if chosen else "")
    return figures.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default=f"http://127.0.0.1:{PORT}")
    parser.add_argument("--model", default="multilingual-e5-small")
    given = parser.parse_args()
    settings = EmbedderSettings(base_url=given.embedder, name=given.model)
    raise SystemExit(asyncio.run(main(OllamaEmbedder(settings, WAIT_S), given.model)))
