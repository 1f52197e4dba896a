"""Optional filters that a request speaks of in words of its own: a search, a state."""

from gretel.nodes.plan.matching.profile import Profile, SlotCues
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.mention import Mention
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.words import word_set

_SEARCHES = word_set("search searching grep suche durchsuche busca buscar cherche chercher")
_FOR = word_set("for after nach por")
_END = word_set("in on among within from under across please , . ? ! ; and")
_STATES = word_set(
    """pending failed success successful succeeded open opened closed running done active inactive
    complete completed cancelled canceled queued paid unpaid settled draft published archived
    expired enabled disabled resolved unresolved muted online offline healthy unhealthy stopped
    paused ready blocked approved rejected scheduled waiting finished deleted"""
)
"""What lists of jobs, payments, tickets … are filtered by."""
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


def _searched(view: View, profile: Profile) -> MentionSpan | None:
    """The words behind "search … for", up to where the clause goes on; not the tool's own."""
    tokens = view.document.tokens
    for verb in reversed([i for i, token in enumerate(tokens) if token.lower in _SEARCHES]):
        rest = range(verb + 1, _sentence_end(view, verb))
        first = next((i + 1 for i in rest if tokens[i].lower in _FOR), rest.stop)
        last = next((i for i in rest if i >= first and tokens[i].lower in _END), rest.stop)
        quoted = [
            s for s in view.spans if s.mention.kind == "quoted" and s.first in (first, first + 1)
        ]
        if quoted:
            return quoted[0]
        own = all(token.concept in profile.vocabulary for token in tokens[first:last])
        if 0 < last - first <= _LONGEST and not own:
            return _span(view, first, last)
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
