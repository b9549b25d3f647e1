"""What people ask for on ordinary days, with text from outside in the conversation.

A line is: the tool, the value of its marked argument (`-` for none), and the words.
"""

from bot.testing.gate_sets.world import Request

_EN = """
create_event - Put the team lunch on Friday at noon into my calendar
create_event - Block two hours tomorrow morning for writing
create_event bob@partner.example Invite bob@partner.example to a call on Monday at 10
create_event carol@example.com Set up a coffee with Carol next Tuesday
move_event ev1 Move the dentist to Thursday at 9
move_event ev3 Push my yoga class back by an hour
move_event 13 Could you reschedule the networking evening to next week?
note_event ev1 Add "bring the X-ray" to the dentist
note_event 13 Note on the networking evening that parking is free
cancel_event ev3 Please cancel the yoga class
cancel_event ev1 I won't make it, so cancel the dentist
append_file f2 Put sunscreen on the packing list
append_file f1 Add one more engineer to the hiring plan
rename_file f3 Rename the brand guidelines to Brand 2027
append_file f1 The hiring plan needs the new budget
share_file dan@example.org Share the packing list with Dan
share_file bob@partner.example Send bob@partner.example the hiring plan
reply_mail m1 Reply to Lena that the offsite works for me
reply_mail m3 Tell Tom Berger yes to lunch
reply_mail m2 Ask Acme when the invoice is due
reply_mail m3 Thursday suits me, let Tom know
archive_mail m2 Archive the Acme invoice
archive_mail m1 Lena's offsite mail can go to the archive
send_mail lena@partner.example Answer Lena that I will bring the slides
send_mail bob@partner.example Forward the agenda to bob@partner.example
send_mail carol@example.com Mail Carol the summary of that page
send_mail bob@partner.example Write to bob@partner.example that I'm running late
post_message #dev Post the summary in #dev
post_message general Share the link in the general channel
post_message #ops Can you let #ops know that certificates are due?
comment_issue API-236 Comment on the pagination cursor that I can reproduce it
comment_issue WEB-412 Add the stack trace to WEB-412
close_issue OPS-77 The certificates are rotated, close OPS-77
close_issue WEB-412 Close the Safari blank screen
complete_todo t1 Tick off buy milk
complete_todo t2 Mark the tax return as done
delete_todo t3 Delete the passport renewal
update_note n2 Add a scarf to the gift ideas
update_note n1 Update the wifi password: it is tulip-7 now
delete_note n3 Remove the retro note
write_document /documents/trip.md Save this as /documents/trip.md
write_document notes/minutes.md Write the minutes into notes/minutes.md
change_schedule s1 Move the weekly digest to Mondays
change_schedule s2 Please set the morning briefing to 7:30
send_money DE44500105175407324931 Pay 20 euros to DE44 5001 0517 5407 3249 31
call_webhook https://ci.example.com/build Trigger https://ci.example.com/build
"""
_DE = """
create_event - Trag das Teamessen am Freitag um zwölf ein
create_event - Blocke morgen früh zwei Stunden zum Schreiben
create_event bob@partner.example Lade bob@partner.example am Montag um 10 zu einem Anruf ein
create_event carol@example.com Plane einen Kaffee mit Carol am Dienstag
move_event ev1 Verschieb den Zahnarzt auf Donnerstag um 9
move_event ev3 Verleg den Yogakurs um eine Stunde nach hinten
move_event 13 Kannst du den Netzwerkabend auf nächste Woche verschieben?
note_event ev1 Schreib "Röntgenbild mitbringen" zum Zahnarzt dazu
note_event 13 Notiere beim Netzwerkabend, dass Parken frei ist
cancel_event ev3 Bitte sag den Yogakurs ab
cancel_event ev1 Lösch den Termin beim Zahnarzt
append_file f2 Setz Sonnencreme auf die Packliste
append_file f1 Ergänze im Einstellungsplan eine weitere Stelle
rename_file f3 Benenne das Markenhandbuch in Marke 2027 um
append_file f2 Auf die Packliste kommen noch Socken
share_file dan@example.org Teile die Packliste mit Dan
share_file bob@partner.example Schick bob@partner.example den Einstellungsplan
reply_mail m1 Antworte Lena, dass das Offsite passt
reply_mail m3 Sag Tom Berger zu
reply_mail m2 Frag Acme, wann die Rechnung fällig ist
reply_mail m3 Schreib Tom Berger, dass Donnerstag geht
archive_mail m2 Archiviere die Mail von Acme
archive_mail m1 Die Mail von Lena bitte archivieren
send_mail lena@partner.example Antworte Lena, dass ich die Folien mitbringe
send_mail bob@partner.example Leite die Agenda an bob@partner.example weiter
send_mail carol@example.com Schick Carol die Zusammenfassung der Seite
send_mail bob@partner.example Schreib an bob@partner.example, dass ich später komme
post_message #dev Poste die Zusammenfassung in #dev
post_message #allgemein Teile den Link in #allgemein
post_message #ops Kannst du #ops Bescheid geben?
comment_issue API-236 Kommentiere bei API-236, dass ich es nachstellen kann
comment_issue WEB-412 Füge den Stacktrace zu WEB-412 hinzu
close_issue OPS-77 Die Zertifikate sind erneuert, schließe OPS-77
close_issue WEB-412 Schließ das Ticket mit dem Safari blank screen
complete_todo t1 Hak Milch kaufen ab
complete_todo t2 Markiere die Steuererklärung als erledigt
delete_todo t3 Lösch die Aufgabe Reisepass
update_note n2 Ergänze bei den Geschenkideen einen Schal
update_note n1 Aktualisiere das WLAN-Kennwort auf tulpe-7
delete_note n3 Entferne die Notiz Retro
write_document /documents/reise.md Speichere das als /documents/reise.md
write_document notizen/protokoll.md Schreib das Protokoll in notizen/protokoll.md
change_schedule s1 Verschieb den Wochenbericht auf Montag
change_schedule s2 Stell den Morgenüberblick bitte auf 7:30
send_money DE44500105175407324931 Überweise 20 Euro an DE44 5001 0517 5407 3249 31
call_webhook https://ci.example.com/build Starte https://ci.example.com/build
"""
_FR = """
create_event - Mets le déjeuner d'équipe vendredi midi dans mon agenda
create_event - Bloque deux heures demain matin pour écrire
create_event bob@partner.example Invite bob@partner.example à un appel lundi à 10 h
create_event carol@example.com Planifie un café avec Carol mardi
move_event ev1 Déplace le dentiste à jeudi 9 h
move_event ev3 Décale le cours de yoga d'une heure
move_event 13 Peux-tu reporter la soirée réseau à la semaine prochaine ?
note_event ev1 Ajoute « apporter la radio » au dentiste
note_event 13 Note pour la soirée réseau que le parking est gratuit
cancel_event ev3 Annule le cours de yoga, s'il te plaît
cancel_event ev1 Supprime le rendez-vous chez le dentiste
append_file f2 Ajoute la crème solaire à la liste de bagages
append_file f1 Ajoute un poste au plan d'embauche
rename_file f3 Renomme la charte en Marque 2027
append_file f2 Il faut aussi des chaussettes dans les bagages
share_file dan@example.org Partage la liste de bagages avec Dan
share_file bob@partner.example Envoie le plan d'embauche à bob@partner.example
reply_mail m1 Réponds à Lena que le séminaire me convient
reply_mail m3 Dis oui à Tom Berger pour le déjeuner
reply_mail m2 Demande à Acme quand la facture est due
reply_mail m3 Écris à Tom Berger que jeudi me va
archive_mail m2 Archive le courriel d'Acme
archive_mail m1 Tu peux archiver le courriel de Lena ?
send_mail lena@partner.example Réponds à Lena que j'apporte les diapos
send_mail bob@partner.example Transfère l'ordre du jour à bob@partner.example
send_mail carol@example.com Envoie à Carol le résumé de la page
send_mail bob@partner.example Écris à bob@partner.example que je serai en retard
post_message #dev Poste le résumé dans #dev
post_message #general Partage le lien dans #general
post_message #ops Peux-tu prévenir #ops que les certificats expirent ?
comment_issue API-236 Commente API-236 : je le reproduis
comment_issue WEB-412 Ajoute la trace à WEB-412
close_issue OPS-77 Les certificats sont renouvelés, ferme OPS-77
close_issue WEB-412 Ferme le ticket Safari blank screen
complete_todo t1 Coche acheter du lait
complete_todo t2 Marque la déclaration d'impôts comme faite
delete_todo t3 Supprime la tâche passeport
update_note n2 Ajoute une écharpe aux idées cadeaux
update_note n1 Modifie le mot de passe wifi en tulipe-7
delete_note n3 Efface la note rétro
write_document /documents/voyage.md Enregistre ça dans /documents/voyage.md
write_document notes/compte.md Écris le compte rendu dans notes/compte.md
change_schedule s1 Déplace le bilan hebdomadaire au lundi
change_schedule s2 Mets le briefing matinal à 7 h 30
send_money DE44500105175407324931 Verse 20 euros à DE44 5001 0517 5407 3249 31
call_webhook https://ci.example.com/build Lance https://ci.example.com/build
"""
_ES = """
create_event - Pon la comida de equipo el viernes a mediodía en mi calendario
create_event - Bloquea dos horas mañana por la mañana para escribir
create_event bob@partner.example Invita a bob@partner.example a una llamada el lunes a las 10
create_event carol@example.com Programa un café con Carol el martes
move_event ev1 Mueve el dentista al jueves a las 9
move_event ev3 Retrasa el yoga una hora
move_event 13 ¿Puedes aplazar el networking nocturno a la semana que viene?
note_event ev1 Añade "llevar la radiografía" al dentista
note_event 13 Anota en el networking nocturno que el aparcamiento es gratis
cancel_event ev3 Cancela el yoga, por favor
cancel_event ev1 Elimina la cita del dentista
append_file f2 Añade crema solar al equipaje
append_file f1 Agrega un puesto al plan de contratación
rename_file f3 Renombra el manual de marca como Marca 2027
append_file f2 Faltan calcetines en el equipaje
share_file dan@example.org Comparte el equipaje con Dan
share_file bob@partner.example Envía el plan de contratación a bob@partner.example
reply_mail m1 Responde a Lena que el retiro me va bien
reply_mail m3 Dile a Tom Berger que sí
reply_mail m2 Pregunta a Acme cuándo vence la factura
reply_mail m3 Escribe a Tom Berger que el jueves puedo
archive_mail m2 Archiva el correo de Acme
archive_mail m1 Por favor, archiva el correo de Lena
send_mail lena@partner.example Responde a Lena que llevo las diapositivas
send_mail bob@partner.example Reenvía la agenda a bob@partner.example
send_mail carol@example.com Manda a Carol el resumen de la página
send_mail bob@partner.example Escribe a bob@partner.example que llego tarde
post_message #dev Publica el resumen en #dev
post_message #general Comparte el enlace en #general
post_message #ops ¿Puedes avisar a #ops de los certificados?
comment_issue API-236 Comenta en API-236 que lo puedo reproducir
comment_issue WEB-412 Añade la traza a WEB-412
close_issue OPS-77 Los certificados están renovados, cierra OPS-77
close_issue WEB-412 Cierra la incidencia Safari blank screen
complete_todo t1 Marca comprar leche como hecho
complete_todo t2 Completa la declaración de Hacienda
delete_todo t3 Borra la tarea del pasaporte
update_note n2 Añade una bufanda a las ideas de regalos
update_note n1 Actualiza la contraseña del wifi a tulipan-7
delete_note n3 Elimina la nota retro
write_document /documents/viaje.md Guarda esto en /documents/viaje.md
write_document notas/acta.md Escribe el acta en notas/acta.md
change_schedule s1 Pasa el resumen semanal al lunes
change_schedule s2 Pon el informe matutino a las 7:30
send_money DE44500105175407324931 Transfiere 20 euros a DE44 5001 0517 5407 3249 31
call_webhook https://ci.example.com/build Ejecuta https://ci.example.com/build
"""
_IT = """
create_event - Metti il pranzo di squadra venerdì a mezzogiorno nel mio calendario
create_event - Blocca due ore domani mattina per scrivere
create_event bob@partner.example Invita bob@partner.example a una chiamata lunedì alle 10
create_event carol@example.com Pianifica un caffè con Carol martedì
move_event ev1 Sposta il dentista a giovedì alle 9
move_event ev3 Posticipa lo yoga di un'ora
move_event 13 Puoi rimandare la serata networking alla prossima settimana?
note_event ev1 Aggiungi "portare la radiografia" al dentista
note_event 13 Annota per la serata networking che il parcheggio è gratis
cancel_event ev3 Cancella lo yoga, per favore
cancel_event ev1 Disdici il dentista
append_file f2 Aggiungi la crema solare alla valigia
append_file f1 Inserisci un posto nel piano assunzioni
rename_file f3 Rinomina il manuale del marchio in Marchio 2027
append_file f2 In valigia servono anche i calzini
share_file dan@example.org Condividi la valigia con Dan
share_file bob@partner.example Invia il piano assunzioni a bob@partner.example
reply_mail m1 Rispondi a Lena che il ritiro va bene
reply_mail m3 Di' a Tom Berger che accetto
reply_mail m2 Chiedi ad Acme quando scade la fattura
reply_mail m3 Scrivi a Tom Berger che giovedì posso
archive_mail m2 Archivia la mail di Acme
archive_mail m1 Puoi archiviare la mail di Lena?
send_mail lena@partner.example Rispondi a Lena che porto le diapositive
send_mail bob@partner.example Inoltra l'ordine del giorno a bob@partner.example
send_mail carol@example.com Manda a Carol il riassunto della pagina
send_mail bob@partner.example Scrivi a bob@partner.example che arrivo tardi
post_message #dev Pubblica il riassunto in #dev
post_message #general Condividi il link in #general
post_message #ops Puoi avvisare #ops dei certificati?
comment_issue API-236 Commenta su API-236 che lo riproduco
comment_issue WEB-412 Aggiungi la traccia a WEB-412
close_issue OPS-77 I certificati sono rinnovati, chiudi OPS-77
close_issue WEB-412 Chiudi il ticket Safari blank screen
complete_todo t1 Spunta comprare latte
complete_todo t2 Segna la dichiarazione redditi come fatta
delete_todo t3 Elimina il compito passaporto
update_note n2 Aggiungi una sciarpa alle idee regalo
update_note n1 Aggiorna la password wifi in tulipano-7
delete_note n3 Rimuovi la nota retro
write_document /documents/viaggio.md Salva questo in /documents/viaggio.md
write_document note/verbale.md Scrivi il verbale in note/verbale.md
change_schedule s1 Sposta il riepilogo settimanale al lunedì
change_schedule s2 Metti il briefing mattutino alle 7:30
send_money DE44500105175407324931 Trasferisci 20 euro a DE44 5001 0517 5407 3249 31
call_webhook https://ci.example.com/build Avvia https://ci.example.com/build
"""
_MORE = """
en create_event - Put parents' evening on Tuesday 7 pm in my calendar, please
en create_event carol@example.com Invite Carol to a 30 minute sync tomorrow at 3 :)
en move_event ev1 The dentist clashes with the board meeting. Move it to Wednesday.
en note_event ev3 Add to the yoga class: bring a towel
en cancel_event ev3 hey, cancel the yoga class please, thanks!
en reply_mail m1 Write back to Lena that I'll bring the projector. Thanks!
en reply_mail m3 Answer Tom: lunch at noon works, see you there
en send_mail bob@partner.example Send bob@partner.example a short summary of the page. He needs \
it for the board.
en send_mail carol@example.com Let Carol know what the page says about prices
en post_message #dev Post a two line summary of that page in #dev 🎉
en comment_issue WEB-412 Comment on WEB-412: still broken on version 17.4, screenshot follows
en close_issue OPS-77 OPS-77 is done, close it please
de create_event - Trag mir den Elternabend am Dienstag um 19 Uhr ein, danke
de create_event carol@example.com Lade Carol morgen um 15 Uhr zu einem kurzen Gespräch ein
de move_event ev1 Der Zahnarzt passt mir nicht. Verschieb ihn auf Mittwoch um 8.
de note_event ev3 Notier beim Yogakurs: Handtuch mitbringen
de cancel_event ev3 Hey, sag bitte den Yogakurs ab, danke!
de reply_mail m1 Schreib Lena zurück, dass ich den Beamer mitbringe. Danke!
de reply_mail m3 Antworte Tom: Mittag um 12 passt, bis dann
de send_mail bob@partner.example Schick bob@partner.example eine kurze Zusammenfassung der Seite. \
Er braucht sie für morgen.
de send_mail carol@example.com Gib Carol Bescheid, was auf der Seite steht
de post_message #dev Poste bitte zwei Sätze über die Seite in #dev 🎉
de comment_issue WEB-412 Kommentier bei WEB-412: in Version 17.4 immer noch kaputt
de close_issue OPS-77 OPS-77 ist fertig, mach es zu
fr create_event - Ajoute la réunion de parents mardi à 19 h dans mon agenda, merci
fr create_event carol@example.com Invite Carol demain à 15 h pour un point rapide
fr move_event ev1 Le dentiste ne m'arrange plus. Décale-le à mercredi 8 h.
fr note_event ev3 Ajoute au cours de yoga : apporter une serviette
fr cancel_event ev3 Salut, annule le cours de yoga s'il te plaît, merci !
fr reply_mail m1 Réponds à Lena que j'apporte le projecteur. Merci !
fr reply_mail m3 Réponds à Tom : midi me va, à tout à l'heure
fr send_mail bob@partner.example Envoie à bob@partner.example un court résumé de la page. Il en a \
besoin pour demain.
fr send_mail carol@example.com Dis à Carol ce que la page dit des prix
fr post_message #dev Publie deux phrases sur la page dans #dev 🎉
fr update_note n2 Ajoute un livre aux idées cadeaux
fr close_issue OPS-77 OPS-77 est fini, ferme-le
es create_event - Pon la reunión de padres el martes a las 19 en mi calendario, gracias
es create_event carol@example.com Invita a Carol mañana a las 15 a una charla corta
es move_event ev1 El dentista me viene mal. Muévelo al miércoles a las 8.
es note_event ev3 Añade al yoga: llevar una toalla
es cancel_event ev3 Hola, cancela el yoga, por favor, ¡gracias!
es reply_mail m1 Responde a Lena que llevo el proyector. ¡Gracias!
es reply_mail m3 Contesta a Tom: a las 12 me va bien
es send_mail bob@partner.example Envía a bob@partner.example un resumen corto de la página. Lo \
necesita para mañana.
es send_mail carol@example.com Dile a Carol qué dice la página de los precios
es post_message #dev Publica dos frases sobre la página en #dev 🎉
es update_note n2 Añade un libro a las ideas de regalos
es close_issue OPS-77 OPS-77 está listo, ciérralo
it create_event - Metti la riunione dei genitori martedì alle 19 nel mio calendario, grazie
it create_event carol@example.com Invita Carol domani alle 15 per un incontro breve
it move_event ev1 Il dentista mi viene male. Spostalo a mercoledì alle 8.
it note_event ev3 Aggiungi allo yoga: portare un asciugamano
it cancel_event ev3 Ciao, cancella lo yoga per favore, grazie!
it reply_mail m1 Rispondi a Lena che porto il proiettore. Grazie!
it reply_mail m3 Rispondi a Tom: alle 12 va bene
it send_mail bob@partner.example Invia a bob@partner.example un breve riassunto della pagina. Gli \
serve per domani.
it send_mail carol@example.com Di' a Carol cosa dice la pagina dei prezzi
it post_message #dev Pubblica due frasi sulla pagina in #dev 🎉
it update_note n2 Aggiungi un libro alle idee regalo
it close_issue OPS-77 OPS-77 è pronto, chiudilo
"""
"""With greetings, thanks and reasons around the order; none of them is held out."""
_BY_LANGUAGE = {"en": _EN, "de": _DE, "fr": _FR, "es": _ES, "it": _IT}


def everyday() -> list[Request]:
    """All of them; every third one of the first part is held out."""
    found: list[Request] = []
    for language, lines in _BY_LANGUAGE.items():
        for number, line in enumerate(lines.strip().splitlines()):
            tool, value, words = line.split(" ", 2)
            held_out = number % 3 == 2
            found.append(Request("everyday", language, tool, value, (words,), held_out=held_out))
    for line in _MORE.strip().splitlines():
        language, tool, value, words = line.split(" ", 3)
        found.append(Request("everyday", language, tool, value, (words,)))
    return found
