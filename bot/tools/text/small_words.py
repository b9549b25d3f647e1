"""Words that say nothing of what is wanted, in the languages that people write most here.

Folded as in `bot.tools.catalog.phrases`: lower case, without accents.
"""

_SMALL = """
a about all also am an and any are as at be been but by can could did do does for from get give
go had has have he her here him his how i if in into is it its just let like make me more my
need no not now of off on or our out over please s she should show so some t than that the their
them then there these they this to too up us use very want was we were what when where which who
why will with would you your ll re ve d m today tomorrow yesterday aber als auch auf aus bei bin
bis bist bitte da damit dann das dass dein deine dem den der des die dir doch du durch ein eine
einem einen einer er es eigentlich etwas euch fur gerade gib gibt hab habe haben hat hatte heute
hier ich ihm ihn ihr im ist ja jetzt kann kannst kein konnen konntest mach mal man mein meine
meinem meinen meiner mich mir mit morgen muss nach nicht noch nun nur oder schon sein sich sie
sind soll um und uns unser unsere vom von vor war warum welche welchen wenn wer wie wir wird wo
zeig zu zum zur gestern au aux avec ai avons avez ce ces cet cette comme c dans de elle en est
et ete etre eu fait faire fais il ils j je l la le les leur lui ma mais mes moi mon n ne nos
notre nous ont ou par pas peux peut plait plus pour qu que quel quelle quels quelles qui quoi sa
se ses si son sont sur ta te tes toi ton tu un une va veux vos votre vous y aujourd hui demain
al algo ante como con cual cuales cuando cuanto del desde donde dos e el ella entre era eres esa
ese eso esta este esto estoy fue ha hay haz las lo los mi mis mucho muy nada nuestra nuestro o
os para pero por porque puede puedes quien quiero sea ser sin sobre su sus tengo ti tiene todo
tus una uno unos ya hoy manana ayer ad agli alla alle allo anche avere che chi ci cio come cosa
cui dagli dai dal dalla degli dei dell della delle dello di dove ed fa fai fammi gli hai hanno
ho io lei li loro mia mie miei mio nei nel nella nelle noi non nostra nostro per perche piu po
poi puoi quale quali quando quanto quella quello questa queste questo sei sia sono sta sua sugli
sui sul sulla sue suo tra tua tue tuo vi voglio vorrei oggi domani ieri
"""
SMALL_WORDS = frozenset(_SMALL.split())
