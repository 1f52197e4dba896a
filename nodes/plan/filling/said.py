"""Optional filters that a request speaks of in words of its own: a search, a state."""

from gretel.nodes.plan.matching.profile import Profile, SlotCues
from gretel.nodes.plan.matching.roles import slot_role
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.mention import Amount, Mention
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.words import GENERIC_WORDS, STOP_WORDS, content_words, singular, word_set

_SEARCHES = word_set(
    "search searching look looking grep suche durchsuche busca buscar cherche chercher"
)
_FINDS = word_set("find look locate")
_ABOUT = word_set(
    "about mention mentioning mentions contain containing contains called named titled"
)
"""Before the words that a thing is found by; names stand right behind a verb of the first."""
_OCCURS = word_set("occur appear")
_PRONOUNS = word_set(
    """myself yourself itself himself herself themselves ourselves something anything everything
    nothing someone anyone everyone one ones"""
)
_AT = word_set("at of with for to by")
_FOR = word_set("for after nach por")
_END = word_set(
    "in on among within from under across please , . ? ! ; and before because so when if then"
)
_STATES = word_set(
    """pending failed success successful succeeded open opened closed running done active inactive
    complete completed cancelled canceled queued paid unpaid settled draft published archived
    expired enabled disabled resolved unresolved muted online offline healthy unhealthy stopped
    paused ready blocked approved rejected scheduled waiting finished deleted"""
)
"""What lists of jobs, payments, tickets … are filtered by."""
_NO_BLANKS = ("zh", "ja")
"""Languages whose script sets no blanks."""
_LONGEST = 6
"""Words that are searched for."""
_ROW = 3
"""Numbers with commas between that are a list, and no aside."""
CONFIDENCE = 0.75


def spoken_filter(view: View, profile: Profile, cues: SlotCues) -> MentionSpan | None:
    """What the latest turn that says so is searched for, or the state that it asks about."""
    if cues.slot.many:
        return None
    if cues.slot.kind == "query":
        return _searched(view, profile)
    if cues.slot.kind in ("text", "place") and cues.slot.words[0] in ("status", "state"):
        return _state(view)
    return None


def left_over(view: View, cues: SlotCues) -> MentionSpan | None:
    """What only an optional slot can mean, where nothing that is needed has taken it."""
    if cues.slot.kind == "path":
        return _pattern(view)
    if cues.slot.kind == "year":
        return _year(view)
    counts = cues.slot.kind == "number" and not slot_role(cues.slot)
    return _counted(view, cues) if counts else None


def spoken_numbers(view: View, cues: SlotCues) -> list[MentionSpan]:
    """The longest row of numbers with commas between, for a list of numbers."""
    if not cues.slot.many or cues.slot.type not in ("integer", "number"):
        return []
    rows: list[list[MentionSpan]] = []
    for span in sorted(
        (s for s in view.spans if s.mention.kind == "number"), key=lambda s: s.first
    ):
        last = rows[-1][-1].last if rows else span.first
        between = [token.text for token in view.document.tokens[last : span.first]]
        if between == [","]:
            rows[-1].append(span)
        else:
            rows.append([span])
    return max((row for row in rows if len(row) >= _ROW), key=len, default=[])


def _pattern(view: View) -> MentionSpan | None:
    """The only pattern of file names that is said."""
    found = [s for s in view.spans if s.mention.kind == "path" and "*" in s.mention.text]
    return found[0] if len(found) == 1 else None


def _year(view: View) -> MentionSpan | None:
    """The only year that is said, and is no part of a date."""
    days = [s for s in view.spans if s.mention.kind == "date"]
    found = [
        span
        for span in view.spans
        if span.mention.kind == "year"
        and not any(day.first < span.last and span.first < day.last for day in days)
    ]
    return found[0] if len(found) == 1 else None


def _counted(view: View, cues: SlotCues) -> MentionSpan | None:
    """The only number of what a slot counts: "2 levels deep", "for 30 days"."""
    about = {*cues.slot.words, *content_words(cues.slot.description)}
    names = {singular(word) for word in about} - GENERIC_WORDS
    found = [
        span
        for span in view.spans
        if span.mention.kind == "quantity"
        and isinstance(span.mention.value, Amount)
        and singular(span.mention.value.unit) in names
    ]
    return found[0] if len(found) == 1 else None


def _searched(view: View, profile: Profile) -> MentionSpan | None:
    """The words behind "search … for", up to where the clause goes on; not the tool's own."""
    tokens = view.document.tokens
    for verb in reversed([i for i, token in enumerate(tokens) if token.lower in _SEARCHES]):
        rest = range(verb + 1, _sentence_end(view, verb))
        first = next((i + 1 for i in rest if tokens[i].lower in _FOR), rest.stop)
        last = next((i for i in rest if i >= first and tokens[i].lower in _END), rest.stop)
        if quoted := _quoted(view, first):
            return quoted
        own = all(
            token.concept in profile.vocabulary or token.lower in STOP_WORDS
            for token in tokens[first:last]
        )
        if 0 < last - first <= _LONGEST and not own:
            return _span(view, first, last)
    return _latin(view) or _occurring(view) or _found_by(view, profile)


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
                return _span(view, first, place)
    return None


def _latin(view: View) -> MentionSpan | None:
    """The only run of Latin words in a request whose script sets no blanks: "搜索 pumpkins"."""
    if view.language not in _NO_BLANKS:
        return None
    last, tokens = len(view.document.segments) - 1, view.document.tokens
    own = [i for i, t in enumerate(tokens) if t.segment == last and t.text.isascii() and t.is_word]
    alone = own and own[-1] - own[0] == len(own) - 1
    return _span(view, own[0], own[-1] + 1) if alone else None


def _quoted(view: View, place: int) -> MentionSpan | None:
    """The quoted text that begins at a token, or behind the quotation mark there."""
    quoted = (span for span in view.spans if span.mention.kind == "quoted")
    return next((span for span in quoted if span.first in (place, place + 1)), None)


def _found_by(view: View, profile: Profile) -> MentionSpan | None:
    """What a thing is found by: "find Amir in", "the one about parking", "a speaker called Sol"."""
    tokens = view.document.tokens
    for place in reversed(range(len(tokens) - 1)):
        verb, about = tokens[place].lower in _FINDS, tokens[place].lower in _ABOUT
        if not verb and not about:
            continue
        if quoted := _quoted(view, place + 1):
            return quoted
        rest = range(place + 1, _sentence_end(view, place))
        last = next((i for i in rest if tokens[i].lower in _END | _AT), rest.stop)
        said = tokens[place + 1 : last]
        common = STOP_WORDS | _PRONOUNS
        known = any(token.concept in profile.vocabulary or token.lower in common for token in said)
        named = all(token.text[0].isupper() for token in said)
        if 0 < len(said) <= _LONGEST and not known and (about or named):
            return _span(view, place + 1, last)
    return None


def _sentence_end(view: View, place: int) -> int:
    """One past the last token of a token's sentence."""
    sentences = view.document.sentences
    after = range(place, len(sentences))
    return next((i for i in after if sentences[i] != sentences[place]), len(sentences))


def _state(view: View) -> MentionSpan | None:
    """The last state that the user speaks of; "Open …" as the first word asks to do it."""
    tokens, document = view.document.tokens, view.document
    places = [
        place
        for place, token in enumerate(tokens)
        if token.lower in _STATES
        and document.segments[token.segment].role == "user"
        and place
        and document.sentences[place - 1] == document.sentences[place]
    ]
    return view.word_span(places[-1]) if places else None


def _span(view: View, first: int, last: int) -> MentionSpan:
    text, token = view.document.text(first, last), view.document.tokens[first]
    end = view.document.tokens[last - 1].end
    return MentionSpan(Mention("phrase", text, text, token.segment, token.start, end), first, last)
