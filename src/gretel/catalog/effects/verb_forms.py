"""Forms of the verbs that are listed, each with its verb."""

from gretel.catalog.effects.verb_lists import NOUNS_TOO, VERB_OBJECTS, VERBS
from gretel.text.words import word_set


def _thirds(verb: str) -> set[str]:
    """The third person of a verb, and what its rules give beside it."""
    ending = f"{verb[:-1]}ies" if verb[-1] == "y" and verb[-2] not in "aeiou" else f"{verb}s"
    return {ending, f"{verb}es"}


def _gerunds(verb: str) -> set[str]:
    """The same of its -ing form: `deleting`, `submitting`."""
    return {f"{verb.removesuffix('e')}ing", f"{verb}ing", f"{verb}{verb[-1]}ing"}


_KNOWN = VERBS | NOUNS_TOO | VERB_OBJECTS.keys()
THIRDS = {form: verb for verb in _KNOWN for form in _thirds(verb)}
GERUNDS = {form: verb for verb in _KNOWN for form in _gerunds(verb)}
"""Forms of the known verbs, each with its verb."""
PLAIN = {verb: verb for verb in _KNOWN}
NOUN_FORMS = word_set("adds buys edits pays saves sells sends updates uploads")
"""Third persons that are plurals too, or nearly so: they count before an object alone."""
