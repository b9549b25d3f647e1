"""What `/takeover` says, what a former owner is asked, and that accounts were linked."""

from bot.domain.languages import Phrase

IN_DIRECT = Phrase(
    "Say that in a direct message.",
    "Sag das in einer Direktnachricht.",
    "Dites cela en message privé.",
    "Dilo en un mensaje directo.",
    "Dillo in un messaggio diretto.",
)
HOW = Phrase(
    "Say whose things and for whom: `/takeover OLD NEW`, with a former id or an account"
    " (`discord:ID`) of the contact NEW. I list them first.",
    "Sag, wessen Dinge und für wen: `/takeover ALT NEU`, mit einer früheren Kennung oder einem"
    " Konto (`discord:ID`) des Kontakts NEU. Ich zähle sie zuerst auf.",
    "Dites les affaires de qui et pour qui : `/takeover ANCIEN NOUVEAU`, avec un ancien identifiant"
    " ou un compte (`discord:ID`) du contact NOUVEAU. Je les énumère d'abord.",
    "Di las cosas de quién y para quién: `/takeover VIEJO NUEVO`, con un identificador anterior o"
    " una cuenta (`discord:ID`) del contacto NUEVO. Primero las enumero.",
    "Di' le cose di chi e per chi: `/takeover VECCHIO NUOVO`, con un id precedente o un account"
    " (`discord:ID`) del contatto NUOVO. Prima le elenco.",
)
NOTHING = Phrase("nothing", "nichts", "rien", "nada", "nulla")
WOULD_OWN = Phrase(
    "Under `{earlier}` I keep: {kept}. {name} (`{contact}`) would own it and could read it."
    " {asked} To go on: `/takeover {old} {new} yes`, or"
    " `bellhop contacts take-over {old} {new} --yes`.",
    "Unter `{earlier}` habe ich: {kept}. Es würde {name} (`{contact}`) gehören und wäre dort zu"
    " lesen. {asked} Weiter geht es mit `/takeover {old} {new} yes` oder"
    " `bellhop contacts take-over {old} {new} --yes`.",
    "Sous `{earlier}`, je garde : {kept}. Cela serait à {name} (`{contact}`), qui pourrait le lire."
    " {asked} Pour continuer : `/takeover {old} {new} yes`, ou"
    " `bellhop contacts take-over {old} {new} --yes`.",
    "Con `{earlier}` guardo: {kept}. Sería de {name} (`{contact}`), que podría leerlo. {asked} Para"
    " seguir: `/takeover {old} {new} yes`, o `bellhop contacts take-over {old} {new} --yes`.",
    "Sotto `{earlier}` conservo: {kept}. Sarebbe di {name} (`{contact}`), che potrebbe leggerlo."
    " {asked} Per proseguire: `/takeover {old} {new} yes`, oppure"
    " `bellhop contacts take-over {old} {new} --yes`.",
)
ASKS_FIRST = Phrase(
    "I ask {names} first, in their direct messages.",
    "Ich frage zuerst {names}, in einer Direktnachricht.",
    "Je demande d'abord à {names}, en message privé.",
    "Pregunto primero a {names}, por mensaje directo.",
    "Prima chiedo a {names}, in un messaggio diretto.",
)
NOBODY_TO_ASK = Phrase(
    "No account of its owner is known, so nobody can be asked: the audit will say so.",
    "Kein Konto des bisherigen Besitzers ist bekannt, also lässt sich niemand fragen: so steht es"
    " dann im Audit.",
    "Aucun compte de son propriétaire n'est connu, personne ne peut donc être consulté : l'audit le"
    " dira.",
    "No se conoce ninguna cuenta de su dueño, así que no se puede preguntar a nadie: la auditoría"
    " lo dirá.",
    "Non è noto nessun account del proprietario, quindi non si può chiedere a nessuno: l'audit lo"
    " dirà.",
)
WAITS = Phrase(
    "I have asked {names}, and wait for the answer. Without one for {days} days, say this again.",
    "Ich habe {names} gefragt und warte auf die Antwort. Kommt {days} Tage lang keine, sag das noch"
    " einmal.",
    "J'ai demandé à {names} et j'attends la réponse. Sans réponse après {days} jours, redites-le.",
    "He preguntado a {names} y espero la respuesta. Si no llega en {days} días, dilo otra vez.",
    "Ho chiesto a {names} e aspetto la risposta. Se non arriva entro {days} giorni, ripetilo.",
)
HAVE_ASKED = Phrase(
    "I have asked {names}. Nothing is moved without their yes.",
    "Ich habe {names} gefragt. Ohne ein Ja von dort wird nichts übertragen.",
    "J'ai demandé à {names}. Rien n'est transféré sans un oui de là.",
    "He preguntado a {names}. Sin su sí no se traspasa nada.",
    "Ho chiesto a {names}. Senza quel sì non si trasferisce nulla.",
)
NO_QUESTION = Phrase(
    "There is no such question to this account.",
    "An dieses Konto gibt es keine solche Frage.",
    "Il n'y a pas de telle question pour ce compte.",
    "No hay ninguna pregunta así para esta cuenta.",
    "Non c'è nessuna domanda del genere per questo account.",
)
SETTLED = Phrase(
    "That is settled already.",
    "Das ist schon entschieden.",
    "C'est déjà réglé.",
    "Eso ya está decidido.",
    "È già deciso.",
)
NOT_IN_CONTACTS = Phrase(
    "contacts.yaml has no {contact}.",
    "In contacts.yaml steht kein {contact}.",
    "contacts.yaml ne contient pas {contact}.",
    "En contacts.yaml no hay ningún {contact}.",
    "In contacts.yaml non c'è {contact}.",
)
HAS_IT = Phrase(
    "{contact} has what is kept under that id.",
    "{contact} hat schon, was unter dieser Kennung steht.",
    "{contact} a déjà ce qui est gardé sous cet identifiant.",
    "{contact} ya tiene lo guardado con ese identificador.",
    "{contact} ha già ciò che sta sotto quell'id.",
)
SETTLE_FIRST = Phrase(
    "The id {contact} belonged to somebody else. Settle that first: `/takeover {contact}"
    " {contact}`.",
    "Die Kennung {contact} gehörte jemand anderem. Klär das zuerst: `/takeover {contact}"
    " {contact}`.",
    "L'identifiant {contact} était à quelqu'un d'autre. Réglez cela d'abord : `/takeover {contact}"
    " {contact}`.",
    "El identificador {contact} era de otra persona. Aclara eso primero: `/takeover {contact}"
    " {contact}`.",
    "L'id {contact} era di un'altra persona. Chiarisci prima questo: `/takeover {contact}"
    " {contact}`.",
)
HAS_OF_ACCOUNT = Phrase(
    "{contact} has what is kept for {account}.",
    "{contact} hat schon, was für {account} aufgehoben ist.",
    "{contact} a déjà ce qui est gardé pour {account}.",
    "{contact} ya tiene lo guardado para {account}.",
    "{contact} ha già ciò che è conservato per {account}.",
)
NO_ACCOUNT_OF = Phrase(
    "{earlier} is no account of {contact}. First: `bellhop contacts link {contact} PLATFORM:ID`.",
    "{earlier} ist kein Konto von {contact}. Zuerst:"
    " `bellhop contacts link {contact} PLATTFORM:ID`.",
    "{earlier} n'est pas un compte de {contact}. D'abord :"
    " `bellhop contacts link {contact} PLATEFORME:ID`.",
    "{earlier} no es una cuenta de {contact}. Primero:"
    " `bellhop contacts link {contact} PLATAFORMA:ID`.",
    "{earlier} non è un account di {contact}. Prima:"
    " `bellhop contacts link {contact} PIATTAFORMA:ID`.",
)
IS_A_CONTACT = Phrase(
    "{earlier} is a contact. First: `bellhop contacts remove {earlier}`.",
    "{earlier} ist ein Kontakt. Zuerst: `bellhop contacts remove {earlier}`.",
    "{earlier} est un contact. D'abord : `bellhop contacts remove {earlier}`.",
    "{earlier} es un contacto. Primero: `bellhop contacts remove {earlier}`.",
    "{earlier} è un contatto. Prima: `bellhop contacts remove {earlier}`.",
)
NEVER_AN_ID = Phrase(
    "No contact ever had the id {earlier}.",
    "Kein Kontakt hatte je die Kennung {earlier}.",
    "Aucun contact n'a jamais eu l'identifiant {earlier}.",
    "Ningún contacto tuvo nunca el identificador {earlier}.",
    "Nessun contatto ha mai avuto l'id {earlier}.",
)
ASKED = Phrase(
    "What I keep for you ({kept}) is to become that of **{name}**, who could then read it. A"
    " MasterAdmin has asked for this; say yes only if that is you, or if you agree. Nothing is"
    " moved without your yes, unless you leave this unanswered for {days} days.",
    "Was ich für dich aufhebe ({kept}), soll **{name}** gehören und wäre dort zu lesen. Ein"
    " MasterAdmin hat darum gebeten; sag nur Ja, wenn du das bist oder einverstanden bist. Ohne"
    " dein Ja wird nichts übertragen, außer du lässt das {days} Tage lang ohne Antwort.",
    "Ce que je garde pour vous ({kept}) doit passer à **{name}**, qui pourrait alors le lire. Un"
    " MasterAdmin l'a demandé ; ne dites oui que si c'est vous, ou si vous êtes d'accord. Rien"
    " n'est transféré sans votre oui, sauf si vous laissez ceci sans réponse pendant {days} jours.",
    "Lo que guardo para ti ({kept}) pasaría a ser de **{name}**, que podría leerlo. Lo ha pedido un"
    " MasterAdmin; di sí solo si eres tú o si estás de acuerdo. Sin tu sí no se traspasa nada,"
    " salvo que dejes esto sin respuesta {days} días.",
    "Ciò che conservo per te ({kept}) passerebbe a **{name}**, che potrebbe leggerlo. Lo ha chiesto"
    " un MasterAdmin; di' sì solo se sei tu, o se sei d'accordo. Senza il tuo sì non si trasferisce"
    " nulla, a meno che tu non lasci questo senza risposta per {days} giorni.",
)
YES = Phrase(
    "Yes, hand it over", "Ja, übertragen", "Oui, transférer", "Sí, traspásalo", "Sì, trasferiscilo"
)
NO = Phrase("No", "Nein", "Non", "No", "No")
CHANGED_SINCE = Phrase(
    "contacts.yaml says something else by now, so nothing is taken over.",
    "In contacts.yaml steht inzwischen etwas anderes, also wird nichts übertragen.",
    "contacts.yaml dit autre chose à présent, rien n'est donc transféré.",
    "contacts.yaml ya dice otra cosa, así que no se traspasa nada.",
    "contacts.yaml ora dice un'altra cosa, quindi non si trasferisce nulla.",
)
OWNER_SAID_YES = Phrase(
    "About {earlier} and {name}: the owner said yes: it is moved now.",
    "Zu {earlier} und {name}: der Besitzer hat Ja gesagt; es wird jetzt übertragen.",
    "Au sujet de {earlier} et {name} : le propriétaire a dit oui ; c'est transféré maintenant.",
    "Sobre {earlier} y {name}: su dueño dijo que sí; ahora se traspasa.",
    "Su {earlier} e {name}: il proprietario ha detto sì; ora si trasferisce.",
)
OWNER_SAID_NO = Phrase(
    "About {earlier} and {name}: the owner said no: nothing is moved.",
    "Zu {earlier} und {name}: der Besitzer hat Nein gesagt; nichts wird übertragen.",
    "Au sujet de {earlier} et {name} : le propriétaire a dit non ; rien n'est transféré.",
    "Sobre {earlier} y {name}: su dueño dijo que no; no se traspasa nada.",
    "Su {earlier} e {name}: il proprietario ha detto no; non si trasferisce nulla.",
)
IS_THEIRS = Phrase(
    "What was kept under {earlier} is {name}'s now.",
    "Was unter {earlier} stand, gehört jetzt {name}.",
    "Ce qui était gardé sous {earlier} est maintenant à {name}.",
    "Lo guardado con {earlier} es ahora de {name}.",
    "Ciò che stava sotto {earlier} ora è di {name}.",
)
SAID_NO = Phrase(
    "{names} said no, so {earlier} keeps its own things.",
    "{names} hat Nein gesagt, also behält {earlier}, was dort steht.",
    "{names} a dit non, {earlier} garde donc ses affaires.",
    "{names} dijo que no, así que {earlier} conserva lo suyo.",
    "{names} ha detto no, quindi {earlier} tiene le sue cose.",
)
HAS_FORMER = Phrase(
    "{contact} has what was kept under {earlier}.",
    "{contact} hat schon, was unter {earlier} stand.",
    "{contact} a déjà ce qui était gardé sous {earlier}.",
    "{contact} ya tiene lo guardado con {earlier}.",
    "{contact} ha già ciò che stava sotto {earlier}.",
)
HANDED_OVER = Phrase(
    "Thank you. It is being handed over.",
    "Danke. Es wird übertragen.",
    "Merci. C'est en cours de transfert.",
    "Gracias. Se está traspasando.",
    "Grazie. Si sta trasferendo.",
)
NOT_HANDED_OVER = Phrase(
    "Thank you. Nothing is handed over, and I won't ask again.",
    "Danke. Nichts wird übertragen, und ich frage nicht noch einmal.",
    "Merci. Rien n'est transféré, et je ne redemanderai pas.",
    "Gracias. No se traspasa nada, y no volveré a preguntar.",
    "Grazie. Non si trasferisce nulla, e non lo chiederò più.",
)

LINKED = Phrase(
    "I know you as {name} now. What I kept for you before is yours here too: {moved}.",
    "Ich kenne dich jetzt als {name}. Was ich vorher für dich aufgehoben habe, gehört dir auch"
    " hier: {moved}.",
    "Je vous connais maintenant comme {name}. Ce que je gardais pour vous avant est à vous ici"
    " aussi : {moved}.",
    "Ahora te conozco como {name}. Lo que guardaba antes para ti también es tuyo aquí: {moved}.",
    "Ora ti conosco come {name}. Ciò che conservavo prima per te è tuo anche qui: {moved}.",
)
