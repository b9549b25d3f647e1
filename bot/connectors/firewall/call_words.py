"""What a call of `csf_management` does, as cards say it."""

from collections.abc import Mapping

from bot.domain.languages import Phrase

CALLS: Mapping[str, Phrase] = {
    "allow": Phrase(
        "allow {address} in the firewall for good",
        "{address} in der Firewall dauerhaft erlauben",
        "autoriser {address} dans le pare-feu pour de bon",
        "permitir {address} en el cortafuegos para siempre",
        "consentire {address} nel firewall per sempre",
    ),
    "unallow": Phrase(
        "take {address} off the firewall's list of allowed addresses",
        "{address} von der Liste der erlaubten Adressen der Firewall nehmen",
        "retirer {address} de la liste des adresses autorisées du pare-feu",
        "quitar {address} de la lista de direcciones permitidas del cortafuegos",
        "togliere {address} dall'elenco degli indirizzi consentiti del firewall",
    ),
    "deny": Phrase(
        "block {address} in the firewall for good",
        "{address} in der Firewall dauerhaft sperren",
        "bloquer {address} dans le pare-feu pour de bon",
        "bloquear {address} en el cortafuegos para siempre",
        "bloccare {address} nel firewall per sempre",
    ),
    "undeny": Phrase(
        "unblock {address} in the firewall",
        "die Sperre von {address} in der Firewall aufheben",
        "débloquer {address} dans le pare-feu",
        "desbloquear {address} en el cortafuegos",
        "sbloccare {address} nel firewall",
    ),
    "temp_allow": Phrase(
        "allow {address} in the firewall for {seconds} seconds",
        "{address} in der Firewall für {seconds} Sekunden erlauben",
        "autoriser {address} dans le pare-feu pendant {seconds} secondes",
        "permitir {address} en el cortafuegos durante {seconds} segundos",
        "consentire {address} nel firewall per {seconds} secondi",
    ),
    "temp_deny": Phrase(
        "block {address} in the firewall for {seconds} seconds",
        "{address} in der Firewall für {seconds} Sekunden sperren",
        "bloquer {address} dans le pare-feu pendant {seconds} secondes",
        "bloquear {address} en el cortafuegos durante {seconds} segundos",
        "bloccare {address} nel firewall per {seconds} secondi",
    ),
    "temp_remove": Phrase(
        "end the temporary rule of the firewall for {address}",
        "die befristete Regel der Firewall für {address} beenden",
        "mettre fin à la règle temporaire du pare-feu pour {address}",
        "terminar la regla temporal del cortafuegos para {address}",
        "terminare la regola temporanea del firewall per {address}",
    ),
}
LOOK = Phrase(
    "look at the firewall",
    "die Firewall ansehen",
    "regarder le pare-feu",
    "mirar el cortafuegos",
    "guardare il firewall",
)
