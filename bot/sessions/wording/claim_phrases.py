"""What `/claim` answers: how somebody with a code of the terminal becomes owner."""

from bot.domain.languages import Phrase

AT_TERMINAL = Phrase(
    "You are at the terminal, so you need no code. Send it to me on {platforms}.",
    "Du bist am Terminal, da brauchst du keinen Code. Schick ihn mir auf {platforms}.",
    "Vous êtes au terminal, vous n'avez donc pas besoin de code. Envoyez-le-moi sur {platforms}.",
    "Estás en la terminal, así que no necesitas código. Mándamelo en {platforms}.",
    "Sei al terminale, quindi non ti serve un codice. Mandamelo su {platforms}.",
)
VOID = Phrase(
    "Others could read that code here, so it is void. Get a new one, and send it in a direct"
    " message.",
    "Hier konnten andere den Code lesen, also gilt er nicht mehr. Hol dir einen neuen und schick"
    " ihn in einer Direktnachricht.",
    "D'autres ont pu lire ce code ici, il n'est donc plus valable. Prenez-en un nouveau et"
    " envoyez-le en message privé.",
    "Otros pudieron leer aquí ese código, así que ya no vale. Pide uno nuevo y mándalo en un"
    " mensaje directo.",
    "Qui altri potevano leggere quel codice, quindi non vale più. Prendine uno nuovo e mandalo in"
    " un messaggio diretto.",
)
IN_DIRECT = Phrase(
    "Send me `/claim CODE` in a direct message.",
    "Schick mir `/claim CODE` in einer Direktnachricht.",
    "Envoyez-moi `/claim CODE` en message privé.",
    "Mándame `/claim CÓDIGO` en un mensaje directo.",
    "Mandami `/claim CODICE` in un messaggio diretto.",
)
HAS_OWNER = Phrase(
    "I have an owner here already. Ask them to add you.",
    "Ich habe hier schon einen Besitzer. Bitte ihn, dich hinzuzufügen.",
    "J'ai déjà un propriétaire ici. Demandez-lui de vous ajouter.",
    "Ya tengo dueño aquí. Pídele que te añada.",
    "Qui ho già un proprietario. Chiedigli di aggiungerti.",
)
TOO_MANY = Phrase(
    "You tried too many wrong codes. Try again in an hour.",
    "Das waren zu viele falsche Codes. Versuch es in einer Stunde wieder.",
    "Trop de codes faux. Réessayez dans une heure.",
    "Demasiados códigos erróneos. Inténtalo de nuevo en una hora.",
    "Troppi codici sbagliati. Riprova tra un'ora.",
)
NOT_VALID = Phrase(
    "That code is not valid: it is mistyped, was used before, or is older than {hours} hours."
    " `bellhop contacts code` shows a new one.",
    "Dieser Code gilt nicht: er ist vertippt, schon benutzt oder älter als {hours} Stunden."
    " `bellhop contacts code` zeigt einen neuen.",
    "Ce code n'est pas valable : il est mal tapé, a déjà servi, ou a plus de {hours} heures."
    " `bellhop contacts code` en montre un nouveau.",
    "Ese código no vale: está mal escrito, ya se usó o tiene más de {hours} horas."
    " `bellhop contacts code` muestra uno nuevo.",
    "Quel codice non vale: è scritto male, è già stato usato o ha più di {hours} ore."
    " `bellhop contacts code` ne mostra uno nuovo.",
)
NOT_WRITTEN = Phrase(
    "Your code is right, but I can't write contacts.yaml. `bellhop doctor` says why.",
    "Dein Code stimmt, aber ich kann contacts.yaml nicht schreiben. `bellhop doctor` sagt, warum.",
    "Votre code est bon, mais je ne peux pas écrire contacts.yaml. `bellhop doctor` dit pourquoi.",
    "Tu código es correcto, pero no puedo escribir contacts.yaml. `bellhop doctor` dice por qué.",
    "Il tuo codice è giusto, ma non posso scrivere contacts.yaml. `bellhop doctor` dice perché.",
)
WELCOME = Phrase(
    "You are my owner here now: {name}, MasterAdmin. What you told me before is still yours."
    " People who write to me are guests until you add them; /help says what I can do.",
    "Ich gehöre hier jetzt dir: {name}, MasterAdmin. Was du mir vorher gesagt hast, ist weiter"
    " deins. Wer mir schreibt, ist Gast, bis du ihn hinzufügst; /help sagt, was ich kann.",
    "Vous êtes maintenant mon propriétaire ici : {name}, MasterAdmin. Ce que vous m'avez dit avant"
    " reste à vous. Qui m'écrit est invité jusqu'à ce que vous l'ajoutiez ; /help dit ce que je"
    " sais faire.",
    "Ahora soy tuyo aquí: {name}, MasterAdmin. Lo que me dijiste antes sigue siendo tuyo. Quien me"
    " escribe es invitado hasta que lo añadas; /help dice qué sé hacer.",
    "Ora qui sono tuo: {name}, MasterAdmin. Ciò che mi hai detto prima resta tuo. Chi mi scrive è"
    " ospite finché non lo aggiungi; /help dice che cosa so fare.",
)
