"""What a person reads when a budget is used up, by the English words that the log keeps of it."""

from bot.domain.budget_words import BUDGETS
from bot.domain.languages import Phrase
from bot.domain.retelling import Retelling

NEXT_MONTH = Phrase(
    "I stopped: {text} is used up. It goes on next month.",
    "Ich habe angehalten: {text} ist aufgebraucht. Nächsten Monat geht es weiter.",
    "J'ai arrêté : {text} est épuisé. Cela reprend le mois prochain.",
    "He parado: {text} se ha agotado. Sigue el mes que viene.",
    "Mi sono fermato: {text} è esaurito. Si riprende il mese prossimo.",
)
TOMORROW = Phrase(
    "I stopped: {text} is used up. I have asked those who run me whether I may use more; when they"
    " say yes I go on. Tomorrow there is a new one.",
    "Ich habe angehalten: {text} ist aufgebraucht. Ich habe meine Betreiber gefragt, ob ich mehr"
    " verwenden darf; sagen sie Ja, mache ich weiter. Morgen gibt es ein neues.",
    "J'ai arrêté : {text} est épuisé. J'ai demandé à ceux qui m'exploitent si je peux en utiliser"
    " plus ; s'ils disent oui, je continue. Demain, il y en a un nouveau.",
    "He parado: {text} se ha agotado. He preguntado a quienes me operan si puedo usar más; cuando"
    " digan que sí, sigo. Mañana hay uno nuevo.",
    "Mi sono fermato: {text} è esaurito. Ho chiesto a chi mi gestisce se posso usarne di più;"
    " quando dicono di sì, vado avanti. Domani ce n'è uno nuovo.",
)
ASKED = Phrase(
    "I stopped: {text} is used up. I have asked those who run me whether I may use more; when they"
    " say yes I go on.",
    "Ich habe angehalten: {text} ist aufgebraucht. Ich habe meine Betreiber gefragt, ob ich mehr"
    " verwenden darf; sagen sie Ja, mache ich weiter.",
    "J'ai arrêté : {text} est épuisé. J'ai demandé à ceux qui m'exploitent si je peux en utiliser"
    " plus ; s'ils disent oui, je continue.",
    "He parado: {text} se ha agotado. He preguntado a quienes me operan si puedo usar más; cuando"
    " digan que sí, sigo.",
    "Mi sono fermato: {text} è esaurito. Ho chiesto a chi mi gestisce se posso usarne di più;"
    " quando dicono di sì, vado avanti.",
)
SPENT = Retelling((NEXT_MONTH, TOMORROW, ASKED, *BUDGETS))
