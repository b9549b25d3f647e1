"""What people read who wait: for a place, for somebody's word about them, for an agent."""

from bot.domain.languages import CountedPhrase, Phrase

OWN_REQUESTS = CountedPhrase(
    Phrase(
        "I am working on another request of yours. I begin with this one when one of them is done.",
        "Ich arbeite an einer anderen Anfrage von dir. Mit dieser fange ich an, wenn sie fertig"
        " ist.",
        "Je travaille à une autre de vos demandes. Je commence celle-ci quand elle est terminée.",
        "Trabajo en otra petición tuya. Empiezo con esta cuando termine.",
        "Lavoro a un'altra tua richiesta. Comincio questa quando è finita.",
    ),
    Phrase(
        "I am working on {count} other requests of yours. I begin with this one when one of them is"
        " done.",
        "Ich arbeite an {count} anderen Anfragen von dir. Mit dieser fange ich an, wenn eine davon"
        " fertig ist.",
        "Je travaille à {count} autres de vos demandes. Je commence celle-ci quand l'une d'elles"
        " est terminée.",
        "Trabajo en otras {count} peticiones tuyas. Empiezo con esta cuando termine una de ellas.",
        "Lavoro ad altre {count} tue richieste. Comincio questa quando una di loro è finita.",
    ),
)
MANY_ASK = Phrase(
    "Many people ask me something at the moment. Yours is not forgotten: I begin with it as soon as"
    " I can.",
    "Gerade fragen mich viele Leute etwas. Deine Anfrage ist nicht vergessen: ich fange damit an,"
    " sobald ich kann.",
    "Beaucoup de gens me demandent quelque chose en ce moment. Votre demande n'est pas oubliée : je"
    " la commence dès que je peux.",
    "Ahora mismo me pregunta mucha gente. Lo tuyo no está olvidado: empiezo en cuanto pueda.",
    "In questo momento molte persone mi chiedono qualcosa. La tua richiesta non è dimenticata:"
    " comincio appena posso.",
)
TRIALS = Phrase(
    "I ended unexpectedly and am finding out which request did it, one at a time. Yours is not"
    " forgotten: I begin with it when that is done.",
    "Ich bin unerwartet abgebrochen und suche, an welcher Anfrage es lag, eine nach der anderen."
    " Deine ist nicht vergessen: ich fange damit an, wenn das geklärt ist.",
    "Je me suis arrêté de façon inattendue et je cherche quelle demande en est la cause, une à la"
    " fois. La vôtre n'est pas oubliée : je la commence quand c'est fini.",
    "Me detuve de forma inesperada y busco qué petición lo causó, una por una. La tuya no está"
    " olvidada: empiezo con ella cuando acabe.",
    "Mi sono fermato in modo inatteso e cerco quale richiesta ne è la causa, una alla volta. La tua"
    " non è dimenticata: la comincio quando ho finito.",
)
MACHINE = Phrase(
    "The machine that I run on is short of memory or open files at the moment. Your request is not"
    " lost: I keep trying.",
    "Der Maschine, auf der ich laufe, fehlt gerade Speicher, oder es sind zu viele Dateien offen."
    " Deine Anfrage ist nicht verloren: ich versuche es weiter.",
    "La machine sur laquelle je tourne manque en ce moment de mémoire ou de fichiers ouverts. Votre"
    " demande n'est pas perdue : je continue d'essayer.",
    "A la máquina en la que funciono le falta ahora memoria o archivos abiertos. Tu petición no se"
    " ha perdido: sigo intentándolo.",
    "Alla macchina su cui giro ora mancano memoria o file aperti. La tua richiesta non è persa:"
    " continuo a provare.",
)
ASKED_ABOUT = Phrase(
    "We haven't met, so I have asked {names} who you are. I answer your message after their yes.",
    "Wir kennen uns noch nicht, deshalb habe ich {names} gefragt, wer du bist. Nach einem Ja"
    " beantworte ich deine Nachricht.",
    "Nous ne nous connaissons pas, j'ai donc demandé à {names} qui vous êtes. Je réponds à votre"
    " message après un oui.",
    "No nos conocemos, así que he preguntado a {names} quién eres. Respondo a tu mensaje cuando"
    " digan que sí.",
    "Non ci conosciamo, quindi ho chiesto a {names} chi sei. Rispondo al tuo messaggio dopo un sì.",
)
STRANGERS_FULL = Phrase(
    "We haven't met, and I am asking about other people already. Write to me again tomorrow.",
    "Wir kennen uns noch nicht, und ich frage schon wegen anderer Leute. Schreib mir morgen"
    " wieder.",
    "Nous ne nous connaissons pas, et je me renseigne déjà sur d'autres. Réécrivez-moi demain.",
    "No nos conocemos, y ya estoy preguntando por otras personas. Escríbeme otra vez mañana.",
    "Non ci conosciamo, e sto già chiedendo di altre persone. Riscrivimi domani.",
)
NOBODY_TO_ASK = Phrase(
    "We haven't met, and there is nobody here whom I could ask about you.",
    "Wir kennen uns noch nicht, und hier ist niemand, den ich nach dir fragen könnte.",
    "Nous ne nous connaissons pas, et il n'y a personne ici à qui demander qui vous êtes.",
    "No nos conocemos, y aquí no hay nadie a quien preguntar por ti.",
    "Non ci conosciamo, e qui non c'è nessuno a cui chiedere di te.",
)
PAIRING_EXPIRED = Phrase(
    "Nobody has told me who you are, so your message was not answered. You can write to me again.",
    "Niemand hat mir gesagt, wer du bist, also blieb deine Nachricht ohne Antwort. Du kannst mir"
    " wieder schreiben.",
    "Personne ne m'a dit qui vous êtes, votre message est donc resté sans réponse. Vous pouvez"
    " m'écrire à nouveau.",
    "Nadie me ha dicho quién eres, así que tu mensaje quedó sin respuesta. Puedes escribirme otra"
    " vez.",
    "Nessuno mi ha detto chi sei, quindi il tuo messaggio è rimasto senza risposta. Puoi scrivermi"
    " di nuovo.",
)
BACKGROUND_DONE = Phrase(
    "{agent} has finished “{what}”:",
    "{agent} ist fertig mit „{what}“:",
    "{agent} a terminé « {what} » :",
    "{agent} ha terminado «{what}»:",
    "{agent} ha finito «{what}»:",
)
BACKGROUND_FAILED = Phrase(
    "{agent} worked in the background on “{what}” and came to no answer ({reason}). `/why {ref}`"
    " tells more.",
    "{agent} hat im Hintergrund an „{what}“ gearbeitet und keine Antwort gefunden ({reason})."
    " `/why {ref}` sagt mehr.",
    "{agent} a travaillé en arrière-plan à « {what} » sans arriver à une réponse ({reason})."
    " `/why {ref}` en dit plus.",
    "{agent} ha trabajado en segundo plano en «{what}» sin llegar a una respuesta ({reason})."
    " `/why {ref}` dice más.",
    "{agent} ha lavorato in secondo piano a «{what}» senza arrivare a una risposta ({reason})."
    " `/why {ref}` dice di più.",
)
BACKGROUND_STOPPED = Phrase(
    "{agent} was stopped while it worked in the background on “{what}”.",
    "{agent} wurde angehalten, während es im Hintergrund an „{what}“ arbeitete.",
    "{agent} a été arrêté alors qu'il travaillait en arrière-plan à « {what} ».",
    "{agent} fue detenido mientras trabajaba en segundo plano en «{what}».",
    "{agent} è stato fermato mentre lavorava in secondo piano a «{what}».",
)
BACKGROUND_GIVEN_UP = Phrase(
    "{agent} can't go on in the background with “{what}”.",
    "{agent} kann im Hintergrund nicht mit „{what}“ weitermachen.",
    "{agent} ne peut pas continuer en arrière-plan avec « {what} ».",
    "{agent} no puede seguir en segundo plano con «{what}».",
    "{agent} non può continuare in secondo piano con «{what}».",
)
