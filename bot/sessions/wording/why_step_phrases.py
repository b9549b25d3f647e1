"""The words of `/why` about what ran, what was asked, and what was sent."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Phrase

HANDED_TO = CountedPhrase(
    Phrase(
        "Handed to {count} agent: {tokens} tokens{share}",
        "Abgegeben an {count} Agenten: {tokens} Tokens{share}",
        "Confié à {count} agent : {tokens} tokens{share}",
        "Entregado a {count} agente: {tokens} tokens{share}",
        "Affidato a {count} agente: {tokens} token{share}",
    ),
    Phrase(
        "Handed to {count} agents: {tokens} tokens{share}",
        "Abgegeben an {count} Agenten: {tokens} Tokens{share}",
        "Confié à {count} agents : {tokens} tokens{share}",
        "Entregado a {count} agentes: {tokens} tokens{share}",
        "Affidato a {count} agenti: {tokens} token{share}",
    ),
)
OF_REQUEST = Phrase(
    "{percent} % of this request",
    "{percent} % dieser Anfrage",
    "{percent} % de cette demande",
    "{percent} % de esta petición",
    "{percent} % di questa richiesta",
)
MODEL_FAILED = Phrase(
    "Model call {step} failed: {what}{took}",
    "Modellaufruf {step} gescheitert: {what}{took}",
    "Appel au modèle {step} échoué : {what}{took}",
    "La llamada al modelo {step} falló: {what}{took}",
    "Chiamata al modello {step} fallita: {what}{took}",
)
MODEL_CALL = Phrase(
    "Model call {step}: {model}, {read} tokens in, {written} out, ended with {reason}{tries}{took}",
    "Modellaufruf {step}: {model}, {read} Tokens gelesen, {written} geschrieben, beendet mit"
    " {reason}{tries}{took}",
    "Appel au modèle {step} : {model}, {read} tokens lus, {written} écrits, terminé par"
    " {reason}{tries}{took}",
    "Llamada al modelo {step}: {model}, {read} tokens leídos, {written} escritos, terminó con"
    " {reason}{tries}{took}",
    "Chiamata al modello {step}: {model}, {read} token letti, {written} scritti, terminata con"
    " {reason}{tries}{took}",
)
TRIES = CountedPhrase(
    Phrase("{count} try", "{count} Versuch", "{count} essai", "{count} intento", "{count} prova"),
    Phrase(
        "{count} tries", "{count} Versuche", "{count} essais", "{count} intentos", "{count} prove"
    ),
)
WITHHELD = Phrase(
    ", output withheld by {rule}",
    ", Ausgabe zurückgehalten von {rule}",
    ", résultat retenu par {rule}",
    ", salida retenida por {rule}",
    ", risultato trattenuto da {rule}",
)
DECIDED: Mapping[str, Phrase] = {
    "allow": Phrase(
        "allowed by {rule}",
        "erlaubt von {rule}",
        "permis par {rule}",
        "permitido por {rule}",
        "permesso da {rule}",
    ),
    "ask": Phrase(
        "asked about by {rule}",
        "gefragt wegen {rule}",
        "demandé à cause de {rule}",
        "preguntado por {rule}",
        "chiesto per {rule}",
    ),
    "defer": Phrase(
        "nobody was there to say yes, put off by {rule}",
        "niemand war da für ein Ja, aufgeschoben von {rule}",
        "personne n'était là pour dire oui, remis par {rule}",
        "no había nadie para decir sí, aplazado por {rule}",
        "non c'era nessuno per dire sì, rimandato da {rule}",
    ),
}
TOOL = Phrase(
    "Tool `{tool}`: {fate}{how}{took}",
    "Werkzeug `{tool}`: {fate}{how}{took}",
    "Outil `{tool}` : {fate}{how}{took}",
    "Herramienta `{tool}`: {fate}{how}{took}",
    "Strumento `{tool}`: {fate}{how}{took}",
)
HIDDEN_TOOL = Phrase(
    "A tool that is not here: refused",
    "Ein Werkzeug, das nicht hier ist: abgelehnt",
    "Un outil qui n'est pas ici : refusé",
    "Una herramienta que no está aquí: rechazada",
    "Uno strumento che non è qui: rifiutato",
)
REFUSED_BY = Phrase(
    "refused by the rule {rule}",
    "abgelehnt von der Regel {rule}",
    "refusé par la règle {rule}",
    "rechazado por la regla {rule}",
    "rifiutato dalla regola {rule}",
)
BEGUN = Phrase(
    "begun, no result yet",
    "begonnen, noch kein Ergebnis",
    "commencé, pas encore de résultat",
    "empezado, aún sin resultado",
    "cominciato, ancora nessun risultato",
)
FINE = Phrase("ok", "ok", "ok", "ok", "ok")
FAILED = Phrase("failed", "gescheitert", "échec", "falló", "fallito")
NOT_RUN_THEN = Phrase(
    "not run then",
    "damals nicht gelaufen",
    "pas exécuté alors",
    "no se ejecutó entonces",
    "non eseguito allora",
)
AND_MORE = Phrase(
    "… and {count} more: `bellhop cycles show {cycle}`",
    "… und {count} weitere: `bellhop cycles show {cycle}`",
    "… et {count} autres : `bellhop cycles show {cycle}`",
    "… y {count} más: `bellhop cycles show {cycle}`",
    "… e altre {count}: `bellhop cycles show {cycle}`",
)
QUESTION = Phrase(
    "Question {ref}{text}: asked {asked}, {state}{closed}",
    "Frage {ref}{text}: gestellt {asked}, {state}{closed}",
    "Question {ref}{text} : posée {asked}, {state}{closed}",
    "Pregunta {ref}{text}: hecha {asked}, {state}{closed}",
    "Domanda {ref}{text}: fatta {asked}, {state}{closed}",
)
STATES: Mapping[str, Phrase] = {
    "open": Phrase("open", "offen", "ouverte", "abierta", "aperta"),
    "answered": Phrase("answered", "beantwortet", "répondue", "respondida", "risposta"),
    "expired": Phrase("expired", "abgelaufen", "expirée", "caducada", "scaduta"),
    "closed": Phrase("closed", "geschlossen", "fermée", "cerrada", "chiusa"),
    "cancelled": Phrase("cancelled", "abgebrochen", "annulée", "cancelada", "annullata"),
    "approved": Phrase("approved", "gegeben", "donnée", "dada", "data"),
    "rejected": Phrase("rejected", "abgelehnt", "refusée", "rechazada", "rifiutata"),
}
"""Of questions and approvals."""
BY = Phrase(" by {who}", " von {who}", " par {who}", " por {who}", " da {who}")
OPEN_UNTIL = Phrase(
    "open until {time} UTC",
    "offen bis {time} UTC",
    "ouverte jusqu'au {time} UTC",
    "abierta hasta {time} UTC",
    "aperta fino a {time} UTC",
)
AND_RAN = Phrase(
    "approved{by}, and it ran",
    "gegeben{by}, und es lief",
    "donnée{by}, et exécutée",
    "dada{by}, y se ejecutó",
    "data{by}, ed eseguita",
)
WENT_ON = Phrase(
    " (went on as {ref})",
    " (ging weiter als {ref})",
    " (suite sous {ref})",
    " (siguió como {ref})",
    " (proseguito come {ref})",
)
ASKED_BECAUSE = Phrase(
    ", asked because {reason}",
    ", gefragt, weil: {reason}",
    ", demandée parce que : {reason}",
    ", preguntada porque: {reason}",
    ", chiesta perché: {reason}",
)
APPROVAL = Phrase(
    "Approval {ref} for `{tool}`{why}{doubt}: {state}{then}",
    "Freigabe {ref} für `{tool}`{why}{doubt}: {state}{then}",
    "Approbation {ref} pour `{tool}`{why}{doubt} : {state}{then}",
    "Aprobación {ref} para `{tool}`{why}{doubt}: {state}{then}",
    "Approvazione {ref} per `{tool}`{why}{doubt}: {state}{then}",
)
COMES_FROM = Phrase(
    "{field} comes from {source}",
    "{field} kommt aus {source}",
    "{field} vient de {source}",
    "{field} viene de {source}",
    "{field} viene da {source}",
)
NO_TEXT = Phrase(
    "no text here", "keinem Text hier", "aucun texte d'ici", "ningún texto de aquí",
    "nessun testo di qui",
)  # fmt: skip
AND_ITS = Phrase(", and its {what}", ", und {what}", ", et {what}", ", y {what}", ", e {what}")
AND = Phrase(" and ", " und ", " et ", " y ", " e ")
SENDS: Mapping[str, Phrase] = {
    "answer": Phrase(
        "Send of the answer",
        "Senden der Antwort",
        "Envoi de la réponse",
        "Envío de la respuesta",
        "Invio della risposta",
    ),
    "apology": Phrase(
        "Send of the apology",
        "Senden der Entschuldigung",
        "Envoi des excuses",
        "Envío de la disculpa",
        "Invio delle scuse",
    ),
    "approval": Phrase(
        "Send of the approval card",
        "Senden der Freigabekarte",
        "Envoi de la carte d'approbation",
        "Envío de la tarjeta de aprobación",
        "Invio della scheda di approvazione",
    ),
    "question": Phrase(
        "Send of the question",
        "Senden der Frage",
        "Envoi de la question",
        "Envío de la pregunta",
        "Invio della domanda",
    ),
    "between": Phrase(
        "Send in between",
        "Senden zwischendurch",
        "Envoi intermédiaire",
        "Envío intermedio",
        "Invio intermedio",
    ),
}
SEND_UNKNOWN = Phrase(
    "begun; whether the platform took it is not known yet",
    "begonnen; ob die Plattform es nahm, ist noch nicht bekannt",
    "commencé ; on ne sait pas encore si la plateforme l'a pris",
    "empezado; aún no se sabe si la plataforma lo aceptó",
    "cominciato; non si sa ancora se la piattaforma l'ha preso",
)
SEND_REFUSED = Phrase(
    "dropped, the platform refused it: {why}",
    "verworfen, die Plattform lehnte es ab: {why}",
    "abandonné, la plateforme l'a refusé : {why}",
    "descartado, la plataforma lo rechazó: {why}",
    "scartato, la piattaforma l'ha rifiutato: {why}",
)
DELIVERED = Phrase(
    "delivered {at}", "zugestellt {at}", "remis {at}", "entregado {at}", "consegnato {at}"
)
KEPT_FOR_LATER = Phrase(
    "kept for later: {why}",
    "aufgehoben für später: {why}",
    "gardé pour plus tard : {why}",
    "guardado para después: {why}",
    "tenuto per dopo: {why}",
)
DELIVERED_AT_TRY = Phrase(
    "delivered, try {number} (before that: {why})",
    "zugestellt, Versuch {number} (davor: {why})",
    "remis, essai {number} (avant : {why})",
    "entregado, intento {number} (antes: {why})",
    "consegnato, prova {number} (prima: {why})",
)
DROPPED_AFTER = Phrase(
    "dropped after {tries}: {why}",
    "verworfen nach {tries}: {why}",
    "abandonné après {tries} : {why}",
    "descartado tras {tries}: {why}",
    "scartato dopo {tries}: {why}",
)
PENDING_AFTER = Phrase(
    "pending after {tries} ({why}), next try {at}",
    "noch offen nach {tries} ({why}), nächster Versuch {at}",
    "en attente après {tries} ({why}), prochain essai {at}",
    "pendiente tras {tries} ({why}), próximo intento {at}",
    "in sospeso dopo {tries} ({why}), prossima prova {at}",
)
