"""What a call of `release_draft` does, as cards say it."""

from collections.abc import Mapping

from bot.domain.languages import Phrase
from bot.workshop.making.draft import Kind

CHANGES_TOOL = Phrase(
    "change the live tool {name}: for {roles}{risk}; it does {does}",
    "das Werkzeug {name}, das in Gebrauch ist, ändern: für {roles}{risk}; es tut {does}",
    "changer l'outil {name}, déjà en service : pour {roles}{risk} ; il fait {does}",
    "cambiar la herramienta {name}, que está en uso: para {roles}{risk}; hace {does}",
    "cambiare lo strumento {name}, già in uso: per {roles}{risk}; fa {does}",
)
CHANGES_SKILL = Phrase(
    "change the live skill {name}: for {roles}{risk}; it does {does}",
    "den Skill {name}, der in Gebrauch ist, ändern: für {roles}{risk}; er tut {does}",
    "changer la compétence {name}, déjà en service : pour {roles}{risk} ; elle fait {does}",
    "cambiar la habilidad {name}, que está en uso: para {roles}{risk}; hace {does}",
    "cambiare l'abilità {name}, già in uso: per {roles}{risk}; fa {does}",
)
NEW_TOOL = Phrase(
    "let people use the new tool {name}: for {roles}{risk}; it does {does}",
    "das neue Werkzeug {name} freigeben: für {roles}{risk}; es tut {does}",
    "mettre à disposition le nouvel outil {name} : pour {roles}{risk} ; il fait {does}",
    "dejar usar la nueva herramienta {name}: para {roles}{risk}; hace {does}",
    "rendere disponibile il nuovo strumento {name}: per {roles}{risk}; fa {does}",
)
NEW_SKILL = Phrase(
    "let people use the new skill {name}: for {roles}{risk}; it does {does}",
    "den neuen Skill {name} freigeben: für {roles}{risk}; er tut {does}",
    "mettre à disposition la nouvelle compétence {name} : pour {roles}{risk} ; elle fait {does}",
    "dejar usar la nueva habilidad {name}: para {roles}{risk}; hace {does}",
    "rendere disponibile la nuova abilità {name}: per {roles}{risk}; fa {does}",
)
CHANGES_MANIFEST = Phrase(
    "change the live manifest {name}: for {roles}{risk}; it does {does}",
    "das Manifest {name}, das in Gebrauch ist, ändern: für {roles}{risk}; es tut {does}",
    "changer le manifeste {name}, déjà en service : pour {roles}{risk} ; il fait {does}",
    "cambiar el manifiesto {name}, que está en uso: para {roles}{risk}; hace {does}",
    "cambiare il manifesto {name}, già in uso: per {roles}{risk}; fa {does}",
)
NEW_MANIFEST = Phrase(
    "let people use the new manifest {name}: for {roles}{risk}; it does {does}",
    "das neue Manifest {name} freigeben: für {roles}{risk}; es tut {does}",
    "mettre à disposition le nouveau manifeste {name} : pour {roles}{risk} ; il fait {does}",
    "dejar usar el nuevo manifiesto {name}: para {roles}{risk}; hace {does}",
    "rendere disponibile il nuovo manifesto {name}: per {roles}{risk}; fa {does}",
)
RISK = Phrase(
    ", a risk of {risk}",
    ", mit dem Risiko {risk}",
    ", avec un risque {risk}",
    ", con un riesgo {risk}",
    ", con un rischio {risk}",
)
RELEASES: Mapping[tuple[str, bool], Phrase] = {
    (Kind.TOOL, True): CHANGES_TOOL,
    (Kind.SKILL, True): CHANGES_SKILL,
    (Kind.MANIFEST, True): CHANGES_MANIFEST,
    (Kind.TOOL, False): NEW_TOOL,
    (Kind.SKILL, False): NEW_SKILL,
    (Kind.MANIFEST, False): NEW_MANIFEST,
}
"""By the kind of the draft, and whether it changes what is live."""
