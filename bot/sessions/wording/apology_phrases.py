"""What people read where something went wrong on Bellhop's side, or was never answered."""

from bot.domain.languages import CountedPhrase, Phrase

NOT_EXTENDED = Phrase(
    "My budget for today is used up, so I stop here.",
    "Mein Budget für heute ist aufgebraucht, also höre ich hier auf.",
    "Mon budget du jour est épuisé, je m'arrête donc ici.",
    "Mi presupuesto de hoy se ha agotado, así que paro aquí.",
    "Il mio budget di oggi è esaurito, quindi mi fermo qui.",
)
EMPTY_MESSAGE = Phrase(
    "Your message was empty. Write what you need, or /help for what I can do.",
    "Deine Nachricht war leer. Schreib, was du brauchst, oder /help, um zu sehen, was ich kann.",
    "Votre message était vide. Écrivez ce qu'il vous faut, ou /help pour voir ce que je sais"
    " faire.",
    "Tu mensaje estaba vacío. Escribe qué necesitas, o /help para ver qué sé hacer.",
    "Il tuo messaggio era vuoto. Scrivi che cosa ti serve, o /help per vedere che cosa so fare.",
)
MESSAGE_TOO_LONG = Phrase(
    "That message has {count} characters; I read at most {most} at a time. Send it as a file, or"
    " in parts.",
    "Diese Nachricht hat {count} Zeichen; ich lese höchstens {most} auf einmal. Schick sie als"
    " Datei oder in Teilen.",
    "Ce message a {count} caractères ; j'en lis au plus {most} à la fois. Envoyez-le en fichier, ou"
    " en plusieurs parties.",
    "Ese mensaje tiene {count} caracteres; leo como mucho {most} de una vez. Envíalo como archivo o"
    " por partes.",
    "Quel messaggio ha {count} caratteri; ne leggo al massimo {most} alla volta. Mandalo come file,"
    " o in parti.",
)
SKILL_GONE = Phrase(
    "The skill behind /{name} is not there any more, so I did nothing. /skill list shows which"
    " there are.",
    "Den Skill hinter /{name} gibt es nicht mehr, also habe ich nichts getan. /skill list zeigt,"
    " welche es gibt.",
    "La compétence derrière /{name} n'existe plus, je n'ai donc rien fait. /skill list montre"
    " celles qui existent.",
    "La habilidad de /{name} ya no existe, así que no hice nada. /skill list muestra cuáles hay.",
    "L'abilità dietro /{name} non c'è più, quindi non ho fatto nulla. /skill list mostra quali ci"
    " sono.",
)
APPROVAL_EXPIRED = Phrase(
    "Approval {ref} has expired: nobody decided in time, so `{tool}` was not run. Ask again if it"
    " matters.",
    "Die Freigabe {ref} ist abgelaufen: niemand hat rechtzeitig entschieden, also lief `{tool}`"
    " nicht. Bitte noch einmal darum, wenn es wichtig ist.",
    "L'approbation {ref} a expiré : personne n'a décidé à temps, `{tool}` n'a donc pas été exécuté."
    " Redemandez si c'est important.",
    "La aprobación {ref} ha caducado: nadie decidió a tiempo, así que `{tool}` no se ejecutó."
    " Pídelo otra vez si importa.",
    "L'approvazione {ref} è scaduta: nessuno ha deciso in tempo, quindi `{tool}` non è stato"
    " eseguito. Chiedi di nuovo se è importante.",
)
SHARE_EXPIRED = Phrase(
    "I shared nothing: nobody decided in time about the text that `/share` showed. Say it again if"
    " it matters.",
    "Ich habe nichts geteilt: niemand hat rechtzeitig über den Text entschieden, den `/share`"
    " gezeigt hat. Sag es noch einmal, wenn es wichtig ist.",
    "Je n'ai rien partagé : personne n'a décidé à temps du texte montré par `/share`. Redites-le si"
    " c'est important.",
    "No compartí nada: nadie decidió a tiempo sobre el texto que mostró `/share`. Dilo otra vez si"
    " importa.",
    "Non ho condiviso nulla: nessuno ha deciso in tempo sul testo mostrato da `/share`. Dillo di"
    " nuovo se è importante.",
)
UNANSWERED = CountedPhrase(
    Phrase(
        "I was away. An older message here was not answered; ask again if it still matters.",
        "Ich war weg. Eine ältere Nachricht hier blieb ohne Antwort; frag noch einmal, wenn es noch"
        " wichtig ist.",
        "J'étais absent. Un message plus ancien ici est resté sans réponse ; redemandez si c'est"
        " encore utile.",
        "Estuve fuera. Un mensaje anterior quedó aquí sin respuesta; pregunta otra vez si aún"
        " importa.",
        "Ero assente. Un messaggio precedente qui è rimasto senza risposta; chiedi di nuovo se è"
        " ancora importante.",
    ),
    Phrase(
        "I was away. {count} older messages here were not answered; ask again if it still matters.",
        "Ich war weg. {count} ältere Nachrichten hier blieben ohne Antwort; frag noch einmal, wenn"
        " es noch wichtig ist.",
        "J'étais absent. {count} messages plus anciens ici sont restés sans réponse ; redemandez si"
        " c'est encore utile.",
        "Estuve fuera. {count} mensajes anteriores quedaron aquí sin respuesta; pregunta otra vez"
        " si aún importa.",
        "Ero assente. {count} messaggi precedenti qui sono rimasti senza risposta; chiedi di nuovo"
        " se è ancora importante.",
    ),
)
NOT_WRITTEN = Phrase(
    "I may not write where you asked me, so my answer is not there: the place is closed, or I lack"
    " a permission. Write to me here instead. (reference {ref})",
    "Ich darf dort nicht schreiben, wo du mich gefragt hast, also steht meine Antwort nicht dort:"
    " der Ort ist zu, oder mir fehlt ein Recht. Schreib mir stattdessen hier. (Referenz {ref})",
    "Je ne peux pas écrire là où vous m'avez demandé, ma réponse n'y est donc pas : le lieu est"
    " fermé, ou il me manque un droit. Écrivez-moi plutôt ici. (référence {ref})",
    "No puedo escribir donde me preguntaste, así que mi respuesta no está allí: el lugar está"
    " cerrado o me falta un permiso. Escríbeme aquí. (referencia {ref})",
    "Non posso scrivere dove mi hai chiesto, quindi la mia risposta non è lì: il luogo è chiuso, o"
    " mi manca un permesso. Scrivimi qui invece. (riferimento {ref})",
)
NOT_POSTED = Phrase(
    "What you had me post to {to} could not be delivered, and I gave up on it. (reference {ref})",
    "Was ich für dich an {to} schicken sollte, kam nicht an, und ich habe es aufgegeben. (Referenz"
    " {ref})",
    "Ce que vous m'avez fait envoyer à {to} n'a pas pu être remis, et j'y ai renoncé. (référence"
    " {ref})",
    "Lo que me pediste enviar a {to} no se pudo entregar y lo he dejado. (referencia {ref})",
    "Ciò che mi hai fatto mandare a {to} non si è potuto consegnare, e ho rinunciato. (riferimento"
    " {ref})",
)
ANSWER_LOST = Phrase(
    "My answer was cut off before it reached you. Please ask again. (reference {ref})",
    "Meine Antwort brach ab, bevor sie dich erreichte. Frag bitte noch einmal. (Referenz {ref})",
    "Ma réponse a été coupée avant de vous parvenir. Redemandez, s'il vous plaît. (référence"
    " {ref})",
    "Mi respuesta se cortó antes de llegarte. Pregunta otra vez, por favor. (referencia {ref})",
    "La mia risposta si è interrotta prima di raggiungerti. Chiedi di nuovo, per favore."
    " (riferimento {ref})",
)
APOLOGY = Phrase(
    "Sorry, something broke on my side and I could not answer this message. (reference {ref})",
    "Entschuldige, bei mir ist etwas kaputtgegangen, und ich konnte diese Nachricht nicht"
    " beantworten. (Referenz {ref})",
    "Désolé, quelque chose s'est cassé de mon côté et je n'ai pas pu répondre à ce message."
    " (référence {ref})",
    "Perdona, algo falló por mi lado y no pude responder a este mensaje. (referencia {ref})",
    "Scusa, si è rotto qualcosa dalla mia parte e non ho potuto rispondere a questo messaggio."
    " (riferimento {ref})",
)
UNREADABLE = Phrase(
    "Sorry, my record of a message here is damaged, so I could not answer it. Please send it again."
    " (reference {ref})",
    "Entschuldige, was ich von einer Nachricht hier gespeichert hatte, ist beschädigt, also konnte"
    " ich sie nicht beantworten. Schick sie bitte noch einmal. (Referenz {ref})",
    "Désolé, ce que j'avais noté d'un message ici est abîmé, je n'ai donc pas pu y répondre."
    " Renvoyez-le, s'il vous plaît. (référence {ref})",
    "Perdona, lo que guardé de un mensaje de aquí está dañado, así que no pude responderlo. Envíalo"
    " otra vez, por favor. (referencia {ref})",
    "Scusa, ciò che avevo salvato di un messaggio qui è danneggiato, quindi non ho potuto"
    " rispondere. Mandalo di nuovo, per favore. (riferimento {ref})",
)
COMMAND_UNREADABLE = Phrase(
    "Sorry, my record of a command or a click here is damaged, so I did nothing about it. Please"
    " give it again. (reference {ref})",
    "Entschuldige, was ich von einem Befehl oder Klick hier gespeichert hatte, ist beschädigt, also"
    " habe ich nichts getan. Gib ihn bitte noch einmal. (Referenz {ref})",
    "Désolé, ce que j'avais noté d'une commande ou d'un clic ici est abîmé, je n'ai donc rien fait."
    " Redonnez-le, s'il vous plaît. (référence {ref})",
    "Perdona, lo que guardé de un comando o un clic de aquí está dañado, así que no hice nada. Dalo"
    " otra vez, por favor. (referencia {ref})",
    "Scusa, ciò che avevo salvato di un comando o di un clic qui è danneggiato, quindi non ho fatto"
    " nulla. Ripetilo, per favore. (riferimento {ref})",
)
UNKNOWN_WORK = Phrase(
    "Sorry, this version of me does not know how to do this, so I did nothing about it. (reference"
    " {ref})",
    "Entschuldige, diese Version von mir kann das nicht, also habe ich nichts getan. (Referenz"
    " {ref})",
    "Désolé, cette version de moi ne sait pas le faire, je n'ai donc rien fait. (référence {ref})",
    "Perdona, esta versión mía no sabe hacer esto, así que no hice nada. (referencia {ref})",
    "Scusa, questa mia versione non sa farlo, quindi non ho fatto nulla. (riferimento {ref})",
)
ANSWER_DAMAGED = Phrase(
    "Sorry, an answer that waited to be sent here is damaged and lost. Please ask again. (reference"
    " {ref})",
    "Entschuldige, eine Antwort, die hier noch kommen sollte, ist beschädigt und verloren. Frag"
    " bitte noch einmal. (Referenz {ref})",
    "Désolé, une réponse qui devait arriver ici est abîmée et perdue. Redemandez, s'il vous plaît."
    " (référence {ref})",
    "Perdona, una respuesta que esperaba salir aquí está dañada y perdida. Pregunta otra vez, por"
    " favor. (referencia {ref})",
    "Scusa, una risposta che doveva arrivare qui è danneggiata e persa. Chiedi di nuovo, per"
    " favore. (riferimento {ref})",
)
LEFT_TO_DO = Phrase(
    "Left to do: {what}",
    "Noch zu tun: {what}",
    "Reste à faire : {what}",
    "Queda por hacer: {what}",
    "Resta da fare: {what}",
)
LAPSED = Phrase(
    "{service} no longer accepts your connection, so your requests and scheduled tasks can't use"
    " it. `/connect {id}` connects it again.",
    "{service} nimmt deine Verbindung nicht mehr an, also können deine Anfragen und geplanten"
    " Aufträge es nicht nutzen. `/connect {id}` verbindet es wieder.",
    "{service} n'accepte plus votre connexion, vos demandes et tâches planifiées ne peuvent donc"
    " pas l'utiliser. `/connect {id}` le reconnecte.",
    "{service} ya no acepta tu conexión, así que tus peticiones y tareas programadas no pueden"
    " usarlo. `/connect {id}` lo conecta otra vez.",
    "{service} non accetta più la tua connessione, quindi le tue richieste e attività pianificate"
    " non possono usarlo. `/connect {id}` lo ricollega.",
)
