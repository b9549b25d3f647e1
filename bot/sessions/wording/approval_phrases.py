"""What somebody reads who decides about a waiting call, or who may not decide."""

from collections.abc import Sequence

from bot.domain.access import Role
from bot.domain.approvals import ApprovalState
from bot.domain.languages import Language, Phrase, joined

ASKER_DECIDES = Phrase(
    "Only the person who asked for it can decide approval {ref}.",
    "Über die Freigabe {ref} entscheidet nur, wer darum gebeten hat.",
    "Seule la personne qui l'a demandée peut décider de l'approbation {ref}.",
    "Solo quien la pidió puede decidir la aprobación {ref}.",
    "Solo chi l'ha chiesta può decidere l'approvazione {ref}.",
)
OTHERS_DECIDE = Phrase(
    "Only {who} can decide this.",
    "Das kann nur {who} entscheiden.",
    "Seul {who} peut en décider.",
    "Solo {who} puede decidirlo.",
    "Solo {who} può deciderlo.",
)
OTHERS_ASKED = Phrase(
    "Only {who} can decide this; I have asked {names}.",
    "Das kann nur {who} entscheiden; ich habe {names} gefragt.",
    "Seul {who} peut en décider ; j'ai demandé à {names}.",
    "Solo {who} puede decidirlo; he preguntado a {names}.",
    "Solo {who} può deciderlo; ho chiesto a {names}.",
)
AN_ADMIN = Phrase(
    "a MasterAdmin", "ein MasterAdmin", "un MasterAdmin", "un MasterAdmin", "un MasterAdmin"
)
THAT_ROLE = Phrase(
    "a {role} or higher",
    "ein {role} oder höher",
    "un {role} ou plus",
    "un {role} o superior",
    "un {role} o superiore",
)
ELSEWHERE_ONLY = Phrase(
    "Approval {ref} was asked for elsewhere, and others read here. Send me `/approve {ref}` in a"
    " direct message: there I show all of it, and you can decide.",
    "Um die Freigabe {ref} wurde anderswo gebeten, und hier lesen andere mit. Schick mir"
    " `/approve {ref}` als Direktnachricht: dort zeige ich alles, und du kannst entscheiden.",
    "L'approbation {ref} a été demandée ailleurs, et d'autres lisent ici. Envoyez-moi"
    " `/approve {ref}` en message privé : là, je montre tout et vous pouvez décider.",
    "La aprobación {ref} se pidió en otro lugar, y aquí leen otros. Mándame `/approve {ref}` en un"
    " mensaje directo: allí lo muestro todo y puedes decidir.",
    "L'approvazione {ref} è stata chiesta altrove, e qui leggono altri. Mandami `/approve {ref}` in"
    " un messaggio diretto: lì mostro tutto e puoi decidere.",
)
ONLY_DIRECTLY = Phrase(
    "Something in approval {ref} looks like a secret, and others read here. Send me"
    " `/approve {ref}` in a direct message: there I show all of it, and you can decide.",
    "Etwas in der Freigabe {ref} sieht nach einem Geheimnis aus, und hier lesen andere mit. Schick"
    " mir `/approve {ref}` als Direktnachricht: dort zeige ich alles, und du kannst entscheiden.",
    "Quelque chose dans l'approbation {ref} ressemble à un secret, et d'autres lisent ici."
    " Envoyez-moi `/approve {ref}` en message privé : là, je montre tout et vous pouvez décider.",
    "Algo en la aprobación {ref} parece un secreto, y aquí leen otros. Mándame `/approve {ref}` en"
    " un mensaje directo: allí lo muestro todo y puedes decidir.",
    "Qualcosa nell'approvazione {ref} sembra un segreto, e qui leggono altri. Mandami"
    " `/approve {ref}` in un messaggio diretto: lì mostro tutto e puoi decidere.",
)
NOT_SHOWN = Phrase(
    "Approval {ref} was not shown to you whole, so your yes can't count. Send me `/approve {ref}`"
    " in a direct message, or ask for it again.",
    "Die Freigabe {ref} wurde dir nicht ganz gezeigt, also kann dein Ja nicht gelten. Schick mir"
    " `/approve {ref}` als Direktnachricht, oder bitte noch einmal darum.",
    "L'approbation {ref} ne vous a pas été montrée en entier, votre oui ne peut donc pas compter."
    " Envoyez-moi `/approve {ref}` en message privé, ou redemandez-la.",
    "La aprobación {ref} no se te mostró entera, así que tu sí no puede valer. Mándame"
    " `/approve {ref}` en un mensaje directo, o pídela otra vez.",
    "L'approvazione {ref} non ti è stata mostrata intera, quindi il tuo sì non può valere. Mandami"
    " `/approve {ref}` in un messaggio diretto, o chiedila di nuovo.",
)
ONE_OF_SEVERAL = Phrase(
    "Approval {ref} is call {line} of {card}: use `/approve {card} {line}`.",
    "Die Freigabe {ref} ist Aufruf {line} von {card}: nimm `/approve {card} {line}`.",
    "L'approbation {ref} est l'appel {line} de {card} : dites `/approve {card} {line}`.",
    "La aprobación {ref} es la llamada {line} de {card}: usa `/approve {card} {line}`.",
    "L'approvazione {ref} è la chiamata {line} di {card}: usa `/approve {card} {line}`.",
)
TOO_LONG = Phrase(
    "Approval {ref} is too long to be shown whole, so nobody can approve it: ask for less.",
    "Die Freigabe {ref} ist zu lang, um ganz gezeigt zu werden, also kann sie niemand geben: bitte"
    " um weniger.",
    "L'approbation {ref} est trop longue pour être montrée en entier, personne ne peut donc la"
    " donner : demandez moins.",
    "La aprobación {ref} es demasiado larga para mostrarla entera, así que nadie puede darla: pide"
    " menos.",
    "L'approvazione {ref} è troppo lunga per essere mostrata intera, quindi nessuno può darla:"
    " chiedi di meno.",
)
SHOWN_FIRST = Phrase(
    "Approval {ref} is not decided yet: this is all of it. Decide now.",
    "Über die Freigabe {ref} ist noch nicht entschieden: das hier ist alles. Entscheide jetzt.",
    "L'approbation {ref} n'est pas encore décidée : la voici en entier. Décidez maintenant.",
    "La aprobación {ref} aún no está decidida: esto es todo. Decide ahora.",
    "L'approvazione {ref} non è ancora decisa: questo è tutto. Decidi ora.",
)
ASKED_AGAIN = Phrase(
    "I ask again about approval {ref}, so that your answer means this and nothing else:",
    "Ich frage noch einmal wegen der Freigabe {ref}, damit deine Antwort genau das meint:",
    "Je redemande pour l'approbation {ref}, afin que votre réponse ne désigne qu'elle :",
    "Pregunto otra vez por la aprobación {ref}, para que tu respuesta se refiera solo a esto:",
    "Chiedo di nuovo dell'approvazione {ref}, così che la tua risposta valga solo per questo:",
)
OTHER_WAS_FASTER = Phrase(
    "Approval {ref} was decided by somebody else just now, or has expired.",
    "Über die Freigabe {ref} hat gerade jemand anders entschieden, oder sie ist abgelaufen.",
    "Quelqu'un d'autre vient de décider de l'approbation {ref}, ou elle a expiré.",
    "Otra persona acaba de decidir la aprobación {ref}, o ha caducado.",
    "Qualcun altro ha appena deciso l'approvazione {ref}, oppure è scaduta.",
)
EXPIRED = Phrase(
    "Approval {ref} has expired; ask for it again.",
    "Die Freigabe {ref} ist abgelaufen; bitte noch einmal darum.",
    "L'approbation {ref} a expiré ; redemandez-la.",
    "La aprobación {ref} ha caducado; pídela otra vez.",
    "L'approvazione {ref} è scaduta; chiedila di nuovo.",
)
APPROVED = Phrase(
    "Approval {ref}: approved.",
    "Freigabe {ref}: gegeben.",
    "Approbation {ref} : donnée.",
    "Aprobación {ref}: dada.",
    "Approvazione {ref}: data.",
)
REJECTED = Phrase(
    "Approval {ref}: rejected.",
    "Freigabe {ref}: abgelehnt.",
    "Approbation {ref} : refusée.",
    "Aprobación {ref}: rechazada.",
    "Approvazione {ref}: rifiutata.",
)
NOT_ASKED_AGAIN = Phrase(
    "From now on I don't ask about {what} (`/grants revoke {ref}` takes it back).",
    "Ab jetzt frage ich nicht mehr nach: {what} (`/grants revoke {ref}` nimmt es zurück).",
    "Désormais je ne demande plus pour : {what} (`/grants revoke {ref}` l'annule).",
    "Desde ahora no pregunto por: {what} (`/grants revoke {ref}` lo retira).",
    "D'ora in poi non chiedo più per: {what} (`/grants revoke {ref}` lo ritira).",
)
SAY_ROLE = Phrase(
    "Say as what: `/pair {ref} {roles}`.",
    "Sag, als was: `/pair {ref} {roles}`.",
    "Dites en tant que quoi : `/pair {ref} {roles}`.",
    "Di como qué: `/pair {ref} {roles}`.",
    "Dimmi come che cosa: `/pair {ref} {roles}`.",
)
ONE_CALL = Phrase(
    "Approval {ref} is for one call; use /approve {ref}.",
    "Die Freigabe {ref} gilt einem Aufruf; nimm /approve {ref}.",
    "L'approbation {ref} vaut pour un seul appel ; dites /approve {ref}.",
    "La aprobación {ref} es para una llamada; usa /approve {ref}.",
    "L'approvazione {ref} è per una sola chiamata; usa /approve {ref}.",
)
NAME_CALLS = Phrase(
    "Approval {ref} has the calls 1 to {most}; name some of these, such as /approve {ref} 1,2.",
    "Die Freigabe {ref} hat die Aufrufe 1 bis {most}; nenne davon welche, etwa /approve {ref} 1,2.",
    "L'approbation {ref} a les appels 1 à {most} ; nommez-en, par exemple /approve {ref} 1,2.",
    "La aprobación {ref} tiene las llamadas 1 a {most}; nombra algunas, como /approve {ref} 1,2.",
    "L'approvazione {ref} ha le chiamate da 1 a {most}; indicane alcune, come /approve {ref} 1,2.",
)
NO_TARGET = Phrase(
    "Approval {ref} can be given for this one call only: its arguments don't say what it acts on."
    " Use /approve {ref}.",
    "Die Freigabe {ref} geht nur für diesen einen Aufruf: seine Angaben sagen nicht, worauf er"
    " wirkt. Nimm /approve {ref}.",
    "L'approbation {ref} ne vaut que pour cet appel : ses arguments ne disent pas sur quoi il agit."
    " Dites /approve {ref}.",
    "La aprobación {ref} solo vale para esta llamada: sus datos no dicen sobre qué actúa. Usa"
    " /approve {ref}.",
    "L'approvazione {ref} vale solo per questa chiamata: i suoi dati non dicono su che cosa agisce."
    " Usa /approve {ref}.",
)
EACH_ASKS = Phrase(
    "Approval {ref} can be given for this one call only: each call of this kind needs its own yes."
    " Use /approve {ref}.",
    "Die Freigabe {ref} geht nur für diesen einen Aufruf: jeder Aufruf dieser Art braucht sein"
    " eigenes Ja. Nimm /approve {ref}.",
    "L'approbation {ref} ne vaut que pour cet appel : chaque appel de ce genre exige son propre"
    " oui. Dites /approve {ref}.",
    "La aprobación {ref} solo vale para esta llamada: cada llamada de este tipo necesita su propio"
    " sí. Usa /approve {ref}.",
    "L'approvazione {ref} vale solo per questa chiamata: ogni chiamata di questo tipo richiede il"
    " suo sì. Usa /approve {ref}.",
)
ENDED = {
    ApprovalState.APPROVED: Phrase(
        "Approval {ref} is already approved.",
        "Die Freigabe {ref} ist schon gegeben.",
        "L'approbation {ref} est déjà donnée.",
        "La aprobación {ref} ya está dada.",
        "L'approvazione {ref} è già stata data.",
    ),
    ApprovalState.REJECTED: Phrase(
        "Approval {ref} is already rejected.",
        "Die Freigabe {ref} ist schon abgelehnt.",
        "L'approbation {ref} est déjà refusée.",
        "La aprobación {ref} ya está rechazada.",
        "L'approvazione {ref} è già stata rifiutata.",
    ),
    ApprovalState.EXPIRED: Phrase(
        "Approval {ref} is already expired.",
        "Die Freigabe {ref} ist schon abgelaufen.",
        "L'approbation {ref} a déjà expiré.",
        "La aprobación {ref} ya ha caducado.",
        "L'approvazione {ref} è già scaduta.",
    ),
    ApprovalState.DONE: Phrase(
        "Approval {ref} is already done.",
        "Die Freigabe {ref} ist schon erledigt.",
        "L'approbation {ref} est déjà exécutée.",
        "La aprobación {ref} ya está hecha.",
        "L'approvazione {ref} è già stata eseguita.",
    ),
}


def not_yours(rank: int, ref: str, asked: Sequence[str], language: Language = Language.EN) -> str:
    """For a person who may not decide; `asked`: the names of the people who were asked."""
    if rank == 0:
        return ASKER_DECIDES.said(language, ref=ref)
    return waits_for(rank, asked, language)


def waits_for(rank: int, asked: Sequence[str], language: Language = Language.EN) -> str:
    """On a card without choices: the people who may decide."""
    admin = rank >= Role.MASTER_ADMIN.rank
    who = AN_ADMIN.said(language) if admin else THAT_ROLE.said(language, role=_lowest(rank))
    if not asked:
        return OTHERS_DECIDE.said(language, who=who)
    return OTHERS_ASKED.said(language, who=who, names=joined(asked, language))


def _lowest(rank: int) -> str:
    roles = sorted(Role, key=lambda role: role.rank)
    return next((role.value for role in roles if role.rank >= rank), Role.MASTER_ADMIN.value)
