"""Run by Atramhasis' own Python: makes the tables and fills them."""

import os
import sys

from atramhasis.data.models import Base, ExpandStrategy, IDGenerationStrategy, Provider
from skosprovider_sqlalchemy import models as skos
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import atramhasis_rows as rows


def labels(preferred, others):
    """As rows of their own."""
    found = [skos.Label(text, "prefLabel", language) for language, text in preferred.items()]
    more = [
        skos.Label(text, "altLabel", language) for language in others for text in others[language]
    ]
    return found + more


def scheme(number, name, called, note, subjects, language):
    """A vocabulary, and what makes it known."""
    made = skos.ConceptScheme(
        id=number,
        uri=f"{rows.URI}/{name.lower()}",
        labels=labels(called, {}),
        notes=[skos.Note(note, "definition", "en")],
    )
    provider = Provider(
        id=name,
        conceptscheme=made,
        uri_pattern=f"{rows.URI}/{name.lower()}/%s",
        expand_strategy=ExpandStrategy.RECURSE,
        meta={},
    )
    provider.meta = {
        "default_language": language,
        "subject": list(subjects),
        "atramhasis.force_display_language": None,
        "atramhasis.id_generation_strategy": IDGenerationStrategy.NUMERIC.name,
    }
    return provider


with Session(create_engine(sys.argv[1])) as session:
    skos.Base.metadata.create_all(session.get_bind())
    Base.metadata.create_all(session.get_bind())
    skos.Initialiser(session).init_all()
    known = {language for (language,) in session.query(skos.Language.id)}
    session.add_all(skos.Language(*each) for each in rows.LANGUAGES if each[0] not in known)
    made = {}
    for each in rows.SCHEMES:
        provider = scheme(*each)
        session.add(provider)
        uri = provider.conceptscheme.uri
        for number, called, others, _, definition in rows.CONCEPTS[each[0]]:
            concept = skos.Concept(
                concept_id=str(number),
                uri=f"{uri}/{number}",
                conceptscheme=provider.conceptscheme,
                labels=labels(called, others),
                notes=[skos.Note(definition, "definition", "en")],
            )
            made[each[0], number] = concept
            session.add(concept)
        for number, _, _, broader, _ in rows.CONCEPTS[each[0]]:
            for above in broader:
                made[each[0], above].narrower_concepts.add(made[each[0], number])
    schemes = {each.id: each for each in session.query(skos.ConceptScheme)}
    for number, identifier, called, members, above in rows.COLLECTIONS:
        collection = skos.Collection(
            concept_id=str(identifier),
            uri=f"{schemes[number].uri}/{identifier}",
            conceptscheme=schemes[number],
            labels=labels(called, {}),
            members={made[number, each] for each in members},
        )
        session.add(collection)
        if above:
            made[number, above].narrower_collections.add(collection)
    for number, one, other in rows.RELATED:
        made[number, one].related_concepts.add(made[number, other])
        made[number, other].related_concepts.add(made[number, one])
    for number, one, kind, language, words in rows.NOTES:
        made[number, one].notes.append(skos.Note(words, kind, language))
    for number, one, citation in rows.SOURCES:
        made[number, one].sources.append(skos.Source(citation))
    for number, one, kind, uri in rows.MATCHES:
        match = skos.Match(uri=uri, concept=made[number, one])
        match.matchtype_id = kind
        session.add(match)
    session.commit()
