"""What `/share` shows and answers, and who would see a shared text."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Phrase

HOW = Phrase(
    "Say `/share {usage}`. I show you the text and who would see it. After your yes it is in the"
    " memory that all members share; `/share back REF` takes it out.",
    "Sag `/share {usage}`. Ich zeige dir den Text und wer ihn sehen würde. Nach deinem Ja steht er"
    " im Gedächtnis, das alle Mitglieder teilen; `/share back REF` nimmt ihn heraus.",
    "Dites `/share {usage}`. Je vous montre le texte et qui le verrait. Après votre oui, il est"
    " dans la mémoire que tous les membres partagent ; `/share back REF` l'en retire.",
    "Di `/share {usage}`. Te muestro el texto y quién lo vería. Tras tu sí está en la memoria que"
    " comparten todos los miembros; `/share back REF` lo saca.",
    "Di' `/share {usage}`. Ti mostro il testo e chi lo vedrebbe. Dopo il tuo sì è nella memoria che"
    " tutti i membri condividono; `/share back REF` lo toglie.",
)
YOU_SHARED = Phrase(
    "You have shared:",
    "Du hast geteilt:",
    "Vous avez partagé :",
    "Has compartido:",
    "Hai condiviso:",
)
SHALL_I = Phrase(
    "**Shall I share this?** It would be seen by {readers}.\n{text}\nAnswer yes or no, or use"
    " `/approve {ref}` or `/reject {ref}`. Until your yes, nobody sees it.",
    "**Soll ich das teilen?** Sehen würde es {readers}.\n{text}\nAntworte mit Ja oder Nein, oder"
    " nimm `/approve {ref}` oder `/reject {ref}`. Bis zu deinem Ja sieht es niemand.",
    "**Dois-je partager ceci ?** Le verrait {readers}.\n{text}\nRépondez oui ou non, ou utilisez"
    " `/approve {ref}` ou `/reject {ref}`. Jusqu'à votre oui, personne ne le voit.",
    "**¿Lo comparto?** Lo vería {readers}.\n{text}\nResponde sí o no, o usa `/approve {ref}` o"
    " `/reject {ref}`. Hasta tu sí no lo ve nadie.",
    "**Lo condivido?** Lo vedrebbe {readers}.\n{text}\nRispondi sì o no, oppure usa"
    " `/approve {ref}` o `/reject {ref}`. Fino al tuo sì non lo vede nessuno.",
)
YES = Phrase("Yes, share it", "Ja, teilen", "Oui, partager", "Sí, compártelo", "Sì, condividilo")
NO = Phrase("No", "Nein", "Non", "No", "No")

MEMBERS = Phrase(
    "every member of rank {rank} and above (Business, Friend, Partner, MasterAdmin) {where}, now"
    " and later. {known}",
    "jedes Mitglied ab Rang {rank} (Business, Friend, Partner, MasterAdmin) {where}, jetzt und"
    " später. {known}",
    "tout membre à partir du rang {rank} (Business, Friend, Partner, MasterAdmin) {where},"
    " maintenant et plus tard. {known}",
    "todo miembro desde el rango {rank} (Business, Friend, Partner, MasterAdmin) {where}, ahora y"
    " más adelante. {known}",
    "ogni membro dal rango {rank} in su (Business, Friend, Partner, MasterAdmin) {where}, ora e in"
    " futuro. {known}",
)
EVERYWHERE = Phrase(
    "everywhere that I talk",
    "überall, wo ich spreche",
    "partout où je parle",
    "en todos los sitios donde hablo",
    "ovunque io parli",
)
HERE: Mapping[str, Phrase] = {
    "discord": Phrase(
        "in this Discord server",
        "auf diesem Discord-Server",
        "sur ce serveur Discord",
        "en este servidor de Discord",
        "in questo server Discord",
    ),
    "slack": Phrase(
        "in this Slack workspace",
        "in diesem Slack-Workspace",
        "dans cet espace Slack",
        "en este espacio de Slack",
        "in questo spazio di Slack",
    ),
}
IN_THIS = Phrase(
    "in this {platform} workspace",
    "in diesem Workspace von {platform}",
    "dans cet espace {platform}",
    "en este espacio de {platform}",
    "in questo spazio di {platform}",
)
THERE: Mapping[str, Phrase] = {
    "discord": Phrase(
        "in the Discord server {id}",
        "auf dem Discord-Server {id}",
        "sur le serveur Discord {id}",
        "en el servidor de Discord {id}",
        "nel server Discord {id}",
    ),
    "slack": Phrase(
        "in the Slack workspace {id}",
        "im Slack-Workspace {id}",
        "dans l'espace Slack {id}",
        "en el espacio de Slack {id}",
        "nello spazio di Slack {id}",
    ),
}
IN_THE = Phrase(
    "in the {platform} workspace {id}",
    "im Workspace {id} von {platform}",
    "dans l'espace {platform} {id}",
    "en el espacio {id} de {platform}",
    "nello spazio {id} di {platform}",
)
NONE_KNOWN = Phrase(
    "I know none by name yet",
    "Mit Namen kenne ich noch niemanden",
    "Je n'en connais encore aucun par son nom",
    "Aún no conozco a ninguno por su nombre",
    "Non ne conosco ancora nessuno per nome",
)
KNOWN = Phrase(
    "Known now: {names}",
    "Jetzt bekannt: {names}",
    "Connus à présent : {names}",
    "Conocidos ahora: {names}",
    "Conosciuti ora: {names}",
)
KNOWN_MORE = CountedPhrase(
    Phrase(
        "Known now: {names} and {count} more",
        "Jetzt bekannt: {names} und {count} weiteres",
        "Connus à présent : {names} et {count} autre",
        "Conocidos ahora: {names} y {count} más",
        "Conosciuti ora: {names} e un altro",
    ),
    Phrase(
        "Known now: {names} and {count} more",
        "Jetzt bekannt: {names} und {count} weitere",
        "Connus à présent : {names} et {count} autres",
        "Conocidos ahora: {names} y {count} más",
        "Conosciuti ora: {names} e altri {count}",
    ),
)

MEMBERS_ALONE = Phrase(
    "Only members of rank {rank} and above can share something with all.",
    "Nur Mitglieder ab Rang {rank} können etwas mit allen teilen.",
    "Seuls les membres à partir du rang {rank} peuvent partager quelque chose avec tous.",
    "Solo los miembros desde el rango {rank} pueden compartir algo con todos.",
    "Solo i membri dal rango {rank} in su possono condividere qualcosa con tutti.",
)
NOT_LEARNED = Phrase(
    "Nothing is learned in this place, so nothing is shared from it either.",
    "An diesem Ort lerne ich nichts, also teile ich auch nichts von hier.",
    "Rien n'est appris dans ce lieu, rien n'en est donc partagé non plus.",
    "En este lugar no se aprende nada, así que tampoco se comparte nada de él.",
    "In questo luogo non si impara nulla, quindi da qui non si condivide nulla.",
)
NO_TEXT = Phrase(
    "There is no text to share.",
    "Da ist kein Text, den ich teilen könnte.",
    "Il n'y a pas de texte à partager.",
    "No hay ningún texto que compartir.",
    "Non c'è nessun testo da condividere.",
)
TOO_LONG = Phrase(
    "That has {count} characters; shared memory takes up to {most}.",
    "Das hat {count} Zeichen; das gemeinsame Gedächtnis nimmt höchstens {most}.",
    "Cela fait {count} caractères ; la mémoire partagée en prend {most} au plus.",
    "Eso tiene {count} caracteres; la memoria compartida admite {most} como mucho.",
    "Sono {count} caratteri; la memoria condivisa ne accetta al massimo {most}.",
)
A_SECRET = Phrase(
    "That looks like it holds a password or key. I don't share these.",
    "Das sieht nach einem Passwort oder Schlüssel aus. So etwas teile ich nicht.",
    "Cela semble contenir un mot de passe ou une clé. Je ne partage pas cela.",
    "Eso parece contener una contraseña o una clave. No comparto esas cosas.",
    "Sembra contenere una password o una chiave. Queste cose non le condivido.",
)
SHARED = Phrase(
    "Shared. `/share back {ref}` takes it back.",
    "Geteilt. `/share back {ref}` nimmt es zurück.",
    "Partagé. `/share back {ref}` le reprend.",
    "Compartido. `/share back {ref}` lo retira.",
    "Condiviso. `/share back {ref}` lo ritira.",
)
SHARED_BEFORE = Phrase(
    "It was shared before.",
    "Das war schon geteilt.",
    "C'était déjà partagé.",
    "Ya estaba compartido.",
    "Era già condiviso.",
)
NOT_YOURS = Phrase(
    "You have shared nothing with the reference {ref}.",
    "Mit der Referenz {ref} hast du nichts geteilt.",
    "Vous n'avez rien partagé sous la référence {ref}.",
    "No has compartido nada con la referencia {ref}.",
    "Non hai condiviso nulla con il riferimento {ref}.",
)
TAKEN_BACK = Phrase(
    "Taken back, also from the archive and the backups. Conversations that are open now may show it"
    " until they end.",
    "Zurückgenommen, auch aus dem Archiv und den Sicherungen. Gespräche, die jetzt offen sind,"
    " zeigen es vielleicht noch, bis sie enden.",
    "Repris, aussi dans les archives et les sauvegardes. Les conversations ouvertes peuvent le"
    " montrer jusqu'à leur fin.",
    "Retirado, también del archivo y de las copias. Las conversaciones abiertas pueden mostrarlo"
    " hasta que terminen.",
    "Ritirato, anche dall'archivio e dalle copie. Le conversazioni aperte possono mostrarlo finché"
    " non finiscono.",
)
NOTHING = Phrase(
    "I shared nothing.",
    "Ich habe nichts geteilt.",
    "Je n'ai rien partagé.",
    "No compartí nada.",
    "Non ho condiviso nulla.",
)
NOTHING_ONLY_YOU = Phrase(
    "I shared nothing: only you can say yes to that.",
    "Ich habe nichts geteilt: nur du kannst dazu Ja sagen.",
    "Je n'ai rien partagé : vous seul pouvez dire oui à cela.",
    "No compartí nada: solo tú puedes decir sí a eso.",
    "Non ho condiviso nulla: solo tu puoi dire sì a questo.",
)
NOTHING_OTHERS = Phrase(
    "I shared nothing: others would see it than I told you. Say `/share` again.",
    "Ich habe nichts geteilt: andere würden es sehen, als ich dir gesagt habe. Sag noch einmal"
    " `/share`.",
    "Je n'ai rien partagé : d'autres que ceux que je vous ai dits le verraient. Redites `/share`.",
    "No compartí nada: lo verían otros que los que te dije. Di `/share` otra vez.",
    "Non ho condiviso nulla: lo vedrebbero altri da quelli che ti ho detto. Ripeti `/share`.",
)
ASKS_TO_SHARE = Phrase(
    "share a text with {readers}",
    "einen Text teilen mit: {readers}",
    "partager un texte avec {readers}",
    "compartir un texto con {readers}",
    "condividere un testo con {readers}",
)
