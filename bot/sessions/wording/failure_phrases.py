"""Why there is no answer, or not the usual one."""

from bot.agents.loop.outcomes import Trouble
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.waits import is_far, wait_unit

MODEL = {
    "auth": Phrase(
        "The model refused our key, so I can't answer.",
        "Das Modell nimmt unseren Schlüssel nicht an, also kann ich nicht antworten.",
        "Le modèle refuse notre clé, je ne peux donc pas répondre.",
        "El modelo rechaza nuestra clave, así que no puedo responder.",
        "Il modello rifiuta la nostra chiave, quindi non posso rispondere.",
    ),
    "credit": Phrase(
        "The account that pays for the model has no credit left, so I can't answer.",
        "Das Konto, das das Modell bezahlt, ist leer, also kann ich nicht antworten.",
        "Le compte qui paie le modèle n'a plus de crédit, je ne peux donc pas répondre.",
        "La cuenta que paga el modelo se ha quedado sin saldo, así que no puedo responder.",
        "Il conto che paga il modello non ha più credito, quindi non posso rispondere.",
    ),
    "no_model": Phrase(
        "The model that I am set to use doesn't exist, so I can't answer.",
        "Das Modell, das für mich eingestellt ist, gibt es nicht, also kann ich nicht antworten.",
        "Le modèle choisi pour moi n'existe pas, je ne peux donc pas répondre.",
        "El modelo que tengo configurado no existe, así que no puedo responder.",
        "Il modello impostato per me non esiste, quindi non posso rispondere.",
    ),
    "rate_limit": Phrase(
        "The model is at its request limit right now. Please try again in a little while.",
        "Das Modell nimmt gerade keine weiteren Anfragen an. Versuch es gleich noch einmal.",
        "Le modèle a atteint sa limite de demandes. Réessayez dans un petit moment.",
        "El modelo ha llegado a su límite de peticiones. Inténtalo dentro de un rato.",
        "Il modello ha raggiunto il suo limite di richieste. Riprova tra poco.",
    ),
    "overloaded": Phrase(
        "The model is overloaded right now. Please try again in a few minutes.",
        "Das Modell ist gerade überlastet. Versuch es in ein paar Minuten noch einmal.",
        "Le modèle est surchargé en ce moment. Réessayez dans quelques minutes.",
        "El modelo está saturado ahora. Inténtalo dentro de unos minutos.",
        "Il modello è sovraccarico in questo momento. Riprova tra qualche minuto.",
    ),
    "unreachable": Phrase(
        "I can't reach the model right now. Please try again in a few minutes.",
        "Ich erreiche das Modell gerade nicht. Versuch es in ein paar Minuten noch einmal.",
        "Je n'arrive pas à joindre le modèle. Réessayez dans quelques minutes.",
        "Ahora no puedo llegar al modelo. Inténtalo dentro de unos minutos.",
        "Ora non riesco a raggiungere il modello. Riprova tra qualche minuto.",
    ),
    "timeout": Phrase(
        "The model took too long to answer. Please try again.",
        "Das Modell hat zu lange gebraucht. Versuch es bitte noch einmal.",
        "Le modèle a mis trop longtemps à répondre. Réessayez.",
        "El modelo ha tardado demasiado. Inténtalo otra vez.",
        "Il modello ci ha messo troppo. Riprova.",
    ),
    "bad_request": Phrase(
        "The model refused my request.",
        "Das Modell hat meine Anfrage abgelehnt.",
        "Le modèle a refusé ma demande.",
        "El modelo ha rechazado mi petición.",
        "Il modello ha rifiutato la mia richiesta.",
    ),
    "too_long": Phrase(
        "This conversation is too long for the model now. Start afresh with /new.",
        "Dieses Gespräch ist jetzt zu lang für das Modell. Fang mit /new neu an.",
        "Cette conversation est trop longue pour le modèle. Recommencez avec /new.",
        "Esta conversación ya es demasiado larga para el modelo. Empieza de nuevo con /new.",
        "Questa conversazione è ormai troppo lunga per il modello. Ricomincia con /new.",
    ),
    "cut": Phrase(
        "The model's answer broke off several times. Please try again.",
        "Die Antwort des Modells ist mehrmals abgebrochen. Versuch es bitte noch einmal.",
        "La réponse du modèle s'est interrompue plusieurs fois. Réessayez.",
        "La respuesta del modelo se ha cortado varias veces. Inténtalo otra vez.",
        "La risposta del modello si è interrotta più volte. Riprova.",
    ),
    "nonsense": Phrase(
        "The model answered with something I can't read, several times. Please try again.",
        "Das Modell hat mehrmals etwas geantwortet, das ich nicht lesen kann. Versuch es bitte noch"
        " einmal.",
        "Le modèle a répondu plusieurs fois quelque chose que je ne peux pas lire. Réessayez.",
        "El modelo ha respondido varias veces algo que no puedo leer. Inténtalo otra vez.",
        "Il modello ha risposto più volte qualcosa che non so leggere. Riprova.",
    ),
}
"""By the kind of the model's failure."""

TROUBLE = {
    Trouble.TIME: Phrase(
        "That took longer than one request may, so I stopped. Try a smaller request.",
        "Das hat länger gedauert, als eine Anfrage darf, also habe ich aufgehört. Versuch es mit"
        " einer kleineren.",
        "Cela a duré plus longtemps qu'une demande ne le peut, je me suis donc arrêté. Essayez une"
        " demande plus petite.",
        "Ha tardado más de lo que puede durar una petición, así que he parado. Prueba con una más"
        " pequeña.",
        "È durato più di quanto può una richiesta, quindi mi sono fermato. Prova con una più"
        " piccola.",
    ),
    Trouble.EMPTY: Phrase(
        "The model gave an empty answer twice. Please ask again, perhaps in other words.",
        "Das Modell hat zweimal leer geantwortet. Frag bitte noch einmal, vielleicht mit anderen"
        " Worten.",
        "Le modèle a donné deux fois une réponse vide. Redemandez, peut-être autrement.",
        "El modelo ha dado dos veces una respuesta vacía. Pregunta otra vez, quizá con otras"
        " palabras.",
        "Il modello ha dato due volte una risposta vuota. Chiedi di nuovo, magari con altre"
        " parole.",
    ),
    Trouble.LOOPING: Phrase(
        "I was going round in circles, so I stopped. Try asking in another way.",
        "Ich habe mich im Kreis gedreht und deshalb aufgehört. Versuch, anders zu fragen.",
        "Je tournais en rond, je me suis donc arrêté. Essayez de demander autrement.",
        "Estaba dando vueltas, así que he parado. Prueba a preguntar de otra manera.",
        "Giravo in tondo, quindi mi sono fermato. Prova a chiedere in un altro modo.",
    ),
    Trouble.REFUSED: Phrase(
        "The model declined to answer this.",
        "Das Modell will darauf nicht antworten.",
        "Le modèle n'a pas voulu répondre à cela.",
        "El modelo no ha querido responder a esto.",
        "Il modello non ha voluto rispondere a questo.",
    ),
    Trouble.CUT: MODEL["too_long"],
    Trouble.MODEL: Phrase(
        "The model could not answer.",
        "Das Modell konnte nicht antworten.",
        "Le modèle n'a pas pu répondre.",
        "El modelo no ha podido responder.",
        "Il modello non ha potuto rispondere.",
    ),
}
"""By what went wrong in the run."""

UNSEEN = {
    "blind": Phrase(
        "The model that I use takes no pictures, so I have not seen any of yours.",
        "Mein Modell nimmt keine Bilder, also habe ich deine nicht gesehen.",
        "Mon modèle n'accepte pas d'images, je n'ai donc vu aucune des vôtres.",
        "Mi modelo no admite imágenes, así que no he visto las tuyas.",
        "Il mio modello non accetta immagini, quindi non ho visto le tue.",
    ),
    "picture": Phrase(
        "The model refused a picture of this conversation, so I answered without it.",
        "Das Modell hat ein Bild aus diesem Gespräch abgelehnt, also habe ich ohne es geantwortet.",
        "Le modèle a refusé une image de cette conversation, j'ai donc répondu sans elle.",
        "El modelo ha rechazado una imagen de esta conversación, así que he respondido sin ella.",
        "Il modello ha rifiutato un'immagine di questa conversazione, quindi ho risposto senza.",
    ),
    "history": Phrase(
        "The model refused a part of our earlier conversation, so I answered without it.",
        "Das Modell hat einen Teil unseres früheren Gesprächs abgelehnt, also habe ich ohne ihn"
        " geantwortet.",
        "Le modèle a refusé une partie de notre conversation, j'ai donc répondu sans elle.",
        "El modelo ha rechazado una parte de nuestra conversación, así que he respondido sin ella.",
        "Il modello ha rifiutato una parte della nostra conversazione, quindi ho risposto senza.",
    ),
    "fallback": Phrase(
        "My usual model is not available, so another one answers for now.",
        "Mein übliches Modell ist nicht da, deshalb antwortet vorerst ein anderes.",
        "Mon modèle habituel n'est pas disponible, un autre répond pour l'instant.",
        "Mi modelo habitual no está disponible, así que por ahora responde otro.",
        "Il mio modello abituale non è disponibile, per ora risponde un altro.",
    ),
}
"""What the model refused to read, or that another one answered."""

ASKS_TO_WAIT = Phrase(
    "(It asks to wait {wait}.)",
    "(Es will, dass ich {wait} warte.)",
    "(Il demande d'attendre {wait}.)",
    "(Pide esperar {wait}.)",
    "(Chiede di aspettare {wait}.)",
)
ASKS_TOO_LONG = Phrase(
    "(It asks to wait until far in the future, so I stop trying.)",
    "(Es will, dass ich sehr lange warte, also versuche ich es nicht mehr.)",
    "(Il demande d'attendre très longtemps, je n'essaie donc plus.)",
    "(Pide esperar muchísimo, así que dejo de intentarlo.)",
    "(Chiede di aspettare moltissimo, quindi non provo più.)",
)
WHY_TELLS = Phrase(
    "`/why {ref}` says more.",
    "`/why {ref}` sagt mehr.",
    "`/why {ref}` en dit plus.",
    "`/why {ref}` dice más.",
    "`/why {ref}` dice di più.",
)
TELL_OPERATOR = Phrase(
    "Tell whoever runs me.",
    "Sag es, wer mich betreibt.",
    "Prévenez la personne qui me gère.",
    "Avisa a quien me administra.",
    "Avvisa chi mi gestisce.",
)
REFERENCE = Phrase(
    "(reference {ref})",
    "(Referenz {ref})",
    "(référence {ref})",
    "(referencia {ref})",
    "(riferimento {ref})",
)
_UNITS = {
    "day": CountedPhrase(
        Phrase("{count} day", "{count} Tag", "{count} jour", "{count} día", "{count} giorno"),
        Phrase("{count} days", "{count} Tage", "{count} jours", "{count} días", "{count} giorni"),
    ),
    "hour": CountedPhrase(
        Phrase("{count} hour", "{count} Stunde", "{count} heure", "{count} hora", "{count} ora"),
        Phrase(
            "{count} hours", "{count} Stunden", "{count} heures", "{count} horas", "{count} ore"
        ),
    ),
    "minute": CountedPhrase(
        Phrase(
            "{count} minute", "{count} Minute", "{count} minute", "{count} minuto", "{count} minuto"
        ),
        Phrase(
            "{count} minutes",
            "{count} Minuten",
            "{count} minutes",
            "{count} minutos",
            "{count} minuti",
        ),
    ),
    "second": CountedPhrase(
        Phrase(
            "{count} second",
            "{count} Sekunde",
            "{count} seconde",
            "{count} segundo",
            "{count} secondo",
        ),
        Phrase(
            "{count} seconds",
            "{count} Sekunden",
            "{count} secondes",
            "{count} segundos",
            "{count} secondi",
        ),
    ),
}


def asks_to_wait(seconds: float, language: Language) -> str:
    """What a server asks for, of any length."""
    if is_far(seconds):
        return ASKS_TOO_LONG.said(language)
    count, unit = wait_unit(seconds)
    return ASKS_TO_WAIT.said(language, wait=_UNITS[unit].said(language, count))
