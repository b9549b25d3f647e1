"""What the desk of imported skills and of made tools says, and why it refuses a decision."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Phrase
from bot.workshop.review.findings import Severity

AT_COMMIT = Phrase(
    "{source} at commit {commit}",
    "{source} beim Commit {commit}",
    "{source} au commit {commit}",
    "{source} en el commit {commit}",
    "{source} al commit {commit}",
)
FOUND = CountedPhrase(
    Phrase(
        "{source}: {count} skill found{then}.",
        "{source}: {count} Skill gefunden{then}.",
        "{source} : {count} compétence trouvée{then}.",
        "{source}: {count} habilidad encontrada{then}.",
        "{source}: {count} abilità trovata{then}.",
    ),
    Phrase(
        "{source}: {count} skills found{then}.",
        "{source}: {count} Skills gefunden{then}.",
        "{source} : {count} compétences trouvées{then}.",
        "{source}: {count} habilidades encontradas{then}.",
        "{source}: {count} abilità trovate{then}.",
    ),
)
NOTHING_WRITTEN = Phrase(
    "; nothing was written",
    "; nichts wurde geschrieben",
    " ; rien n'a été écrit",
    "; no se escribió nada",
    "; non si è scritto nulla",
)
OF_THE_WHOLE = Phrase(
    "Of the source as a whole:",
    "Zur Quelle als Ganzes:",
    "Pour la source entière :",
    "Del origen en conjunto:",
    "Sull'origine nel suo insieme:",
)
ITEM = CountedPhrase(
    Phrase(
        "{name}{given}: {status}, from {file} ({format}), {count} file",
        "{name}{given}: {status}, aus {file} ({format}), {count} Datei",
        "{name}{given} : {status}, de {file} ({format}), {count} fichier",
        "{name}{given}: {status}, de {file} ({format}), {count} archivo",
        "{name}{given}: {status}, da {file} ({format}), {count} file",
    ),
    Phrase(
        "{name}{given}: {status}, from {file} ({format}), {count} files",
        "{name}{given}: {status}, aus {file} ({format}), {count} Dateien",
        "{name}{given} : {status}, de {file} ({format}), {count} fichiers",
        "{name}{given}: {status}, de {file} ({format}), {count} archivos",
        "{name}{given}: {status}, da {file} ({format}), {count} file",
    ),
)
GIVEN_AS = Phrase(
    " (given as {name})",
    " (dort heißt er {name})",
    " (donnée comme {name})",
    " (allí se llama {name})",
    " (là si chiama {name})",
)
STATUS: Mapping[str, Phrase] = {
    "staged": Phrase("staged", "bereitgestellt", "préparée", "preparada", "preparata"),
    "unchanged": Phrase("unchanged", "unverändert", "inchangée", "sin cambios", "invariata"),
    "refused": Phrase("refused", "abgelehnt", "refusée", "rechazada", "rifiutata"),
    "would be staged": Phrase(
        "would be staged",
        "würde bereitgestellt",
        "serait préparée",
        "se prepararía",
        "sarebbe preparata",
    ),
}
TOOLS_WAIT = Phrase(
    "tools: {tools} (they wait with it; nothing runs them until you write how)",
    "Werkzeuge: {tools} (sie warten mit ihm; nichts führt sie aus, bis du schreibst, wie)",
    "outils : {tools} (ils attendent avec elle ; rien ne les lance tant que vous n'écrivez pas"
    " comment)",
    "herramientas: {tools} (esperan con ella; nada las ejecuta hasta que escribas cómo)",
    "strumenti: {tools} (aspettano con lei; niente li esegue finché non scrivi come)",
)
FOR_ROLES = Phrase(
    "for: {roles}", "für: {roles}", "pour : {roles}", "para: {roles}", "per: {roles}"
)
LIVE_STAYS = Phrase(
    "the version that is live stays until this one is approved",
    "die Fassung in Betrieb bleibt, bis diese freigegeben ist",
    "la version en service reste jusqu'à l'approbation de celle-ci",
    "la versión en uso sigue hasta que se apruebe esta",
    "la versione in uso resta finché questa non è approvata",
)
AND_MORE = CountedPhrase(
    Phrase(
        "… and {count} more",
        "… und {count} weiterer",
        "… et {count} autre",
        "… y {count} más",
        "… e un altro",
    ),
    Phrase(
        "… and {count} more",
        "… und {count} weitere",
        "… et {count} autres",
        "… y {count} más",
        "… e altri {count}",
    ),
)
NOTHING_STAGED = Phrase(
    "Nothing is staged.",
    "Nichts ist bereitgestellt.",
    "Rien n'est préparé.",
    "No hay nada preparado.",
    "Non c'è nulla di preparato.",
)
STAGED = Phrase(
    "{name} ({format}, for {roles}) from {source}: {counts}",
    "{name} ({format}, für {roles}) aus {source}: {counts}",
    "{name} ({format}, pour {roles}) de {source} : {counts}",
    "{name} ({format}, para {roles}) de {source}: {counts}",
    "{name} ({format}, per {roles}) da {source}: {counts}",
)
NO_FINDINGS = Phrase(
    "no findings", "keine Befunde", "aucun constat", "sin hallazgos", "nessun rilievo"
)
CONTENT = Phrase(
    "content {content}",
    "Inhalt {content}",
    "contenu {content}",
    "contenido {content}",
    "contenuto {content}",
)
SEVERITY: Mapping[Severity, Phrase] = {
    Severity.BLOCK: Phrase("block", "Sperre", "blocage", "bloqueo", "blocco"),
    Severity.WARN: Phrase("warn", "Warnung", "alerte", "aviso", "avviso"),
    Severity.INFO: Phrase("info", "Hinweis", "info", "nota", "nota"),
}
LIVE_IN = Phrase(
    "{name} is live for {roles}, in {where}.",
    "{name} ist jetzt in Betrieb für {roles}, in {where}.",
    "{name} est en service pour {roles}, dans {where}.",
    "{name} está en uso para {roles}, en {where}.",
    "{name} è in uso per {roles}, in {where}.",
)
LIVE = Phrase(
    "{name} is live for {roles}.",
    "{name} ist jetzt in Betrieb für {roles}.",
    "{name} est en service pour {roles}.",
    "{name} está en uso para {roles}.",
    "{name} è in uso per {roles}.",
)
APPROVED = Phrase(
    "{name} was approved.",
    "{name} ist freigegeben.",
    "{name} est approuvé.",
    "{name} está aprobado.",
    "{name} è approvato.",
)
ITS_COMMAND = Phrase(
    "Its slash command is /{command}.",
    "Der Befehl dafür ist /{command}.",
    "Sa commande est /{command}.",
    "Su comando es /{command}.",
    "Il suo comando è /{command}.",
)
TOOLS_IN = Phrase(
    "Tools in prompts/tools/shared: {names}; write ## Implementation or a script beside each to run"
    " it.",
    "Werkzeuge in prompts/tools/shared: {names}; schreib ## Implementation oder ein Skript neben"
    " jedes, damit es läuft.",
    "Outils dans prompts/tools/shared : {names} ; écrivez ## Implementation ou un script à côté de"
    " chacun pour qu'il tourne.",
    "Herramientas en prompts/tools/shared: {names}; escribe ## Implementation o un script junto a"
    " cada una para que funcione.",
    "Strumenti in prompts/tools/shared: {names}; scrivi ## Implementation o uno script accanto a"
    " ciascuno per farlo girare.",
)
PROMOTED_ALREADY = Phrase(
    "{name} was promoted already; nothing was changed.",
    "{name} war schon befördert; nichts wurde geändert.",
    "{name} était déjà promu ; rien n'a changé.",
    "{name} ya estaba promovido; no cambió nada.",
    "{name} era già promosso; non è cambiato nulla.",
)
PROMOTED = Phrase(
    "{name} is live: /{command} runs it, with {tools} and no other tool.",
    "{name} ist in Betrieb: /{command} führt es aus, mit {tools} und keinem anderen Werkzeug.",
    "{name} est en service : /{command} le lance, avec {tools} et aucun autre outil.",
    "{name} está en uso: /{command} lo ejecuta, con {tools} y ninguna otra herramienta.",
    "{name} è in uso: /{command} lo esegue, con {tools} e nessun altro strumento.",
)

ADMIN_ALONE = Phrase(
    "importing skills and deciding about them is for a MasterAdmin; {name} is {role}",
    "Skills importieren und darüber entscheiden kann ein MasterAdmin; {name} ist {role}",
    "importer des compétences et en décider revient à un MasterAdmin ; {name} est {role}",
    "importar habilidades y decidir sobre ellas es cosa de un MasterAdmin; {name} es {role}",
    "importare abilità e deciderne spetta a un MasterAdmin; {name} è {role}",
)
CAME_FROM_ELSEWHERE = Phrase(
    "{name} came from elsewhere; choose another name",
    "{name} kam von anderswo; wähl einen anderen Namen",
    "{name} vient d'ailleurs ; choisissez un autre nom",
    "{name} vino de otra parte; elige otro nombre",
    "{name} viene da altrove; scegli un altro nome",
)
NOT_AS_SHOWN = Phrase(
    "{name} is not what was shown any more; look at it again",
    "{name} ist nicht mehr, was gezeigt wurde; sieh es dir noch einmal an",
    "{name} n'est plus ce qui a été montré ; regardez-le à nouveau",
    "{name} ya no es lo que se mostró; míralo otra vez",
    "{name} non è più ciò che è stato mostrato; guardalo di nuovo",
)
NOT_STAGED = Phrase(
    "nothing is staged as {name}; staged is {known}",
    "unter {name} ist nichts bereitgestellt; bereitgestellt ist {known}",
    "rien n'est préparé sous le nom {name} ; est préparé : {known}",
    "no hay nada preparado como {name}; preparado está: {known}",
    "non c'è nulla di preparato come {name}; preparato: {known}",
)
NOTHING_AT_ALL = Phrase("nothing at all", "gar nichts", "rien du tout", "nada en absoluto", "nulla")
NOT_LIVE = Phrase(
    "{name} is no imported skill that is live; there is {known}",
    "{name} ist kein importierter Skill in Betrieb; es gibt {known}",
    "{name} n'est pas une compétence importée en service ; il y a : {known}",
    "{name} no es una habilidad importada en uso; hay: {known}",
    "{name} non è un'abilità importata in uso; ci sono: {known}",
)
NONE_AT_ALL = Phrase("none at all", "gar keinen", "aucune", "ninguna", "nessuna")
CHANGED_SINCE_AUDIT = Phrase(
    "{file} was changed after it had been audited; import {name} again, or reject it",
    "{file} wurde nach der Prüfung geändert; importier {name} noch einmal oder lehn es ab",
    "{file} a été modifié après l'examen ; réimportez {name}, ou refusez-le",
    "{file} cambió después de la revisión; importa {name} otra vez o recházalo",
    "{file} è cambiato dopo l'esame; importa di nuovo {name} o rifiutalo",
)
OWN_SKILL = Phrase(
    "there is a skill {name} of your own in {place}; rename it, or reject this one",
    "es gibt einen eigenen Skill {name} in {place}; benenn ihn um oder lehn diesen ab",
    "il y a une compétence {name} à vous dans {place} ; renommez-la, ou refusez celle-ci",
    "hay una habilidad {name} tuya en {place}; cámbiale el nombre o rechaza esta",
    "c'è un'abilità {name} tua in {place}; rinominala o rifiuta questa",
)
OWN_TOOL = Phrase(
    "there is a tool {tool} of your own in {place}; rename it, or reject {name}",
    "es gibt ein eigenes Werkzeug {tool} in {place}; benenn es um oder lehn {name} ab",
    "il y a un outil {tool} à vous dans {place} ; renommez-le, ou refusez {name}",
    "hay una herramienta {tool} tuya en {place}; cámbiale el nombre o rechaza {name}",
    "c'è uno strumento {tool} tuo in {place}; rinominalo o rifiuta {name}",
)
OWN_MANIFEST = Phrase(
    "there is a manifest of your own, {place}; rename it",
    "es gibt ein eigenes Manifest, {place}; benenn es um",
    "il y a un manifeste à vous, {place} ; renommez-le",
    "hay un manifiesto tuyo, {place}; cámbiale el nombre",
    "c'è un manifesto tuo, {place}; rinominalo",
)
CHANGED_MEANWHILE = Phrase(
    "{file} was changed meanwhile; read it again, then approve {name} again",
    "{file} wurde inzwischen geändert; lies es noch einmal und gib {name} dann wieder frei",
    "{file} a été modifié entre-temps ; relisez-le, puis approuvez {name} à nouveau",
    "{file} cambió entretanto; léelo otra vez y luego aprueba {name} de nuevo",
    "{file} è cambiato nel frattempo; rileggilo, poi approva di nuovo {name}",
)
BLOCKED = Phrase(
    "{name} has findings that block it; read them, then approve it with --accept-findings or reject"
    " it:",
    "{name} hat Befunde, die es sperren; lies sie und gib es dann mit --accept-findings frei oder"
    " lehn es ab:",
    "{name} a des constats qui le bloquent ; lisez-les, puis approuvez-le avec --accept-findings ou"
    " refusez-le :",
    "{name} tiene hallazgos que lo bloquean; léelos y luego apruébalo con --accept-findings o"
    " recházalo:",
    "{name} ha rilievi che lo bloccano; leggili, poi approvalo con --accept-findings o rifiutalo:",
)
CANT_BE_APPROVED = Phrase(
    "{name} can't be approved: {problem}",
    "{name} lässt sich nicht freigeben: {problem}",
    "{name} ne peut pas être approuvé : {problem}",
    "{name} no se puede aprobar: {problem}",
    "{name} non si può approvare: {problem}",
)
NO_ROLES = Phrase(
    "{name} can't be approved: it names no roles",
    "{name} lässt sich nicht freigeben: es nennt keine Rollen",
    "{name} ne peut pas être approuvé : il ne nomme aucun rôle",
    "{name} no se puede aprobar: no nombra ningún rol",
    "{name} non si può approvare: non nomina nessun ruolo",
)
