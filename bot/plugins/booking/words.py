"""What people are told about their booking pages."""

from bot.plugin.chat_commands import Phrase

CALLED = Phrase("booking", "buchung", "réservation", "reservas", "prenotazioni")
ABOUT = Phrase(
    "your page on which others book a free time with you",
    "deine Seite, auf der andere einen freien Termin mit dir buchen",
    "votre page où d'autres réservent un moment libre avec vous",
    "tu página donde otros reservan un rato libre contigo",
    "la tua pagina su cui altri prenotano un orario libero con te",
)
FOR_MEMBERS = Phrase(
    "Booking pages are for members.",
    "Buchungsseiten sind für Mitglieder.",
    "Les pages de réservation sont pour les membres.",
    "Las páginas de reserva son para miembros.",
    "Le pagine di prenotazione sono per i membri.",
)
OFF = Phrase(
    "Booking pages are off here. The operator switches them on with `booking.enabled` and "
    "`console.public_url`.",
    "Buchungsseiten sind hier aus. Der Betreiber schaltet sie mit `booking.enabled` und "
    "`console.public_url` ein.",
    "Les pages de réservation sont désactivées ici. L'exploitant les active avec "
    "`booking.enabled` et `console.public_url`.",
    "Las páginas de reserva están apagadas aquí. El operador las enciende con "
    "`booking.enabled` y `console.public_url`.",
    "Qui le pagine di prenotazione sono spente. Il gestore le accende con `booking.enabled` e "
    "`console.public_url`.",
)
NO_PAGE = Phrase(
    "You have no booking page. `/booking make` makes one.",
    "Du hast keine Buchungsseite. `/booking make` legt eine an.",
    "Vous n'avez pas de page de réservation. `/booking make` en crée une.",
    "No tienes página de reserva. `/booking make` crea una.",
    "Non hai una pagina di prenotazione. `/booking make` ne crea una.",
)
STOPPED = Phrase(
    "Your booking page is gone, and its link is worth nothing any more.",
    "Deine Buchungsseite ist weg, und ihr Link gilt nicht mehr.",
    "Votre page de réservation n'existe plus, et son lien ne vaut plus rien.",
    "Tu página de reserva ya no existe y su enlace ya no vale.",
    "La tua pagina di prenotazione non c'è più, e il suo link non vale più.",
)
NO_CALENDAR = Phrase(
    "Connect a calendar first: `/connect google` or `/connect outlook`.",
    "Verbinde zuerst einen Kalender: `/connect google` oder `/connect outlook`.",
    "Connectez d'abord un agenda : `/connect google` ou `/connect outlook`.",
    "Conecta primero un calendario: `/connect google` o `/connect outlook`.",
    "Collega prima un calendario: `/connect google` o `/connect outlook`.",
)
MADE = Phrase(
    "Your booking page, with a new link (a former one is worth nothing now):\n{page}\nWho has the "
    "link sees your name and your free times, and can book one. They see nothing of your events.",
    "Deine Buchungsseite, mit neuem Link (ein früherer gilt jetzt nicht mehr):\n{page}\nWer "
    "den Link hat, sieht deinen Namen und deine freien Zeiten und kann eine buchen. Von deinen "
    "Terminen ist nichts zu sehen.",
    "Votre page de réservation, avec un nouveau lien (l'ancien ne vaut plus rien) "
    ":\n{page}\nQui a le lien voit votre nom et vos moments libres, et peut en réserver un. On "
    "ne voit rien de vos événements.",
    "Tu página de reserva, con un enlace nuevo (el anterior ya no vale):\n{page}\nQuien tiene el "
    "enlace ve tu nombre y tus horas libres, y puede reservar una. No ve nada de tus eventos.",
    "La tua pagina di prenotazione, con un nuovo link (quello di prima non vale "
    "più):\n{page}\nChi ha il link vede il tuo nome e i tuoi orari liberi, e può prenotarne "
    "uno. Non vede nulla dei tuoi eventi.",
)
UNREADABLE_LINK = Phrase(
    "(its link can't be read: `/booking make` makes a new one)",
    "(der Link ist nicht lesbar: `/booking make` macht einen neuen)",
    "(son lien est illisible : `/booking make` en fait un nouveau)",
    "(su enlace no se puede leer: `/booking make` hace uno nuevo)",
    "(il suo link non si legge: `/booking make` ne fa uno nuovo)",
)
SET = Phrase(
    "{hours} ({zone}), {length} minutes each, {buffer} minutes between events, calendar {account}",
    "{hours} ({zone}), je {length} Minuten, {buffer} Minuten zwischen Terminen, Kalender {account}",
    "{hours} ({zone}), {length} minutes chacune, {buffer} minutes entre deux, agenda {account}",
    "{hours} ({zone}), {length} minutos cada una, {buffer} minutos entre citas, calendario "
    "{account}",
    "{hours} ({zone}), {length} minuti ciascuno, {buffer} minuti tra gli eventi, calendario "
    "{account}",
)
CHANGED = Phrase("Changed.", "Geändert.", "Modifié.", "Cambiado.", "Modificato.")
CALENDARS = Phrase(
    "Calendars that you connected: {names}.",
    "Kalender, die du verbunden hast: {names}.",
    "Agendas que vous avez connectés : {names}.",
    "Calendarios que conectaste: {names}.",
    "Calendari che hai collegato: {names}.",
)
NONE = Phrase("none", "keine", "aucun", "ninguno", "nessuno")
MINUTES = Phrase(
    "Give minutes from {least} to {most}.",
    "Gib Minuten von {least} bis {most} an.",
    "Donnez des minutes de {least} à {most}.",
    "Da minutos de {least} a {most}.",
    "Indica minuti da {least} a {most}.",
)
UNKNOWN_VERB = Phrase(
    "I don't know that. `/booking {usage}`",
    "Das kenne ich nicht. `/booking {usage}`",
    "Je ne connais pas cela. `/booking {usage}`",
    "No conozco eso. `/booking {usage}`",
    "Questo non lo conosco. `/booking {usage}`",
)
NOTHING_BOOKED = Phrase(
    "Nothing is booked.",
    "Nichts ist gebucht.",
    "Rien n'est réservé.",
    "No hay nada reservado.",
    "Non c'è nulla di prenotato.",
)
NOT_YET = Phrase(
    " (not in your calendar yet)",
    " (noch nicht in deinem Kalender)",
    " (pas encore dans votre agenda)",
    " (aún no está en tu calendario)",
    " (non ancora nel tuo calendario)",
)
NEVER_ENTERED = Phrase(
    " (not in your calendar; please enter it yourself)",
    " (nicht in deinem Kalender; trag es bitte selbst ein)",
    " (pas dans votre agenda ; notez-le vous-même)",
    " (no está en tu calendario; apúntalo tú)",
    " (non è nel tuo calendario; inseriscilo tu)",
)
ENTERED = Phrase(
    "Somebody booked a time with you: {when}. It is in your calendar. `/booking` says who.",
    "Jemand hat eine Zeit bei dir gebucht: {when}. Sie steht in deinem Kalender. `/booking` "
    "sagt, wer.",
    "Quelqu'un a réservé un moment avec vous : {when}. C'est dans votre agenda. `/booking` dit "
    "qui.",
    "Alguien ha reservado una hora contigo: {when}. Está en tu calendario. `/booking` dice quién.",
    "Qualcuno ha prenotato un orario con te: {when}. È nel tuo calendario. `/booking` dice chi.",
)
NOT_ENTERED = Phrase(
    "Somebody booked a time with you: {when}. I could not put it into your calendar; please do "
    "it yourself. `/booking` says who.",
    "Jemand hat eine Zeit bei dir gebucht: {when}. Ich konnte sie nicht in deinen Kalender "
    "eintragen; mach das bitte selbst. `/booking` sagt, wer.",
    "Quelqu'un a réservé un moment avec vous : {when}. Je n'ai pas pu le mettre dans votre "
    "agenda ; faites-le vous-même. `/booking` dit qui.",
    "Alguien ha reservado una hora contigo: {when}. No pude ponerla en tu calendario; hazlo "
    "tú, por favor. `/booking` dice quién.",
    "Qualcuno ha prenotato un orario con te: {when}. Non ho potuto metterlo nel tuo "
    "calendario; fallo tu, per favore. `/booking` dice chi.",
)
