"""What `/memory forget` says: what goes, what stays, and what still holds the words."""

from bot.domain.languages import CountedPhrase, Phrase

REMOVED = Phrase(
    "Removed, with all copies in the archive and the backups of memory: {counts}",
    "Gelöscht, mit allen Kopien im Archiv und in den Sicherungen des Gedächtnisses: {counts}",
    "Effacé, avec toutes les copies des archives et des sauvegardes de la mémoire : {counts}",
    "Borrado, con todas las copias del archivo y de los respaldos de la memoria: {counts}",
    "Cancellato, con tutte le copie nell'archivio e nei backup della memoria: {counts}",
)
ONE = {
    "entry": Phrase("entry", "Eintrag", "entrée", "entrada", "voce"),
    "archived": Phrase("archived", "archiviert", "archivé", "archivado", "archiviato"),
    "summary": Phrase("summary", "Zusammenfassung", "résumé", "resumen", "riassunto"),
    "fact": Phrase("fact", "Fakt", "fait", "dato", "fatto"),
    "knowledge": Phrase("knowledge", "Wissen", "connaissance", "conocimiento", "conoscenza"),
    "note": Phrase("note", "Notiz", "note", "nota", "nota"),
    "message": Phrase("message", "Nachricht", "message", "mensaje", "messaggio"),
}
"""One thing, by its kind."""
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
OPEN_KEEP = Phrase(
    "Open conversations keep it until they end. Nothing is learned from them.",
    "Offene Gespräche behalten es, bis sie enden. Aus ihnen wird nichts gelernt.",
    "Les conversations ouvertes le gardent jusqu'à leur fin. Rien n'en est appris.",
    "Las conversaciones abiertas lo guardan hasta que acaban. De ellas no se aprende nada.",
    "Le conversazioni aperte lo tengono finché finiscono. Da loro non si impara nulla.",
)
STAYS = Phrase(
    "What stays: messages on the platform itself (delete them there); what other people wrote, were"
    " told or saved; files, tools and skills of everybody; and copies outside of this home, like"
    " backups and what was sent to others.",
    "Was bleibt: Nachrichten auf der Plattform selbst (lösche sie dort); was andere geschrieben,"
    " gehört oder gespeichert haben; Dateien, Werkzeuge und Skills aller; und Kopien außerhalb von"
    " hier, etwa Sicherungen und was anderen geschickt wurde.",
    "Ce qui reste : les messages sur la plateforme elle-même (supprimez-les là-bas) ; ce que"
    " d'autres ont écrit, entendu ou gardé ; les fichiers, outils et compétences de tous ; et les"
    " copies hors d'ici, comme les sauvegardes et ce qui a été envoyé à d'autres.",
    "Lo que queda: los mensajes en la propia plataforma (bórralos allí); lo que otros escribieron,"
    " oyeron o guardaron; los archivos, herramientas y habilidades de todos; y las copias fuera de"
    " aquí, como respaldos y lo que se envió a otros.",
    "Che cosa resta: i messaggi sulla piattaforma stessa (cancellali lì); ciò che altri hanno"
    " scritto, sentito o salvato; file, strumenti e abilità di tutti; e le copie fuori da qui, come"
    " i backup e ciò che è stato mandato ad altri.",
)
ALL_NOT_OFFERED = Phrase(
    "Everywhere takes words: those of what is to be gone. All at once is not offered.",
    "Hinter everywhere gehören Wörter: die von dem, was weg soll. Alles auf einmal geht nicht.",
    "Everywhere demande des mots : ceux de ce qui doit disparaître. Tout d'un coup n'est pas"
    " possible.",
    "Everywhere necesita palabras: las de lo que debe desaparecer. Todo de una vez no se puede.",
    "Everywhere vuole parole: quelle di ciò che deve sparire. Tutto in una volta non si può.",
)
NOTHING_HOLDS = Phrase(
    "Nothing of yours holds all of these words.",
    "Nichts von dir enthält alle diese Wörter.",
    "Rien de vous ne contient tous ces mots.",
    "Nada tuyo contiene todas estas palabras.",
    "Nulla di tuo contiene tutte queste parole.",
)
WOULD_GO = Phrase(
    "Everything of yours that holds all of these words would be removed for good:",
    "Alles von dir, das alle diese Wörter enthält, würde endgültig gelöscht:",
    "Tout ce qui est à vous et contient tous ces mots serait effacé pour de bon :",
    "Todo lo tuyo que contiene todas estas palabras se borraría para siempre:",
    "Tutto ciò che è tuo e contiene tutte queste parole sarebbe cancellato per sempre:",
)
NO_WAY_BACK = Phrase(
    "This can't be undone. `{how} {yes} {ref}` does it, within 30 minutes.",
    "Das lässt sich nicht zurücknehmen. `{how} {yes} {ref}` tut es, binnen 30 Minuten.",
    "C'est irréversible. `{how} {yes} {ref}` le fait, dans les 30 minutes.",
    "No se puede deshacer. `{how} {yes} {ref}` lo hace, en 30 minutos.",
    "Non si può annullare. `{how} {yes} {ref}` lo fa, entro 30 minuti.",
)
SESSIONS_END = Phrase(
    "open conversations that end: {count}; the next message begins a new one",
    "offene Gespräche, die enden: {count}; die nächste Nachricht beginnt ein neues",
    "conversations ouvertes qui se terminent : {count} ; le prochain message en commence une autre",
    "conversaciones abiertas que acaban: {count}; el próximo mensaje empieza una nueva",
    "conversazioni aperte che finiscono: {count}; il prossimo messaggio ne comincia una nuova",
)
REQUESTS_STOP = Phrase(
    "requests that are stopped: {count}",
    "Anfragen, die angehalten werden: {count}",
    "demandes arrêtées : {count}",
    "peticiones que se detienen: {count}",
    "richieste che vengono fermate: {count}",
)
HOLDS_STILL = Phrase(
    "Holds the words still: {what}.",
    "Enthält die Wörter noch: {what}.",
    "Contient encore les mots : {what}.",
    "Aún contiene las palabras: {what}.",
    "Contiene ancora le parole: {what}.",
)
TRACES = Phrase(
    "Traces of these cycles were sent to the collector of traces: {names}.",
    "Spuren dieser Zyklen gingen an den Sammler der Spuren: {names}.",
    "Des traces de ces cycles ont été envoyées au collecteur de traces : {names}.",
    "Trazas de estos ciclos se enviaron al recolector de trazas: {names}.",
    "Tracce di questi cicli sono state inviate al raccoglitore di tracce: {names}.",
)
RECORD_KEEPS = CountedPhrase(
    Phrase(
        "The record of work keeps its words for {count} day; `/memory forget everywhere WORDS`"
        " removes them from everything of yours, for good. The platform keeps its messages, and"
        " whoever read them what they read.",
        "Das Arbeitsprotokoll behält seine Wörter {count} Tag; `/memory forget everywhere WÖRTER`"
        " löscht sie endgültig aus allem, was dir gehört. Die Plattform behält ihre Nachrichten,"
        " und wer sie gelesen hat, was er las.",
        "Le journal du travail garde ses mots {count} jour ; `/memory forget everywhere MOTS` les"
        " efface pour de bon de tout ce qui est à vous. La plateforme garde ses messages, et qui"
        " les a lus ce qu'il a lu.",
        "El registro del trabajo guarda sus palabras {count} día; `/memory forget everywhere"
        " PALABRAS` las borra para siempre de todo lo tuyo. La plataforma guarda sus mensajes, y"
        " quien los leyó, lo que leyó.",
        "Il registro del lavoro tiene le sue parole {count} giorno; `/memory forget everywhere"
        " PAROLE` le cancella per sempre da tutto ciò che è tuo. La piattaforma tiene i suoi"
        " messaggi, e chi li ha letti ciò che ha letto.",
    ),
    Phrase(
        "The record of work keeps its words for {count} days; `/memory forget everywhere WORDS`"
        " removes them from everything of yours, for good. The platform keeps its messages, and"
        " whoever read them what they read.",
        "Das Arbeitsprotokoll behält seine Wörter {count} Tage; `/memory forget everywhere WÖRTER`"
        " löscht sie endgültig aus allem, was dir gehört. Die Plattform behält ihre Nachrichten,"
        " und wer sie gelesen hat, was er las.",
        "Le journal du travail garde ses mots {count} jours ; `/memory forget everywhere MOTS` les"
        " efface pour de bon de tout ce qui est à vous. La plateforme garde ses messages, et qui"
        " les a lus ce qu'il a lu.",
        "El registro del trabajo guarda sus palabras {count} días; `/memory forget everywhere"
        " PALABRAS` las borra para siempre de todo lo tuyo. La plataforma guarda sus mensajes, y"
        " quien los leyó, lo que leyó.",
        "Il registro del lavoro tiene le sue parole {count} giorni; `/memory forget everywhere"
        " PAROLE` le cancella per sempre da tutto ciò che è tuo. La piattaforma tiene i suoi"
        " messaggi, e chi li ha letti ciò che ha letto.",
    ),
)
ON_RECORD = Phrase(
    "Still on record: {counts}.",
    "Noch verzeichnet: {counts}.",
    "Encore enregistré : {counts}.",
    "Aún consta: {counts}.",
    "Ancora registrato: {counts}.",
)
WAS_DONE = Phrase(
    "It is done. I was interrupted before I could say what was removed.",
    "Es ist erledigt. Ich wurde unterbrochen, bevor ich sagen konnte, was gelöscht wurde.",
    "C'est fait. J'ai été interrompu avant de pouvoir dire ce qui a été effacé.",
    "Está hecho. Me interrumpieron antes de poder decir qué se borró.",
    "È fatto. Sono stato interrotto prima di poter dire che cosa è stato cancellato.",
)
UNFINISHED = CountedPhrase(
    Phrase(
        "Not finished: {count} wish. I go on by myself.",
        "Nicht fertig: {count} Wunsch. Ich mache von selbst weiter.",
        "Pas fini : {count} souhait. Je continue tout seul.",
        "Sin terminar: {count} deseo. Sigo por mi cuenta.",
        "Non finito: {count} desiderio. Vado avanti da solo.",
    ),
    Phrase(
        "Not finished: {count} wishes. I go on by myself.",
        "Nicht fertig: {count} Wünsche. Ich mache von selbst weiter.",
        "Pas fini : {count} souhaits. Je continue tout seul.",
        "Sin terminar: {count} deseos. Sigo por mi cuenta.",
        "Non finito: {count} desideri. Vado avanti da solo.",
    ),
)
NOTHING_WAITS = Phrase(
    "Nothing is waiting to be forgotten. Say `/memory forget everywhere WORDS`; I show what would"
    " go first.",
    "Nichts wartet darauf, vergessen zu werden. Sag `/memory forget everywhere WÖRTER`; ich zeige"
    " zuerst, was gelöscht würde.",
    "Rien n'attend d'être oublié. Dites `/memory forget everywhere MOTS` ; je montre d'abord ce"
    " qui partirait.",
    "Nada espera ser olvidado. Di `/memory forget everywhere PALABRAS`; primero muestro qué se"
    " borraría.",
    "Nulla aspetta di essere dimenticato. Di' `/memory forget everywhere PAROLE`; prima mostro che"
    " cosa sparirebbe.",
)
NO_SUCH_YES = Phrase(
    "Nothing waits for a yes under `{ref}`; it may have run out. Say `/memory forget everywhere"
    " WORDS` again.",
    "Unter `{ref}` wartet nichts auf ein Ja; vielleicht ist es abgelaufen. Sag `/memory forget"
    " everywhere WÖRTER` noch einmal.",
    "Rien n'attend un oui sous `{ref}` ; c'est peut-être expiré. Redites `/memory forget everywhere"
    " MOTS`.",
    "Nada espera un sí con `{ref}`; quizá ha caducado. Di otra vez `/memory forget everywhere"
    " PALABRAS`.",
    "Nulla aspetta un sì sotto `{ref}`; forse è scaduto. Di' di nuovo `/memory forget everywhere"
    " PAROLE`.",
)
GONE = Phrase(
    "Removed for good:",
    "Endgültig gelöscht:",
    "Effacé pour de bon :",
    "Borrado para siempre:",
    "Cancellato per sempre:",
)
GOES_ON = Phrase(
    "It is not finished: requests hold the words until they have stopped, and then the files of the"
    " database are written anew. I go on by myself, every five minutes; `/memory forget everywhere`"
    " says whether it is finished.",
    "Es ist nicht fertig: Anfragen halten die Wörter, bis sie angehalten haben, und dann werden die"
    " Dateien der Datenbank neu geschrieben. Ich mache von selbst weiter, alle fünf Minuten;"
    " `/memory forget everywhere` sagt, ob es fertig ist.",
    "Ce n'est pas fini : des demandes gardent les mots jusqu'à leur arrêt, puis les fichiers de la"
    " base sont réécrits. Je continue tout seul, toutes les cinq minutes ; `/memory forget"
    " everywhere` dit si c'est fini.",
    "No ha terminado: hay peticiones que guardan las palabras hasta que se detienen, y luego los"
    " archivos de la base se escriben de nuevo. Sigo por mi cuenta, cada cinco minutos; `/memory"
    " forget everywhere` dice si ha terminado.",
    "Non è finito: alcune richieste tengono le parole finché si fermano, poi i file del database si"
    " riscrivono. Vado avanti da solo, ogni cinque minuti; `/memory forget everywhere` dice se è"
    " finito.",
)
ABOUT_YOU = Phrase(
    "What I remember about you",
    "Was ich mir über dich gemerkt habe",
    "Ce que je retiens de vous",
    "Lo que recuerdo de ti",
    "Che cosa ricordo di te",
)
MESSAGES_ON_RECORD = Phrase(
    "{count} messages that you wrote or that answered you are on record. `/memory forget` finds"
    " them, too.",
    "{count} Nachrichten, die du geschrieben hast oder die dir antworteten, sind verzeichnet."
    " `/memory forget` findet auch sie.",
    "{count} messages que vous avez écrits ou qui vous ont répondu sont enregistrés. `/memory"
    " forget` les trouve aussi.",
    "Constan {count} mensajes que escribiste o que te respondieron. `/memory forget` también los"
    " encuentra.",
    "Sono registrati {count} messaggi che hai scritto o che ti hanno risposto. `/memory forget`"
    " trova anche quelli.",
)
