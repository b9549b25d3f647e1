"""The words of an approval card: who wants what, why it is asked, how to decide."""

from bot.domain.approvals import ApprovalState
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.messages import Place

RUN = Phrase(
    "{who} asks to run `{tool}`",
    "{who} möchte `{tool}` ausführen",
    "{who} souhaite exécuter `{tool}`",
    "{who} quiere ejecutar `{tool}`",
    "{who} vuole eseguire `{tool}`",
)
RUN_CALLS = CountedPhrase(
    Phrase(
        "{who} asks to make {count} call",
        "{who} möchte {count} Aufruf machen",
        "{who} souhaite faire {count} appel",
        "{who} quiere hacer {count} llamada",
        "{who} vuole fare {count} chiamata",
    ),
    Phrase(
        "{who} asks to make {count} calls",
        "{who} möchte {count} Aufrufe machen",
        "{who} souhaite faire {count} appels",
        "{who} quiere hacer {count} llamadas",
        "{who} vuole fare {count} chiamate",
    ),
)
WANTED = Phrase(
    "{who} asks to {what}",
    "{who} bittet darum: {what}",
    "{who} demande ceci : {what}",
    "{who} pide esto: {what}",
    "{who} chiede questo: {what}",
)
"""`what` is a clause in the infinitive."""
OK = Phrase("OK?", "Einverstanden?", "D'accord ?", "¿De acuerdo?", "Va bene?")
APPROVAL = Phrase(
    "Approval {ref}.",
    "Freigabe {ref}.",
    "Approbation {ref}.",
    "Aprobación {ref}.",
    "Approvazione {ref}.",
)
RUNS = Phrase(
    "This runs `{tool}`",
    "Das führt `{tool}` aus",
    "Cela exécute `{tool}`",
    "Esto ejecuta `{tool}`",
    "Questo esegue `{tool}`",
)
ACTS_ON = Phrase("It acts on:", "Es wirkt auf:", "Cela agit sur :", "Actúa sobre:", "Agisce su:")
ACTS_ON_UNNAMED = Phrase(
    "It acts on this. You did not name all of it, so check it:",
    "Es wirkt auf das hier. Nicht alles davon hast du genannt, also prüf es:",
    "Cela agit sur ceci. Vous n'avez pas tout nommé, vérifiez donc :",
    "Actúa sobre esto. No lo nombraste todo, así que compruébalo:",
    "Agisce su questo. Non hai nominato tutto, quindi controlla:",
)
FROM = Phrase(
    "from {source}: {excerpt}",
    "aus {source}: {excerpt}",
    "de {source} : {excerpt}",
    "de {source}: {excerpt}",
    "da {source}: {excerpt}",
)
FROM_NOWHERE = Phrase(
    "in no text that I read here",
    "in keinem Text, den ich hier gelesen habe",
    "dans aucun texte que j'ai lu ici",
    "en ningún texto que haya leído aquí",
    "in nessun testo che ho letto qui",
)
WRITTEN = Phrase(
    "written {letters}",
    "geschrieben {letters}",
    "écrit {letters}",
    "escrito {letters}",
    "scritto {letters}",
)
MORE_CHARS = CountedPhrase(
    Phrase(
        "{count} more character",
        "{count} weiteres Zeichen",
        "{count} autre caractère",
        "{count} carácter más",
        "un altro carattere",
    ),
    Phrase(
        "{count} more characters",
        "{count} weitere Zeichen",
        "{count} autres caractères",
        "{count} caracteres más",
        "altri {count} caratteri",
    ),
)
AND_MORE = CountedPhrase(
    Phrase(
        "and {count} more",
        "und {count} weiteres",
        "et {count} autre",
        "y {count} más",
        "e un altro",
    ),
    Phrase(
        "and {count} more",
        "und {count} weitere",
        "et {count} autres",
        "y {count} más",
        "e altri {count}",
    ),
)
REST_IN_FILE = CountedPhrase(
    Phrase(
        "{count} more character is not shown here. The whole call is in the attached file"
        " `{ref}.json`.",
        "{count} weiteres Zeichen steht nicht hier. Der ganze Aufruf ist in der angehängten Datei"
        " `{ref}.json`.",
        "{count} autre caractère n'est pas montré ici. L'appel entier est dans le fichier joint"
        " `{ref}.json`.",
        "{count} carácter más no se muestra aquí. La llamada entera está en el archivo adjunto"
        " `{ref}.json`.",
        "{count} altro carattere non è mostrato qui. La chiamata intera è nel file allegato"
        " `{ref}.json`.",
    ),
    Phrase(
        "{count} more characters are not shown here. The whole call is in the attached file"
        " `{ref}.json`.",
        "{count} weitere Zeichen stehen nicht hier. Der ganze Aufruf ist in der angehängten Datei"
        " `{ref}.json`.",
        "{count} autres caractères ne sont pas montrés ici. L'appel entier est dans le fichier"
        " joint `{ref}.json`.",
        "{count} caracteres más no se muestran aquí. La llamada entera está en el archivo adjunto"
        " `{ref}.json`.",
        "{count} altri caratteri non sono mostrati qui. La chiamata intera è nel file allegato"
        " `{ref}.json`.",
    ),
)
TOO_MANY = Phrase(
    "{count} characters are too many to show them all.",
    "{count} Zeichen sind zu viele, um sie alle zu zeigen.",
    "{count} caractères, c'est trop pour les montrer tous.",
    "{count} caracteres son demasiados para mostrarlos todos.",
    "{count} caratteri sono troppi per mostrarli tutti.",
)
NOBODY_CAN = Phrase(
    "So nobody can approve it: ask for less. `/reject {ref}` ends it.",
    "Also kann es niemand freigeben: bitte um weniger. `/reject {ref}` beendet es.",
    "Personne ne peut donc l'approuver : demandez moins. `/reject {ref}` y met fin.",
    "Así que nadie puede aprobarlo: pide menos. `/reject {ref}` lo termina.",
    "Quindi nessuno può approvarlo: chiedi di meno. `/reject {ref}` lo chiude.",
)
NOT_HERE = Phrase(
    "Something in it looks like a secret and is hidden, as others read here. So nobody can approve"
    " it here: send me `/approve {ref}` in a direct message, where I show all of it.",
    "Etwas darin sieht nach einem Geheimnis aus und ist verborgen, weil hier andere mitlesen. Also"
    " kann es hier niemand freigeben: schick mir `/approve {ref}` als Direktnachricht, dort zeige"
    " ich alles.",
    "Quelque chose y ressemble à un secret et est caché, car d'autres lisent ici. Personne ne peut"
    " donc l'approuver ici : envoyez-moi `/approve {ref}` en message privé, là je montre tout.",
    "Algo en ello parece un secreto y está oculto, porque aquí leen otros. Así que nadie puede"
    " aprobarlo aquí: mándame `/approve {ref}` en un mensaje directo, donde lo muestro todo.",
    "Qualcosa sembra un segreto ed è nascosto, perché qui leggono altri. Quindi qui nessuno può"
    " approvarlo: mandami `/approve {ref}` in un messaggio diretto, dove mostro tutto.",
)
ANSWER = Phrase(
    "Answer yes or no or with the number of a choice, or use `/approve {ref}{wider}` or"
    " `/reject {ref}`.",
    "Antworte mit Ja, Nein oder der Nummer einer Auswahl, oder nimm `/approve {ref}{wider}` oder"
    " `/reject {ref}`.",
    "Répondez oui, non ou par le numéro d'un choix, ou dites `/approve {ref}{wider}` ou"
    " `/reject {ref}`.",
    "Responde sí, no o con el número de una opción, o usa `/approve {ref}{wider}` o"
    " `/reject {ref}`.",
    "Rispondi sì, no o con il numero di una scelta, oppure usa `/approve {ref}{wider}` o"
    " `/reject {ref}`.",
)
ANSWER_LINES = Phrase(
    "Answer yes or no, or use `/approve {ref}{wider}` or `/reject {ref}`.",
    "Antworte mit Ja oder Nein, oder nimm `/approve {ref}{wider}` oder `/reject {ref}`.",
    "Répondez oui ou non, ou dites `/approve {ref}{wider}` ou `/reject {ref}`.",
    "Responde sí o no, o usa `/approve {ref}{wider}` o `/reject {ref}`.",
    "Rispondi sì o no, oppure usa `/approve {ref}{wider}` o `/reject {ref}`.",
)
"""For several calls, which have numbers of their own already."""
RUNS_NOW = Phrase(
    "A yes runs these calls now. `/approve {ref} 1,3` runs only some of them, and the others are"
    " rejected.",
    "Ein Ja führt diese Aufrufe jetzt aus. `/approve {ref} 1,3` führt nur einige aus, und die"
    " anderen sind abgelehnt.",
    "Un oui exécute ces appels maintenant. `/approve {ref} 1,3` n'en exécute que certains, et les"
    " autres sont refusés.",
    "Un sí ejecuta estas llamadas ahora. `/approve {ref} 1,3` ejecuta solo algunas, y las demás se"
    " rechazan.",
    "Un sì esegue queste chiamate ora. `/approve {ref} 1,3` ne esegue solo alcune, e le altre sono"
    " rifiutate.",
)
LETS_RUN = Phrase(
    "A yes lets exactly these calls run, each once, within an hour. `/approve {ref} 1,3` allows"
    " only some of them; any other call is asked about by itself.",
    "Ein Ja erlaubt genau diese Aufrufe, jeden einmal, binnen einer Stunde. `/approve {ref} 1,3`"
    " erlaubt nur einige davon; nach jedem anderen Aufruf wird eigens gefragt.",
    "Un oui permet exactement ces appels, chacun une fois, pendant une heure. `/approve {ref} 1,3`"
    " n'en permet que certains ; tout autre appel est demandé à part.",
    "Un sí permite exactamente estas llamadas, cada una una vez, durante una hora."
    " `/approve {ref} 1,3` permite solo algunas; cualquier otra llamada se pregunta aparte.",
    "Un sì permette esattamente queste chiamate, ognuna una volta, entro un'ora."
    " `/approve {ref} 1,3` ne permette solo alcune; ogni altra chiamata si chiede a parte.",
)
SESSION_COVERS = Phrase(
    '"{button}" covers later calls of `{tool}` until /new. It does not cover other tools, nor calls'
    " made after text from outside was read.",
    "„{button}“ gilt für spätere Aufrufe von `{tool}` bis /new. Es gilt nicht für andere Werkzeuge"
    " und nicht für Aufrufe, vor denen Text von außen gelesen wurde.",
    "« {button} » vaut pour les appels suivants de `{tool}` jusqu'à /new. Cela ne vaut ni pour"
    " d'autres outils, ni pour des appels faits après la lecture d'un texte de l'extérieur.",
    "«{button}» vale para las siguientes llamadas de `{tool}` hasta /new. No vale para otras"
    " herramientas ni para llamadas hechas después de leer texto de fuera.",
    "«{button}» vale per le chiamate successive di `{tool}` fino a /new. Non vale per altri"
    " strumenti, né per chiamate fatte dopo aver letto testo dall'esterno.",
)
APPROVE = Phrase("Approve", "Freigeben", "Approuver", "Aprobar", "Approva")
REJECT = Phrase("Reject", "Ablehnen", "Refuser", "Rechazar", "Rifiuta")
FOR_SESSION = Phrase(
    "For this session",
    "Für diese Sitzung",
    "Pour cette session",
    "Para esta sesión",
    "Per questa sessione",
)
ALWAYS_FOR = Phrase(
    "Always for {what}",
    "Immer für {what}",
    "Toujours pour {what}",
    "Siempre para {what}",
    "Sempre per {what}",
)
THESE = Phrase("these {count}", "diese {count}", "ces {count}", "estos {count}", "questi {count}")
THIS_ONE = Phrase("this one", "dieses Ziel", "cette cible", "este destino", "questa destinazione")

ASKED_IN = Phrase(
    "{who} (`{id}`) asks for this in {where}.",
    "{who} (`{id}`) bittet darum in {where}.",
    "{who} (`{id}`) le demande dans {where}.",
    "{who} (`{id}`) lo pide en {where}.",
    "{who} (`{id}`) lo chiede in {where}.",
)
PLACES = {
    Place.DM: Phrase(
        "a direct conversation on {platform}",
        "einem direkten Gespräch auf {platform}",
        "une conversation privée sur {platform}",
        "una conversación directa en {platform}",
        "una conversazione diretta su {platform}",
    ),
    Place.CHANNEL: Phrase(
        "a channel on {platform}",
        "einem Kanal auf {platform}",
        "un canal sur {platform}",
        "un canal en {platform}",
        "un canale su {platform}",
    ),
    Place.THREAD: Phrase(
        "a thread on {platform}",
        "einem Thread auf {platform}",
        "un fil sur {platform}",
        "un hilo en {platform}",
        "una discussione su {platform}",
    ),
}
SENT_DIRECTLY = Phrase(
    "I sent all of it directly to {names}.",
    "Ich habe alles direkt an {names} geschickt.",
    "J'ai tout envoyé directement à {names}.",
    "Lo he enviado todo directamente a {names}.",
    "Ho mandato tutto direttamente a {names}.",
)
TELL_THEM = Phrase(
    "I can reach none from here: give one of them the reference {ref}.",
    "Ich erreiche von hier aus niemanden: gib jemandem davon die Referenz {ref}.",
    "Je ne peux joindre personne d'ici : donnez à l'un d'eux la référence {ref}.",
    "Desde aquí no llego a nadie: da a uno de ellos la referencia {ref}.",
    "Da qui non raggiungo nessuno: dai a uno di loro il riferimento {ref}.",
)

CLOSED = Phrase(
    "Not open any more",
    "Nicht mehr offen",
    "N'est plus ouvert",
    "Ya no está abierto",
    "Non più aperto",
)
STOPPED = Phrase("Stopped", "Angehalten", "Arrêté", "Detenido", "Fermato")
UNANSWERED = Phrase(
    "Expired: nobody answered in time",
    "Abgelaufen: niemand hat rechtzeitig geantwortet",
    "Expiré : personne n'a répondu à temps",
    "Caducado: nadie respondió a tiempo",
    "Scaduto: nessuno ha risposto in tempo",
)
UNDECIDED = Phrase(
    "Expired: nobody decided in time",
    "Abgelaufen: niemand hat rechtzeitig entschieden",
    "Expiré : personne n'a décidé à temps",
    "Caducado: nadie decidió a tiempo",
    "Scaduto: nessuno ha deciso in tempo",
)
APPROVED_BY = Phrase(
    "Approved by {who}",
    "Freigegeben von {who}",
    "Approuvé par {who}",
    "Aprobado por {who}",
    "Approvato da {who}",
)
REJECTED_BY = Phrase(
    "Rejected by {who}",
    "Abgelehnt von {who}",
    "Refusé par {who}",
    "Rechazado por {who}",
    "Rifiutato da {who}",
)
APPROVED_ELSEWHERE = Phrase(
    "Approved elsewhere",
    "Anderswo freigegeben",
    "Approuvé ailleurs",
    "Aprobado en otro lugar",
    "Approvato altrove",
)
REJECTED_ELSEWHERE = Phrase(
    "Rejected elsewhere",
    "Anderswo abgelehnt",
    "Refusé ailleurs",
    "Rechazado en otro lugar",
    "Rifiutato altrove",
)
ANSWERED = Phrase(
    "Answered: {option}",
    "Beantwortet: {option}",
    "Répondu : {option}",
    "Respondido: {option}",
    "Risposto: {option}",
)
ANSWERED_IN_WORDS = Phrase(
    "Answered in words",
    "Mit Worten beantwortet",
    "Répondu avec des mots",
    "Respondido con palabras",
    "Risposto a parole",
)


def approval_end(state: ApprovalState, by: str, language: Language = Language.EN) -> str:
    """The line under the card of a finished approval; `by` made the decision."""
    if state is ApprovalState.EXPIRED:
        return UNDECIDED.said(language)
    who, rejected = " ".join(by.split())[:80], state is ApprovalState.REJECTED
    if not who:
        return (REJECTED_ELSEWHERE if rejected else APPROVED_ELSEWHERE).said(language)
    return (REJECTED_BY if rejected else APPROVED_BY).said(language, who=who)


def answered(option: str | None, language: Language = Language.EN) -> str:
    """The line under a question. It doesn't repeat typed answers: their author may delete them."""
    if option is None:
        return ANSWERED_IN_WORDS.said(language)
    return ANSWERED.said(language, option=" ".join(option.split())[:100])
