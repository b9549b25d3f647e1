"""Words by which people ask for an act, in English, German, French, Spanish and Italian.

These lists can only make the gate more careful: a word that is missing leads to a question. What
they find never replaces the target itself, which the person must have typed or named.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from bot.tools.permission.plain_words import word_set
from bot.tools.text.stemming import stem


class Act(StrEnum):
    """What a call does, and what a person asks for."""

    TELL = "tell"
    """Something goes to somebody: a mail, a post, a comment, an invitation."""
    INVITE = "invite"
    SHARE = "share"
    """What exists is passed on."""
    ADD = "add"
    """Something is put into what exists."""
    MAKE = "make"
    """Something new comes to be."""
    CHANGE = "change"
    CLOSE = "close"
    RUN = "run"
    DELETE = "delete"
    PAY = "pay"
    ACCESS = "access"
    """Somebody may see something from now on."""
    REPLY = "reply"
    """An answer to what was read. Every one of them is also a TELL."""


STRICT = frozenset({Act.DELETE, Act.PAY})
"""Acts that can't be taken back: nothing else may stand in the sentence."""

_TELL = """
send email mail e-mail text dm message msg post write tell inform notify announce ask
thank congratulate let ping remind comment say respond give confirm apologise
apologize wish call
schick schicke schicken sende send senden maile mailen mail schreib schreibe schreiben sag sage
sagen informiere informier informieren benachrichtige benachrichtigen poste posten
frag frage fragen gib gibt geben erinnere erinnern bestätige
danke gratuliere kommentiere kommentier kommentieren melde melden verkünde ankündigen bitte
envoie envoyez envoyer écris écrivez écrire ecris dis dites dire poste postez poster publie publiez
publier informe informez informer
préviens prévenez prévenir previens annonce annoncez annoncer demande demandez
demander remercie rappelle rappeler commente commentez commenter signale signaler confirme confirmer
manda mande mandar envía envia envíe enviar escribe escriba escribir di diga decir publica publique
publicar informa informe informar avisa avise
avisar anuncia anuncie anunciar pregunta pregunte preguntar agradece felicita
recuerda recordar comenta comente comentar confirma confirmar
manda mandare invia inviare spedisci spedire scrivi scrivere di' dì dire pubblica pubblicare posta
postare informa informare avvisa avvisare annuncia
annunciare chiedi chiedere ringrazia ricorda ricordare commenta commentare conferma
confermare comunica comunicare
"""
_REPLY = """
reply answer respond
antworte antworten beantworte beantworten erwidere
réponds répondez répondre reponds repondre
responde responda responder contesta conteste contestar
rispondi rispondere
"""
_INVITE = """
invite invitez inviter invita invite invitar invitare einladen lade
"""
_SHARE = """
forward share cc publish
leite leiten weiterleiten teile teilen teil
transfère transférez transférer transfere partage partagez partager
reenvía reenvia reenviar comparte comparta compartir
inoltra inoltrare condividi condividere
"""
_MAKE = """
make create draft plan schedule book set open start store keep copy block remind put add
enter save
erstelle erstellen mach mache plane planen reserviere reservier reservieren buche buchen blockiere
blocke lege
anlegen leg trag trage eintragen setz setze lade
crée créez créer cree planifie planifier réserve réserver rédige rédiger prévois prévoir programme
programmer bloque bloquer mets mettez mettre ajoute ajouter note
crea cree crear planifica planificar programa programar reserva reservar redacta bloquea pon ponga
poner añade añadir agrega apunta
creare pianifica pianificare programma programmare prenota prenotare prepara preparare blocca metti
mettere aggiungi aggiungere inserisci segna
"""
_ADD = """
add append put write note log enter insert comment attach tag label mark record jot save
register document upload push file remind
mention include tick
füge fügen hinzufügen ergänze ergänzen trag trage eintragen schreib schreibe schreiben notiere
notieren notier vermerke vermerken speichere speichern speicher
setz setze setzen häng hänge anhängen
erfasse erfassen hochladen kommentiere kommentier markier markiere erinnere
ajoute ajoutez ajouter note notez noter mets mettez mettre inscris inscrire
enregistre enregistrez enregistrer écris écrire
insère insérer marque marquer étiquette
commente rappelle
añade anade añada añadir agrega agregue agregar anota anote anotar apunta apunte apuntar pon ponga
poner guarda guarde guardar escribe escribir registra registrar
inserta insertar etiqueta marca marcar sube
subir comenta
aggiungi aggiungere annota annotare metti mettere segna segnare salva salvare scrivi
scrivere inserisci inserire registra registrare
etichetta carica caricare commenta
"""
_CHANGE = """
turn switch move push shift reschedule postpone change correct update edit rename set mark replace
swap adjust modify label tag assign put rearrange extend shorten fix delay amend
schalte allume éteins enciende apaga accendi spegni
verschieb verschiebe verschieben verleg verlege verlegen ändere ändern änder korrigiere korrigier
korrigieren
aktualisiere aktualisier aktualisieren benenne umbenennen setz setze setzen stell stelle stellen
markiere markieren ersetze ersetzen tausche zieh ziehe verlängere verlängern passe anpassen
bearbeite bearbeiten weise zuweisen
déplace déplacez déplacer deplace décale décalez décaler decale reporte reportez reporter change
changez changer corrige corrigez corriger modifie modifiez modifier renomme renommez renommer mets
mettez mettre remplace remplacer actualise marque marquer attribue passe passer avance avancer
mueve mueva mover cambia cambie cambiar corrige corrija corregir actualiza actualice actualizar
modifica modifique modificar renombra renombre renombrar pon ponga poner aplaza aplace aplazar
retrasa retrasar pospón pospon adelanta pasa pasar marca marcar asigna reemplaza
sposta spostare cambia cambiare correggi correggere aggiorna aggiornare modifica modificare
rinomina rinominare metti mettere rimanda rimandare anticipa posticipa segna assegna sostituisci
"""
_CLOSE = """
close archive resolve complete tick reopen approve merge accept reject
schließ schließe schließen schliess schliesse schliessen archiviere archivier archivieren erledige
erledigen
hak
hake abhaken löse beende beenden öffne genehmige
ferme fermez fermer clos clôture clôturez clôturer cloture archive archivez archiver termine
terminez terminer coche cocher résous rouvre
cierra cierre cerrar archiva archive archivar termina terminar completa completar resuelve
reabre
chiudi chiudere archivia archiviare completa completare termina terminare risolvi spunta
riapri
"""
_RUN = """
trigger run ping call start hit execute fire launch deploy restart rerun request invoke post
starte starten ruf führe ausführen löse auslösen
lance lancez lancer exécute démarre appelle déclenche
ejecuta ejecutar lanza lanzar llama inicia activa
esegui eseguire avvia avviare lancia lanciare chiama attiva
"""
_DELETE = """
cancel clear delete destroy discard drop erase prune purge remove reset trash wipe
lösch lösche löschen entferne entfernen storniere stornier stornieren streich streiche streichen
supprime supprimez supprimer annule annulez annuler efface effacez effacer enlève enlevez enlever
retire retirez retirer jette
borra borre borrar elimina elimine eliminar cancela cancele cancelar anula anule anular quita quite
quitar suprime
cancella cancellare elimina eliminare annulla annullare rimuovi rimuovere togli togliere disdici
disdire
"""
_PAY = """
pay transfer wire refund donate repay
zahl zahle zahlen bezahl bezahle bezahlen überweise überweisen überweis erstatte spende
paie paye payez payer vire virez virer verse versez verser rembourse rembourser règle régler
paga pague pagar transfiere transfiera transferir abona abonar reembolsa dona
paga pagare bonifica bonificare versa versare trasferisci trasferire rimborsa dona
"""
PARTED: dict[tuple[str, str], frozenset[Act]] = {
    ("take", "out"): frozenset({Act.DELETE}),
    ("take", "off"): frozenset({Act.DELETE}),
    ("call", "off"): frozenset({Act.DELETE}),
    ("throw", "away"): frozenset({Act.DELETE}),
    ("give", "access"): frozenset({Act.ACCESS}),
    ("gib", "zugriff"): frozenset({Act.ACCESS}),
    ("donne", "accès"): frozenset({Act.ACCESS}),
    ("da", "acceso"): frozenset({Act.ACCESS}),
    ("dai", "accesso"): frozenset({Act.ACCESS}),
    ("check", "off"): frozenset({Act.CLOSE}),
    ("put", "away"): frozenset({Act.CLOSE}),
    ("file", "away"): frozenset({Act.CLOSE}),
    ("move", "archive"): frozenset({Act.CLOSE}),
    ("set", "up"): frozenset({Act.MAKE}),
    ("mark", "done"): frozenset({Act.CLOSE}),
    ("mark", "complete"): frozenset({Act.CLOSE}),
    ("mark", "completed"): frozenset({Act.CLOSE}),
    ("mark", "finished"): frozenset({Act.CLOSE}),
    ("mark", "resolved"): frozenset({Act.CLOSE}),
    ("mark", "closed"): frozenset({Act.CLOSE}),
    ("markiere", "erledigt"): frozenset({Act.CLOSE}),
    ("markiere", "fertig"): frozenset({Act.CLOSE}),
    ("marque", "faite"): frozenset({Act.CLOSE}),
    ("marque", "fait"): frozenset({Act.CLOSE}),
    ("marque", "terminée"): frozenset({Act.CLOSE}),
    ("marque", "terminé"): frozenset({Act.CLOSE}),
    ("marca", "hecho"): frozenset({Act.CLOSE}),
    ("marca", "hecha"): frozenset({Act.CLOSE}),
    ("marca", "completada"): frozenset({Act.CLOSE}),
    ("marca", "completado"): frozenset({Act.CLOSE}),
    ("segna", "fatta"): frozenset({Act.CLOSE}),
    ("segna", "fatto"): frozenset({Act.CLOSE}),
    ("segna", "completata"): frozenset({Act.CLOSE}),
    ("segna", "completato"): frozenset({Act.CLOSE}),
    ("set", "done"): frozenset({Act.CLOSE}),
    ("set", "closed"): frozenset({Act.CLOSE}),
    ("move", "on"): frozenset(),
    ("sag", "ab"): frozenset({Act.DELETE}),
    ("sage", "ab"): frozenset({Act.DELETE}),
    ("nimm", "raus"): frozenset({Act.DELETE}),
    ("mach", "zu"): frozenset({Act.CLOSE}),
    ("leg", "ab"): frozenset({Act.CLOSE}),
}
"""Verbs of two parts, the second somewhere behind the first."""


def _gathered() -> dict[str, frozenset[Act]]:
    found: dict[str, set[Act]] = {}
    lists = (
        (_TELL, (Act.TELL,)),
        (_REPLY, (Act.TELL, Act.REPLY)),
        (_INVITE, (Act.INVITE,)),
        (_SHARE, (Act.SHARE,)),
        (_ADD, (Act.ADD,)),
        (_MAKE, (Act.MAKE,)),
        (_CHANGE, (Act.CHANGE,)),
        (_CLOSE, (Act.CLOSE,)),
        (_RUN, (Act.RUN,)),
        (_DELETE, (Act.DELETE,)),
        (_PAY, (Act.PAY,)),
    )
    for words, acts in lists:
        for word in words.split():
            found.setdefault(word, set()).update(acts)
    for word in ("send", "mail", "post", "schick", "schicke", "envoie", "manda", "envía", "invia"):
        found[word].add(Act.SHARE)
    found["absagen"] = {Act.DELETE}
    for word in ("call", "nenne", "appelle", "llama", "chiama"):
        found.setdefault(word, set()).add(Act.CHANGE)
    found.pop("bitte")
    return {word: frozenset(acts) for word, acts in found.items()}


ACTS = _gathered()
"""The acts of each verb in the form in which people order something."""
TIGHT = STRICT | {Act.CLOSE}
"""Acts that only an order counts for which says nothing but the act and its thing."""
PLACING = word_set("put pon ponga poner mets mettez mettre metti mettere setz setze setzen")
"""Verbs that change a thing only where a time or number follows: "pon el informe a las 7:30"."""
_ORDERS = word_set(
    "answer enter register share transfer deliver fire clear store open reopen shorten wire "
    "trigger prepare bring speichere ändere erinnere notier "
    "kommentier informier archivier markier reservier stornier aktualisier korrigier"
)
_INFINITIVES = frozenset({"mettre", "répondre", "repondre", "écrire", "dire", "inscrire"})


_CLITIC = re.compile(
    r"(?i)\b([^\W\d_]{2,}?)((?:me|te|se|nos|mi|ti|ci|gli)?)(l[aoei]s?|le|les|gli|ne)\b"
)
_ACCENTS = str.maketrans("áéíóúàèìòù", "aeiouaeiou")


def apart(text: str) -> str:
    """The text with pronouns behind Spanish and Italian orders apart: `ciérralo` is `cierra lo`."""
    return _CLITIC.sub(_parted, text)


def _parted(found: re.Match[str]) -> str:
    verb = found[1].lower().translate(_ACCENTS)
    if found[0].lower() in ACTS or verb not in ACTS or not verb.endswith(("a", "e", "i")):
        return found[0]
    return f"{verb} {found[2]}{' ' if found[2] else ''}{found[3]}"


def is_infinitive(word: str) -> bool:
    """Whether it names an act without ordering it, outside of English: `annuler`, `cancelar`."""
    if word in _ORDERS or word.endswith("iere"):
        return False
    return word in _INFINITIVES or word.endswith(
        ("er", "ar", "ir", "are", "ere", "ire", "en", "ln", "rn")
    )


def _of_tools() -> dict[str, frozenset[Act]]:
    found: dict[str, frozenset[Act]] = {}
    more = (
        ("revoke uninstall ban kick", Act.DELETE),
        ("money payment charge purchase buy order withdraw funds", Act.PAY),
    )
    told = [(word, frozenset({act})) for words, act in more for word in words.split()]
    for word, acts in (*ACTS.items(), *told):
        if word.isascii():
            found[stem(word)] = found.get(stem(word), frozenset()) | acts
    return found


_TOOL_ACTS = _of_tools()


def acts_of_participle(words: Sequence[str]) -> frozenset[Act]:
    """What is done in "should be renamed"; empty for what can't be taken back or goes out."""
    if not words:
        return frozenset()
    if words[0] == "called":
        return frozenset({Act.CHANGE})
    found = _TOOL_ACTS.get(stem(words[0]), frozenset[Act]())
    kept = frozenset({Act.ADD, Act.CHANGE, Act.CLOSE})
    return found & kept if words[0].endswith("ed") and not found & STRICT else frozenset()


_NOUNS = word_set(
    "mail email message msg post note comment file label book plan draft copy call set issue "
    "ticket page list tag mark record document schedule invite text share"
)
"""Parts of tools' names that say what they act on, where another part is a verb."""
_ALIKE = {Act.MAKE: (Act.MAKE, Act.ADD, Act.INVITE)}
_GIVING = {**_ALIKE, Act.SHARE: (Act.SHARE, Act.ACCESS)}
"""Further acts by which people ask for what a tool does."""
_ANY = frozenset(
    {Act.TELL, Act.SHARE, Act.INVITE, Act.ADD, Act.MAKE, Act.CHANGE, Act.CLOSE, Act.RUN}
)
"""What a tool may do whose name says nothing; it neither deletes nor pays."""


@lru_cache(maxsize=1024)
def acts_of_tool(parts: tuple[str, ...], *, otherwise: frozenset[Act] = _ANY) -> frozenset[Act]:
    """The acts of a tool or action with these parts of a name, the strictest alone if it has one.

    `otherwise`: the acts if the name says nothing.
    """
    found = frozenset[Act]().union(
        *(_TOOL_ACTS.get(stem(part.lower()), frozenset()) for part in parts)
    )
    for act in (Act.DELETE, Act.PAY):
        if act in found:
            return frozenset({act})
    verbs = [part for part in parts if part.lower() not in _NOUNS]
    if {"update", "edit", "modify"} & {*parts}:
        found |= {Act.ADD}
    elif "write" in parts:
        found = frozenset({Act.ADD, Act.MAKE})
    elif told := frozenset[Act]().union(*(_TOOL_ACTS.get(stem(one.lower()), ()) for one in verbs)):
        found = told
    found -= {Act.REPLY}
    alike = _ALIKE if Act.TELL in found else _GIVING
    return frozenset(act for one in found for act in alike.get(one, (one,))) or otherwise
