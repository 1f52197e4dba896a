"""Verbs of other languages at the head of a sentence, where they are none of reading.

A word with the ending of a third person or an infinitive, and an article of its language behind it,
is a verb: "Ferme le compte", "Schaltet das Gerät aus". Accents are gone by then (`skeleton`).
"""

import re

_HEADS = (
    # German, Dutch: a third person
    re.compile(
        r"([^\W\d_]{3,}t)\s+(?:alle|das|dem|den|der|die|eine?[mnrs]?|ihre?[mnrs]?|seine?[mnrs]?|het"
        r"|een)\b(?!.*\b(?:bereit|dar)\b)"
    ),
    # French: a third person or an infinitive
    re.compile(
        r"([A-Za-z]{4,}(?:e|it|d|[eio]r|re))\s+(?:l'|(?:les?|la|une?|cet(?:te)?|ces|vos)\s)"
    ),
    # Spanish, Italian, Portuguese
    re.compile(
        r"([A-Za-z]{4,}(?:[ae]|[aei]re?))\s+(?:al?\s+(?:la|los|las)|al|el|las?|los|una?|sus?|il|gli"
        r"|os|uma?|a\s+\w+\s+d[aeo]s?)\s"
    ),
    # Dutch, an order: "Zet de lamp aan"
    re.compile(r"(doe|schakel|sluit|start|stop|stuur|zet)\s+(?:de|een|het)\s", re.I),
)
_READS = re.compile(
    r"(?:abr|affich|analy[sz]|anz|berech|besch|biet|busc|calcul|cherch|cerc|compar|compt|consult"
    r"|cont[ei]|conver|cuent|decri|descarg|descri|devuel|donn|elenc|encontr|encuent|enth|erh[ao]l|erlaub"
    r"|ermit|ermoglich|estim|evalu|explor|extra|find|fourn|frag|gener|gibt|hol|indi[cq]|lad|lee|lege"
    r"|legg|l[ei]s|lie[fs]|lire|list|mid|montr|mostr|muest|nen|obt[ei]|ofre[cz]|ott|otten|perm"
    r"|presen|proporc|pruf|rech|rechn|recher|recup|regres|renv|renvo|reto?ur|retorn|restit|ruf"
    r"|schatz|seleccion|such|telecharg|toon|tradu|trov|trouv|uberset|valid|verg|verif|vis|visual"
    r"|wandel|zahl|zeig)",
    re.I,
)
"""How verbs of reading and computing begin."""
_NO_VERB = re.compile(
    r"\w+ant|avec|cada|comme|contra|contre|dall[ae]|dell[ae]|desde|donde|durante|elle|entre|fast"
    r"|jetzt|mediante|mehr|nell[ae]|nicht|outre|para|pour|quell[ae]|rest|seit|selbst|sobre|sopra|sotto"
    r"|sull[ae]|toda|todas|tout[e]?|toutes|tutt[aei]|vers|zuletzt|mit|fuer|fur|over|before|where|"
    r"here|there|are|the|note|date|name|type|like|leave|cause|home|score|store|site|page|life",
    re.I,
)


def verb_in_other_language(sentence: str) -> str | None:
    """The verb that a sentence in one of six other languages begins with."""
    found = next(filter(None, (pattern.match(sentence) for pattern in _HEADS)), None)
    word = found[1].lower() if found else ""
    known = not word or _READS.match(word) or _NO_VERB.fullmatch(word)
    return None if known else word
