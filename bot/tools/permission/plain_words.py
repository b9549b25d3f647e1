"""Closed lists of the words that may stand around an order, in five languages.

What is on none of these lists and in no place of a thing's name leads to a question.
"""

import re
import unicodedata


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLAIN_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\uff1f\u061f\u203d\u2049❓❔\u2048\u2047", "?"),
        **dict.fromkeys("\u3002\uff0e", "."),
        **dict.fromkeys("\uff01", "!"),
        **dict.fromkeys("\uff1b", ";"),
        **dict.fromkeys("\uff1a", ":"),
        **dict.fromkeys("\uff0c\u060c", ","),
        **dict.fromkeys("\u2028\u2029\u0085\v\f\r", "\n"),
        "\u00a0": " ",
        "\u202f": " ",
    }
)
"""Spellings of punctuation, each of one character."""
KIND_FACES = re.compile(r"(?:\s|^)(?::-?\)|\^\^|:-?D|<3)(?=\s|$)|[🎉🙂😊👍🙏❤😀😃🥳✨☀🍀]\ufe0f?")
"""Decoration that takes nothing back."""
JEST = re.compile(
    r"(?i)\b(?:lol|rofl|lmao|ha(?:ha)+h?|he(?:he)+|hi(?:hi)+|ja(?:ja)+|ah(?:ah)+|mdr|ptdr|xd|jk|j/k|"
    r"kidding|joking|just a joke|as if|yeah right|nah|scherz|spaß|denkste|von wegen|blague|rigole|"
    r"broma|scherzo|scherzavo|figurati|macché)\b"
    r"|(?<!\S)/(?:s|j)\b|[😂🤣😉🙃😜😝😏🤡🤪🙄🤔🙅🚫❌⛔👎]|(?<!\S)[:;]-?[Pp](?!\w)|;-?\)"
)

DETERMINERS = word_set(
    """
    a an the this that these those my our your his her their its some all both each another one two
    three four five any
    der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner unser
    unsere unseren unserem dein deine ihr ihre ihren ihrem sein seine seinen seinem diese dieser
    dieses diesen diesem alle alles zwei drei vier noch
    le la les l' un une des du ce cet cette ces mon ma mes notre nos votre vos son sa ses leur leurs
    tous toutes tout deux trois quatre
    el los las lo unos unas una este esta estos estas ese esa esto eso mi mis tu tus su sus nuestro
    nuestra todo toda todos todas dos tres cuatro otro otra
    il lo i gli uno questa questo questi queste quel quella mio mia miei mie nostro nostra suo sua
    suoi sue tutto tutta tutti tutte due tre quattro un'
    """
)
ABOUT = word_set(
    """
    about of from for regarding concerning re
    über von vom für aus zu zum zur wegen
    de d' du des sur pour concernant
    del sobre para
    di della dello dei delle degli dell' sulla sul sui per dal dalla da
    """
)
"""Prepositions before what something is about or of."""
NEEDS = re.compile(
    r"(?:he|she|they|it'?s|er|sie|il|elle|ils|elles|lo|la|le|gli|ne) "
    r"(?:needs?|need|braucht|brauchen|(?:en )?a besoin|en ont besoin|necesitan?|serve|servono)\b"
    r"(?: (?:it|them|es|sie|das|that|ihn))?"
    r"(?: (?:for|für|zu|zum|zur|pour|para|per|by|bis) [\w' ]{1,40}|(?: (?:today|tomorrow|now|soon|"
    r"heute|morgen|bald|aujourd'hui|demain|hoy|mañana|oggi|domani)))?"
)
"""Why somebody gets something: "He needs it for the board"."""
TODAY = word_set(
    """
    now today tonight asap jetzt heute gleich maintenant aujourd hui hoy ahora oggi ora adesso
    subito
    """
)
TIMES = word_set(
    """
    monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday
    sunday tomorrow week weeks month day days hour hours minute minutes morning noon midday
    january february march april may june july august september october november december
    januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août
    septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto
    septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre
    ottobre dicembre
    afternoon evening am pm next later half quarter o'clock weekly daily earlier min back
    montag montags dienstag mittwoch donnerstag freitag samstag sonntag morgen übermorgen früh
    mittag mittags nachmittag abend uhr woche wochen monat tag tage tagen stunde stunden minuten
    nächste nächsten nächster kommenden hinten vorne später früher halb viertel zwölf um
    lundi mardi mercredi jeudi vendredi samedi dimanche demain matin midi soir semaine mois jour
    weekday weekdays werktag werktags heure heures h minutes prochaine prochain après-midi
    matinée tôt
    lunes martes miércoles jueves viernes sábado domingo mañana mediodía tarde noche semana mes día
    hora horas minutos próximo próxima viene que
    lunedì martedì mercoledì giovedì venerdì sabato domenica domani mattina mezzogiorno sera
    pomeriggio settimana mese giorno ora ore minuti prossima prossimo un'ora
    """
)
PARTICLES = word_set(
    """
    up off down back out in on away over done complete completed finished resolved as
    ab an auf aus ein um zu zurück weiter dazu hinzu mit vor rein raus zusammen fertig erledigt
    bescheid als
    comme fait faite faites terminé terminée
    como hecho hecha completado completada
    come fatto fatta completato completata indietro
    y en t il te vous me moi nous
    """
)
"""Parts of verbs, and what stands before the new value of a thing."""
AFTER = word_set(
    """
    please pls plz thanks thank you cheers ta done now ok okay too also directly quickly
    bitte danke fertig erledigt dankeschön schön jetzt auch gern gerne mal schnell vielen dank
    svp stp s'il s' il te vous plaît plait merci beaucoup aussi maintenant
    por favor gracias muchas ahora también ya
    per favore grazie mille ora adesso anche
    """
)
"""What may follow an order and changes nothing of it."""
LOOKS = word_set(
    """
    research google compare calculate count gather collect browse lookup recherchiere vergleiche
    berechne zähle sammle compare calcule compte rassemble investiga compara calcula cuenta ricerca
    confronta conta
    """
)
"""Further verbs that only ask to be shown something."""
VALUES = word_set(
    """
    to into in as at by auf um zu zum zur als in à au en comme de d' a al como por in come alle
    di ad behind hinter derrière detrás dietro with mit avec con
    """
)
"""Prepositions before a new value: "to negotiation", "as urgent"."""
PLACES = word_set(
    """
    calendar diary agenda kalender kalendar calendrier calendario list liste lista archive archiv
    archives archivo archivio
    """
)
ASKING = word_set(
    """
    ask tell let inform say know remind frag frage sag sage gib gibt informiere demande demandez dis
    dites informe préviens pregunta pregunte di diga dile dígale avisa chiedi di' dì avvisa comunica
    mail write reply answer schreib schreibe antworte schick schicke réponds écris responde escribe
    rispondi scrivi
    """
)
"""Verbs behind which a question word begins what is said: "ask Acme when …"."""
TIMES_SAID_BY = word_set(
    """
    ask tell know frag frage sag sage bescheid demande dis pregunta dile di di' chiedi dì informe
    inform let gib
    """
)
"""Of these, those behind which `when` is asked, and no condition."""
ALTERNATIVES = word_set("or oder ou o u od either entweder soit sea oppure vs versus")
KEEPING = word_set(
    """
    keep leave let's hold ignore disregard skip wait drop behalte behalten behalt lass lassen garde
    gardez laisse laissez deja dejar deje mantén mantenlo ignora tieni tienilo lascia lasciare
    """
)
"""What a later message begins with that takes an order back."""
BARRED = word_set(
    """
    you if in-case case signal example instance theory principle fun word words unless
    ever even still really actually theoretically eigentlich theoretisch überhaupt dry pretend joke
    falls fall notfall freigabe cas caso condition condición condizione exemple ejemplo esempio
    instead approval permission okay-from when-ever afterwards eventually someday depending pending
    subject whenever wherever however provided assuming only erst nur seulement sólo solo soltanto
    as-soon soon appena cuanto siempre patto
    """
)
"""Words that a plain order has nowhere before what is said."""


NOTING = word_set(
    "note log record add notiere notier vermerke note notez anota anote annota registra"
)


def is_plain_letter(char: str) -> bool:
    """Whether it belongs to the scripts in which orders are read."""
    return not char.isalpha() or "LATIN" in unicodedata.name(char, "")


CONCRETE = ABOUT - word_set("from for aus für de d' di da pour para per of re")
"""Of `ABOUT`, those behind which something definite stands."""
