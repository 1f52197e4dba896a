"""Optional filters that a request speaks of in words of its own: a search, a state."""

from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.mention import Mention
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.words import word_set

_SEARCHES = word_set("search searching look looking query grep hunt suche busca cherche buscar")
_FOR = word_set("for after nach por")
_END = word_set("in on among within from under across please , . ? ! ; and")
_STATES = word_set(
    """pending failed success successful succeeded open opened closed running done active inactive
    complete completed cancelled canceled queued paid unpaid settled draft published archived
    expired enabled disabled resolved unresolved muted online offline healthy unhealthy stopped
    paused ready blocked approved rejected scheduled waiting finished deleted"""
)
_LONGEST = 6
CONFIDENCE = 0.75


def spoken_filter(view: View, cues: SlotCues) -> MentionSpan | None:
    """What the latest turn that says so is searched for, or the state that it asks about."""
    if cues.slot.many:
        return None
    if cues.slot.kind == "query":
        return _searched(view)
    if cues.slot.kind == "text" and {"status", "state"} & set(cues.slot.words[:1]):
        return _state(view)
    return None


def _searched(view: View) -> MentionSpan | None:
    """The words behind "search … for", up to where the clause goes on."""
    tokens, sentences = view.document.tokens, view.document.sentences
    for place in range(len(tokens) - 1, 0, -1):
        verbs = [
            token.lower in _SEARCHES and sentences[before] == sentences[place]
            for before, token in enumerate(tokens[:place])
        ]
        if tokens[place].lower not in _FOR or not any(verbs):
            continue
        end = place + 1
        while end < len(tokens) and sentences[end] == sentences[place]:
            if tokens[end].lower in _END or end - place > _LONGEST:
                break
            end += 1
        quoted = [s for s in view.spans if s.mention.kind == "quoted" and place < s.first < end + 2]
        if quoted:
            return quoted[0]
        return _span(view, place + 1, end) if end > place + 1 else None
    return None


def _state(view: View) -> MentionSpan | None:
    tokens = view.document.tokens
    places = [
        place
        for place, token in enumerate(tokens)
        if token.lower in _STATES and view.document.segments[token.segment].role == "user"
    ]
    return view.word_span(places[-1]) if places else None


def _span(view: View, first: int, last: int) -> MentionSpan:
    text, token = view.document.text(first, last), view.document.tokens[first]
    end = view.document.tokens[last - 1].end
    return MentionSpan(Mention("phrase", text, text, token.segment, token.start, end), first, last)
