"""Names without quotes: which words can be one, and where it is over."""

from gretel.nodes.plan.matching.profile import Profile
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.literals import CJK
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.words import GENERIC_WORDS, REQUEST_VERBS, STOP_WORDS, word_set

VERBS = word_set("is are has have had was were does do did please")
_ABROAD = word_set(
    """de des du del dem den der die das von vom zu im am et ou en con avec pour por para y e und
    oder dans sur aus für mit auf el la los las le les"""
)
"""Function words of other languages, which are no names."""
_FOLLOWERS = VERBS | word_set(
    "of in for on at from with and or to set up by now as too also again instead look"
)
"""Behind a name: it is over."""
DESCRIBING = word_set("default")
"""Words of descriptions that things are named with, too."""


def together(view: View, left: int, right: int) -> bool:
    """Whether two tokens stand in one sentence."""
    return view.document.sentences[left] == view.document.sentences[right]


def is_name(view: View, profile: Profile, place: int) -> bool:
    """Whether a plain word can be a name: nothing that the tool or a request is phrased with.

    Names with capitals are found by their capitals.
    """
    token = view.document.tokens[place]
    common = token.lower in STOP_WORDS | _ABROAD
    common |= not view.language and token.lower in REQUEST_VERBS
    common |= view.document.segments[token.segment].role != "user"
    known = token.concept in profile.vocabulary or token.lower in GENERIC_WORDS - DESCRIBING
    return token.text.islower() and not (common or known or token.text.endswith("ed"))


def capitalised(view: View, profile: Profile, place: int) -> MentionSpan | None:
    """The run of capitalised words that begins at a token, unless the tool is described so."""
    runs = [s for s in view.spans if s.first == place and s.mention.kind == "proper"]
    longest = max(runs, key=lambda span: span.last, default=None)
    quoted = any(s.first <= place < s.last for s in view.spans if s.mention.kind == "quoted")
    if longest is None or quoted or not ends(view, longest.last):
        return None
    own = view.document.tokens[longest.first : longest.last]
    return None if all(token.concept in profile.vocabulary for token in own) else longest


def stops(view: View, place: int) -> bool:
    """Whether a clause ends before a token, or is about to say what is asked of a name."""
    if place >= len(view.document.tokens) or not together(view, place - 1, place):
        return True
    token = view.document.tokens[place]
    return token.text in ".,;:!?)" or token.lower in VERBS


def ends(view: View, place: int) -> bool:
    """Whether a name is over at a token: no further word of it follows."""
    tokens = view.document.tokens
    if place >= len(tokens) or not together(view, place - 1, place):
        return True
    word = tokens[place]
    over = word.lower in _FOLLOWERS | _ABROAD or word.text > CJK[0]
    return not word.is_word or over or word.lower.endswith("ed")
