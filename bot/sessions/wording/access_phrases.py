"""What `/connect`, `/disconnect`, `/grants` and the lists of approvals say."""

from bot.domain.grants import Grant, GrantScope
from bot.domain.languages import CountedPhrase, Language, Phrase

NOT_CONNECTABLE = Phrase(
    "{name} can't be connected here. `/connect` lists what can.",
    "{name} lässt sich hier nicht verbinden. `/connect` zeigt, was geht.",
    "{name} ne peut pas être connecté ici. `/connect` montre ce qui peut l'être.",
    "{name} no se puede conectar aquí. `/connect` muestra lo que se puede.",
    "{name} non si può collegare qui. `/connect` mostra che cosa si può.",
)
NOTHING_CONNECTABLE = Phrase(
    "Nothing can be connected here: the operator has not set it up.",
    "Hier lässt sich nichts verbinden: es ist nicht eingerichtet.",
    "Rien ne peut être connecté ici : ce n'est pas configuré.",
    "Aquí no se puede conectar nada: no está configurado.",
    "Qui non si può collegare nulla: non è configurato.",
)
DISCONNECT_WHICH = Phrase(
    "Say which: `/disconnect SERVICE`, one of {names}.",
    "Sag, welchen Dienst: `/disconnect DIENST`, einen von {names}.",
    "Dites lequel : `/disconnect SERVICE`, parmi {names}.",
    "Di cuál: `/disconnect SERVICIO`, uno de {names}.",
    "Dimmi quale: `/disconnect SERVIZIO`, uno tra {names}.",
)
NOT_CONNECTED = Phrase(
    "You have not connected {service}.",
    "Du hast {service} nicht verbunden.",
    "Vous n'avez pas connecté {service}.",
    "No has conectado {service}.",
    "Non hai collegato {service}.",
)
DISCONNECTED = Phrase(
    "{service} is disconnected, and I have forgotten its tokens.",
    "{service} ist getrennt, und ich habe den Zugang vergessen.",
    "{service} est déconnecté, et j'ai oublié ses jetons.",
    "{service} está desconectado y he olvidado sus credenciales.",
    "{service} è scollegato e ho dimenticato le sue credenziali.",
)
NOT_TOLD = Phrase(
    "{service} couldn't be told. End the access there, too: {url}",
    "{service} war nicht zu erreichen. Beende den Zugang auch dort: {url}",
    "{service} n'a pas pu être prévenu. Mettez aussi fin à l'accès là-bas : {url}",
    "No pude avisar a {service}. Quita el acceso también allí: {url}",
    "Non ho potuto avvisare {service}. Togli l'accesso anche lì: {url}",
)
LAPSED = Phrase(
    "{service}: no longer accepts the workspace's account. The MasterAdmins have been told.",
    "{service}: nimmt das Konto des Workspace nicht mehr an. Die MasterAdmins wissen es.",
    "{service} : n'accepte plus le compte de l'espace. Les MasterAdmins sont prévenus.",
    "{service}: ya no acepta la cuenta del espacio. Los MasterAdmins están avisados.",
    "{service}: non accetta più l'account dello spazio. I MasterAdmin sono stati avvisati.",
)
CONNECTED = Phrase(
    "{service}: connected. `/disconnect {id}` ends it.",
    "{service}: verbunden. `/disconnect {id}` beendet es.",
    "{service} : connecté. `/disconnect {id}` y met fin.",
    "{service}: conectado. `/disconnect {id}` lo termina.",
    "{service}: collegato. `/disconnect {id}` lo scollega.",
)
CONNECTED_FOR_ALL = Phrase(
    "{service}: connected, by the workspace's account.",
    "{service}: verbunden, über das Konto des Workspace.",
    "{service} : connecté, par le compte de l'espace.",
    "{service}: conectado, con la cuenta del espacio.",
    "{service}: collegato, con l'account dello spazio.",
)
INVITATION = Phrase(
    "Connect {what}, for your requests alone:\n{url}\n{then} The link is yours, works once, and is"
    " good for 15 minutes.",
    "Verbinde {what}, nur für deine Anfragen:\n{url}\n{then} Der Link gehört dir allein, geht"
    " einmal und gilt 15 Minuten.",
    "Connectez {what}, pour vos demandes seulement :\n{url}\n{then} Le lien est à vous, sert une"
    " fois et vaut 15 minutes.",
    "Conecta {what}, solo para tus peticiones:\n{url}\n{then} El enlace es tuyo, sirve una vez y"
    " vale 15 minutos.",
    "Collega {what}, solo per le tue richieste:\n{url}\n{then} Il link è tuo, funziona una volta e"
    " vale 15 minuti.",
)
THEN_CONNECT = Phrase(
    "Say yes there, then press Connect on the page that follows.",
    "Sag dort Ja und drücke dann auf der nächsten Seite Connect.",
    "Acceptez là-bas, puis appuyez sur Connect sur la page qui suit.",
    "Di que sí allí y pulsa Connect en la página siguiente.",
    "Accetta lì, poi premi Connect nella pagina che segue.",
)
THEN_PASTE = Phrase(
    "After your yes the browser shows a page that may not load. Copy its whole address and send me"
    " `/connect {id} ADDRESS` in a direct message.",
    "Nach deinem Ja zeigt der Browser eine Seite, die vielleicht nicht lädt. Kopiere ihre ganze"
    " Adresse und schick mir `/connect {id} ADRESSE` als Direktnachricht.",
    "Après votre oui, le navigateur montre une page qui ne se charge peut-être pas. Copiez toute"
    " son adresse et envoyez-moi `/connect {id} ADRESSE` en message privé.",
    "Después de tu sí, el navegador muestra una página que quizá no cargue. Copia su dirección"
    " entera y mándame `/connect {id} DIRECCIÓN` en un mensaje directo.",
    "Dopo il tuo sì il browser mostra una pagina che forse non si carica. Copia tutto il suo"
    " indirizzo e mandami `/connect {id} INDIRIZZO` in un messaggio diretto.",
)
PASTE_ALL = Phrase(
    "Paste the whole address that the browser shows after your yes, with `code=` and `state=` in"
    " it.",
    "Füge die ganze Adresse ein, die der Browser nach deinem Ja zeigt, mit `code=` und `state=`"
    " darin.",
    "Collez toute l'adresse que le navigateur montre après votre oui, avec `code=` et `state=`.",
    "Pega la dirección entera que el navegador muestra después de tu sí, con `code=` y `state=`.",
    "Incolla tutto l'indirizzo che il browser mostra dopo il tuo sì, con `code=` e `state=`.",
)

NO_APPROVAL = Phrase(
    "There is no approval {ref}.",
    "Eine Freigabe {ref} gibt es nicht.",
    "Il n'y a pas d'approbation {ref}.",
    "No hay ninguna aprobación {ref}.",
    "Non c'è nessuna approvazione {ref}.",
)
NOTHING_WAITS = Phrase(
    "No approval is waiting for you.",
    "Keine Freigabe wartet auf dich.",
    "Aucune approbation ne vous attend.",
    "Ninguna aprobación te espera.",
    "Nessuna approvazione ti aspetta.",
)
SAY_WHICH = Phrase(
    "Say which one: {refs}.",
    "Sag, welche: {refs}.",
    "Dites laquelle : {refs}.",
    "Di cuál: {refs}.",
    "Dimmi quale: {refs}.",
)

GRANTS_ALONE = Phrase(
    "Ask me in a direct message; others read along here.",
    "Frag mich in einer Direktnachricht; hier lesen andere mit.",
    "Demandez-le-moi en message privé ; d'autres lisent ici.",
    "Pregúntamelo en un mensaje directo; aquí leen otros.",
    "Chiedimelo in un messaggio diretto; qui leggono anche altri.",
)
GRANTS_HOW = Phrase(
    "Say /grants to see what I needn't ask about, or /grants revoke REF to take one back.",
    "Sag /grants, um zu sehen, wofür ich nicht fragen muss, oder /grants revoke REF, um eine"
    " Erlaubnis zurückzunehmen.",
    "Dites /grants pour voir ce que je n'ai pas à demander, ou /grants revoke REF pour reprendre"
    " une permission.",
    "Di /grants para ver lo que no tengo que preguntar, o /grants revoke REF para retirar un"
    " permiso.",
    "Di' /grants per vedere che cosa non devo chiedere, o /grants revoke REF per ritirare un"
    " permesso.",
)
NO_GRANT = Phrase(
    "There is no grant {ref} of yours.",
    "Du hast keine Erlaubnis {ref} gegeben.",
    "Vous n'avez pas donné de permission {ref}.",
    "No has dado ningún permiso {ref}.",
    "Non hai dato nessun permesso {ref}.",
)
REVOKED_ALREADY = Phrase(
    "Grant {ref} is revoked already.",
    "Die Erlaubnis {ref} ist schon zurückgenommen.",
    "La permission {ref} est déjà reprise.",
    "El permiso {ref} ya está retirado.",
    "Il permesso {ref} è già ritirato.",
)
REVOKED = Phrase(
    "Grant {ref} is revoked: I ask again before {tool}.",
    "Die Erlaubnis {ref} ist zurückgenommen: vor {tool} frage ich wieder.",
    "La permission {ref} est reprise : je redemande avant {tool}.",
    "El permiso {ref} está retirado: vuelvo a preguntar antes de {tool}.",
    "Il permesso {ref} è ritirato: chiedo di nuovo prima di {tool}.",
)
NO_GRANTS = Phrase(
    "There are no grants: I ask about each call that needs a yes.",
    "Es gibt keine Erlaubnisse: ich frage vor jedem Aufruf, der ein Ja braucht.",
    "Il n'y a pas de permissions : je demande avant chaque appel qui exige un oui.",
    "No hay permisos: pregunto antes de cada llamada que necesita un sí.",
    "Non ci sono permessi: chiedo prima di ogni chiamata che richiede un sì.",
)
MORE_GRANTS = CountedPhrase(
    Phrase(
        "… and {count} more: `bellhop grants list`",
        "… und {count} weitere: `bellhop grants list`",
        "… et {count} autre : `bellhop grants list`",
        "… y {count} más: `bellhop grants list`",
        "… e un altro: `bellhop grants list`",
    ),
    Phrase(
        "… and {count} more: `bellhop grants list`",
        "… und {count} weitere: `bellhop grants list`",
        "… et {count} autres : `bellhop grants list`",
        "… y {count} más: `bellhop grants list`",
        "… e altri {count}: `bellhop grants list`",
    ),
)
TAKE_BACK = Phrase(
    "`/grants revoke REF` takes one back.",
    "`/grants revoke REF` nimmt eine zurück.",
    "`/grants revoke REF` en reprend une.",
    "`/grants revoke REF` retira uno.",
    "`/grants revoke REF` ne ritira uno.",
)
GIVEN = Phrase(
    "{what} (given by {by} on {day})",
    "{what} (gegeben von {by} am {day})",
    "{what} (donnée par {by} le {day})",
    "{what} (dado por {by} el {day})",
    "{what} (dato da {by} il {day})",
)
FOR_PERSON = Phrase(
    "for {person}",
    "für {person}",
    "pour {person}",
    "para {person}",
    "per {person}",
)
FOR_ONE_SESSION = Phrase(
    "{tool}, for one session",
    "{tool}, für eine Sitzung",
    "{tool}, pour une session",
    "{tool}, para una sesión",
    "{tool}, per una sessione",
)
ALWAYS_TO = Phrase(
    "{tool} to {targets}, always",
    "{tool} an {targets}, immer",
    "{tool} pour {targets}, toujours",
    "{tool} para {targets}, siempre",
    "{tool} per {targets}, sempre",
)


def grant_words(grant: Grant, language: Language) -> str:
    """What a grant covers: `send_email to ann@example.org, always`."""
    if grant.scope is GrantScope.SESSION:
        return FOR_ONE_SESSION.said(language, tool=grant.tool)
    targets = ", ".join(sorted({target.value for target in grant.targets}))
    return ALWAYS_TO.said(language, tool=grant.tool, targets=targets)


ADMIN_ALONE = Phrase(
    "Only a MasterAdmin can decide this.",
    "Das kann nur ein MasterAdmin entscheiden.",
    "Seul un MasterAdmin peut en décider.",
    "Solo un MasterAdmin puede decidirlo.",
    "Solo un MasterAdmin può deciderlo.",
)
PAIR_HOW = Phrase(
    "Say who and as what: `/pair REF friend`. The card about them names the reference.",
    "Sag, wer und als was: `/pair REF friend`. Die Karte über die Person nennt die Referenz.",
    "Dites qui et en tant que quoi : `/pair REF friend`. La carte à son sujet donne la référence.",
    "Di quién y como qué: `/pair REF friend`. La tarjeta sobre esa persona dice la referencia.",
    "Dimmi chi e come che cosa: `/pair REF friend`. La scheda su quella persona dà il riferimento.",
)
CONTACTS_NOT_WRITTEN = Phrase(
    "I can't write contacts.yaml, so nothing was changed. `bellhop doctor` says why.",
    "Ich kann contacts.yaml nicht schreiben, also wurde nichts geändert. `bellhop doctor` sagt,"
    " warum.",
    "Je ne peux pas écrire contacts.yaml, rien n'a donc changé. `bellhop doctor` dit pourquoi.",
    "No puedo escribir contacts.yaml, así que no cambió nada. `bellhop doctor` dice por qué.",
    "Non posso scrivere contacts.yaml, quindi non è cambiato nulla. `bellhop doctor` dice perché.",
)
IN_CONTACTS = Phrase(
    "{name} is in contacts.yaml already; that entry was not changed.",
    "{name} steht schon in contacts.yaml; der Eintrag blieb, wie er war.",
    "{name} est déjà dans contacts.yaml ; cette entrée n'a pas changé.",
    "{name} ya está en contacts.yaml; esa entrada no cambió.",
    "{name} è già in contacts.yaml; quella voce non è cambiata.",
)
IS_BANNED = Phrase(
    "{name} is `{id}` in contacts.yaml now: Banned. I don't answer them.",
    "{name} ist jetzt `{id}` in contacts.yaml: Banned. Ich antworte dieser Person nicht.",
    "{name} est maintenant `{id}` dans contacts.yaml : Banned. Je ne lui réponds pas.",
    "{name} es ahora `{id}` en contacts.yaml: Banned. No le respondo.",
    "{name} ora è `{id}` in contacts.yaml: Banned. Non le rispondo.",
)
IS_KNOWN = Phrase(
    "{name} is `{id}` in contacts.yaml now: {role}. I answer the message that waited.",
    "{name} ist jetzt `{id}` in contacts.yaml: {role}. Ich beantworte die Nachricht, die wartete.",
    "{name} est maintenant `{id}` dans contacts.yaml : {role}. Je réponds au message en attente.",
    "{name} es ahora `{id}` en contacts.yaml: {role}. Respondo al mensaje que esperaba.",
    "{name} ora è `{id}` in contacts.yaml: {role}. Rispondo al messaggio che aspettava.",
)
WAS_CONTACT = Phrase(
    "This account was a contact before; {ways} gives it what was kept.",
    "Dieses Konto war schon ein Kontakt; {ways} gibt ihm, was aufgehoben war.",
    "Ce compte a déjà été un contact ; {ways} lui donne ce qui était gardé.",
    "Esta cuenta ya fue un contacto; {ways} le da lo que se guardaba.",
    "Questo account era già un contatto; {ways} gli dà ciò che era conservato.",
)
OR = Phrase(" or ", " oder ", " ou ", " o ", " o ")
ASKS_FOR_ACCESS = Phrase(
    "**{name} ({platform}) asks for access.** Their id there is `{id}`. They chose the name"
    " themselves.",
    "**{name} ({platform}) bittet um Zugang.** Die ID dort ist `{id}`. Den Namen hat die Person"
    " selbst gewählt.",
    "**{name} ({platform}) demande l'accès.** Son identifiant là-bas est `{id}`. Cette personne a"
    " choisi son nom elle-même.",
    "**{name} ({platform}) pide acceso.** Su id allí es `{id}`. El nombre lo eligió esa persona.",
    "**{name} ({platform}) chiede l'accesso.** Il suo id lì è `{id}`. Il nome l'ha scelto da sé.",
)
THEY_WROTE = Phrase(
    "They wrote:", "Geschrieben wurde:", "Message reçu :", "Escribió:", "Ha scritto:"
)
CHOOSE_ROLE = Phrase(
    "Choose, or use `/pair {ref} {roles}`. Their message waits until then.",
    "Wähl aus, oder nimm `/pair {ref} {roles}`. Bis dahin wartet die Nachricht.",
    "Choisissez, ou dites `/pair {ref} {roles}`. Son message attend jusque-là.",
    "Elige, o usa `/pair {ref} {roles}`. Su mensaje espera hasta entonces.",
    "Scegli, oppure usa `/pair {ref} {roles}`. Il suo messaggio aspetta fino ad allora.",
)
