"""Findings and refusals of an import in the language of whoever decides about it.

Why a source is refused is found by the English words of its refusal.
"""

from bot.domain.languages import Language, Phrase
from bot.domain.retelling import Retelling
from bot.domain.told_error import ToldError
from bot.errors import BotError
from bot.workshop.review.audit_words import SEEN
from bot.workshop.review.desk_words import SEVERITY
from bot.workshop.review.findings import Finding, ImportRefused
from bot.workshop.review.format_words import READ

REFUSED = (
    Phrase(
        "is larger than {most} KB; leave it out of the skill",
        "ist größer als {most} KB; lass die Datei aus dem Skill weg",
        "dépasse {most} Ko ; retirez-le de la compétence",
        "pasa de {most} KB; déjalo fuera de la habilidad",
        "supera {most} KB; lascialo fuori dall'abilità",
    ),
    Phrase(
        "with it the source is larger than {most} MB; import fewer skills at once",
        "mit ihr ist die Quelle größer als {most} MB; importier weniger Skills auf einmal",
        "avec lui, la source dépasse {most} Mo ; importez moins de compétences à la fois",
        "con él el origen pasa de {most} MB; importa menos habilidades a la vez",
        "con lui l'origine supera {most} MB; importa meno abilità alla volta",
    ),
    Phrase(
        "two files have this name; keep one of them",
        "zwei Dateien heißen so; behalt eine davon",
        "deux fichiers portent ce nom ; gardez-en un",
        "dos archivos tienen este nombre; quédate con uno",
        "due file hanno questo nome; tienine uno",
    ),
    Phrase(
        "is a link or no plain file; pack the skill without it",
        "ist ein Link oder keine einfache Datei; pack den Skill ohne sie",
        "est un lien ou pas un simple fichier ; emballez la compétence sans lui",
        "es un enlace o no es un archivo normal; empaqueta la habilidad sin él",
        "è un link o non è un file semplice; impacchetta l'abilità senza",
    ),
    Phrase(
        "is encrypted, so nobody can review it; pack it without a password",
        "ist verschlüsselt, also kann es niemand prüfen; pack es ohne Passwort",
        "est chiffré, personne ne peut donc l'examiner ; emballez-le sans mot de passe",
        "está cifrado, así que nadie puede revisarlo; empaquétalo sin contraseña",
        "è cifrato, quindi nessuno può esaminarlo; impacchettalo senza password",
    ),
    Phrase(
        "is packed by an unusual method; pack it with deflate",
        "ist auf ungewöhnliche Art gepackt; pack es mit deflate",
        "est emballé par une méthode inhabituelle ; emballez-le avec deflate",
        "está empaquetado con un método inusual; empaquétalo con deflate",
        "è impacchettato con un metodo insolito; impacchettalo con deflate",
    ),
    Phrase(
        "grows more than {count} times when unpacked; that is how a bomb looks",
        "wächst beim Entpacken auf mehr als das {count}-Fache; so sieht eine Bombe aus",
        "grossit plus de {count} fois une fois déballé ; c'est l'allure d'une bombe",
        "crece más de {count} veces al desempaquetar; así es una bomba",
        "cresce più di {count} volte scompattandolo; così è fatta una bomba",
    ),
    Phrase(
        "{where}: is larger than {most} MB; import fewer skills at once",
        "{where}: ist größer als {most} MB; importier weniger Skills auf einmal",
        "{where} : dépasse {most} Mo ; importez moins de compétences à la fois",
        "{where}: pasa de {most} MB; importa menos habilidades a la vez",
        "{where}: supera {most} MB; importa meno abilità alla volta",
    ),
    Phrase(
        "{where}: has {count} entries, at most {most} files are read",
        "{where}: hat {count} Einträge, höchstens {most} Dateien werden gelesen",
        "{where} : a {count} entrées, {most} fichiers au plus sont lus",
        "{where}: tiene {count} entradas, se leen como mucho {most} archivos",
        "{where}: ha {count} voci, al massimo {most} file si leggono",
    ),
    Phrase(
        "{where}: is not a sound zip archive ({why}); pack it again",
        "{where}: ist kein heiles Zip-Archiv ({why}); pack es noch einmal",
        "{where} : n'est pas une archive zip saine ({why}) ; refaites-la",
        "{where}: no es un zip sano ({why}); empaquétalo otra vez",
        "{where}: non è un archivio zip integro ({why}); impacchettalo di nuovo",
    ),
    Phrase(
        "{where}: has more than {most} files; import the folder of one skill",
        "{where}: hat mehr als {most} Dateien; importier den Ordner eines Skills",
        "{where} : a plus de {most} fichiers ; importez le dossier d'une compétence",
        "{where}: tiene más de {most} archivos; importa la carpeta de una habilidad",
        "{where}: ha più di {most} file; importa la cartella di un'abilità",
    ),
    Phrase(
        "{where}: {path} is no path below the skill; absolute names, `..` and backslashes are"
        " refused",
        "{where}: {path} ist kein Pfad unter dem Skill; absolute Namen, `..` und umgekehrte"
        " Schrägstriche sind abgelehnt",
        "{where} : {path} n'est pas un chemin sous la compétence ; noms absolus, `..` et barres"
        " obliques inverses sont refusés",
        "{where}: {path} no es una ruta dentro de la habilidad; se rechazan nombres absolutos, `..`"
        " y barras invertidas",
        "{where}: {path} non è un percorso dentro l'abilità; nomi assoluti, `..` e barre rovesciate"
        " sono rifiutati",
    ),
    Phrase(
        "{where}: {path} is nested too deeply or too long a name; shorten it",
        "{where}: {path} ist zu tief verschachtelt oder zu lang; kürz den Namen",
        "{where} : {path} est trop imbriqué ou trop long ; raccourcissez-le",
        "{where}: {path} está demasiado anidado o es demasiado largo; acórtalo",
        "{where}: {path} è troppo annidato o troppo lungo; accorcialo",
    ),
    Phrase(
        "{where}: holds no skill and no function declarations; name a SKILL.md, a .md file, a JSON"
        " export or a folder with one",
        "{where}: enthält keinen Skill und keine Funktionen; nenn eine SKILL.md, eine .md, einen"
        " JSON-Export oder einen Ordner damit",
        "{where} : ne contient ni compétence ni fonctions ; donnez un SKILL.md, un fichier .md, un"
        " export JSON ou un dossier qui en contient",
        "{where}: no contiene habilidad ni funciones; da un SKILL.md, un archivo .md, una"
        " exportación JSON o una carpeta con uno",
        "{where}: non contiene un'abilità né funzioni; indica un SKILL.md, un file .md,"
        " un'esportazione JSON o una cartella che ne contiene",
    ),
    Phrase(
        "{where}: holds no skill and no function declarations:",
        "{where}: enthält keinen Skill und keine Funktionen:",
        "{where} : ne contient ni compétence ni fonctions :",
        "{where}: no contiene habilidad ni funciones:",
        "{where}: non contiene un'abilità né funzioni:",
    ),
    Phrase(
        "{where}: no plug-in of this home reads skills from elsewhere; switch one on",
        "{where}: kein Plug-in hier liest Skills von anderswo; schalte eins ein",
        "{where} : aucun module d'ici ne lit de compétences d'ailleurs ; activez-en un",
        "{where}: ningún complemento de aquí lee habilidades de otros sitios; activa uno",
        "{where}: nessun plug-in di qui legge abilità da altrove; attivane uno",
    ),
    Phrase(
        "{where}, line {line}: {text}",
        "{where}, Zeile {line}: {text}",
        "{where}, ligne {line} : {text}",
        "{where}, línea {line}: {text}",
        "{where}, riga {line}: {text}",
    ),
)


def _lines(phrase: Phrase) -> tuple[Phrase, Phrase]:
    """How `Finding` tells one of this severity, with and without an excerpt."""
    words = phrase.all
    line = Phrase(
        f"{words[Language.EN]}: {{file}}, line {{line}}: {{text}} [{{rule}}]",
        f"{words[Language.DE]}: {{file}}, Zeile {{line}}: {{text}} [{{rule}}]",
        f"{words[Language.FR]} : {{file}}, ligne {{line}} : {{text}} [{{rule}}]",
        f"{words[Language.ES]}: {{file}}, línea {{line}}: {{text}} [{{rule}}]",
        f"{words[Language.IT]}: {{file}}, riga {{line}}: {{text}} [{{rule}}]",
    )
    return Phrase(*(f"{said}  «{{excerpt}}»" for said in line.all.values())), line


LINES = tuple(line for phrase in SEVERITY.values() for line in _lines(phrase))
_TOLD = Retelling((*LINES, *SEEN, *READ, *REFUSED))


def finding_text(finding: Finding, language: Language) -> str:
    return _TOLD.told(str(finding), language)


def refusal_text(error: BotError, language: Language) -> str:
    """Why an import or a decision is refused; as it is where it was not said for people."""
    match error:
        case ToldError():
            return error.said(language)
        case ImportRefused():
            return "\n".join(_line(line, language) for line in str(error).split("\n"))
        case _:
            return str(error)


def _line(line: str, language: Language) -> str:
    said = line.lstrip(" ")
    return line[: len(line) - len(said)] + _TOLD.told(said, language)
