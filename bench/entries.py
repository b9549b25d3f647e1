"""How often knowledge_search finds an entry by other forms of its words, in five languages.

    python bench/entries.py

Each entry lies among 1,000 others; found means among the first five. Beside it the same with the
words of one language alone (porter), as entries were kept before. Exits with 1 where a goal is
missed.
"""

import random
import sqlite3
import sys

from figures import Figures

from bot.storage.fulltext import fts_query, index_text
from bot.storage.stems import StemmedQuery, indexed

FIRST, OTHERS = 5, 1_000
LEAST = 0.9
"""The share of the questions that find their entry."""
TOLD = (
    ("Die Rechnungen liegen in den Schränken", "in welchem Schrank liegt die Rechnung?"),
    ("Unsere Häuser wurden 2019 gestrichen", "wann wurde das Haus gestrichen?"),
    ("Zahlungen gehen an die Kollegen in Bern", "welcher Kollege bekommt die Zahlung?"),
    ("Die Schlüssel hängen neben den Türen", "welcher Schlüssel neben der Tür?"),
    ("Les clés étaient dans les tiroirs", "quel tiroir pour la clé ?"),
    ("Les factures sont envoyées aux clientes", "envoyer la facture à quelle cliente ?"),
    ("Nous réparons les imprimantes le mardi", "qui répare l'imprimante ?"),
    ("Les réunions commencent à neuf heures", "quand commence la réunion ?"),
    ("Las llaves quedan en los cajones", "¿qué cajón, qué llave?"),
    ("Las facturas se enviaron a los clientes", "¿enviar factura a qué cliente?"),
    ("Reparamos las impresoras los martes", "¿quién repara la impresora?"),
    ("Las reuniones empiezan a las nueve", "¿cuándo empieza la reunión?"),
    ("Le chiavi stanno nei cassetti", "in quale cassetto la chiave?"),
    ("Le fatture furono inviate ai clienti", "inviare la fattura a quale cliente?"),
    ("Ripariamo le stampanti ogni martedì", "chi ripara la stampante?"),
    ("Le riunioni cominciano alle nove", "quando comincia la riunione?"),
    ("The invoices are stored in cabinets", "which cabinet stores the invoice?"),
    ("Our houses were painted in 2019", "when was the house painted?"),
    ("Payments go to colleagues in Bern", "which colleague gets the payment?"),
    ("We are repairing printers on Tuesdays", "who repairs the printer?"),
)
SYLLABLES = ("ba", "cor", "del", "fin", "gra", "hol", "ka", "lum", "mer", "no", "pri", "sto")


def main() -> int:
    figures = Figures()
    draw = random.Random(7)  # noqa: S311 - the same others each time
    others = [
        " ".join("".join(draw.choices(SYLLABLES, k=3)) for _ in range(12)) for _ in range(OTHERS)
    ]
    texts = [told for told, _ in TOLD] + others
    for name, index, match in (
        ("one language", index_text, one_language),
        ("five languages", indexed, five_languages),
    ):
        table = sqlite3.connect(":memory:")
        table.execute(
            "CREATE VIRTUAL TABLE t USING fts5 (body, tokenize = 'porter unicode61 "
            "remove_diacritics 2')"
        )
        table.executemany("INSERT INTO t VALUES (?)", [(index(text),) for text in texts])
        found = sum(
            number in hits(table, match(asked)) for number, (_, asked) in enumerate(TOLD, 1)
        )
        what = f"{name}: of {len(TOLD)} found among the first {FIRST}"
        if index is indexed:
            figures.at_least(what, found, LEAST * len(TOLD))
        else:
            figures.told(what, str(found))
    return figures.close()


def one_language(query: str) -> str:
    return fts_query(query) or ""


def five_languages(query: str) -> str:
    return StemmedQuery.of(query).any_word


def hits(table: sqlite3.Connection, expression: str) -> list[int]:
    sql = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?"
    return [row[0] for row in table.execute(sql, (expression, FIRST))] if expression else []


if __name__ == "__main__":
    sys.exit(main())
