"""What is searched for, and where: "search house for cod", "dont le nom contient pain"."""

from collections.abc import Set

from gretel.nodes.plan.matching.profile import Profile
from gretel.nodes.plan.matching.view import ORDINARY, PRONOUNS, View
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.words import GENERIC_WORDS, STOP_WORDS, word_set

_SEARCHES = word_set(
    """search searching look looking grep suche suchen such durchsuche durchsuchen busca buscar
    busque cherche chercher cherchez recherche rechercher"""
)
_SUCH = word_set("im in mir uns nach bitte auf alle den das die mal")
"""Behind the German order "such", which is another word in English."""
_DIRECT = word_set("busca buscar busque cherche chercher cherchez recherche rechercher")
"""Verbs whose object is what is searched for, in languages that set no "for" before it."""
_SMALL = word_set("moi nous me nos le la les el los las un une una du des de l'")
"""Between such a verb and the words for a thing."""
_FINDS = word_set("find look locate")
_CALLED = word_set(
    "called named titled namens llamado llamada titulado intitulé intitulée appelé appelée nommé"
)
_ABOUT = _CALLED | word_set(
    """about mention mentioning mentions contain containing contains contient contiennent contenant
    contiene contienen contenga mentionne mentionnent menciona mencionan"""
)
"""Before the words that a thing is found by; names stand right behind a verb of the first."""
_OCCURS = word_set("occur appear")
_LAST_VERBS = word_set("enthält enthalten enthaelt vorkommt vorkommen erwähnt erwähnen")
"""German verbs that stand behind what is contained: "deren Name Brot enthält"."""
_GERMAN = word_set(
    """sind ist wird werden alle keine nicht noch auch darin dort es sie wort text name namen titel
    welche was wer der die das"""
)
TAGS = word_set("tag label keyword hashtag")
"""What lists are named whose members things are tagged with."""
_LABELS = TAGS | word_set("word term phrase")
_LABELLED = word_set("tagged labelled labeled")
"""Right before a word that is searched for: "with the tag travel", "tagged travel"."""
_BEFORE_LABELS = word_set("the with a by for using")
_AT = word_set("at of with for to by")
_FOR = word_set("for after nach por")
_END = word_set(
    """in on among within from under across please , . ? ! ; and even yet already before because so
    when if then im auf dans en chez parmi bitte"""
)
_ARTICLES = word_set("the a an")
"""Between "about" and what is searched for."""
_INTO = word_set("in within inside im dans en")
"""Between what is searched for and where."""
_NO_BLANKS = ("zh", "ja")
"""Languages whose script sets no blanks."""
_LONGEST = 6
"""Words that are searched for."""


def searched(view: View, profile: Profile) -> MentionSpan | None:
    """The words behind "search … for", up to where the clause goes on; not the tool's own."""
    tokens = view.document.tokens
    for verb in reversed(_verbs(view)):
        first, last = _object(view, verb)
        if quoted := _quoted(view, first):
            return quoted
        own = all(
            token.concept in profile.vocabulary or token.lower in STOP_WORDS
            for token in tokens[first:last]
        )
        if 0 < last - first <= _LONGEST and not own:
            return view.word_span(first, last)
    return _latin(view) or _occurring(view) or _found_by(view, profile) or tagged(view, profile)


def called(view: View, profile: Profile) -> MentionSpan | None:
    """What something is called: "is there an account called kiosk"."""
    return _found_by(view, profile, frozenset(), _CALLED)


def searched_place(view: View, profile: Profile) -> MentionSpan | None:
    """The one word for where something is searched for: "search house for cod", "… in house"."""
    tokens = view.document.tokens
    for verb in reversed(_verbs(view)):
        first, last = _object(view, verb)
        end = _sentence_end(view, verb)
        if first >= last:
            return None
        inside = range(verb + 1, first - 1)
        if last < end and tokens[last].lower in _INTO:
            over = (i for i in range(last + 1, end) if tokens[i].lower in _END)
            inside = range(last + 1, next(over, end))
        names = [i for i in inside if _can_name(view, profile, i)]
        if len(names) == 1:
            return view.word_span(names[0])
    return None


def _can_name(view: View, profile: Profile, place: int) -> bool:
    token = view.document.tokens[place]
    common = STOP_WORDS | PRONOUNS | ORDINARY | _INTO | _SMALL | _SUCH | GENERIC_WORDS
    known = token.lower in common or token.concept in profile.vocabulary
    return token.is_word and not known


def _verbs(view: View) -> list[int]:
    """Where a word says that something is searched for."""
    tokens = view.document.tokens
    places = [place for place, token in enumerate(tokens) if token.lower in _SEARCHES]
    behind = {place: tokens[place + 1].lower for place in places if place + 1 < len(tokens)}
    return [i for i in places if tokens[i].lower != "such" or behind.get(i) in _SUCH]


def _object(view: View, verb: int) -> tuple[int, int]:
    """The tokens of what a verb of searching looks for; none where first is not before last."""
    tokens, rest = view.document.tokens, range(verb + 1, _sentence_end(view, verb))
    first = next((i + 1 for i in rest if tokens[i].lower in _FOR), rest.stop)
    if first == rest.stop and tokens[verb].lower in _DIRECT:
        first = next((i for i in rest if tokens[i].lower not in _SMALL), rest.stop)
    last = next((i for i in rest if i >= first and tokens[i].lower in _END), rest.stop)
    return first, last


def tagged(view: View, profile: Profile) -> MentionSpan | None:
    """The only word behind a label, or before a German verb: "tag travel", "Brot enthält"."""
    tokens, sentences, found = view.document.tokens, view.document.sentences, set[int]()
    for place, token in enumerate(tokens):
        before = tokens[place - 1].lower if place else ""
        label = token.lower in _LABELS and before in _BEFORE_LABELS or token.lower in _LABELLED
        beside = place + 1 if label else place - 1
        inside = 0 <= beside < len(tokens) and sentences[beside] == sentences[place]
        if not inside or not (label or token.lower in _LAST_VERBS):
            continue
        after = tokens[beside + 1] if beside + 1 < len(tokens) else None
        over = beside < place or not after or after.lower in _END | _AT or not after.is_word
        if over and tokens[beside].lower not in _GERMAN and _can_name(view, profile, beside):
            found.add(beside)
    return view.word_span(found.pop()) if len(found) == 1 else None


def _occurring(view: View) -> MentionSpan | None:
    """What occurs somewhere: "which cells does Fender occur in"."""
    tokens = view.document.tokens
    for place in range(len(tokens) - 1, 1, -1):
        first = place - 1
        if (
            tokens[place].lower in _OCCURS
            and view.document.sentences[first] == (view.document.sentences[place])
        ):
            while first and tokens[first - 1].text[0].isupper() and tokens[first - 1].is_word:
                first -= 1
            if tokens[first - 1].lower in ("does", "do", "did") and tokens[first].is_word:
                return view.word_span(first, place)
    return None


def _latin(view: View) -> MentionSpan | None:
    """The only run of Latin words in a request whose script sets no blanks: "搜索 pumpkins"."""
    if view.language not in _NO_BLANKS:
        return None
    last, tokens = len(view.document.segments) - 1, view.document.tokens
    own = [i for i, t in enumerate(tokens) if t.segment == last and t.text.isascii() and t.is_word]
    alone = own and own[-1] - own[0] == len(own) - 1
    return view.word_span(own[0], own[-1] + 1) if alone else None


def _quoted(view: View, place: int) -> MentionSpan | None:
    """The quoted text that begins at a token, or behind the quotation mark there."""
    quoted = (span for span in view.spans if span.mention.kind == "quoted")
    return next((span for span in quoted if span.first in (place, place + 1)), None)


def _found_by(
    view: View, profile: Profile, finds: Set[str] = _FINDS, abouts: Set[str] = _ABOUT
) -> MentionSpan | None:
    """What a thing is found by: "find Amir in", "the one about parking", "a speaker called Sol"."""
    tokens = view.document.tokens
    for place in reversed(range(len(tokens) - 1)):
        verb, about = tokens[place].lower in finds, tokens[place].lower in abouts
        if not verb and not about:
            continue
        if quoted := _quoted(view, place + 1):
            return quoted
        first = place + 1 + (about and tokens[place + 1].lower in _ARTICLES)
        rest = range(first, _sentence_end(view, place))
        last = next((i for i in rest if tokens[i].lower in _END | _AT), rest.stop)
        said = tokens[first:last]
        common = STOP_WORDS | PRONOUNS
        known = any(token.concept in profile.vocabulary or token.lower in common for token in said)
        named = all(token.text[0].isupper() for token in said)
        if 0 < len(said) <= _LONGEST and not known and (about or named):
            return view.word_span(first, last)
    return None


def _sentence_end(view: View, place: int) -> int:
    """One past the last token of a token's sentence."""
    sentences = view.document.sentences
    after = range(place, len(sentences))
    return next((i for i in after if sentences[i] != sentences[place]), len(sentences))
