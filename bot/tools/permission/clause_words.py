"""Words that tell an order from a question, a report, a condition and a refusal.

In English, German, French, Spanish and Italian. They can only make the gate more careful.
"""

import re

from bot.tools.permission.plain_words import word_set

NEGATING = word_set(
    """
    not never no nobody none neither nor without avoid refuse refrain stop except but besides
    instead
    rather excluding cannot cant dont wont shouldnt mustnt nothing nowhere hardly forbid forbidden
    nope unless
    nicht nie niemals nichts niemand niemandem niemanden ohne weder statt anstatt außer ausser nein
    verboten verbiete verbietet unterlass unterlasse keinesfalls bloß vermeide lass ignoriere
    ne pas jamais rien aucun aucune sans ni sauf non évite évitez surtout interdit arrête ignore
    nunca jamás nada nadie ningún ninguna ninguno sin tampoco salvo excepto evita evite prohibido
    niente nulla nessuno nessuna senza né tranne evitare vietato mica eccetto ignora
    """
)
"""A refusal or an exception. `mai` is looked at where it stands."""

REPORTING = word_set(
    """
    says said say tells told asks asked writes wrote written wants wanted insists insisted demands
    demanded claims claimed suggests suggested requests requested proposes proposed orders ordered
    according recommends recommended heard reads begs begged urges urged supposedly allegedly
    instructs instructed advised advises expects telling saying keeps kept quote quoted states
    stated mentions mentioned
    sagt sagte gesagt schreibt schrieb geschrieben meint meinte wollte fragt fragte
    verlangt verlangte bittet bat laut behauptet behauptete möchte angeblich
    fordert forderte rät erwähnte heißt steht
    dit disait écrit écrivait veut voulait demandait prétend selon insiste exige voudrait paraît
    dice dijo decía escribió quiere quería pide pidió según insiste exige querría
    detto dice diceva scrive scritto vuole voleva chiede chiesto secondo insiste pretende vorrebbe
    """
)
LIMITING = word_set(
    """
    if unless whenever provided assuming suppose supposing otherwise perhaps maybe might
    once until
    wenn falls sofern sobald vielleicht eventuell angenommen ansonsten sonst
    si dès sinon
    quizás quizá acaso
    se qualora magari forse altrimenti
    """
)
"""A condition, or a doubt of the person's own."""

WHETHER = frozenset({"if", "si", "se"})
ASKING = word_set("ask demande demandez demander pregunta pregunte preguntar chiedi chiedere")
"""Verbs behind whose person `WHETHER` sets no condition: "ask Ben if …"."""
CONDITIONAL = word_set(
    """
    you you're you've you'd in needed necessary possible required unsure
    tu vous besoin nécessaire
    necesario necesitas tienes quieres puedes
    necessario serve hai vuoi puoi
    """
)
"""Behind `WHETHER` they set one all the same: "ask Ben if you need help", "if in doubt"."""

QUESTIONING = word_set(
    """
    did do does is are was were has have had who whom whose what which where when why how should
    shall may am isn't aren't don't didn't wasn't
    ist sind war waren hast habt hat haben wer wen wem was welche welcher welches wo wann
    warum wieso
    wie soll sollen darf muss
    est qui que quoi où quand pourquoi comment quel quelle dois as avez
    es qué quién dónde cuándo cómo cuál debo has ha viste
    è chi che cosa dove quando perché come quale devo hai hanno
    """
)
SUBORDINATING = word_set(
    """
    that what who whom which whether if because since while although though unless until before
    after when whenever once how why where saying
    dass daß ob weil wenn falls wann warum wer wen damit nachdem bevor sobald obwohl während
    que qu' qui si parce quand lorsque puisque pourquoi où
    quien cuando porque cómo qué cuándo dónde quién
    che chi se quando perché cosa dove
    """
)
"""What follows says what somebody is told, or which thing is meant."""

TIMES = word_set(
    """
    because since while before after when
    weil bevor nachdem während
    parce quand lorsque puisque
    cuando porque
    quando perché
    """
)
"""Of these, those that say when or why: what is ordered behind them is an order."""
SAYING = word_set(
    """
    say note mention write comment confirm announce tell post reply answer respond add remind log
    record inform notify message mail email text ask
    """
)
"""Behind them, `that` begins what is said; behind other verbs it points at a thing."""
SUBJECTS = word_set(
    """
    i we he she they it's i'm i'll i've we're we'll he's she's they're
    ich wir
    je j' nous
    yo nosotros
    io noi
    """
)
JOINING = word_set("and then und dann et puis y luego e poi so also danach ensuite después")
PLEASE = word_set("please pls plz bitte svp stp")
OPENING = word_set(
    """
    please pls plz hey hi hello ok okay now then also and so just yes yeah yep bellhop great thanks
    kindly quickly first next finally well right sure perfect good alright
    bitte dann jetzt und auch mal hallo ja danke gut super erst sofort danach also schnell
    svp stp alors ensuite puis et maintenant oui bonjour salut merci accord aussi vite
    por favor luego ahora y sí hola gracias vale también entonces después
    per favore poi e ora adesso ciao sì anche grazie allora bene dopo perfetto
    """
)
FILLING = word_set(
    """
    to me us for mir uns mich kurz schnell noch eben den die das dem der
    m' me le la les lui leur de d' l' y en nous te
    lo los nos mi ci gli per
    """
)
POLITE: tuple[tuple[str, ...], ...] = tuple(
    tuple(line.split())
    for line in """
can you
could you
i'd like you to
i would like you to
i want you to
i need you to
go ahead and
make sure to
let's
kannst du
könntest du
können sie
könnten sie
kannst du mir
pourrais tu
tu peux
tu pourrais
peux tu
pouvez vous
pourriez vous
vous pouvez
merci de
merci d'
puedes
podrías
podrias
puede
podría
me puedes
puoi
potresti
può
potrebbe
mi puoi
""".strip().splitlines()
)
HELPING = word_set(
    """
    will soll sollte wollte wollen sollen muss müssen kann können möchte hat haben wird werden darf
    durfte konnte musste sollten würde ist war
    """
)
"""With one of them, a German verb at the end is no order."""
POINTING = word_set(
    """
    that that's this those these so such
    das dies so diese
    c' ce cela ça voilà
    eso esto así ese
    questo ciò così quello ecco
    """
)
"""A sentence that begins so says something of the one before it."""
MYSELF = word_set("me us mir uns mich moi nous myself")
BOTH = word_set(
    "remind erinnere rappelle "
    "write make note put set mark add draft schreib schreibe mach mache écris note"
)
"""Verbs that also mean to put something somewhere: `write me a draft`."""

LOOKING = word_set(
    """
    look show find read see check explain summarise summarize describe translate list search watch
    zeig zeige lies schau such suche prüfe erkläre übersetze
    montre lis cherche regarde explique traduis résume
    muestra lee busca mira explica traduce resume
    mostra leggi cerca guarda spiega traduci riassumi
    """
)
"""Verbs that only ask to be told something."""
FINITE = word_set(
    """
    is are was were has have had will would can could should may might must does did isn't wasn't
    says said wrote writes wants asked told sent sends got gets failed bounced looks seems needs
    ist sind war waren hat hatte wird kann soll muss schreibt schrieb sagt will wollte möchte
    est sont était a peut doit dit écrit veut
    es son era está tiene puede debe dice escribe quiere
    è sono era ha può deve dice scrive vuole
    """
)
"""Behind a name they say something of its bearer."""
TOWARDS = word_set(
    """
    to at in into on onto with via cc bcc through
    an in auf mit bei beim zu zum zur ins im unter ans am
    à au aux dans avec chez en vers
    a al en con
    a al ad all alla alle allo agli ai in nel nella nell con su sul sulla sull
    """
)
"""Words before a receiver."""
LABELS = word_set(
    """
    the my our their channel account iban number address mail email address room page link url site
    user handle team list
    den dem der das die mein meine meinen meinem unser kanal konto adresse nummer seite kontonummer
    le la les l' mon ma notre canal compte adresse numéro salon
    el los las la mi nuestro cuenta dirección número canal
    il lo i gli mio mia conto indirizzo numero canale
    """
)
AWAY = word_set(
    """
    from about like than regarding concerning against before after
    aus vom von über wegen gegen bezüglich vor nach
    depuis contre concernant avant après
    desde sobre contra antes después
    da dal dalla dall contro prima dopo
    """
)
"""Before a thing that is only spoken of."""
OF = word_set("of by de d' del du des di dei della dello dell delle")
PLAIN = (
    TOWARDS
    | LABELS
    | PLEASE
    | word_set(
        """
    a an this that these archive archiv next up off down as number euro euros eur dollar
    dollars usd chf franc francs pounds
    week monday tuesday wednesday thursday friday saturday sunday
    mal den die das dem der am zum vom ein eine einen woche beim bei um
    montag dienstag mittwoch donnerstag freitag samstag sonntag
    un une du de d' des cette semaine chez le la les l' au
    lundi mardi mercredi jeudi vendredi samedi dimanche
    del de la el esta semana como
    lunes martes miércoles jueves viernes sábado domingo
    il lo gli i l' questa settimana come
    lunedì martedì mercoledì giovedì venerdì sabato domenica
    de di d l s
    done complete completed finished erledigt fertig fait faite terminé hecho hecha fatto
    fatta ab raus
    out away favor favore por per als comme
    """
    )
)
"""Words that add nothing to an order on a thing."""
FOLLOWING = (
    PLAIN
    | SUBORDINATING
    | SUBJECTS
    | JOINING
    | OPENING
    | AWAY
    | OF
    | word_set(
        """
    and or his her these those all both my our today tomorrow tonight now about
    heute morgen weiter zu ein bescheid und oder alle alles meine meinen
    aujourd hui demain et ou mes nos tous tout ce
    know bescheid hoy mañana ahora y o mis todo un una los las
    oggi domani adesso e o i le miei tutto lo gli
    """
    )
)
"""What may stand behind a receiver."""
PUTTING = word_set(
    """
    add append put write insert enter attach include
    füge ergänze schreib schreibe setz setze trag trage häng hänge
    ajoute ajoutez mets mettez écris ecris insère inscris
    añade anade añada agrega agregue pon ponga escribe escriba inserta
    aggiungi metti scrivi inserisci
    """
)
"""Verbs that put something into a thing; the thing stands behind a preposition."""
WITH = word_set("with mit avec con via through by")
INVITING = word_set("invite invitez invita lade cc ping")
KIND_NOUNS = {
    "event": word_set(
        "event meeting appointment class termin treffen kurs rendez vous réunion cours cita "
        "reunión clase evento appuntamento riunione corso incontro"
    ),
    "file": word_set("file document datei dokument fichier archivo documento"),
    "note": word_set("note notiz nota"),
    "todo": word_set("todo task aufgabe tâche tarea compito attività"),
    "issue": word_set("issue ticket bug incidencia"),
    "mail": word_set("mail message email e nachricht courriel correo mensaje messaggio posta"),
    "schedule": word_set("schedule zeitplan planification programación pianificazione"),
    "page": word_set("page seite página pagina"),
}
"""By a part of a record's kind: the nouns for such a thing."""
IT = word_set(
    """
    it that this them him her one
    es ihn sie das ihm ihr diese diesen dieses
    le la les l' lui ça cela
    lo la los las eso esto
    lo la li le
    """
)
"""What stands for a thing named just before."""

TAKES_BACK = re.compile(
    r"(?:no|nope|wait|stop|don'?t|do not|never|never mind|nevermind|forget (?:it|that)|scratch|"
    r"hold on|"
    r"actually|cancel that|rather not|better not|not|oh no|sorry|hm+|oops|i changed|i take|undo|"
    r"nein|halt|stopp?|warte?n?|moment|doch nicht|lieber nicht|vergiss|quatsch|nicht|ach|"
    r"non|attends|attendez|arrête|laisse|finalement|en fait|oublie|plutôt|ne |pas |"
    r"espera|para|olvida|olvídalo|mejor|déjalo|dejalo|perdón|nunca|"
    r"aspetta|ferma|fermo|lascia|anzi|meglio|scusa|non)\b",
    re.IGNORECASE,
)
PASTED_MAIL = re.compile(
    r"(?im)^[ \t]*(?:best(?: regards| wishes)?|kind regards|regards|cheers|sincerely|yours|love|"
    r"mit freundlichen grüßen|viele grüße|liebe grüße|beste grüße|lg|vg|mfg|gruß|"
    r"cordialement|bien à (?:toi|vous)|bises|saludos|un saludo|atentamente|"
    r"cordiali saluti|saluti|distinti saluti),?[ \t]*(?:\n|$)"
    r"|\n[ \t]*(?:hi|hello|dear|hallo|liebe[r]?|sehr geehrte[r]?|guten tag|bonjour|salut|chère?|"
    r"hola|"
    r"estimad[oa]|querid[oa]|ciao|gentile|car[oa]|buongiorno) [^\n]{1,40},?[ \t]*\n"
    r"|^[ \t]*(?:subject|betreff|objet|asunto|oggetto|from|von|expéditeur|remitente|mittente):"
)
"""A salutation below the first line, a closing formula or a header of a mail."""

NO_NAMES = TOWARDS | OF | {"for", "to", "about", "pour", "por", "per", "it", "that"}
"""What stands in no name of a person."""
